//===- Turns.cpp - What processes do in a turn ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's text for events: turns of producers and consumers, and pieces
// without a ring, such as a named barrier, a TMA store or a chain of products.
// Each event may be left out, repeated, moved or get a wrong number where it is
// written, which are the mistakes that a lowering could make.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include <utility>

using namespace heddle::adversary;

static std::string at(const RingPlan &ring, const Num &slot) {
  return "\"" + ring.name + "\"[" + slot.name + "]";
}

static std::string side(const RingPlan &ring, const char *which,
                        const Num &slot) {
  return "\"" + ring.name + "\" \"" + which + "\"[" + slot.name + "]";
}

/// An event, mostly as it is.
void Generator::event(const std::function<void()> &body) {
  if (errs(2))
    return;
  if (errs(1)) {
    body();
    return body();
  }
  if (isTricky && choice.percent(12))
    return writer.guarded(!errs(30), body);
  if (isTricky && errs(3)) {
    writer.guarded(false, body); // it never happens, or
    return;
  }
  body();
  if (isTricky && choice.percent(5))
    writer.guarded(errs(40), body); // it happens again
}

std::string Generator::tile(const RingPlan &ring, const Num &slot,
                            int64_t offset, const std::string &type) {
  std::string name = writer.fresh();
  writer.line(name + " = hopper.slot " + at(ring, slot) + " at " +
              std::to_string(offset) + " : " + type);
  return name;
}

void Generator::fill(const RingPlan &ring, const Num &slot, int64_t offset,
                     const std::string &type, const Num &index) {
  std::string into = tile(ring, slot, offset, type);
  std::string where = index.type == "index" ? index.name : "%c0";
  switch (ring.fill) {
  case Fill::Tma:
    writer.line("hopper.tma_load %a[" + where + ", %c0] to " + into + ", " +
                at(ring, slot) + " : !v, " + type);
    break;
  case Fill::Copy: {
    std::string copy = ring.goesOn ? writer.fresh() : "";
    writer.line((ring.goesOn ? copy + " = " : "") + "hopper.copy %a[" + where +
                ", %c0] to " + into + " : !v, " + type +
                (ring.goesOn ? " -> i1" : ""));
    if (ring.goesOn)
      copies += (copies.empty() ? "" : ", ") + copy;
    break;
  }
  case Fill::Store:
  case Fill::Number: {
    std::string shape = type == "!at"     ? "64x16"
                        : type == "!half" ? "8x8"
                                          : "16x8";
    std::string tensor = "tensor<" + shape + "xf16>", value = writer.fresh();
    writer.line(value + " = tile.splat %zero : f16 -> " + tensor);
    writer.line("hopper.local_store " + value + ", " + into + " : " + tensor +
                ", " + type);
    break;
  }
  }
}

void Generator::put(const RingPlan &ring, int process, const Num &slot,
                    const Num &phase, const Num &index, const Num *number) {
  event([&] {
    writer.line("hopper.wait " + side(ring, "empty", slot) + " phase " +
                phase.name);
  });
  int64_t bytes = ring.aBytes + ring.bBytes;
  if (errs(2))
    bytes += choice.of<int64_t>({-16, 16, -bytes, 256});
  auto expect = [&](int64_t announced) {
    event([&] {
      writer.line("hopper.expect " + at(ring, slot) + " bytes " +
                  std::to_string(announced));
    });
  };
  bool isTma = ring.fill == Fill::Tma;
  // One thread goes on for all: they must have waited, too.
  if (isTma && !processes[process].elected && !errs(8))
    writer.line("hopper.sync " + std::to_string(1 + process) + " threads " +
                std::to_string(32 * processes[process].warps));
  bool isLate = isTma && choice.percent(15), isTwice = ring.fullArrivals > 1;
  if (isTma && isTwice)
    expect(0);
  if (isTma && !isLate)
    expect(bytes);
  if (ring.fill == Fill::Number) {
    std::string into = tile(ring, slot, 0, "!num"), value = writer.fresh();
    writer.line(value + " = tile.splat " + number->name +
                " : i32 -> tensor<1xi32>");
    writer.line("hopper.local_store " + value + ", " + into +
                " : tensor<1xi32>, !num");
  } else if (ring.a == "!pt" && choice.percent(20)) {
    int64_t second = errs(12) ? 0 : 128;
    fill(ring, slot, 0, "!half", index);
    if (!errs(20))
      fill(ring, slot, second, "!half", index);
  } else {
    fill(ring, slot, 0, ring.a, index);
  }
  if (!ring.b.empty())
    if (!errs(3))
      fill(ring, slot, ring.aBytes, ring.b, index);
  if (isTma && isLate)
    expect(bytes);
  if (isTma)
    return;
  if (ring.goesOn && !copies.empty())
    return writer.line("hopper.arrive " + side(ring, "full", slot) +
                       " copies " + std::exchange(copies, ""));
  if (ring.isAsync() && !errs(2))
    writer.line("hopper.fence_async");
  event([&] { writer.line("hopper.arrive " + side(ring, "full", slot)); });
}

