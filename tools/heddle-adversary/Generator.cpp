//===- Generator.cpp - Random kernels of the hopper rung ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace heddle::adversary;

std::string heddle::adversary::generate(uint64_t seed) {
  return Generator(seed).run();
}

void Generator::planRing(RingPlan &ring, int depth, Fill fill,
                         std::vector<Use> uses) {
  ring.depth = depth;
  ring.fill = fill;
  ring.uses = std::move(uses);
  bool multiplies = false;
  for (Use use : ring.uses)
    multiplies |= use == Use::Multiply || use == Use::MultiplyLate;
  if (fill == Fill::Number) {
    ring.a = "!num", ring.aBytes = 4;
    ring.slotBytes = 16;
  } else if (multiplies) {
    ring.a = "!at", ring.aBytes = 2048;
    ring.b = "!bt", ring.bBytes = 256;
    ring.slotBytes = 2304;
  } else {
    ring.a = "!pt", ring.aBytes = 256;
    if (choice.percent(25))
      ring.b = "!pt", ring.bBytes = 256;
    ring.slotBytes = 256 + ring.bBytes;
  }
  ring.name = "r" + std::to_string(rings.size());
  ring.offset = 12288 * int64_t(rings.size());
}

SpacePlan Generator::planSpace(bool isInner) {
  SpacePlan space;
  int kind = int(choice.below(100));
  if (kind < 30) {
    space.kind = SpacePlan::Times;
    space.times = choice.between(0, 5);
    space.step = choice.of<int64_t>({1, 1, 2, 64});
    if (choice.percent(20))
      space.type = choice.of({"i32", "i64", "i16", "i8"});
    if (space.type == "i8")
      space.step = 1;
  } else if (kind < 60) {
    space.kind = SpacePlan::Extent;
  } else if (kind < 72) {
    space.kind = SpacePlan::Steps;
    space.step = choice.of<int64_t>({2, 3, 16});
  } else if (kind < 82) {
    space.kind = SpacePlan::Scalar;
    space.scalar = int(choice.below(2));
  } else if (kind < 87) {
    space.kind = SpacePlan::Ceil;
  } else if (kind < 91) {
    space.kind = SpacePlan::Far;
    space.times = choice.between(2, 4);
    space.type = choice.of({"index", "i64", "i32", "i8", "i16"});
  } else {
    space.kind = isInner ? SpacePlan::Extent : SpacePlan::Workers;
  }
  return space;
}

/// Warps in groups of four, so that any of them could multiply.
static ProcessPlan processAt(size_t number, bool elected, int warps) {
  ProcessPlan process;
  process.name = "p" + std::to_string(number);
  process.firstWarp = int(4 * number);
  process.elected = elected;
  process.warps = warps;
  return process;
}

