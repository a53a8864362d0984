//===- Primitives.cpp - The process of each primitive ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace heddle;

/// Codes of tokens in rings.
static constexpr int64_t kValue = 0, kAbsent = 1, kFirstStop = 2;

static Name isStop(ProcessText &text, const Name &code) {
  return text.compare("sge", code, text.number(kFirstStop));
}
static Name isToken(ProcessText &text, const Head &head) {
  return text.both(head.has,
                   text.compare("slt", head.code, text.number(kFirstStop)));
}
/// The code of the stop one level up: an extent fewer is closed, or one more.
static Name deeper(ProcessText &text, const Name &code, int64_t by) {
  return text.make("arith.addi " + code + ", " + text.number(by) + " : i64");
}

static void append(Names &names, const Names &more) {
  names.insert(names.end(), more.begin(), more.end());
}
static void append(std::vector<std::string> &types, size_t count,
                   const char *type) {
  types.insert(types.end(), count, type);
}
/// The first heads of rings that are read side by side, and their types.
static void fetchFirst(ProcessText &text, const std::vector<RingText> &rings,
                       std::vector<std::string> &types, Names &initial) {
  for (const RingText &ring : rings) {
    for (const std::string &type : ProcessText::headTypes(ring))
      types.push_back(type);
    append(initial,
           ProcessText::namesOf(text.fetch(ring, text.firstTurn(ring))));
  }
}
static Names from(const Names &names, size_t first) {
  return Names(names.begin() + int64_t(first), names.end());
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

std::vector<std::string> Outputs::types() const {
  std::vector<std::string> types;
  for (const RingText &ring : rings)
    if (ring.isThere())
      types.push_back(ProcessText::kTurn);
  return types;
}

Names Outputs::firstTurns(ProcessText &text) const {
  Names turns;
  for (const RingText &ring : rings)
    if (ring.isThere())
      turns.push_back(text.firstTurn(ring));
  return turns;
}

Names Outputs::emit(ProcessText &text, const Names &turns,
                    const std::vector<Value> &values, int64_t tokens) const {
  Names next;
  for (size_t i = 0; i < rings.size(); ++i) {
    if (!rings[i].isThere())
      continue;
    next.push_back(text.emit(rings[i], turns[next.size()], values[i].number,
                             values[i].code, tokens));
    tokens = 0;
  }
  return next;
}

size_t Outputs::placeOf(size_t ring) const {
  size_t place = 0;
  for (size_t i = 0; i < ring; ++i)
    place += rings[i].isThere();
  return place;
}

Names Outputs::emitOne(ProcessText &text, Names turns, size_t ring,
                       const Value &value, int64_t tokens) const {
  if (!rings[ring].isThere())
    return turns;
  Name &turn = turns[placeOf(ring)];
  turn = text.emit(rings[ring], turn, value.number, value.code, tokens);
  return turns;
}

Names Outputs::emitOneIf(ProcessText &text, const Name &when, Names turns,
                         size_t ring, const Value &value) const {
  if (!rings[ring].isThere())
    return turns;
  Name &turn = turns[placeOf(ring)];
  turn = text.branch(
      when, {ProcessText::kTurn},
      [&]() -> Names {
        return {text.emit(rings[ring], turn, value.number, value.code, 0)};
      },
      [&]() -> Names { return {turn}; })[0];
  return turns;
}

Names Outputs::emitStop(ProcessText &text, const Names &turns, const Name &code,
                        int64_t tokens) const {
  std::vector<Value> values;
  for (const RingText &ring : rings)
    values.push_back({text.zero(ring.element), code});
  return emit(text, turns, values, tokens);
}

void Outputs::close(ProcessText &text, const Names &turns) const {
  size_t place = 0;
  for (const RingText &ring : rings)
    if (ring.isThere())
      text.close(ring, turns[place++]);
}

//===----------------------------------------------------------------------===//
// Coordinates and references
//===----------------------------------------------------------------------===//

void heddle::writeRoot(ProcessText &text, const Outputs &out) {
  out.close(text, out.emit(text, out.firstTurns(text),
                           {{text.number(0), text.number(kValue)}}, 1));
}

void heddle::writeScan(ProcessText &text, const RingText &refs,
                       const LevelText &level, const Outputs &out) {
  std::vector<std::string> types = ProcessText::headTypes(refs);
  append(types, out.types().size(), ProcessText::kTurn);
  Names initial = ProcessText::namesOf(text.fetch(refs, text.firstTurn(refs)));
  append(initial, out.firstTurns(text));

  auto scanFiber = [&](const Head &head, Names turns) {
    Name isThere = text.compare("eq", head.code, text.number(kValue));
    Name begin = text.number(0), end;
    if (level.isDense()) {
      end = text.select(isThere, level.extent, text.number(0), "i64");
    } else {
      Names ends = text.branch(
          isThere, {"i64", "i64"},
          [&]() -> Names {
            Name next = deeper(text, head.number, 1);
            return {text.load(level.positions, head.number, "i64"),
                    text.load(level.positions, next, "i64")};
          },
          [&]() -> Names { return {text.number(0), text.number(0)}; });
      begin = ends[0];
      end = ends[1];
    }
    std::vector<std::string> types = {"i1", "i64"};
    append(types, turns.size(), ProcessText::kTurn);
    Names initial = {text.compare("slt", begin, end), begin};
    append(initial, turns);
    Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
      Name at = carried[1];
      Name crd = level.isDense() ? at : text.load(level.coordinates, at, "i64");
      Name below = at;
      if (level.isDense()) {
        Name row = text.make("arith.muli " + head.number + ", " + level.extent +
                             " : i64");
        below = text.make("arith.addi " + row + ", " + at + " : i64");
      }
      Names turns = out.emit(
          text, from(carried, 2),
          {{crd, text.number(kValue)}, {below, text.number(kValue)}}, 1);
      Name next = deeper(text, at, 1);
      Names yielded = {text.compare("slt", next, end), next};
      append(yielded, turns);
      return yielded;
    });
    return from(done, 2);
  };

  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Names turns = from(carried, 4);
    return text.branch(
        isStop(text, head.code), types,
        [&]() -> Names {
          Names after =
              out.emitStop(text, turns, deeper(text, head.code, 1), 1);
          Names next = ProcessText::namesOf(text.fetch(refs, head.turn));
          append(next, after);
          return next;
        },
        [&]() -> Names {
          Names after = scanFiber(head, turns);
          // The stop of this fiber is that of those around it, too.
          Head next = text.fetch(refs, head.turn);
          Name closes = text.both(next.has, isStop(text, next.code));
          Name code = text.select(closes, deeper(text, next.code, 1),
                                  text.number(kFirstStop), "i64");
          after = out.emitStop(text, after, code, 1);
          Names yielded =
              ProcessText::namesOf(text.fetchIf(closes, refs, next));
          append(yielded, after);
          return yielded;
        });
  });
  out.close(text, from(done, 4));
}

