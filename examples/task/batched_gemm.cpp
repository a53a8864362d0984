//===- batched_gemm.cpp - Products of a batch, as tasks -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[z] = A[z] . B[z] as tasks: the batch is one axis more of the prange, and a
// block is one matrix wide along it. It prints examples/task/batched_gemm.mlir.
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;

int main() {
  using A = In<f16, 3>;
  using C = Out<f16, 3>;
  Program program(
      "heddle run examples/task/batched_gemm.mlir --view a=3x200x136 "
      "--view b=3x136x264 --view c=3x200x264");
  Task<A, A, C> gemm(program, "batched_gemm", {"a", "b", "c"});
  Task<A, A, InOut<f32, 2>> add(program, "add", {"a", "b", "s"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<In<f32, 2>, C> store(program, "store", {"s", "c"});

  Variant grid = gemm.inner("grid", [&](A a, A b, C c) {
    Index u = tunable("U"), v = tunable("V");
    auto as = a.blocks(1, u, all);
    auto bs = b.blocks(1, all, v);
    auto cs = c.blocks(1, u, v);
    for (auto [z, i, j] : prange(cs.count(0), cs.count(1), cs.count(2)))
      gemm(as(z, i, all), bs(z, all, j), cs(z, i, j));
  });

  Variant block = gemm.inner("block", [&](A a, A b, C c) {
    Index w = tunable("W");
    auto sum = make<f32>(c.extent(1), c.extent(2));
    clear(sum);
    auto as = a.blocks(all, all, w);
    auto bs = b.blocks(all, w, all);
    for (Index k : srange(as.count(2)))
      add(as(all, all, k), bs(all, k, all), sum);
    store(sum, c);
  });

  Variant product = add.leaf("product", [](A a, A b, InOut<f32, 2> s) {
    Tile x = reshape(a.read({1, "M", "K"}), {"M", "K"});
    Tile y = reshape(b.read({1, "K", "N"}), {"K", "N"});
    s = dot(x, y, s.read({"M", "N"}));
  });
  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant round = store.leaf("round", [](In<f32, 2> s, C c) {
    c = reshape(cast<f16>(s.read({"M", "N"})), {1, "M", "N"});
  });

  using enum Level;
  using enum Memory;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid).calls({block}).tune("U", 128).tune("V", 128);
  map.on(Block, block)
      .calls({zero, product, round})
      .tune("W", 64)
      .pin("pipeline", 6);
  map.on(Block, product).memories({Shared, Shared, None});
  map.on(Block, zero);
  map.on(Block, round);

  program.print(std::cout);
}