void Generator::plan() {
  int dice = int(choice.below(100));
  mistakes = dice < 45 ? 0 : dice < 82 ? 1 : 2;
  isTricky = choice.percent(35);
  writer.trickyPercent = isTricky ? 15 : 0;
  scalarTypes = {choice.of({"i32", "i64", "index", "i32"}),
                 choice.of({"i32", "i64", "index", "i8"})};
  int odd = int(choice.below(100));
  names = odd < 2   ? "dim(a, 0)"
          : odd < 3 ? "%0"
          : odd < 4 ? "worker count"
          : odd < 5 ? "same"
                    : "";
  auto depth = [&] { return int(choice.between(1, 3)); };
  auto anyUse = [&] {
    return choice.of(
        {Use::Multiply, Use::MultiplyLate, Use::Load, Use::Load, Use::Store});
  };
  auto anyFill = [&] {
    return choice.of({Fill::Tma, Fill::Tma, Fill::Copy, Fill::Store});
  };
  /// A producer and consumers of a ring of their own.
  auto addRing = [&](Fill fill, std::vector<Use> uses, int producer,
                     std::vector<int> consumers) {
    RingPlan ring;
    planRing(ring, depth(), fill, std::move(uses));
    ring.producer = producer;
    ring.consumers = std::move(consumers);
    rings.push_back(ring);
  };
  int shape = int(choice.below(100));
  bool isElected = choice.percent(60);
  spaces = {planSpace(false)};
  levels = {{}};
  auto usesAlone = [&](size_t process, Use use) {
    bool alone = use == Use::Store && choice.percent(40);
    return processAt(process, alone,
                     alone || use == Use::Multiply || use == Use::MultiplyLate
                         ? 4
                         : choice.of({2, 4}));
  };
  if (shape < 36) { // one ring
    Use use = anyUse();
    addRing(isElected ? Fill::Tma : anyFill(), {use}, 0, {1});
    processes = {processAt(0, isElected, 4), usesAlone(1, use)};
    levels[0] = {0};
    if (choice.percent(30)) {
      spaces.push_back(planSpace(true));
      levels = {{}, {0}};
    }
  } else if (shape < 48) { // two who consume
    std::vector<Use> uses = {choice.of({Use::Load, Use::Multiply}),
                             choice.of({Use::Load, Use::Multiply})};
    addRing(isElected ? Fill::Tma : anyFill(), uses, 0, {1, 2});
    processes = {processAt(0, isElected, 4), processAt(1, false, 4),
                 processAt(2, false, 4)};
    levels[0] = {0};
  } else if (shape < 66) { // two rings: in a chain, or side by side
    bool isChain = choice.percent(60);
    addRing(isElected ? Fill::Tma : anyFill(), {Use::Load}, 0, {1});
    Use use = anyUse();
    addRing(isChain     ? choice.of({Fill::Copy, Fill::Store})
            : isElected ? Fill::Tma
                        : anyFill(),
            {use}, isChain ? 1 : 0, {isChain ? 2 : 1});
    processes = {processAt(0, isElected, 4), processAt(1, false, 4)};
    if (isChain)
      processes.push_back(usesAlone(2, use));
    levels[0] = {0, 1};
    if (choice.percent(30)) {
      spaces.push_back(planSpace(true));
      levels = {{0}, {1}};
    }
  } else if (shape < 82) { // how often, through a ring
    addRing(Fill::Number, {Use::Number}, 0, {1});
    Use use = choice.of({Use::Load, Use::Multiply, Use::MultiplyLate});
    addRing(anyFill(), {use}, 0, {1});
    processes = {processAt(0, false, choice.of({2, 4})),
                 processAt(1, false, 4)};
    spaces.push_back({});
    spaces[1].kind = SpacePlan::Received;
    levels = {{0}, {1}};
  } else if (shape < 89) { // a meeting
    processes = {processAt(0, false, 4), processAt(1, false, 4)};
    meeting = int(choice.below(2));
  } else if (shape < 96) {
    processes = {processAt(0, false, 4)};
    multiplier = 0;
  } else {
    processes = {processAt(0, false, choice.of({2, 4}))};
    stager = 0;
  }
  if (choice.percent(8))
    spinner = int(choice.below(int64_t(processes.size())));
  // A number that grows for ever leaves the checker undecided, unless it is
  // met soon.
  bool grows = choice.percent(20) && !rings.empty() && spaces.size() == 1;
  if (grows && (spaces[0].kind == SpacePlan::Times ||
                (spaces[0].kind == SpacePlan::Extent && mistakes > 0))) {
    growth = int(choice.below(int64_t(processes.size())));
    growthStep = choice.of<int64_t>(
        {1ll << 32, 1ll << 32, 1, 1ll << 31, 1ll << 33, 1ll << 62});
  }
  for (size_t p = 0; p < processes.size(); ++p)
    if (stager < 0 && !processes[p].elected && choice.percent(8))
      stager = int(p);
  for (RingPlan &ring : rings) {
    const ProcessPlan &producer = processes[ring.producer];
    if (ring.fill == Fill::Tma)
      ring.fullArrivals = choice.percent(12) ? 2 : 1;
    else
      ring.fullArrivals = producer.warps;
    ring.goesOn = ring.fill == Fill::Copy && choice.percent(50);
    if (ring.goesOn)
      ring.fullArrivals *= 32;
    ring.emptyArrivals = 0;
    for (int consumer : ring.consumers)
      ring.emptyArrivals +=
          processes[consumer].elected ? 1 : processes[consumer].warps;
  }
}

static std::string quoted(const std::string &text) {
  return "\"" + text + "\"";
}