void heddle::writeRepeat(ProcessText &text, const RingText &stream,
                         const RingText &crd, const Outputs &out) {
  std::vector<std::string> types = ProcessText::headTypes(stream);
  types.push_back(ProcessText::kTurn);
  append(types, out.types().size(), ProcessText::kTurn);
  Names initial =
      ProcessText::namesOf(text.fetch(stream, text.firstTurn(stream)));
  initial.push_back(text.firstTurn(crd));
  append(initial, out.firstTurns(text));
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Names turns = from(carried, 5);
    return text.branch(
        isStop(text, head.code), types,
        [&]() -> Names {
          Head stop = text.fetch(crd, carried[4]);
          Names after = out.emitStop(text, turns, stop.code, 1);
          Names next = ProcessText::namesOf(text.fetch(stream, head.turn));
          next.push_back(stop.turn);
          append(next, after);
          return next;
        },
        [&]() -> Names {
          Head first = text.fetch(crd, carried[4]);
          std::vector<std::string> inner = {"i1", "i64", ProcessText::kTurn};
          append(inner, turns.size(), ProcessText::kTurn);
          Names begin = {isToken(text, first), first.code, first.turn};
          append(begin, turns);
          Names ended =
              text.loop(inner, begin, [&](const Names &fiber) -> Names {
                Names after = out.emit(text, from(fiber, 3),
                                       {{head.number, head.code}}, 1);
                Head next = text.fetch(crd, fiber[2]);
                Names yielded = {isToken(text, next), next.code, next.turn};
                append(yielded, after);
                return yielded;
              });
          Names after = out.emitStop(text, from(ended, 3), ended[1], 1);
          Head next = text.fetch(stream, head.turn);
          Name closes = text.compare("sgt", ended[1], text.number(kFirstStop));
          Names yielded =
              ProcessText::namesOf(text.fetchIf(closes, stream, next));
          yielded.push_back(ended[2]);
          append(yielded, after);
          return yielded;
        });
  });
  out.close(text, from(done, 5));
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

