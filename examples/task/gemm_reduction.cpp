//===- gemm_reduction.cpp - A product and the sums of rows, as tasks -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A . B, and y[i] = the sum of A[i, k] over k: the sum reads the tile of A
// that the product reads. All blocks of a row have the same sums, and those of
// the first column write them: for the others the piece of y is not there. It
// prints examples/task/gemm_reduction.mlir.
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;

int main() {
  using A = In<f16, 2>;
  using C = Out<f16, 2>;
  using Y = Out<f32, 1>;
  Program program("heddle run examples/task/gemm_reduction.mlir --view "
                  "a=300x200 --view b=200x520 --view c=300x520 --view y=300");
  Task<A, A, C, InOut<f32, 1>> both(program, "gemm_reduction",
                                    {"a", "b", "c", "y"});
  Task<A, A, C, Y> tile(program, "tile", {"a", "b", "c", "y"});
  Task<A, A, InOut<f32, 2>, InOut<f32, 1>> step(program, "step",
                                                {"a", "b", "s", "t"});
  Task<Out<f32, 2>, Out<f32, 1>> clear(program, "clear", {"s", "t"});
  Task<In<f32, 2>, C> store(program, "store", {"s", "c"});
  Task<In<f32, 1>, Y> keep(program, "keep", {"t", "y"});

  Variant grid = both.inner("grid", [&](A a, A b, C c, InOut<f32, 1> y) {
    Index u = tunable("U"), v = tunable("V");
    auto as = a.blocks(u, all);
    auto bs = b.blocks(all, v);
    auto cs = c.blocks(u, v);
    auto ys = y.blocks(u);
    // The sums belong to A alone: without columns of C they still have a block.
    Index across = cs.count(1);
    Index least = max(across, 1);
    for (auto [i, j] : prange(cs.count(0), least))
      tile(as(i, all), bs(all, j), cs(i, j), ys.when(j == 0)(i));
  });

  Variant block = tile.inner("block", [&](A a, A b, C c, Y y) {
    Index w = tunable("W");
    auto sum = make<f32>(c.extent(0), c.extent(1));
    auto total = make<f32>(c.extent(0));
    clear(sum, total);
    auto as = a.blocks(all, w);
    auto bs = b.blocks(w, all);
    for (Index k : srange(as.count(1)))
      step(as(all, k), bs(k, all), sum, total);
    store(sum, c);
    keep(total, y);
  });

  Variant product =
      step.leaf("product", [](A a, A b, InOut<f32, 2> s, InOut<f32, 1> t) {
        Tile x = a.read({"M", "K"});
        s = dot(x, b.read({"K", "N"}), s.read({"M", "N"}));
        Tile here = sumAlong(1, cast<f32>(x));
        t = t.read({"M"}) + here;
      });
  Variant zero = clear.leaf("zero", [](Out<f32, 2> s, Out<f32, 1> t) {
    s = splat<f32>(0, {"M", "N"});
    t = splat<f32>(0, {"M"});
  });
  Variant round = store.leaf(
      "round", [](In<f32, 2> s, C c) { c = cast<f16>(s.read({"M", "N"})); });
  Variant kept =
      keep.leaf("kept", [](In<f32, 1> t, Y y) { y = t.read({"M"}); });

  using enum Level;
  using enum Memory;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid)
      .calls({block})
      .tune("U", 128)
      .tune("V", 256)
      .order("b", {{0, 1}});
  map.on(Block, block).calls({zero, product, round, kept}).tune("W", 64);
  map.on(Block, product).memories({Shared, Shared, None, None});
  map.on(Block, zero);
  map.on(Block, round);
  map.on(Block, kept);
  program.print(std::cout);
}