void Generator::writeKernel() {
  writer.line("!v = !tile.view<?x?xf16>");
  writer.line("!lens = !tile.view<?xi32>");
  writer.line("!at = !hopper.smem<64x16xf16, order = [1, 0], swizzle = 0>");
  writer.line("!bt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>");
  writer.line("!pt = !hopper.smem<16x8xf16, order = [1, 0], swizzle = 0>");
  writer.line("!half = !hopper.smem<8x8xf16, order = [1, 0], swizzle = 0>");
  writer.line("!num = !hopper.smem<1xi32, order = [0], swizzle = 0>");
  writer.line("!line = !hopper.smem<128xf16, order = [0], swizzle = 0>");
  writer.line("#l = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp "
              "= [], reg = [0, 1, 8, 0], tile = [16, 8], rep = [1, 1]>");
  writer.line("!reg = tensor<16x8xf16, #l>");
  writer.line("!places = tensor<16x8xi32, #l>");
  writer.line("!r = tensor<64x8xf32>");
  writer.line("!fl = !hopper.flight<!r>");
  std::string attributes;
  if (!names.empty()) {
    std::string second = names == "same" ? "same" : "m";
    attributes = " attributes {arg_names = [\"a\", \"b\", \"lens\", " +
                 quoted(names) + ", " + quoted(second) + "]}";
  }
  int64_t threads = 32 * 4 * int64_t(processes.size());
  writer.open(
      "hopper.kernel @k(%a: !v, %b: !v, %lens: !lens, %n: " + scalarTypes[0] +
      ", %m: " + scalarTypes[1] + ") source \"k\" threads " +
      std::to_string(threads) + " shared 65536 tma [0, 1]" + attributes + " {");
  writer.line("%c0 = arith.constant 0 : index");
  writer.line("%zero = arith.constant 0.0 : f16");
  int64_t barriers = 61440;
  for (size_t r = 0; r < rings.size(); ++r) {
    const RingPlan &ring = rings[r];
    int64_t offset = ring.offset;
    int full = ring.fullArrivals + (errs(2) ? choice.of({-1, 1}) : 0);
    int empty = ring.emptyArrivals + (errs(2) ? choice.of({-1, 1}) : 0);
    writer.line("hopper.ring \"" + ring.name + "\" depth " +
                std::to_string(ring.depth) + " at " + std::to_string(offset) +
                " slot " + std::to_string(ring.slotBytes) + " full " +
                std::to_string(barriers) + " x " +
                std::to_string(std::max(full, 1)) + " empty " +
                std::to_string(barriers + 64) + " x " +
                std::to_string(std::max(empty, 1)));
    barriers += 128;
  }
  if (errs(1))
    writer.line("hopper.sync 1 threads 128");
  bool isInside = errs(1);
  if (isInside)
    writer.open("scf.if " + writer.guard(true).name + " {");
  for (size_t p = 0; p < processes.size(); ++p)
    writeProcess(int(p));
  if (isInside)
    writer.close();
  writer.close();
}

namespace {
/// An end of a ring in one process, and where its counter stands in what loops
/// carry.
struct End {
  size_t ring = 0, consumer = 0;
  bool isProducer = false;
  Counter counter;
  size_t first = 0, count = 0;
};
} // namespace

