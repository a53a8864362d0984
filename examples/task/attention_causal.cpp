//===- attention_causal.cpp - Causal attention, as tasks -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// attention.cpp, where query i sees key j if j <= i + keys - queries, so that
// the last query sees every key; one that sees none gets 0. Rows that see most
// come first, a block's loop ends where its last row does, and only a tile that
// crosses the diagonal is masked. It prints
// examples/task/attention_causal.mlir.
//
//===----------------------------------------------------------------------===//

#include "heddle/task.h"

#include <cmath>
#include <iostream>

using namespace heddle::tasks;

int main() {
  Program program(
      "heddle run examples/task/attention_causal.mlir --view q=2x200x128 "
      "--view k=2x136x128 --view v=2x136x128 --view o=2x200x128 --scalar "
      "scale=0.0883883");
  using Heads = In<f16, 3>;
  using Rows = InOut<f32, 1>;
  using Sums = InOut<f32, 2>;
  Task<Heads, Heads, Heads, InOut<f16, 3>, Scalar<f32>> attention(
      program, "attention_causal", {"q", "k", "v", "o", "scale"});
  Task<Heads, Heads, Heads, Out<f16, 3>, Index, Index, Scalar<f32>> rows(
      program, "rows", {"q", "k", "v", "o", "first", "end", "c"});
  Task<Out<f32, 1>, Out<f32, 1>, Out<f32, 2>> start(program, "start",
                                                    {"m", "l", "s"});
  Task<Heads, Heads, Heads, Rows, Rows, Sums, Flag, Index, Index, Scalar<f32>>
      step(program, "step",
           {"q", "k", "v", "m", "l", "s", "crosses", "first", "from", "c"});
  Task<In<f32, 1>, In<f32, 2>, Out<f16, 3>> end(program, "end",
                                                {"l", "s", "o"});

  Variant grid =
      attention.inner("grid", [&](Heads q, Heads k, Heads v, InOut<f16, 3> o,
                                  Scalar<f32> scale) {
        auto c = times(scale, Scalar<f32>(1.44269504));
        Index u = tunable("U"), d = tunable("D");
        auto qs = q.blocks(1, u, d);
        auto ks = k.blocks(1, all, d);
        auto vs = v.blocks(1, all, d);
        auto os = o.blocks(1, u, d);
        Index heads = qs.count(0), blocks = qs.count(1), keys = k.extent(1);
        Index ahead = keys - q.extent(1);
        for (auto [r, h] : prange(blocks, heads)) {
          // The longest rows first: what is left at the end is short.
          Index i = blocks - 1 - r;
          // Row m of the block sees the keys below first + m + 1.
          Index first = i * u + ahead;
          Index below = first + u;
          Index within = min(below, keys);
          Index seen = max(within, 0);
          rows(qs(h, i, 0), ks(h, all, 0), vs(h, all, 0), os(h, i, 0), first,
               seen, c);
        }
      });

  Variant block =
      rows.inner("block", [&](Heads q, Heads k, Heads v, Out<f16, 3> o,
                              Index first, Index seen, Scalar<f32> c) {
        Index w = tunable("W");
        Index u = q.extent(1), d = q.extent(2);
        auto m = make<f32>(u);
        auto l = make<f32>(u);
        auto s = make<f32>(u, d);
        start(m, l, s);
        auto ks = k.blocks(all, w, all);
        auto vs = v.blocks(all, w, all);
        for (Index j : srange(ceildiv(seen, w))) {
          Index from = j * w;
          Flag crosses = from + w > first + 1;
          step(q, ks(all, j, all), vs(all, j, all), m, l, s, crosses, first,
               from, c);
        }
        end(l, s, o);
      });

  Variant begin =
      start.leaf("start_tile", [](Out<f32, 1> m, Out<f32, 1> l, Out<f32, 2> s) {
        m = splat<f32>(-INFINITY, {"M"});
        l = splat<f32>(0, {"M"});
        s = splat<f32>(0, {"M", "D"});
      });

  Variant online = step.leaf("step_tile", [](Heads q, Heads k, Heads v, Rows m,
                                             Rows l, Sums s, Flag crosses,
                                             Index first, Index from,
                                             Scalar<f32> c) {
    Tile q2 = reshape(q.read({1, "M", "D"}), {"M", "D"});
    Tile k2 = reshape(k.read({1, "N", "D"}), {"N", "D"});
    Tile v2 = reshape(v.read({1, "N", "D"}), {"N", "D"});
    Tile mOld = m.read({"M"}), lOld = l.read({"M"}), sOld = s.read({"M", "D"});
    Tile scores = dot(q2, transposed(k2), splat<f32>(0, {"M", "N"}));

    Tile seen = choose(
        crosses,
        [&] {
          Tile ahead = splat(number(first - from), {"M"});
          Tile last = repeat(iota("M") + ahead, 1, "N");
          Tile isSeen = isAtMost(repeat(iota("N"), 0, "M"), last);
          return select(isSeen, scores, splat<f32>(-INFINITY, {"M", "N"}));
        },
        scores);
    Tile mNext = max(mOld, maxAlong(1, seen));

    // p = exp(scale (s - m)) as 2^(c s - c m). A row that has seen no key yet
    // has m = -inf; 0 in its place gives p = 0 instead of NaN.
    Tile lowest = splat<f32>(-INFINITY, {"M"}), zeros = splat<f32>(0, {"M"});
    Tile finite = select(isEqual(mNext, lowest), zeros, mNext);
    Tile shift = negate(finite * splat(c, {"M"}));
    Tile p = exp2(fma(seen, splat(c, {"M", "N"}), repeat(shift, 1, "N")));
    Tile lHere = sumAlong(1, p);
    Tile rescale = exp2(fma(mOld, splat(c, {"M"}), shift));
    Tile lNext = lOld * rescale + lHere;
    Tile sNext = dot(cast<f16>(p), v2, sOld * repeat(rescale, 1, "D"));
    m = mNext;
    l = lNext;
    s = sNext;
  });

  Variant finish =
      end.leaf("end_tile", [](In<f32, 1> l, In<f32, 2> s, Out<f16, 3> o) {
        Tile lEnd = l.read({"M"}), sEnd = s.read({"M", "D"});
        // l is 0 only without keys.
        Tile zeros = splat<f32>(0, {"M"});
        Tile quotient = splat<f32>(1, {"M"}) / lEnd;
        Tile inverse = select(isEqual(lEnd, zeros), zeros, quotient);
        Tile mean = sEnd * repeat(inverse, 1, "D");
        o = reshape(cast<f16>(mean), {1, "M", "D"});
      });

  using enum Level;
  using enum Memory;
  Mapping map(program, "auto", grid);
  map.on(Host, grid).calls({block}).tune("U", 128).tune("D", 128);
  map.on(Block, block)
      .memories({Shared, Global, Global, Global})
      .calls({begin, online, finish})
      .tune("W", 128);
  map.on(Block, begin);
  map.on(Block, online).memories({Shared, Shared, Shared, None, None, None});
  map.on(Block, finish);
  program.print(std::cout);
}
