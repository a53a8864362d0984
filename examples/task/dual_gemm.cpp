//===- dual_gemm.cpp - Two products and a gate, as tasks ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = (A . B1) * silu(A . B2) as tasks; a step launches two products, which
// read one tile of A. It prints examples/task/dual_gemm.mlir.
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <iostream>

using namespace heddle::tasks;

int main() {
  using A = In<f16, 2>;
  using C = Out<f16, 2>;
  Program program("heddle run examples/task/dual_gemm.mlir --view a=256x128 "
                  "--view b1=128x256 --view b2=128x256 --view c=256x256");
  Task<A, A, A, C> gated(program, "dual_gemm", {"a", "b1", "b2", "c"});
  Task<A, A, A, InOut<f32, 2>, InOut<f32, 2>> step(
      program, "step", {"a", "b1", "b2", "up", "gate"});
  Task<Out<f32, 2>> clear(program, "clear", {"s"});
  Task<In<f32, 2>, In<f32, 2>, C> store(program, "store", {"up", "gate", "c"});

  Variant grid = gated.inner("grid", [&](A a, A b1, A b2, C c) {
    Index u = tunable("U"), v = tunable("V");
    auto as = a.blocks(u, all);
    auto firsts = b1.blocks(all, v);
    auto seconds = b2.blocks(all, v);
    auto cs = c.blocks(u, v);
    for (auto [i, j] : prange(cs.count(0), cs.count(1)))
      gated(as(i, all), firsts(all, j), seconds(all, j), cs(i, j));
  });

  Variant block = gated.inner("block", [&](A a, A b1, A b2, C c) {
    Index w = tunable("W");
    auto up = make<f32>(c.extent(0), c.extent(1));
    auto gate = make<f32>(c.extent(0), c.extent(1));
    clear(up);
    clear(gate);
    auto as = a.blocks(all, w);
    auto firsts = b1.blocks(w, all);
    auto seconds = b2.blocks(w, all);
    for (Index k : srange(as.count(1)))
      step(as(all, k), firsts(k, all), seconds(k, all), up, gate);
    store(up, gate, c);
  });

  Variant products = step.leaf(
      "products", [](A a, A b1, A b2, InOut<f32, 2> up, InOut<f32, 2> gate) {
        Tile x = a.read({"M", "K"});
        Tile first = b1.read({"K", "N"});
        Tile second = b2.read({"K", "N"});
        up = dot(x, first, up.read({"M", "N"}));
        gate = dot(x, second, gate.read({"M", "N"}));
      });
  Variant zero =
      clear.leaf("zero", [](Out<f32, 2> s) { s = splat<f32>(0, {"M", "N"}); });
  Variant silu = store.leaf("silu", [](In<f32, 2> up, In<f32, 2> gate, C c) {
    Tile g = gate.read({"M", "N"});
    Tile below = splat<f32>(1, {"M", "N"}) + exp(negate(g));
    c = cast<f16>(up.read({"M", "N"}) * (g / below));
  });

  using enum Level;
  using enum Memory;
  Mapping map(program, "two_groups", grid);
  map.on(Host, grid)
      .calls({block})
      .tune("U", 128, {64, 128})
      .tune("V", 128, {64, 128})
      .order("b1", {{0, 1}})
      .order("b2", {{0, 1}});
  map.on(Block, block)
      .calls({zero, products, silu})
      .tune("W", 64, {32, 64})
      .pin("specialised", true);
  map.on(Block, products).memories({Shared, Shared, Shared, None, None});
  map.on(Block, zero);
  map.on(Block, silu);

  program.print(std::cout);
}
