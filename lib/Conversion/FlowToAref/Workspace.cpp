//===- Workspace.cpp - Processes that keep coordinates --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction by keys, and what writes a tensor: both walk streams of
// coordinates level by level with values beside the deepest. A workspace is a
// dense array with a bit for each element that is there; it is emptied in the
// order of its bits, so nothing is sorted.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

using namespace heddle;

static constexpr int64_t kValue = 0, kFirstStop = 2;

static void append(Names &names, const Names &more) {
  names.insert(names.end(), more.begin(), more.end());
}
static Names slice(const Names &names, size_t first, size_t count) {
  return Names(names.begin() + int64_t(first),
               names.begin() + int64_t(first + count));
}

/// An outer stream of a chain: whether its coordinate is known, which it is,
/// and the turn of its next token.
static const std::vector<std::string> kOuterTypes = {"i1", "i64",
                                                     ProcessText::kTurn};

Names heddle::walkChain(ProcessText &text, const ChainWalk &walk) {
  if (walk.crds.empty()) {
    // A value that no fiber holds, and nothing behind it.
    Head value = text.fetch(walk.values, text.firstTurn(walk.values));
    Names done = walk.onValue({}, value, walk.initial);
    text.fetch(walk.values, value.turn);
    return done;
  }
  size_t depth = walk.crds.size(), outers = depth - 1;
  const RingText &deepest = walk.crds.back();
  std::vector<std::string> types = ProcessText::headTypes(deepest), outerTypes;
  auto addTypes = [](std::vector<std::string> &to,
                     const std::vector<std::string> &more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  addTypes(types, ProcessText::headTypes(walk.values));
  for (size_t i = 0; i < outers; ++i)
    addTypes(outerTypes, kOuterTypes);
  addTypes(types, outerTypes);
  addTypes(types, walk.types);
  Names initial =
      ProcessText::namesOf(text.fetch(deepest, text.firstTurn(deepest)));
  append(initial, ProcessText::namesOf(
                      text.fetch(walk.values, text.firstTurn(walk.values))));
  for (size_t i = 0; i < outers; ++i)
    append(initial, {text.no(), text.number(0), text.firstTurn(walk.crds[i])});
  append(initial, walk.initial);
  std::vector<std::string> changed = outerTypes;
  addTypes(changed, walk.types);

  /// The fibers of outer streams that a stop of the deepest one closes.
  auto closeOuters = [&](Names outer, Name code) {
    Name isActive = text.yes();
    for (size_t i = outers; i-- > 0;) {
      Names mine = slice(outer, 3 * i, 3);
      const RingText &ring = walk.crds[i];
      Name closes = text.compare("sgt", code, text.number(kFirstStop));
      Names after = text.branch(
          isActive, kOuterTypes,
          [&]() -> Names {
            // If nobody asked for its element, there was an empty fiber, or
            // none: its own stop says which.
            Names taken = text.branch(
                mine[0], {"i1", ProcessText::kTurn},
                [&]() -> Names { return {text.no(), mine[2]}; },
                [&]() -> Names {
                  Head head = text.fetch(ring, mine[2]);
                  return {
                      text.compare("sge", head.code, text.number(kFirstStop)),
                      head.turn};
                });
            Name isLeft = text.both(closes, text.flip(taken[0]));
            Names turn = text.branch(
                isLeft, {ProcessText::kTurn},
                [&]() -> Names { return {text.fetch(ring, taken[1]).turn}; },
                [&]() -> Names { return {taken[1]}; });
            return {text.no(), text.number(0), turn[0]};
          },
          [&] { return mine; });
      for (size_t j = 0; j < 3; ++j)
        outer[3 * i + j] = after[j];
      isActive = text.both(isActive, closes);
      code = text.make("arith.subi " + code + ", " + text.number(1) + " : i64");
    }
    return outer;
  };

  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Head value = ProcessText::headOf(carried, 4);
    Names outer = slice(carried, 8, 3 * outers);
    Names state = slice(carried, 8 + 3 * outers, walk.types.size());
    Name isStop = text.compare("sge", head.code, text.number(kFirstStop));
    auto stop = [&]() -> Names {
      Names after = closeOuters(outer, head.code);
      append(after, walk.onStop(head.code, state));
      return after;
    };
    auto leaf = [&]() -> Names {
      Names after, coordinates;
      for (size_t i = 0; i < outers; ++i) {
        Names mine = slice(outer, 3 * i, 3);
        Names known = text.branch(
            mine[0], {"i64", ProcessText::kTurn},
            [&]() -> Names { return {mine[1], mine[2]}; },
            [&]() -> Names {
              Head head = text.fetch(walk.crds[i], mine[2]);
              return {head.number, head.turn};
            });
        coordinates.push_back(known[0]);
        append(after, {text.yes(), known[0], known[1]});
      }
      coordinates.push_back(head.number);
      append(after, walk.onValue(coordinates, value, state));
      return after;
    };
    Names after = text.branch(isStop, changed, stop, leaf);
    Names yielded = ProcessText::namesOf(text.fetch(deepest, head.turn));
    append(yielded, ProcessText::namesOf(text.fetch(walk.values, value.turn)));
    append(yielded, after);
    return yielded;
  });
  // The outer streams end with the deepest one.
  for (size_t i = 0; i < outers; ++i)
    text.fetch(walk.crds[i], done[8 + 3 * i + 2]);
  return slice(done, 8 + 3 * outers, walk.types.size());
}

