//===- Loops.cpp - Ways to run over points, and to count turns ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's text for loops, branches and the counters of rings: one walk
// over points as a for, a while, a first turn and the rest, or two parts, and
// slot and phase in one of five encodings. Without a mistake all of them make
// the same turns, most in arithmetic that the lowering never writes.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace heddle::adversary;

static std::string list(const std::vector<Num> &nums, bool types) {
  std::string text;
  for (const Num &num : nums)
    text += (text.empty() ? "" : ", ") + (types ? num.type : num.name);
  return text;
}

/// Names for the results of an operation over `inits`.
static std::vector<Num> resultsOf(const std::string &name,
                                  const std::vector<Num> &inits) {
  std::vector<Num> results = inits;
  for (size_t i = 0; i < inits.size(); ++i)
    results[i].name = inits.size() == 1 ? name : name + "#" + std::to_string(i);
  return results;
}

static std::string defining(const std::string &name, size_t count) {
  if (count == 0)
    return "";
  return count == 1 ? name + " = " : name + ":" + std::to_string(count) + " = ";
}

Generator::Bounds Generator::boundsOf(const SpacePlan &space,
                                      const Num *received) {
  Bounds bounds;
  const std::string &type = space.type;
  bounds.lower = writer.number(type, 0);
  int64_t times = space.times + (errs(4) ? choice.of<int64_t>({-1, 1, 2}) : 0);
  switch (space.kind) {
  case SpacePlan::Times:
    bounds.upper = writer.number(type, times * space.step);
    bounds.step = writer.number(type, space.step);
    bounds.times = times;
    return bounds;
  case SpacePlan::Far: {
    // Points near the ends of the type, far apart.
    int width = bitsOfType(type);
    int64_t most = int64_t((uint64_t(1) << (width - 1)) - 1);
    int64_t apart = most / 2;
    bounds.lower = writer.constant(type, -most + (errs(10) ? 1 : 0));
    bounds.upper =
        writer.constant(type, times > 3 ? most : apart * (times - 2));
    bounds.step = writer.constant(type, apart);
    return bounds;
  }
  case SpacePlan::Extent:
  case SpacePlan::Steps:
  case SpacePlan::Ceil: {
    if (!names.empty() && errs(35)) { // what it is called decides nothing
      bounds.upper = writer.cast(
          {"%n", scalarTypes[0], bitsOfType(scalarTypes[0])}, "index", true);
      break;
    }
    bounds.upper = {writer.fresh(), "index", 64};
    int axis = errs(2) ? 1 : 0;
    writer.line(bounds.upper.name + " = tile.dim %a, " + std::to_string(axis) +
                " : !v");
    break;
  }
  case SpacePlan::Scalar: {
    int scalar = errs(3) ? 1 - space.scalar : space.scalar;
    Num number{scalar ? "%m" : "%n", scalarTypes[scalar],
               bitsOfType(scalarTypes[scalar])};
    bounds.upper = writer.cast(number, "index", !errs(3));
    break;
  }
  case SpacePlan::Workers: {
    Num extent{writer.fresh(), "index", 64};
    writer.line(extent.name + " = tile.dim %a, 0 : !v");
    bounds.lower = {writer.fresh(), "index", 64};
    writer.line(bounds.lower.name + " = tile.worker_id : index");
    bounds.step = {writer.fresh(), "index", 64};
    if (names == "worker count" && scalarTypes[0] == "index" && errs(50))
      bounds.step = {"%n", "index", 64};
    else
      writer.line(bounds.step.name + " = tile.worker_count : index");
    bounds.upper = extent;
    break;
  }
  case SpacePlan::Received:
    bounds.upper = writer.cast(*received, "index", true);
    break;
  }
  if (space.kind == SpacePlan::Ceil)
    bounds.upper =
        writer.binary("ceildivsi", bounds.upper, writer.constant("index", 2));
  if (errs(4))
    bounds.upper = writer.binary(choice.of({"addi", "subi"}), bounds.upper,
                                 writer.constant("index", space.step));
  if (errs(1))
    bounds.lower = writer.number("index", space.step);
  if (bounds.step.name.empty())
    bounds.step = writer.number("index", space.step + (errs(2) ? 1 : 0));
  return bounds;
}

Generator::Nums Generator::plainLoop(const Bounds &bounds, const Nums &inits,
                                     const Body &body) {
  std::string name = writer.fresh();
  Num index{writer.fresh(), bounds.lower.type, bounds.lower.width};
  std::string header =
      defining(name, inits.size()) + "scf.for " +
      (bounds.times >= 0 && choice.percent(5) ? "unsigned " : "") + index.name +
      " = " + bounds.lower.name + " to " + bounds.upper.name + " step " +
      bounds.step.name;
  Nums carried = inits;
  std::string pairs;
  for (Num &num : carried) {
    std::string own = writer.fresh();
    pairs += (pairs.empty() ? "" : ", ") + own + " = " + num.name;
    num.name = own;
  }
  if (!inits.empty())
    header += " iter_args(" + pairs + ") -> (" + list(inits, true) + ")";
  if (index.type != "index")
    header += " : " + index.type;
  writer.open(header + " {");
  Nums yields = body(index, carried);
  if (!inits.empty())
    writer.line("scf.yield " + list(yields, false) + " : " +
                list(yields, true));
  writer.close();
  return resultsOf(name, inits);
}

