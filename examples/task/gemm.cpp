//===- gemm.cpp - A product, as tasks -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A . B with an f32 sum, as tasks: the program first, then the mapping. It
// prints examples/task/gemm.mlir:
//
//   g++ -std=c++20 -Iinclude examples/task/gemm.cpp -o gemm
//   ./gemm > gemm.mlir
//   heddle run gemm.mlir --view a=300x200 --view b=200x520 --view c=300x520
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;

int main() {
  Program program("heddle run examples/task/gemm.mlir --view a=512x256 --view "
                  "b=256x512 --view c=512x512");
  Task<In<f16, 2>, In<f16, 2>, Out<f16, 2>> gemm(program, "gemm",
                                                 {"a", "b", "c"});
  Task<In<f16, 2>, In<f16, 2>, InOut<f32, 2>> add(program, "add",
                                                  {"a", "b", "s"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<In<f32, 2>, Out<f16, 2>> store(program, "store", {"s", "c"});

  // A grid of blocks of C.
  Variant grid =
      gemm.inner("grid", [&](In<f16, 2> a, In<f16, 2> b, Out<f16, 2> c) {
        Index u = tunable("U"), v = tunable("V");
        auto as = a.blocks(u, all);
        auto bs = b.blocks(all, v);
        auto cs = c.blocks(u, v);
        for (auto [i, j] : prange(cs.count(0), cs.count(1)))
          gemm(as(i, all), bs(all, j), cs(i, j));
      });

  // One block: a sum over K.
  Variant block =
      gemm.inner("block", [&](In<f16, 2> a, In<f16, 2> b, Out<f16, 2> c) {
        Index w = tunable("W");
        auto sum = make<f32>(c.extent(0), c.extent(1));
        clear(sum);
        auto as = a.blocks(all, w);
        auto bs = b.blocks(w, all);
        for (Index k : srange(as.count(1)))
          add(as(all, k), bs(k, all), sum);
        store(sum, c);
      });

  // The rows of a product, shared out among warp groups.
  Variant rows =
      add.inner("rows", [&](In<f16, 2> a, In<f16, 2> b, InOut<f32, 2> s) {
        Index groups = tunable("GROUPS");
        Index height = s.extent(0) / groups;
        auto as = a.blocks(height, all);
        auto ss = s.blocks(height, all);
        for (auto [g] : prange(groups))
          add(as(g, all), b, ss(g, all));
      });

  Variant product =
      add.leaf("product", [](In<f16, 2> a, In<f16, 2> b, InOut<f32, 2> s) {
        s = dot(a.read({"M", "K"}), b.read({"K", "N"}), s.read({"M", "N"}));
      });
  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant round = store.leaf("round", [](In<f32, 2> s, Out<f16, 2> c) {
    c = cast<f16>(s.read({"M", "N"}));
  });

  using enum Level;
  using enum Memory;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid)
      .memories({Global, Global, Global})
      .calls({block})
      .tune("U", 128)
      .tune("V", 256)
      .order("b", {{0, 1}});
  map.on(Block, block)
      .memories({Global, Global, Global})
      .calls({zero, rows, round})
      .tune("W", 64)
      .pin("specialised", true)
      .pin("pipeline", 4);
  map.on(Block, rows)
      .memories({Shared, Shared, None})
      .calls({product})
      .tune("GROUPS", 2);
  map.on(Warpgroup, product).memories({Shared, Shared, Register});
  map.on(Warpgroup, zero).memories({Register});
  map.on(Warpgroup, round).memories({Register, Register});

  program.print(std::cout);
}