void Generator::release(const RingPlan &ring, const Num &slot,
                        const std::string &after) {
  event([&] {
    writer.line("hopper.arrive " + side(ring, "empty", slot) +
                (after.empty() ? "" : " after " + after + " : !r"));
  });
}

/// Threads read windows that slide along what a slot holds, or elements that
/// numbers choose; and some store what they read, where a condition holds.
void Generator::readChosen(const RingPlan &ring, const Num &slot) {
  bool slides = choice.percent(50);
  std::string type = slides ? "!line" : ring.a;
  std::string from = tile(ring, slot, 0, type), value = writer.fresh();
  if (slides) {
    writer.line(value + " = hopper.local_unfold " + from +
                " from %c0 {size = 8, step = 7} : !line -> !reg");
  } else {
    std::string places = writer.fresh();
    writer.line(places + " = tile.splat " + writer.constant("i32", 3).name +
                " : i32 -> !places");
    writer.line(value + " = hopper.local_take " + from + "[" + places +
                "], 0 : " + type + ", !places -> !reg");
  }
  if (choice.percent(50))
    writer.line("hopper.global_store " + value + ", %b[%c0, %c0]" +
                (choice.percent(50)
                     ? " if " + writer.guard(choice.percent(50)).name
                     : "") +
                " : !reg, !v");
}

/// Those who read copies through the async proxy fence them.
void Generator::fenceCopies(const RingPlan &ring, Use use) {
  bool isAsync =
      use == Use::Multiply || use == Use::MultiplyLate || use == Use::Store;
  if (ring.goesOn && isAsync ? !errs(6) : choice.percent(2))
    writer.line("hopper.fence_async");
}