Generator::Nums Generator::whileLoop(const Bounds &bounds, const Nums &inits,
                                     const Body &body) {
  Nums all = inits;
  all.insert(all.begin(), bounds.lower);
  std::string name = writer.fresh(), pairs;
  Nums before = all;
  for (Num &num : before) {
    std::string own = writer.fresh();
    pairs += (pairs.empty() ? "" : ", ") + own + " = " + num.name;
    num.name = own;
  }
  writer.open(defining(name, all.size()) + "scf.while (" + pairs + ") : (" +
              list(all, true) + ") -> (" + list(all, true) + ") {");
  Num goesOn = writer.compare("slt", before[0], bounds.upper);
  writer.line("scf.condition(" + goesOn.name + ") " + list(before, false) +
              " : " + list(before, true));
  writer.close("} do {");
  Nums after = all;
  std::string arguments;
  for (Num &num : after) {
    num.name = writer.fresh();
    arguments += (arguments.empty() ? "" : ", ") + num.name + ": " + num.type;
  }
  writer.line("^bb0(" + arguments + "):");
  writer.open("  // the next");
  Nums yields = body(after[0], Nums(after.begin() + 1, after.end()));
  yields.insert(yields.begin(), writer.binary("addi", after[0], bounds.step));
  writer.line("scf.yield " + list(yields, false) + " : " + list(yields, true));
  writer.close("  // and again");
  writer.line("}");
  Nums results = resultsOf(name, all);
  return Nums(results.begin() + 1, results.end());
}

Generator::Nums Generator::branch(const Num &condition, const Nums &otherwise,
                                  const std::function<Nums()> &body) {
  std::string name = writer.fresh();
  writer.open(defining(name, otherwise.size()) + "scf.if " + condition.name +
              (otherwise.empty() ? "" : " -> (" + list(otherwise, true) + ")") +
              " {");
  Nums yields = body();
  if (!otherwise.empty()) {
    writer.line("scf.yield " + list(yields, false) + " : " +
                list(yields, true));
    writer.close("} else {");
    writer.line("  scf.yield " + list(otherwise, false) + " : " +
                list(otherwise, true));
    writer.line("}");
  } else {
    writer.close();
  }
  return resultsOf(name, otherwise);
}

Generator::Nums Generator::loop(const SpacePlan &space, const Num *received,
                                const Nums &inits, const Body &body) {
  Bounds bounds = boundsOf(space, received);
  if (bounds.times >= 0 && &space == &spaces.back() &&
      choice.percent(8)) { // straight on
    Nums carried = inits;
    for (int64_t i = 0; i < bounds.times; ++i)
      carried = body(writer.number(space.type, i * space.step), carried);
    return carried;
  }
  int shape = int(choice.below(100));
  // What the checker does not claim to follow: a loop in parts around another
  // one, parts of a loop whose step the launch decides.
  bool isPlain =
      space.kind == SpacePlan::Far ||
      (&space != &spaces.back() && spaces.back().kind == SpacePlan::Received) ||
      (space.kind == SpacePlan::Workers && (shape >= 84 || choice.percent(70)));
  if (isPlain || shape < 64)
    return plainLoop(bounds, inits, body);
  if (bounds.times >= 0 && shape < 65 && !inits.empty())
    return whileLoop(bounds, inits, body);
  if (shape < 84) { // the first apart
    Num some =
        writer.compare(errs(3) ? "sle" : "slt", bounds.lower, bounds.upper);
    return branch(some, inits, [&] {
      Nums first = body(bounds.lower, inits);
      Bounds rest = bounds;
      if (!errs(3))
        rest.lower = writer.binary("addi", bounds.lower, bounds.step);
      return plainLoop(rest, first, body);
    });
  }
  // In two parts.
  Bounds first = bounds, second = bounds;
  int64_t parts = choice.between(1, 2);
  Num off = bounds.step;
  if (parts == 2)
    off = writer.binary("addi", off, bounds.step);
  Num middle = writer.binary("addi", bounds.lower, off);
  first.upper = writer.binary("minsi", middle, bounds.upper);
  second.lower = errs(4) ? first.upper : middle;
  if (errs(3))
    second.lower = bounds.lower;
  Nums between = plainLoop(first, inits, body);
  return plainLoop(second, between, body);
}

//===----------------------------------------------------------------------===//
// Slots and phases
//===----------------------------------------------------------------------===//