void heddle::writeElements(ProcessText &text, const std::vector<RingText> &crds,
                           const RingText &values, const WrittenText &written) {
  ChainWalk walk;
  walk.crds = crds;
  walk.values = values;
  walk.types = {"i64"};
  walk.initial = {text.number(0)};
  auto tick = [&](const Name &count, const Name &by) {
    return text.make("arith.addi " + count + ", " + by + text.issue(1) +
                     " : i64");
  };
  walk.onValue = [&](const Names &coordinates, const Head &value,
                     const Names &state) -> Names {
    Name isThere = text.compare("eq", value.code, text.number(kValue));
    text.branch(
        isThere, {},
        [&]() -> Names {
          for (auto [view, coordinate] :
               llvm::zip_equal(written.coordinates, coordinates))
            text.store(view, state[0], coordinate, "i64");
          text.store(written.values, state[0], value.number, values.element);
          return {};
        },
        []() -> Names { return {}; });
    return {tick(state[0],
                 text.select(isThere, text.number(1), text.number(0), "i64"))};
  };
  walk.onStop = [&](const Name &, const Names &state) -> Names {
    return {tick(state[0], text.number(0))};
  };
  Names done = walkChain(text, walk);
  text.store(written.count, text.number(0), done[0], "i64");
}

namespace {

/// A workspace of a process, and the walk through what is there.
class Workspace {
public:
  Workspace(ProcessText &text, const WorkspaceText &workspace,
            const std::string &element, const Outputs &out)
      : text(text), names(workspace), element(element), out(out),
        keys(workspace.extents.size()) {}

  /// Element number of coordinates, the last one the fastest.
  Name numberOf(const Names &coordinates) {
    Name number = coordinates[0];
    for (size_t key = 1; key < keys; ++key) {
      Name row = text.make("arith.muli " + number + ", " + names.extents[key] +
                           " : i64");
      number =
          text.make("arith.addi " + row + ", " + coordinates[key] + " : i64");
    }
    return number;
  }

  void add(const Names &coordinates, const Name &value,
           const Combine &combine) {
    Name number = numberOf(coordinates);
    Name word = shift("shrui", number, 6);
    Name bits = text.load(names.bits, word, "i64");
    Name place =
        text.make("arith.andi " + number + ", " + text.number(63) + " : i64");
    Name bit =
        text.make("arith.shli " + text.number(1) + ", " + place + " : i64");
    Name mine = text.make("arith.andi " + bits + ", " + bit + " : i64");
    Name had = text.compare("ne", mine, text.number(0));
    Names sum = text.branch(
        had, {element},
        [&]() -> Names {
          return {combine(text, text.load(names.sums, number, element), value)};
        },
        [&]() -> Names { return {value}; });
    text.store(names.sums, number, sum[0], element);
    Name all = text.make("arith.ori " + bits + ", " + bit + " : i64");
    text.store(names.bits, word, all, "i64");
  }