/// Waits for a turn, uses it, releases it. The number that it read, if any.
Num Generator::get(const RingPlan &ring, size_t consumer, const Num &slot,
                   const Num &phase, const Num &index) {
  Num number;
  bool isEarly = errs(2);
  if (isEarly && ring.uses[consumer] != Use::Multiply &&
      ring.uses[consumer] != Use::MultiplyLate)
    release(ring, slot, "");
  else
    isEarly = false;
  event([&] {
    writer.line("hopper.wait " + side(ring, "full", slot) + " phase " +
                phase.name);
  });
  fenceCopies(ring, ring.uses[consumer]);
  std::string after;
  switch (ring.uses[consumer]) {
  case Use::Multiply:
  case Use::MultiplyLate: {
    std::string a = tile(ring, slot, 0, ring.a);
    std::string b = tile(ring, slot, ring.aBytes, ring.b);
    std::string flight = writer.fresh();
    after = writer.fresh();
    writer.line(flight + " = hopper.wgmma " + a + ", " + b +
                " : !at, !bt -> !fl");
    writer.line(after + " = hopper.wgmma_wait " + flight +
                " pending 0 : !fl -> !r");
    break;
  }
  case Use::Load: {
    if (ring.a == "!pt" && choice.percent(20)) {
      readChosen(ring, slot);
      break;
    }
    bool isHalf = ring.a == "!pt" && choice.percent(15);
    std::string type = isHalf ? "!half" : ring.a;
    std::string shape = isHalf ? "8x8" : ring.a == "!at" ? "64x16" : "16x8";
    std::string from = tile(ring, slot, 0, type), value = writer.fresh();
    writer.line(value + " = hopper.local_load " + from + " : " + type +
                " -> tensor<" + shape + "xf16>");
    break;
  }
  case Use::Store: {
    std::string from = tile(ring, slot, 0, ring.a);
    writer.line("hopper.tma_store " + from + " to %b[" +
                (index.type == "index" ? index.name : "%c0") +
                ", %c0] : " + ring.a + ", !v");
    int pending = errs(6) ? 1 : 0;
    event([&] {
      writer.line("hopper.tma_store_wait " + std::to_string(pending));
    });
    break;
  }
  case Use::Number: {
    std::string from = tile(ring, slot, 0, "!num"), value = writer.fresh();
    writer.line(value + " = hopper.local_load " + from +
                " : !num -> tensor<1xi32>");
    number = {writer.fresh(), "i32", 32};
    writer.line(number.name + " = tile.unsplat " + value +
                " : tensor<1xi32> -> i32");
    break;
  }
  }
  // What TMA fills again must not be on its way to a thread any more.
  Use use = ring.uses[consumer];
  bool isRead = use == Use::Load || use == Use::Number;
  if (isRead && ring.fill == Fill::Tma ? !errs(8) : choice.percent(1))
    writer.line("hopper.fence_async");
  if (!isEarly)
    release(ring, slot, after);
  return number;
}

/// The product of one turn runs while the next is waited for: a loop of its
/// own.
void Generator::getLate(const RingPlan &ring, const SpacePlan &space,
                        const Num *received, const Counter &counter,
                        Nums &state) {
  Bounds bounds = boundsOf(space, received);
  auto turn = [&](const Nums &now, const std::string &acc, Num &slot) {
    Num phase;
    place(counter, now, slot, phase);
    writer.line("hopper.wait " + side(ring, "full", slot) + " phase " +
                phase.name);
    fenceCopies(ring, Use::MultiplyLate);
    std::string a = tile(ring, slot, 0, ring.a);
    std::string b = tile(ring, slot, ring.aBytes, ring.b);
    Num flight{writer.fresh(), "!fl", 0};
    std::string product = " = hopper.wgmma " + a + ", " + b +
                          (acc.empty() ? "" : ", " + acc + " : !fl") +
                          " : !at, !bt -> !fl";
    if (acc.empty() || !choice.percent(25)) {
      writer.line(flight.name + product);
      return flight;
    }
    // In a branch, which always is the one that is taken, or never.
    Num goes = writer.guard(!errs(10));
    writer.open(flight.name + " = scf.if " + goes.name + " -> (!fl) {");
    std::string inner = writer.fresh();
    writer.line(inner + product);
    writer.line("scf.yield " + inner + " : !fl");
    writer.close("} else {");
    writer.line("  scf.yield " + acc + " : !fl");
    writer.line("}");
    return flight;
  };
  auto land = [&](const Num &flight, int pending, const Num &slot) {
    std::string value = writer.fresh();
    writer.line(value + " = hopper.wgmma_wait " + flight.name + " pending " +
                std::to_string(pending) + " : !fl -> !r");
    // With the next product in flight registers would have to be moved.
    if (pending ? errs(3) : choice.percent(50)) {
      std::string cast = writer.fresh();
      writer.line(cast + " = tile.cast " + value + " : !r -> tensor<64x8xf16>");
    }
    release(ring, slot, value);
  };
  Num some = writer.compare("slt", bounds.lower, bounds.upper);
  state = branch(some, state, [&] {
    Num slot;
    Num flight = turn(state, "", slot);
    Nums inits = advance(counter, state);
    size_t own = inits.size();
    inits.push_back(slot);
    inits.push_back(flight);
    Bounds rest = bounds;
    rest.lower = writer.binary("addi", bounds.lower, bounds.step);
    int pending = errs(4) ? 0 : 1;
    Nums last = plainLoop(rest, inits, [&](const Num &, const Nums &carried) {
      Nums now(carried.begin(), carried.begin() + own);
      Num next;
      Num later = turn(now, carried[own + 1].name, next);
      land(carried[own + 1], pending, errs(5) ? next : carried[own]);
      Nums yields = advance(counter, now);
      yields.push_back(next);
      yields.push_back(later);
      return yields;
    });
    if (!errs(4))
      land(last[own + 1], 0, last[own]);
    last.resize(own);
    return last;
  });
}

