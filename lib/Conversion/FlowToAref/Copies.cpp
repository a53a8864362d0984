//===- Copies.cpp - Processes between parallel copies ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What deals tokens out, and what collects what copies made of them. Each has
// one branch for each copy, since the rings of a process are known when it is
// written.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

using namespace heddle;

static constexpr int64_t kFirstStop = 2;

static void append(Names &names, const Names &more) {
  names.insert(names.end(), more.begin(), more.end());
}
static Names slice(const Names &names, size_t first, size_t count) {
  return Names(names.begin() + int64_t(first),
               names.begin() + int64_t(first + count));
}

namespace {

/// The copy to which the next element goes, and how many of its run it has
/// got: two i64 that a loop carries.
class Deal {
public:
  static constexpr size_t kWords = 2;
  Deal(ProcessText &text, size_t copies, int64_t chunk)
      : text(text), copies(int64_t(copies)), chunk(chunk) {}

  std::vector<std::string> types() const { return {"i64", "i64"}; }
  Names first() { return {text.number(0), text.number(0)}; }

  /// The state behind one element.
  Names next(const Names &state) {
    Name given = add(state[1], text.number(1));
    Name isFull = text.compare("eq", given, text.number(chunk));
    Name copy = add(state[0], text.number(1));
    Name isLast = text.compare("eq", copy, text.number(copies));
    copy = text.select(isLast, text.number(0), copy, "i64");
    return {text.select(isFull, copy, state[0], "i64"),
            text.select(isFull, text.number(0), given, "i64")};
  }

  Name isFor(size_t copy, const Names &state) {
    return text.compare("eq", state[0], text.number(int64_t(copy)));
  }

private:
  Name add(const Name &a, const Name &b) {
    return text.make("arith.addi " + a + ", " + b + " : i64");
  }

  ProcessText &text;
  int64_t copies, chunk;
};

} // namespace

void heddle::writeFork(ProcessText &text, const RingText &stream, int64_t chunk,
                       const Outputs &out) {
  Deal deal(text, out.size(), chunk);
  std::vector<std::string> types = ProcessText::headTypes(stream);
  for (const std::string &type : deal.types())
    types.push_back(type);
  for (const std::string &type : out.types())
    types.push_back(type);
  Names initial =
      ProcessText::namesOf(text.fetch(stream, text.firstTurn(stream)));
  append(initial, deal.first());
  append(initial, out.firstTurns(text));
  size_t outs = out.types().size(), before = 4 + Deal::kWords;
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Names state = slice(carried, 4, Deal::kWords);
    Names turns = slice(carried, before, outs);
    // A token takes its cycle whether it goes to one copy or to all.
    Name isStop = text.make("arith.cmpi sge, " + head.code + ", " +
                            text.number(kFirstStop) + text.issue(1) + " : i64");
    for (size_t copy = 0; copy < out.size(); ++copy) {
      Name isIts = text.either(isStop, deal.isFor(copy, state));
      turns = out.emitOneIf(text, isIts, turns, copy, {head.number, head.code});
    }
    Names after = deal.next(state);
    Names yielded = ProcessText::namesOf(text.fetch(stream, head.turn));
    for (size_t word = 0; word < Deal::kWords; ++word)
      yielded.push_back(text.select(isStop, state[word], after[word], "i64"));
    append(yielded, turns);
    return yielded;
  });
  out.close(text, slice(done, before, outs));
}

namespace {

/// What copies made: of each ring the turn of its next token, and whether the
/// stop that closes its fiber has been taken with the last element.
class Shares {
public:
  Shares(ProcessText &text, const std::vector<RingText> &rings, int64_t depth,
         const Outputs &out)
      : text(text), rings(rings), depth(depth), out(out) {}

  size_t words() const { return 2 * rings.size(); }
  std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (size_t i = 0; i < rings.size(); ++i)
      types.insert(types.end(), {ProcessText::kTurn, "i1"});
    return types;
  }
  Names first() {
    Names names;
    for (const RingText &ring : rings)
      append(names, {text.firstTurn(ring), text.no()});
    return names;
  }

  /// Hands on what the copy whose turn it is made of one element, but for the
  /// stop behind it. `turns` are those of `out`.
  void passOne(Deal &deal, const Names &state, Names &shares, Names &turns) {
    std::vector<std::string> types = out.types();
    types.insert(types.end(), {ProcessText::kTurn, "i1"});
    for (size_t copy = 0; copy < rings.size(); ++copy) {
      Names mine = slice(shares, 2 * copy, 2);
      Names before = turns;
      append(before, mine);
      Names after = text.branch(
          deal.isFor(copy, state), types,
          [&] {
            return depth == 0 ? passToken(copy, before)
                              : passFiber(copy, before);
          },
          [&] { return before; });
      turns = slice(after, 0, turns.size());
      shares[2 * copy] = after[turns.size()];
      shares[2 * copy + 1] = after[turns.size() + 1];
    }
  }