void heddle::writeJoin(ProcessText &text, bool isIntersection,
                       const std::vector<Joined> &inputs, const Outputs &out) {
  // Heads in the order crd, carried ..., of one input after the other.
  std::vector<RingText> rings;
  for (const Joined &input : inputs) {
    rings.push_back(input.crd);
    rings.insert(rings.end(), input.carried.begin(), input.carried.end());
  }
  std::vector<std::string> types;
  Names initial;
  fetchFirst(text, rings, types, initial);
  append(types, out.types().size(), ProcessText::kTurn);
  append(initial, out.firstTurns(text));
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Names turns = from(carried, 4 * rings.size());
    std::vector<Head> heads; // of the coordinates
    std::vector<size_t> places;
    size_t place = 0;
    for (const Joined &input : inputs) {
      places.push_back(place);
      heads.push_back(ProcessText::headOf(carried, 4 * place));
      place += 1 + input.carried.size();
    }
    Name last = text.number(INT64_MAX), least, allStop;
    Names stops, keys;
    for (const Head &head : heads) {
      stops.push_back(isStop(text, head.code));
      keys.push_back(text.select(stops.back(), last, head.number, "i64"));
      allStop =
          allStop.empty() ? stops.back() : text.both(allStop, stops.back());
      // Each comparison of heads takes the cycle of the token.
      least =
          least.empty()
              ? keys.back()
              : text.make("arith.minsi " + least + ", " + keys.back() +
                          (heads.size() > 1 && keys.size() == 2 ? text.issue(1)
                                                                : "") +
                          " : i64");
    }
    Names isHere;
    Name allHere;
    for (size_t i = 0; i < heads.size(); ++i) {
      Name equal = text.compare("eq", keys[i], least);
      isHere.push_back(text.both(equal, text.flip(stops[i])));
      allHere = allHere.empty() ? isHere[i] : text.both(allHere, isHere[i]);
    }
    std::vector<Outputs::Value> values = {
        {text.select(allStop, text.number(0), least, "i64"),
         text.select(allStop, heads[0].code, text.number(kValue), "i64")}};
    for (size_t i = 0; i < heads.size(); ++i)
      for (size_t j = 0; j < inputs[i].carried.size(); ++j) {
        Head head = ProcessText::headOf(carried, 4 * (places[i] + 1 + j));
        Name code = head.code;
        if (!isIntersection)
          code = text.select(text.either(isHere[i], allStop), code,
                             text.number(kAbsent), "i64");
        values.push_back({head.number, code});
      }
    Names after = isIntersection
                      ? text.branch(
                            text.either(allHere, allStop), out.types(),
                            [&] { return out.emit(text, turns, values, 0); },
                            [&] { return turns; })
                      : out.emit(text, turns, values, 0);
    Names yielded;
    for (size_t i = 0; i < heads.size(); ++i) {
      Name advances = text.either(allStop, isHere[i]);
      for (size_t j = 0; j <= inputs[i].carried.size(); ++j) {
        size_t ring = places[i] + j;
        append(yielded, ProcessText::namesOf(text.fetchIf(
                            advances, rings[ring],
                            ProcessText::headOf(carried, 4 * ring))));
      }
    }
    append(yielded, after);
    return yielded;
  });
  out.close(text, from(done, 4 * rings.size()));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void heddle::writeMap(ProcessText &text, const std::vector<RingText> &inputs,
                      const Outputs &out, const MapTokens &map) {
  std::vector<std::string> types;
  Names initial;
  fetchFirst(text, inputs, types, initial);
  append(types, out.types().size(), ProcessText::kTurn);
  append(initial, out.firstTurns(text));
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    std::vector<Head> heads;
    for (size_t i = 0; i < inputs.size(); ++i)
      heads.push_back(ProcessText::headOf(carried, 4 * i));
    Outputs::Value value = map(text, heads);
    Names after = out.emit(text, from(carried, 4 * inputs.size()), {value}, 1);
    Names yielded;
    for (size_t i = 0; i < inputs.size(); ++i)
      append(yielded,
             ProcessText::namesOf(text.fetch(inputs[i], heads[i].turn)));
    append(yielded, after);
    return yielded;
  });
  out.close(text, from(done, 4 * inputs.size()));
}