  /// Emits what is there and leaves nothing; the turns behind it.
  Names empty(const Names &turns) {
    // Whether there was an element before, and its coordinates.
    std::vector<std::string> kept = {"i1"};
    Names initial = {text.no()};
    for (size_t key = 0; key < keys; ++key) {
      kept.push_back("i64");
      initial.push_back(text.number(0));
    }
    kept.insert(kept.end(), turns.size(), ProcessText::kTurn);
    append(initial, turns);
    Name words = wordCount();
    std::vector<std::string> types = {"i1", "i64"};
    types.insert(types.end(), kept.begin(), kept.end());
    Names begin = {text.compare("slt", text.number(0), words), text.number(0)};
    append(begin, initial);
    Names done = text.loop(types, begin, [&](const Names &carried) -> Names {
      Name word = carried[1];
      Name bits = text.load(names.bits, word, "i64");
      Names after = emptyWord(word, bits, slice(carried, 2, kept.size()), kept);
      Name next =
          text.make("arith.addi " + word + ", " + text.number(1) + " : i64");
      Names yielded = {text.compare("slt", next, words), next};
      append(yielded, after);
      return yielded;
    });
    return slice(done, 3 + keys, turns.size());
  }

private:
  Name shift(const char *how, const Name &number, int64_t by) {
    return text.make("arith." + std::string(how) + " " + number + ", " +
                     text.number(by) + " : i64");
  }

  Name wordCount() {
    Name size = names.extents[0];
    for (size_t key = 1; key < keys; ++key)
      size = text.make("arith.muli " + size + ", " + names.extents[key] +
                       " : i64");
    Name last =
        text.make("arith.addi " + size + ", " + text.number(63) + " : i64");
    return shift("shrui", last, 6);
  }

  Names emptyWord(const Name &word, const Name &bits, const Names &state,
                  const std::vector<std::string> &kept) {
    std::vector<std::string> types = {"i1", "i64"};
    types.insert(types.end(), kept.begin(), kept.end());
    Names begin = {text.compare("ne", bits, text.number(0)), bits};
    append(begin, state);
    Names done = text.loop(types, begin, [&](const Names &carried) -> Names {
      Name left = carried[1];
      Name place = text.make("math.cttz " + left + " : i64");
      Name first = shift("shli", word, 6);
      Name number = text.make("arith.addi " + first + ", " + place + " : i64");
      Name value = text.load(names.sums, number, element);
      Names after =
          emit(coordinatesOf(number), value, slice(carried, 2, kept.size()));
      Name less =
          text.make("arith.subi " + left + ", " + text.number(1) + " : i64");
      Name rest = text.make("arith.andi " + left + ", " + less + " : i64");
      Names yielded = {text.compare("ne", rest, text.number(0)), rest};
      append(yielded, after);
      return yielded;
    });
    text.store(names.bits, word, text.number(0), "i64");
    return slice(done, 2, kept.size());
  }

  Names coordinatesOf(Name number) {
    Names coordinates(keys);
    for (size_t key = keys; key-- > 1;) {
      coordinates[key] = text.make("arith.remui " + number + ", " +
                                   names.extents[key] + " : i64");
      number = text.make("arith.divui " + number + ", " + names.extents[key] +
                         " : i64");
    }
    coordinates[0] = number;
    return coordinates;
  }

