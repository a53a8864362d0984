//===- gemm_softmax.cpp - A product and its softmax, as tasks -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = softmax of each row of A . B: a product and the row operation behind it.
// The first V columns are one tile; B has no more. It prints
// examples/task/gemm_softmax.mlir:
//
//   g++ -std=c++20 -Iinclude examples/task/gemm_softmax.cpp -o gemm_softmax
//   ./gemm_softmax > gemm_softmax.mlir
//   heddle run gemm_softmax.mlir --view a=300x200 --view b=200x100
//     --view c=300x100
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <cmath>
#include <iostream>

using namespace heddle::tasks;

int main() {
  Program program("heddle run examples/task/gemm_softmax.mlir --view a=300x200 "
                  "--view b=200x100 --view c=300x100");
  using Matrix = In<f16, 2>;
  Task<Matrix, Matrix, InOut<f16, 2>> gemm(program, "gemm_softmax",
                                           {"a", "b", "c"});
  Task<Matrix, Matrix, Out<f16, 2>, Index> rows(program, "rows",
                                                {"a", "b", "c", "columns"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<Matrix, Matrix, InOut<f32, 2>> add(program, "add", {"a", "b", "s"});
  Task<In<f32, 2>, Out<f16, 2>, Index> softmax(program, "softmax",
                                               {"s", "c", "columns"});

  Variant grid = gemm.inner("grid", [&](Matrix a, Matrix b, InOut<f16, 2> c) {
    Index u = tunable("U"), v = tunable("V");
    auto as = a.blocks(u, all);
    auto b0 = b.blocks(all, v)(all, 0);
    auto cs = c.blocks(u, v);
    Index columns = b0.inside(1);
    for (auto [i] : prange(cs.count(0)))
      rows(as(i, all), b0, cs(i, 0), columns);
  });

  Variant block = rows.inner(
      "block", [&](Matrix a, Matrix b, Out<f16, 2> c, Index columns) {
        Index w = tunable("W");
        auto sum = make<f32>(c.extent(0), c.extent(1));
        clear(sum);
        auto as = a.blocks(all, w);
        auto bs = b.blocks(w, all);
        for (Index k : srange(as.count(1)))
          add(as(all, k), bs(k, all), sum);
        softmax(sum, c, columns);
      });

  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant product =
      add.leaf("product", [](Matrix a, Matrix b, InOut<f32, 2> s) {
        s = dot(a.read({"M", "K"}), b.read({"K", "N"}), s.read({"M", "N"}));
      });
  Variant shares =
      softmax.leaf("shares", [](In<f32, 2> s, Out<f16, 2> c, Index columns) {
        Tile sum = s.read({"M", "N"});
        // Only columns that exist: the others would count as products of 0.
        Tile exists = isLess(iota("N"), splat(number(columns), {"N"}));
        Tile value = select(repeat(exists, 0, "M"), sum,
                            splat<f32>(-INFINITY, {"M", "N"}));
        Tile largest = maxAlong(1, value);
        Tile e = exp(value - repeat(largest, 1, "N"));
        Tile total = sumAlong(1, e);
        c = cast<f16>(e / repeat(total, 1, "N"));
      });

  using enum Level;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid)
      .calls({block})
      .tune("U", 128)
      .tune("V", 128)
      .order("b", {{0, 1}});
  map.on(Block, block).calls({zero, product, shares}).tune("W", 64);
  map.on(Block, zero);
  map.on(Block, product);
  map.on(Block, shares);
  program.print(std::cout);
}