Name heddle::writeScalars(ProcessText &text, mlir::Block &block,
                          const Names &values) {
  llvm::DenseMap<mlir::Value, Name> names;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), values))
    names[argument] = value;
  for (mlir::Operation &op : block.without_terminator()) {
    std::string type;
    llvm::raw_string_ostream os(type);
    os << op.getResult(0).getType();
    if (auto constant = mlir::dyn_cast<mlir::arith::ConstantOp>(op)) {
      std::string value;
      llvm::raw_string_ostream(value) << constant.getValue();
      names[op.getResult(0)] = text.make("arith.constant " + value);
      continue;
    }
    if (!mlir::isa<mlir::arith::ArithDialect, mlir::math::MathDialect>(
            op.getDialect()))
      return {};
    std::string operands;
    for (mlir::Value operand : op.getOperands())
      operands += (operands.empty() ? "" : ", ") + names[operand];
    names[op.getResult(0)] =
        text.make(op.getName().getStringRef() + " " + operands + " : " + type);
  }
  return names[block.getTerminator()->getOperand(0)];
}

void heddle::writeReduce(ProcessText &text, const RingText &values,
                         const RingText &per, const Outputs &out,
                         const Combine &combine, const Name &empty) {
  const std::string &element = values.element;
  std::vector<std::string> outTypes = out.types();
  /// Sums a fiber: the code of its stop, the turn behind it, and what was
  /// emitted.
  auto sumFiber = [&](const Name &turn, const Names &turns) -> Names {
    Head first = text.fetch(values, turn);
    std::vector<std::string> types = {
        "i1", element, "i64", ProcessText::kTurn, element, "i64"};
    Names ended = text.loop(
        types,
        {isToken(text, first), first.number, first.code, first.turn,
         empty.empty() ? text.zero(element) : empty, text.number(kAbsent)},
        [&](const Names &fiber) -> Names {
          Name isThere =
              text.make("arith.cmpi eq, " + fiber[2] + ", " +
                        text.number(kValue) + text.issue(1) + " : i64");
          Name had = text.compare("eq", fiber[5], text.number(kValue));
          Name both = combine(text, fiber[4], fiber[1]);
          Name sum = text.select(had, both, fiber[1], element);
          Head next = text.fetch(values, fiber[3]);
          return {isToken(text, next),
                  next.number,
                  next.code,
                  next.turn,
                  text.select(isThere, sum, fiber[4], element),
                  text.select(isThere, text.number(kValue), fiber[5], "i64")};
        });
    Names done = {ended[2], ended[3]};
    Name code = empty.empty() ? ended[5] : text.number(kValue);
    append(done, out.emit(text, turns, {{ended[4], code}}, 1));
    return done;
  };
  if (!per.isThere()) {
    Names done = sumFiber(text.firstTurn(values), out.firstTurns(text));
    // Nothing comes behind the only fiber; who fills the ring closes it.
    text.fetch(values, done[1]);
    out.close(text, from(done, 2));
    return;
  }
  std::vector<std::string> types = ProcessText::headTypes(per);
  types.push_back(ProcessText::kTurn);
  append(types, outTypes.size(), ProcessText::kTurn);
  Names initial = ProcessText::namesOf(text.fetch(per, text.firstTurn(per)));
  initial.push_back(text.firstTurn(values));
  append(initial, out.firstTurns(text));
  Names done = text.loop(types, initial, [&](const Names &carried) -> Names {
    Head head = ProcessText::headOf(carried, 0);
    Names turns = from(carried, 5);
    return text.branch(
        isStop(text, head.code), types,
        [&]() -> Names {
          Head stop = text.fetch(values, carried[4]);
          Names after = out.emitStop(text, turns, head.code, 1);
          Names next = ProcessText::namesOf(text.fetch(per, head.turn));
          next.push_back(stop.turn);
          append(next, after);
          return next;
        },
        [&]() -> Names {
          Names ended = sumFiber(carried[4], turns);
          Head next = text.fetch(per, head.turn);
          Name closes = text.compare("sgt", ended[0], text.number(kFirstStop));
          Names after = from(ended, 2);
          if (!outTypes.empty())
            after = text.branch(
                closes, outTypes,
                [&] { return out.emitStop(text, after, next.code, 1); },
                [&] { return after; });
          Names yielded = ProcessText::namesOf(text.fetchIf(closes, per, next));
          yielded.push_back(ended[1]);
          append(yielded, after);
          return yielded;
        });
  });
  out.close(text, from(done, 5));
}