/// Threads of one process write a buffer, those of another use it.
void Generator::meet(int process) {
  std::string sync = "hopper.sync 7 threads 256";
  std::string buffer = writer.fresh();
  writer.line(buffer + " = hopper.buffer \"shared\" at 40960 : !pt");
  if (process == meeting) {
    std::string value = writer.fresh();
    writer.line(value + " = tile.splat %zero : f16 -> tensor<16x8xf16>");
    writer.line("hopper.local_store " + value + ", " + buffer +
                " : tensor<16x8xf16>, !pt");
    if (!errs(12))
      writer.line("hopper.fence_async");
    event([&] { writer.line(sync); });
  } else {
    event([&] { writer.line(sync); });
    if (choice.percent(70)) {
      writer.line("hopper.tma_store " + buffer + " to %b[%c0, %c0] : !pt, !v");
      event([&] { writer.line("hopper.tma_store_wait 0"); });
    } else {
      std::string value = writer.fresh();
      writer.line(value + " = hopper.local_load " + buffer +
                  " : !pt -> tensor<16x8xf16>");
    }
  }
  event([&] { writer.line(sync); });
}

/// A process writes a buffer of its own and stores it by TMA.
void Generator::stage(int process) {
  std::string sync = "hopper.sync " + std::to_string(1 + process) +
                     " threads " +
                     std::to_string(32 * processes[process].warps);
  std::string buffer = writer.fresh(), value = writer.fresh();
  int64_t place = errs(8) ? choice.of<int64_t>({0, 128, 256}) : 45056;
  writer.line(buffer + " = hopper.buffer \"out\" at " + std::to_string(place) +
              " : !pt");
  writer.line(value + " = tile.splat %zero : f16 -> tensor<16x8xf16>");
  writer.line("hopper.tma_store_wait 0");
  writer.line(sync);
  writer.line("hopper.local_store " + value + ", " + buffer +
              " : tensor<16x8xf16>, !pt");
  writer.line("hopper.fence_async");
  writer.line(sync);
  writer.line("hopper.tma_store " + buffer + " to %b[%c0, %c0] : !pt, !v");
}

