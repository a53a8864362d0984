//===- split_k_gemm.cpp - A product whose K is split, as tasks ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C += A . B, where K is long and C small: several blocks share a piece of C,
// each adds the product of its part of K.
//
//   g++ -std=c++20 -Iinclude examples/task/split_k_gemm.cpp -o split_k &&
//   ./split_k > split_k.mlir heddle run split_k.mlir --view a=128x2048 --view
//   b=2048x128 --view c=128x128
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;
using enum heddle::tasks::Level;

int main() {
  Program program(
      "heddle run examples/task/split_k_gemm.mlir --view a=128x2048 "
      "--view b=2048x128 --view c=128x128");
  using Sums = Reduce<f32, 2>;
  Task<In<f16, 2>, In<f16, 2>, Sums> gemm(program, "split_k_gemm",
                                          {"a", "b", "c"});
  Task<In<f16, 2>, In<f16, 2>, InOut<f32, 2>> add(program, "add",
                                                  {"a", "b", "s"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<In<f32, 2>, Sums> share(program, "share", {"s", "c"});

  // Blocks (i, j, k) for all k add to one piece of C.
  Variant grid = gemm.inner("grid", [&](In<f16, 2> a, In<f16, 2> b, Sums c) {
    Index u = tunable("U"), v = tunable("V"), part = tunable("PART");
    auto as = a.blocks(u, part);
    auto bs = b.blocks(part, v);
    auto cs = c.blocks(u, v);
    for (auto [i, j, k] : prange(cs.count(0), cs.count(1), as.count(1)))
      gemm(as(i, k), bs(k, j), cs(i, j));
  });
  Variant block = gemm.inner("block", [&](In<f16, 2> a, In<f16, 2> b, Sums c) {
    Index w = tunable("W");
    auto sum = make<f32>(c.extent(0), c.extent(1));
    clear(sum);
    auto as = a.blocks(all, w);
    auto bs = b.blocks(w, all);
    for (Index k : srange(as.count(1)))
      add(as(all, k), bs(k, all), sum);
    share(sum, c);
  });
  Variant product =
      add.leaf("product", [](In<f16, 2> a, In<f16, 2> b, InOut<f32, 2> s) {
        s = dot(a.read({"M", "K"}), b.read({"K", "N"}), s.read({"M", "N"}));
      });
  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant shared = share.leaf(
      "shared", [](In<f32, 2> s, Sums c) { c += s.read({"M", "N"}); });

  Mapping map(program, "split", grid);
  map.pin("split_k", "atomics");
  map.on(Host, grid)
      .calls({block})
      .tune("U", 128, {64, 128})
      .tune("V", 128, {64, 128})
      .tune("PART", 512);
  map.on(Block, block).calls({zero, product, shared}).tune("W", 64);
  map.on(Block, product);
  map.on(Block, zero);
  map.on(Block, shared);
  program.print(std::cout);
}