  /// `state`: whether there was an element, its coordinates, the turns.
  Names emit(const Names &coordinates, const Name &value, const Names &state) {
    Names turns = slice(state, 1 + keys, state.size() - 1 - keys);
    // changes[key]: the coordinates differ at this key or outside of it.
    Names changes(keys);
    Name isFirst = text.flip(state[0]), differs = isFirst;
    for (size_t key = 0; key < keys; ++key) {
      Name other = text.compare("ne", coordinates[key], state[1 + key]);
      differs = text.either(differs, other);
      changes[key] = differs;
    }
    if (keys > 1) {
      // The fibers that end: those below the outermost key that changed.
      Name ends = text.both(state[0], changes[keys - 2]);
      turns = text.branch(
          ends, out.types(), [&] { return emitEnds(changes, turns); },
          [&] { return turns; });
    }
    // The keys inside of the first that changed, and the value.
    Names after = turns;
    for (size_t key = 0; key + 1 < keys; ++key)
      after = text.branch(
          changes[key], out.types(),
          [&] {
            return out.emitOne(text, after, 1 + key,
                               {coordinates[key], text.number(kValue)}, 0);
          },
          [&] { return after; });
    after = out.emitOne(text, after, keys,
                        {coordinates[keys - 1], text.number(kValue)}, 0);
    after = out.emitOne(text, after, 0, {value, text.number(kValue)}, 0);
    Names yielded = {
        text.make("arith.ori %yes, %yes" + text.issue(1) + " : i1")};
    append(yielded, coordinates);
    append(yielded, after);
    return yielded;
  }

  /// Stops on the keys below the outermost that changed, as deep as they are.
  Names emitEnds(const Names &changes, Names turns) {
    // code of the stop on key k: 2 + (k - changed - 1) for the first change.
    auto codeOf = [&](size_t key) {
      Name code = text.number(kFirstStop);
      for (size_t outer = key - 1; outer-- > 0;)
        code = text.select(changes[outer],
                           text.number(kFirstStop + int64_t(key - outer) - 1),
                           code, "i64");
      return code;
    };
    bool isFirst = true;
    for (size_t key = 1; key < keys; ++key) {
      Name code = codeOf(key);
      turns = text.branch(
          changes[key - 1], out.types(),
          [&] {
            return out.emitOne(text, turns, 1 + key, {text.number(0), code},
                               isFirst ? 1 : 0);
          },
          [&] { return turns; });
      isFirst = false;
    }
    Name code = codeOf(keys - 1);
    return out.emitOne(text, turns, 0, {text.zero(element), code}, 0);
  }

  ProcessText &text;
  const WorkspaceText &names;
  const std::string &element;
  const Outputs &out;
  size_t keys;
};

} // namespace

void heddle::writeWorkspace(ProcessText &text,
                            const std::vector<RingText> &keys,
                            const RingText &values,
                            const WorkspaceText &workspace, const Outputs &out,
                            const Combine &combine) {
  Workspace sums(text, workspace, values.element, out);
  auto depth = int64_t(keys.size());
  ChainWalk walk;
  walk.crds = keys;
  walk.values = values;
  walk.types = out.types();
  walk.initial = out.firstTurns(text);
  walk.onValue = [&](const Names &coordinates, const Head &value,
                     const Names &state) -> Names {
    Name isThere = text.make("arith.cmpi eq, " + value.code + ", " +
                             text.number(kValue) + text.issue(1) + " : i64");
    text.branch(
        isThere, {},
        [&]() -> Names {
          sums.add(coordinates, value.number, combine);
          return {};
        },
        []() -> Names { return {}; });
    return state;
  };
  walk.onStop = [&](const Name &code, const Names &state) -> Names {
    Name isLast = text.compare("sge", code, text.number(kFirstStop + depth));
    return text.branch(
        isLast, walk.types,
        [&] {
          Names turns = sums.empty(state);
          std::vector<Outputs::Value> stops;
          auto stop = [&](int64_t up) {
            return text.make("arith.subi " + code + ", " + text.number(up) +
                             " : i64");
          };
          stops.push_back({text.zero(values.element), stop(1)});
          for (int64_t key = 0; key < depth; ++key)
            stops.push_back({text.number(0), stop(depth - key)});
          return out.emit(text, turns, stops, 1);
        },
        [&] { return state; }, /*isBeside=*/true);
  };
  out.close(text, walkChain(text, walk));
}