/// Products of one process on accumulators that follow each other.
void Generator::products(int process) {
  std::string sync =
      "hopper.sync " + std::to_string(1 + process) + " threads 128";
  std::string a = writer.fresh(), b = writer.fresh();
  std::string av = writer.fresh(), bv = writer.fresh();
  writer.line(a + " = hopper.buffer \"pa\" at 49152 : !at");
  writer.line(b + " = hopper.buffer \"pb\" at 53248 : !bt");
  writer.line(av + " = tile.splat %zero : f16 -> tensor<64x16xf16>");
  writer.line(bv + " = tile.splat %zero : f16 -> tensor<16x8xf16>");
  writer.line("hopper.local_store " + av + ", " + a +
              " : tensor<64x16xf16>, !at");
  writer.line("hopper.local_store " + bv + ", " + b +
              " : tensor<16x8xf16>, !bt");
  writer.line("hopper.fence_async");
  writer.line(sync);
  auto product = [&](const std::string &acc) {
    Num flight{writer.fresh(), "!fl", 0};
    writer.line(flight.name + " = hopper.wgmma " + a + ", " + b +
                (acc.empty() ? "" : ", " + acc + " : !fl") +
                " : !at, !bt -> !fl");
    return flight;
  };
  auto wait = [&](const Num &flight, int pending, bool isRead) {
    std::string value = writer.fresh();
    writer.line(value + " = hopper.wgmma_wait " + flight.name + " pending " +
                std::to_string(pending) + " : !fl -> !r");
    if (!isRead)
      return;
    std::string cast = writer.fresh();
    writer.line(cast + " = tile.cast " + value + " : !r -> tensor<64x8xf16>");
  };
  Num first = product(""), second = choice.percent(50) ? product("") : first;
  bool isChain = second.name == first.name; // both carried are one
  SpacePlan space;
  space.times = choice.between(0, 3);
  bool isRead = errs(45), isExtent = choice.percent(40);
  if (isExtent)
    space.kind = SpacePlan::Extent;
  Bounds bounds = boundsOf(space, nullptr);
  Nums last =
      plainLoop(bounds, {first, second}, [&](const Num &, const Nums &carried) {
        int shape = int(choice.below(3));
        Num next = carried[0];
        if (shape == 0) { // in turn: the other is the elder
          next = product(carried[0].name);
          wait(carried[1], isChain ? 0 : 1, isRead || !isChain);
          return Nums{carried[1], next};
        }
        if (shape == 1) {
          next = product(carried[1].name);
          wait(carried[1], 1, false);
          return Nums{errs(40) ? carried[1] : next, next};
        }
        Num goes = writer.guard(choice.percent(60));
        next = branch(goes, {carried[1]},
                      [&] { return Nums{product(carried[1].name)}; })[0];
        wait(carried[1], isRead ? 0 : choice.percent(70) ? 0 : 1, isRead);
        return Nums{next, next};
      });
  wait(last[1], 0, choice.percent(60));
  if (choice.percent(30))
    wait(last[0], 0, errs(50));
  if (errs(4))
    wait(product(""), -1, false);
}

/// A loop without events, which ends, or does not.
void Generator::spin() {
  for (int tries = 0; tries < 20; ++tries) {
    std::string type = choice.of({"i8", "i16", "i32", "index", "i1", "i5"});
    int width = bitsOfType(type);
    int64_t from = wrap(width, choice.between(-3, 3));
    int64_t by = wrap(width, choice.between(-2, 3));
    int64_t to = wrap(width, choice.between(-6, 12));
    bool isSlt = choice.percent(60), isXor = choice.percent(25);
    int64_t now = from;
    int steps = 0;
    for (; steps < 300; ++steps) {
      if (!*compute(isSlt ? Arith::Slt : Arith::Ult, width, now, to))
        break;
      now = *compute(isXor ? Arith::Xor : Arith::Add, width, now, by);
    }
    if (steps == 300 && !errs(60))
      continue;
    Bounds bounds;
    std::string name = writer.fresh(), before = writer.fresh();
    Num start = writer.number(type, from);
    writer.open(name + " = scf.while (" + before + " = " + start.name +
                ") : (" + type + ") -> " + type + " {");
    Num current{before, type, width};
    Num goesOn = writer.compare(isSlt ? "slt" : "ult", current,
                                writer.constant(type, to));
    writer.line("scf.condition(" + goesOn.name + ") " + before + " : " + type);
    writer.close("} do {");
    Num after{writer.fresh(), type, width};
    writer.line("^bb0(" + after.name + ": " + type + "):");
    writer.open("  // the next");
    Num next = writer.binary(isXor ? "xori" : "addi", after,
                             writer.constant(type, by));
    writer.line("scf.yield " + next.name + " : " + type);
    writer.close("  // and again");
    writer.line("}");
    return;
  }
}