Counter Generator::planCounter(const RingPlan &ring, bool isProducer) {
  Counter counter;
  counter.ring = &ring;
  counter.isProducer = isProducer;
  int scheme = int(choice.below(100));
  counter.scheme = scheme < 55   ? Counter::Pair
                   : scheme < 70 ? Counter::Twice
                   : scheme < 80
                       ? (ring.depth <= 2 ? Counter::Flip : Counter::Pair)
                   : scheme < 99 ? Counter::Truth
                                 : Counter::Count;
  counter.startsAhead = choice.percent(30);
  if (choice.percent(25)) {
    counter.type = choice.of({"i64", "index", "i16", "i8", "i5"});
    counter.isSigned = choice.percent(50);
  }
  return counter;
}

Generator::Nums Generator::start(const Counter &counter) {
  int64_t phase = counter.startsAhead && counter.isProducer;
  if (errs(3))
    phase = 1 - phase;
  int64_t slot = errs(2) ? 1 : 0;
  switch (counter.scheme) {
  case Counter::Pair:
  case Counter::Flip:
    return {writer.number(counter.type, slot),
            writer.number(counter.type, phase)};
  case Counter::Truth:
    return {writer.number(counter.type, slot), writer.number("i1", phase)};
  case Counter::Twice:
  case Counter::Count:
    return {writer.number(counter.type, slot + phase * counter.ring->depth)};
  }
  return {};
}

void Generator::place(const Counter &counter, const Nums &state, Num &slot,
                      Num &phase) {
  const std::string &type = counter.type;
  Num depth, part, turn;
  switch (counter.scheme) {
  case Counter::Pair:
  case Counter::Flip:
    slot = writer.cast(state[0], "i32", counter.isSigned);
    phase = writer.cast(state[1], "i32", counter.isSigned);
    break;
  case Counter::Truth: {
    slot = writer.cast(state[0], "i32", counter.isSigned);
    bool isSigned = errs(6) || counter.isSigned;
    phase = writer.cast(state[1], "i32", isSigned);
    if (isSigned && !errs(25)) // -1 or 0
      phase = writer.binary("andi", phase, writer.number("i32", 1));
    break;
  }
  case Counter::Twice:
  case Counter::Count:
    depth = writer.number(type, counter.ring->depth);
    part = writer.binary(choice.of({"remsi", "remui"}), state[0], depth);
    turn = writer.binary(choice.of({"divsi", "divui"}), state[0], depth);
    if (counter.scheme == Counter::Count)
      turn = writer.binary("andi", turn, writer.number(type, 1));
    slot = writer.cast(part, "i32", counter.isSigned);
    phase = writer.cast(turn, "i32", counter.isSigned);
    break;
  }
  if (counter.isProducer != counter.startsAhead && counter.isProducer)
    phase = writer.binary("xori", phase, writer.number("i32", errs(2) ? 0 : 1));
  else if (!counter.isProducer && errs(1))
    phase = writer.binary("xori", phase, writer.number("i32", 1));
}

Generator::Nums Generator::advance(const Counter &counter, const Nums &state) {
  const std::string &type = counter.type;
  int64_t depth = counter.ring->depth;
  Num one = writer.number(type, 1);
  if (errs(1))
    return state;
  switch (counter.scheme) {
  case Counter::Flip: {
    if (depth == 1)
      return {state[0], writer.binary("xori", state[1], one)};
    Num slot = writer.binary("xori", state[0], one);
    return {slot, writer.binary("xori", state[1], errs(4) ? slot : state[0])};
  }
  case Counter::Twice:
  case Counter::Count: {
    Num next = writer.binary("addi", state[0], one);
    if (counter.scheme == Counter::Count)
      return {next};
    int64_t size = 2 * depth + (errs(4) ? choice.of<int64_t>({-1, 1}) : 0);
    Num end = writer.number(type, size);
    if (choice.percent(50))
      return {writer.binary(choice.of({"remsi", "remui"}), next, end)};
    Num wraps = writer.compare(choice.of({"eq", "sge", "uge"}), next, end);
    return {writer.select(wraps, writer.number(type, 0), next)};
  }
  case Counter::Pair:
  case Counter::Truth: {
    Num next = writer.binary("addi", state[0], one);
    Num end = writer.number(type, depth + (errs(2) ? 1 : 0));
    Num wraps =
        writer.compare(choice.of({"eq", "eq", "sge", "uge"}), next, end);
    Num flip = state[1];
    if (!errs(3)) {
      if (state[1].type == "i1" && choice.percent(50)) {
        // Both at once: the carry is the flip.
        Num slot = writer.select(wraps, writer.number(type, 0), next);
        return {slot, writer.binary("xori", state[1], wraps)};
      }
      flip = writer.binary("xori", state[1], writer.number(state[1].type, 1));
    }
    return {writer.select(wraps, writer.number(type, 0), next),
            writer.select(wraps, flip, state[1])};
  }
  }
  return state;
}