  /// Takes the stop that closes the fiber from the copies that still have it.
  void takeStops(Names &shares) {
    for (size_t copy = 0; copy < rings.size(); ++copy) {
      Name turn = shares[2 * copy];
      Names after = text.branch(
          shares[2 * copy + 1], {ProcessText::kTurn},
          [&]() -> Names { return {turn}; },
          [&]() -> Names { return {text.fetch(rings[copy], turn).turn}; });
      shares[2 * copy] = after[0];
      shares[2 * copy + 1] = text.no();
    }
  }

  /// Hears of the end of all rings.
  void end(const Names &shares) {
    for (size_t copy = 0; copy < rings.size(); ++copy)
      text.fetch(rings[copy], shares[2 * copy]);
  }

private:
  /// Both take and yield the turns of `out`, then the two words of the copy.
  Names passToken(size_t copy, const Names &before) {
    size_t outs = before.size() - 2;
    Head head = text.fetch(rings[copy], before[outs]);
    Names after =
        out.emit(text, slice(before, 0, outs), {{head.number, head.code}}, 1);
    append(after, {head.turn, text.no()});
    return after;
  }

  Names passFiber(size_t copy, const Names &before) {
    size_t outs = before.size() - 2;
    const RingText &ring = rings[copy];
    // The stop that ends what was made of one element, or one further out.
    Name ends = text.number(kFirstStop + depth - 1);
    auto isInside = [&](const Head &head) {
      return text.both(head.has, text.compare("slt", head.code, ends));
    };
    Head first = text.fetch(ring, before[outs]);
    std::vector<std::string> types = {"i1", ring.element, "i64",
                                      ProcessText::kTurn};
    for (const std::string &type : out.types())
      types.push_back(type);
    Names initial = {isInside(first), first.number, first.code, first.turn};
    append(initial, slice(before, 0, outs));
    Names done = text.loop(types, initial, [&](const Names &fiber) -> Names {
      Names after =
          out.emit(text, slice(fiber, 4, outs), {{fiber[1], fiber[2]}}, 1);
      Head next = text.fetch(ring, fiber[3]);
      Names yielded = {isInside(next), next.number, next.code, next.turn};
      append(yielded, after);
      return yielded;
    });
    Names after = slice(done, 4, outs);
    append(after, {done[3], text.compare("sgt", done[2], ends)});
    return after;
  }

  ProcessText &text;
  const std::vector<RingText> &rings;
  int64_t depth;
  const Outputs &out;
};

} // namespace

void heddle::writeCollect(ProcessText &text, const std::vector<RingText> &rings,
                          const RingText &per, int64_t depth, int64_t chunk,
                          const Outputs &out) {
  Deal deal(text, rings.size(), chunk);
  Shares shares(text, rings, depth, out);
  std::vector<std::string> types = ProcessText::headTypes(per), inner;
  for (const auto &more : {deal.types(), shares.types(), out.types()})
    inner.insert(inner.end(), more.begin(), more.end());
  types.insert(types.end(), inner.begin(), inner.end());
  size_t outs = out.types().size();
  Names initial = ProcessText::namesOf(text.fetch(per, text.firstTurn(per)));
  append(initial, deal.first());
  append(initial, shares.first());
  append(initial, out.firstTurns(text));
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Names state = slice(carried, 4, Deal::kWords);
    Names taken = slice(carried, 4 + Deal::kWords, shares.words());
    Names turns = slice(carried, 4 + Deal::kWords + shares.words(), outs);
    auto yield = [&](const Head &next, const Names &state, const Names &taken,
                     const Names &turns) {
      Names yielded = ProcessText::namesOf(next);
      append(yielded, state);
      append(yielded, taken);
      append(yielded, turns);
      return yielded;
    };
    auto stop = [&](const Head &head, Names state, Names taken, Names turns) {
      shares.takeStops(taken);
      Name code = text.make("arith.addi " + head.code + ", " +
                            text.number(depth) + " : i64");
      turns = out.emitStop(text, turns, code, 1);
      return yield(text.fetch(per, head.turn), state, taken, turns);
    };
    return text.branch(
        text.compare("sge", head.code, text.number(kFirstStop)), types,
        [&] { return stop(head, state, taken, turns); },
        [&] {
          Names after = taken, emitted = turns;
          shares.passOne(deal, state, after, emitted);
          Names dealt = deal.next(state);
          Head next = text.fetch(per, head.turn);
          if (depth == 0)
            return yield(next, dealt, after, emitted);
          Name closes =
              text.both(next.has, text.compare("sge", next.code,
                                               text.number(kFirstStop)));
          return text.branch(
              closes, types, [&] { return stop(next, dealt, after, emitted); },
              [&] {
                Name code = text.number(kFirstStop + depth - 1);
                Names ended = out.emitStop(text, emitted, code, 1);
                return yield(next, dealt, after, ended);
              });
        });
  });
  shares.end(slice(done, 4 + Deal::kWords, shares.words()));
  out.close(text, slice(done, 4 + Deal::kWords + shares.words(), outs));
}