void Generator::writeProcess(int p) {
  const ProcessPlan &process = processes[p];
  writer.open("hopper.process \"" + process.name + "\" warps " +
              std::to_string(process.firstWarp) + " + " +
              std::to_string(process.warps) + " registers 0" +
              (process.elected ? " elected" : "") + " {");
  if (spinner == p)
    spin();
  if (multiplier == p)
    products(p);
  std::vector<End> ends;
  Nums carried;
  for (size_t r = 0; r < rings.size(); ++r) {
    End end;
    end.ring = r;
    bool takesPart = rings[r].producer == p;
    end.isProducer = takesPart;
    for (size_t c = 0; c < rings[r].consumers.size(); ++c)
      if (rings[r].consumers[c] == p)
        takesPart = true, end.consumer = c;
    if (!takesPart)
      continue;
    end.counter = planCounter(rings[r], end.isProducer);
    Nums own = start(end.counter);
    end.first = carried.size();
    end.count = own.size();
    carried.insert(carried.end(), own.begin(), own.end());
    ends.push_back(end);
  }
  bool grows = growth == p;
  std::string growthType = choice.of({"i64", "index", "i64", "i32"});
  size_t growthPlace = carried.size();
  if (grows)
    carried.push_back(writer.constant(growthType, 0));
  bool isStaged = stager == p;

  std::function<Nums(size_t, const Nums &, const Num *)> nest;
  nest = [&](size_t level, const Nums &inits, const Num *received) -> Nums {
    std::vector<const End *> here;
    for (size_t r : levels[level])
      for (const End &end : ends)
        if (end.ring == r)
          here.push_back(&end);
    bool isLast = level + 1 == levels.size();
    if (isLast && here.size() == 1 && !here[0]->isProducer &&
        rings[here[0]->ring].uses[here[0]->consumer] == Use::MultiplyLate &&
        !grows && !isStaged && spaces[level].type == "index" &&
        spaces[level].kind != SpacePlan::Far) {
      const End &end = *here[0];
      Nums own(inits.begin() + end.first,
               inits.begin() + end.first + end.count);
      getLate(rings[end.ring], spaces[level], received, end.counter, own);
      Nums result = inits;
      std::copy(own.begin(), own.end(), result.begin() + end.first);
      return result;
    }
    return loop(
        spaces[level], received, inits, [&](const Num &index, const Nums &now) {
          Nums state = now;
          Num number;
          for (const End *end : here) {
            const RingPlan &ring = rings[end->ring];
            Nums own(state.begin() + end->first,
                     state.begin() + end->first + end->count);
            Num slot, phase;
            place(end->counter, own, slot, phase);
            bool isBefore = choice.percent(40);
            Nums next;
            if (isBefore)
              next = advance(end->counter, own);
            if (end->isProducer && ring.fill == Fill::Number) {
              std::string value = writer.fresh();
              writer.line(value + " = hopper.global_load %lens[" +
                          (index.type == "index" ? index.name : "%c0") +
                          "] : !lens -> tensor<1xi32>");
              number = {writer.fresh(), "i32", 32};
              writer.line(number.name + " = tile.unsplat " + value +
                          " : tensor<1xi32> -> i32");
              Num said = number;
              if (errs(6))
                said = writer.binary("addi", number, writer.constant("i32", 1));
              put(ring, p, slot, phase, index, &said);
            } else if (end->isProducer) {
              put(ring, p, slot, phase, index, nullptr);
            } else {
              Num read = get(ring, end->consumer, slot, phase, index);
              if (!read.name.empty())
                number = read;
            }
            if (!isBefore)
              next = advance(end->counter, own);
            std::copy(next.begin(), next.end(), state.begin() + end->first);
          }
          if (meeting >= 0)
            meet(p);
          if (isStaged && level == 0)
            stage(p);
          if (!isLast) {
            if (!number.name.empty() && choice.percent(8)) {
              // In fewer bits, and back.
              Num less = writer.cast(number, "i16", true);
              number = writer.cast(less, "i32", !errs(30));
            }
            Nums result = nest(level + 1, state, &number);
            state = result;
          }
          if (grows && level == 0) {
            Num &grown = state[growthPlace];
            int64_t step = growthType == "i32" ? 1ll << 30 : growthStep;
            // After 2 D turns slots and phases are again what they were.
            int64_t turns = choice.between(1, 3);
            if (choice.percent(50))
              turns = 2 * rings[ends.empty() ? 0 : ends[0].ring].depth;
            int64_t at = errs(60) ? int64_t(uint64_t(step) * uint64_t(turns))
                                  : int64_t(uint64_t(step) * 3 + 1);
            Num isThere =
                writer.compare("eq", grown, writer.constant(growthType, at));
            writer.open("scf.if " + isThere.name + " {");
            const RingPlan &ring = rings[ends.empty() ? 0 : ends[0].ring];
            writer.line("hopper.arrive \"" + ring.name + "\" \"full\"[" +
                        writer.constant("i32", 0).name + "]");
            writer.close();
            grown =
                writer.binary("addi", grown, writer.constant(growthType, step));
          }
          return state;
        });
  };
  bool hasTurns = !ends.empty() || meeting >= 0 || isStaged;
  if (hasTurns)
    nest(0, carried, nullptr);
  if (isStaged && !errs(10))
    writer.line("hopper.tma_store_wait 0");
  writer.close();
}

std::string Generator::run() {
  plan();
  if (isTricky)
    writer.line("// Numbers of many widths.");
  writeKernel();
  return std::move(writer.out);
}
