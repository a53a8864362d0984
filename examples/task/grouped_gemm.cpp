//===- grouped_gemm.cpp - Products with a matrix for each group, as tasks ===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of A belong to groups, each with its own B, as the tokens of experts do:
// C's block of rows number i is A's times B[groups[i]]. Only the device knows
// the list; each group fills whole blocks of rows. A group that B lacks counts
// as zeros. It prints examples/task/grouped_gemm.mlir.
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;

int main() {
  using A = In<f16, 2>;
  using B = In<f16, 3>;
  using C = Out<f16, 2>;
  Program program("heddle run examples/task/grouped_gemm.mlir --view a=300x200 "
                  "--view b=3x200x264 --view groups=3xi32 --values "
                  "groups=2,0,1 --view c=300x264");
  Task<A, B, In<i32, 1>, C> grouped(program, "grouped_gemm",
                                    {"a", "b", "groups", "c"});
  Task<A, B, C> gemm(program, "gemm", {"a", "b", "c"});
  Task<A, B, InOut<f32, 2>> add(program, "add", {"a", "b", "s"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<In<f32, 2>, C> store(program, "store", {"s", "c"});

  Variant grid = grouped.inner("grid", [&](A a, B b, In<i32, 1> groups, C c) {
    Index u = tunable("U"), v = tunable("V");
    auto as = a.blocks(u, all);
    auto bs = b.blocks(1, all, v);
    auto cs = c.blocks(u, v);
    for (auto [i, j] : prange(cs.count(0), cs.count(1))) {
      Index group = groups.element(i);
      gemm(as(i, all), bs(group, all, j), cs(i, j));
    }
  });

  Variant block = gemm.inner("block", [&](A a, B b, C c) {
    Index w = tunable("W");
    auto sum = make<f32>(c.extent(0), c.extent(1));
    clear(sum);
    auto as = a.blocks(all, w);
    auto bs = b.blocks(all, w, all);
    for (Index k : srange(as.count(1)))
      add(as(all, k), bs(all, k, all), sum);
    store(sum, c);
  });

  Variant product = add.leaf("product", [](A a, B b, InOut<f32, 2> s) {
    Tile x = a.read({"M", "K"});
    Tile y = reshape(b.read({1, "K", "N"}), {"K", "N"});
    s = dot(x, y, s.read({"M", "N"}));
  });
  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant round = store.leaf(
      "round", [](In<f32, 2> s, C c) { c = cast<f16>(s.read({"M", "N"})); });

  using enum Level;
  using enum Memory;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid).calls({block}).tune("U", 128).tune("V", 128, {128, 256});
  map.on(Block, block).calls({zero, product, round}).tune("W", 64);
  map.on(Block, product).memories({Shared, Shared, None});
  map.on(Block, zero);
  map.on(Block, round);
  program.print(std::cout);
}
