//===- MbarrierOps.cpp - mbarrier -----------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MbarrierOps.h"

#include "Cluster.h"
#include "Decoder.h"
#include "EndOfCta.h"
#include "ExecContext.h"
#include "MemoryOps.h"
#include "Names.h"
#include "RaceCheck.h"

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// The object
//===----------------------------------------------------------------------===//

/// Both counts of the hardware's object have 20 bits.
static constexpr int64_t kCountLimit = 1 << 20;

uint64_t heddle::emulator::sharedAddress(Space space, uint64_t address) {
  return space == Space::Generic ? address - kSharedWindow : address;
}

Mbarrier *heddle::emulator::requireBarrier(Cta &cta, const Instruction &in,
                                           const Warp &warp, int lane,
                                           uint64_t address) {
  if (!cta.shared.contains(address, 8) || address % 8) {
    cta.fail(in, warp, lane,
             "no mbarrier can lie at shared address " + hexadecimal(address));
    return nullptr;
  }
  Mbarrier *barrier = cta.shared.findBarrier(address);
  if (!barrier)
    cta.fail(in, warp, lane,
             "the mbarrier at shared address " + hexadecimal(address) +
                 " was not initialised");
  return barrier;
}

void heddle::emulator::releaseInto(Cta &cta, Mbarrier &barrier,
                                   const Warp &warp, int lane) {
  barrier.arrived.join(cta.order.release(warp.number, LaneMask(1) << lane));
}

/// Ends the phase when nothing is missing.
static void settle(Cta &cta, Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  barrier.completed = std::exchange(barrier.arrived, Clock());
  if (cta.order.isOn() && barrier.delivery.moment)
    barrier.completed.set(cta.order.agentOf(Engine::Delivery, barrier.address),
                          barrier.delivery.moment);
  ++barrier.phase;
  barrier.completedAt = cta.nextEvent();
  barrier.arrivedWarps = 0;
  barrier.pending = barrier.expected;
}

/// All arrivals are there, so no more bytes will be expected.
static bool checkBytes(Cta &cta, const Instruction &in, const Warp &warp,
                       int lane, const Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes >= 0)
    return true;
  cta.fail(in, warp, lane,
           std::to_string(-barrier.bytes) +
               " more bytes delivered than expected on " +
               nameBarrier(cta.launch, barrier.address) + ", phase " +
               std::to_string(barrier.phase));
  return false;
}

bool heddle::emulator::arriveOn(Cta &cta, const Instruction &in,
                                const Warp &warp, int lane, Mbarrier &barrier,
                                uint32_t count, int64_t bytes) {
  auto where = [&] {
    return nameBarrier(cta.launch, barrier.address) + ", phase " +
           std::to_string(barrier.phase);
  };
  if (count > barrier.pending) {
    cta.fail(in, warp, lane,
             std::to_string(count) + " arrivals on " + where() +
                 ", which expects " + std::to_string(barrier.expected) +
                 " and misses only " + std::to_string(barrier.pending));
    return false;
  }
  barrier.bytes += bytes;
  if (bytes > 0)
    barrier.announcer = {&in, &warp, lane};
  if (barrier.bytes >= kCountLimit) {
    cta.fail(in, warp, lane,
             std::to_string(barrier.bytes) + " bytes expected on " + where() +
                 "; the object counts to " + std::to_string(kCountLimit - 1));
    return false;
  }
  barrier.pending -= count;
  if (count)
    barrier.arrivedWarps |= uint32_t(1) << warp.number;
  if (!checkBytes(cta, in, warp, lane, barrier))
    return false;
  settle(cta, barrier);
  return true;
}

bool heddle::emulator::completeBytes(Cta &cta, const Instruction &in,
                                     const Warp &warp, int lane,
                                     uint64_t address, int64_t bytes,
                                     uint32_t moment) {
  Mbarrier *barrier = requireBarrier(cta, in, warp, lane, address);
  if (!barrier)
    return false;
  if (moment != barrier->deliveryMoment()) {
    cta.fail(in, warp, lane,
             "delivers " + std::to_string(bytes) + " bytes to " +
                 nameBarrier(cta.launch, address) + " in phase " +
                 std::to_string(barrier->phase) +
                 ", but was issued in an earlier one, which completed without "
                 "it: too few bytes were expected");
    return false;
  }
  barrier->bytes -= bytes;
  if (barrier->bytes <= -kCountLimit) {
    cta.fail(in, warp, lane,
             std::to_string(-barrier->bytes) +
                 " more bytes delivered than expected on the mbarrier at "
                 "shared address " +
                 hexadecimal(address));
    return false;
  }
  if (!checkBytes(cta, in, warp, lane, *barrier))
    return false;
  settle(cta, *barrier);
  return true;
}

//===----------------------------------------------------------------------===//
// Handlers. Sources: address, then counts or a state.
//===----------------------------------------------------------------------===//

/// The barrier, fit for use by this lane: the process may do this with it, and
/// the initialisation lies before. Null after reporting.
static Mbarrier *takeBarrier(ExecContext &context, const Instruction &in,
                             int lane, uint64_t address, bool arrives) {
  Cta &cta = context.cta;
  const Warp &warp = context.warp;
  Mbarrier *barrier = requireBarrier(cta, in, warp, lane, address);
  if (!barrier || !cta.order.isOn())
    return barrier;
  uint32_t allowed = arrives ? barrier->arrivingWarps : barrier->waitingWarps;
  if (!(allowed >> warp.number & 1)) {
    context.fail(in, lane,
                 std::string(arrives ? "arrives" : "waits") + " on " +
                     nameBarrier(cta.launch, address) +
                     ", which is not for this process");
    return nullptr;
  }
  return noteBarrierUse(cta, in, warp, lane, address) ? barrier : nullptr;
}

/// Whether the instruction says that it orders nothing.
static bool isRelaxed(const Instruction &in) {
  return in.isStrong && !in.acquires && !in.releases;
}

/// A state is a phase and the arrivals that it still missed.
static uint64_t stateOf(uint64_t phase, uint32_t pending) {
  return phase << 20 | pending;
}

static uint64_t addressAt(ExecContext &context, const Instruction &in,
                          int lane) {
  return sharedAddress(in.space,
                       context.lanes(in.a)[lane] + uint64_t(in.immediate));
}

static Step execInit(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  SharedMemory &shared = context.cta.shared;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = addressAt(context, in, lane);
    uint64_t count = context.lanes(in.b)[lane];
    if (!shared.contains(address, 8) || address % 8)
      return context.fail(in, lane,
                          "no mbarrier can lie at shared address " +
                              hexadecimal(address));
    if (shared.findBarrier(address))
      return context.fail(in, lane,
                          "the mbarrier at shared address " +
                              hexadecimal(address) +
                              " is initialised a second time; it must be "
                              "invalidated first");
    if (count < 1 || count >= uint64_t(kCountLimit))
      return context.fail(in, lane,
                          "an mbarrier for " + std::to_string(count) +
                              " arrivals; 1 to 1048575 are possible");
    if (!noteThreadAccess(context.cta, in, context.warp, lane,
                          {address, 8, true}))
      return Step::Failed;
    Mbarrier &barrier = shared.createBarrier(address, uint32_t(count));
    BarrierRoles roles = rolesOf(context.cta.launch, address);
    barrier.arrivingWarps = roles.arriving;
    barrier.waitingWarps = roles.waiting;
  }
  return Step::Next;
}

static Step execInvalidate(ExecContext &context, const Instruction &in,
                           LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = addressAt(context, in, lane);
    const Mbarrier *barrier =
        requireBarrier(context.cta, in, context.warp, lane, address);
    if (!barrier ||
        !checkEndOfBarrier(context.cta, in, context.warp, lane, *barrier))
      return Step::Failed;
    context.cta.shared.dropBarrier(address);
    // The memory is plain again; whoever used the barrier comes before.
    if (!noteThreadAccess(context.cta, in, context.warp, lane,
                          {address, 8, true}))
      return Step::Failed;
  }
  return Step::Next;
}

namespace {
enum ArriveVariant : uint32_t {
  kArrive,
  kArriveExpect, ///< the second source is bytes
  kExpectOnly,
  kCompleteOnly,
  kArriveDrop,
};
} // namespace

static Step execArrive(ExecContext &context, const Instruction &in,
                       LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = addressAt(context, in, lane);
    Cta *owner = reach(context.cta, in, context.warp, lane, address);
    if (!owner)
      return Step::Failed;
    Mbarrier *barrier =
        owner == &context.cta
            ? takeBarrier(context, in, lane, address, true)
            : requireBarrier(*owner, in, context.warp, lane, address);
    if (!barrier)
      return Step::Failed;
    uint64_t state = stateOf(barrier->phase, barrier->pending);
    uint32_t operand =
        in.sources.size() > 1 ? uint32_t(context.lanes(in.b)[lane]) : 1;
    bool arrives = in.variant != kExpectOnly && in.variant != kCompleteOnly;
    bool hasBytes = in.variant != kArrive && in.variant != kArriveDrop;
    int64_t bytes = !hasBytes                     ? 0
                    : in.variant == kCompleteOnly ? -int64_t(operand)
                                                  : int64_t(operand);
    uint32_t count = !arrives ? 0 : hasBytes ? 1 : operand;
    if (in.variant == kArriveDrop)
      barrier->expected -= count;
    uint64_t phase = barrier->phase;
    if (arrives && !isRelaxed(in))
      releaseInto(context.cta, *barrier, context.warp, lane);
    if (!arriveOn(*owner, in, context.warp, lane, *barrier, count, bytes))
      return Step::Failed;
    if (barrier->phase != phase) // by this very arrival
      context.warp.learnUpTo(barrier->completedAt);
    if (!in.destinations.empty())
      context.lanes(in.d)[lane] = state;
  }
  return Step::Next;
}

namespace {
enum WaitVariant : uint32_t { kByParity = 1, kMayBlock = 2 };
} // namespace

/// A poll that failed: from the thousandth in a row on the lanes do nothing
/// else, so they may as well sleep, and a deadlock shows.
static bool isSpinning(ExecContext &context, uint64_t address) {
  Group &group = context.warp.groups[context.group];
  if (group.polled != address)
    group.failedPolls = 0;
  group.polled = uint32_t(address);
  return ++group.failedPolls > 1000;
}

/// What one lane asks for.
struct Question {
  Mbarrier *barrier = nullptr;
  uint64_t phase = 0; ///< or its parity
  bool isOver = false;
};

static bool ask(ExecContext &context, const Instruction &in, int lane,
                Question &question) {
  uint64_t address = addressAt(context, in, lane);
  uint64_t operand = context.lanes(in.b)[lane];
  question.barrier = takeBarrier(context, in, lane, address, false);
  if (!question.barrier)
    return false;
  bool byParity = in.variant & kByParity;
  question.phase = byParity ? operand : operand >> 20;
  if (byParity && operand > 1) {
    context.fail(in, lane,
                 "phase parity " + std::to_string(operand) + "; it is 0 or 1");
    return false;
  }
  question.isOver = byParity ? question.barrier->isOver(uint32_t(operand))
                             : question.barrier->phase > question.phase;
  return true;
}

/// Whether a wait that finds its phase over may say false all the same: the end
/// of the phase does not lie in the lane's past, so that it could have asked
/// before. Without clocks: the warp has heard of nobody since.
static bool mayRefuse(ExecContext &context, const Question &question,
                      int lane) {
  if (!question.isOver)
    return true;
  const Causality &order = context.cta.order;
  if (!order.isOn())
    return context.warp.learnedAt < question.barrier->completedAt;
  return !order.isPast(question.barrier->completed,
                       context.warp.threadOf(lane));
}

/// Under the adversarial order the first waits of every instruction in every
/// warp that may say false do so, once to three times.
static bool refuses(ExecContext &context, const Instruction &in) {
  Cta &cta = context.cta;
  if (cta.launch.options.schedule != Schedule::Adversarial)
    return false;
  auto [it, isNew] = cta.refusals.try_emplace({&in, context.warp.number}, 0);
  if (isNew)
    it->second = 1 + cta.random.below(3);
  if (!it->second)
    return false;
  --it->second;
  return true;
}

static Step execWait(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  std::array<Question, kLanes> questions;
  bool anyOver = false, isUniform = true, allMayRefuse = true;
  const Question &first = questions[size_t(firstLane(mask))];
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    Question &question = questions[size_t(lane)];
    if (!ask(context, in, lane, question))
      return Step::Failed;
    anyOver |= question.isOver;
    allMayRefuse = allMayRefuse && mayRefuse(context, question, lane);
    isUniform &= question.barrier == first.barrier &&
                 (question.phase & 1) == (first.phase & 1);
  }
  bool isRefused = allMayRefuse && context.wait.kind == Wait::Kind::None &&
                   refuses(context, in);
  uint64_t *d = context.lanes(in.d);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    const Question &question = questions[size_t(lane)];
    d[lane] = question.isOver && !isRefused;
    if (!d[lane])
      continue;
    question.barrier->observe();
    context.warp.learnUpTo(question.barrier->completedAt);
    if (!isRelaxed(in))
      context.cta.order.acquire(context.warp.number, LaneMask(1) << lane,
                                question.barrier->completed);
  }
  if (isRefused)
    return Step::Yield;
  Group &group = context.warp.groups[context.group];
  if (anyOver) {
    group.failedPolls = 0;
    return Step::Next;
  }
  bool isSpinningNow = isSpinning(context, first.barrier->address);
  bool blocks = isUniform && in.variant & kMayBlock;
  // try_wait may give up at any time; a kernel that does not loop is wrong.
  if (in.variant & kMayBlock &&
      context.cta.launch.options.schedule != Schedule::Fair &&
      context.wait.kind == Wait::Kind::None && context.cta.random.below(4) == 0)
    blocks = false;
  blocks |= isSpinningNow;
  if (std::exchange(group.givesUp, false))
    blocks = false;
  if (!blocks)
    return Step::Yield;
  context.block(isUniform ? Wait::Kind::Mbarrier : Wait::Kind::Mbarriers);
  context.wait.address = first.barrier->address;
  context.wait.parity = first.phase & 1;
  context.wait.lanes = mask;
  return Step::Blocked;
}

bool heddle::emulator::isAnyOver(const Cta &cta, const Warp &warp,
                                 const Group &group) {
  const Instruction &in = cta.launch.entry.instructions[group.pc];
  const uint64_t *addresses = warp.lanes(in.a), *operands = warp.lanes(in.b);
  for (LaneMask rest = group.wait.lanes; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    const Mbarrier *barrier = cta.shared.findBarrier(
        sharedAddress(in.space, addresses[lane] + uint64_t(in.immediate)));
    bool isOver = !barrier || (in.variant & kByParity
                                   ? barrier->isOver(uint32_t(operands[lane]))
                                   : barrier->phase > operands[lane] >> 20);
    if (isOver)
      return true;
  }
  return false;
}

static Step execPendingCount(ExecContext &context, const Instruction &in,
                             LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  forEachLane(mask, [&](int lane) { d[lane] = a[lane] & (kCountLimit - 1); });
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool decodeInit(Decoder &decoder) {
  takeMemoryModifiers(decoder, decoder.out.space);
  decoder.takeType();
  decoder.out.exec = execInit;
  return decoder.memory(decoder.out.immediate) && decoder.source(Type::U32);
}

static bool decodeInvalidate(Decoder &decoder) {
  takeMemoryModifiers(decoder, decoder.out.space);
  decoder.takeType();
  decoder.out.exec = execInvalidate;
  return decoder.memory(decoder.out.immediate);
}

static bool decodeArriveAs(Decoder &decoder, uint32_t variant) {
  Instruction &out = decoder.out;
  takeMemoryModifiers(decoder, out.space);
  decoder.takeAny("noComplete");
  decoder.takeType();
  out.variant = variant;
  out.exec = execArrive;
  // The remote form has no result.
  if (decoder.peekOperand() &&
      decoder.peekOperand()->kind != Operand::Kind::Memory &&
      !decoder.destination(Type::B64))
    return false;
  if (!decoder.memory(out.immediate))
    return false;
  bool needsOperand = variant != kArrive && variant != kArriveDrop;
  return needsOperand || decoder.operandsLeft() ? decoder.source(Type::U32)
                                                : true;
}

static bool decodeArrive(Decoder &decoder) {
  return decodeArriveAs(decoder,
                        decoder.takeAny("expect_tx") ? kArriveExpect : kArrive);
}
static bool decodeArriveDrop(Decoder &decoder) {
  if (decoder.takeAny("expect_tx"))
    return decoder.failUnknown();
  return decodeArriveAs(decoder, kArriveDrop);
}
static bool decodeExpect(Decoder &decoder) {
  return decodeArriveAs(decoder, kExpectOnly);
}
static bool decodeComplete(Decoder &decoder) {
  return decodeArriveAs(decoder, kCompleteOnly);
}

static bool decodeWait(Decoder &decoder, uint32_t variant) {
  Instruction &out = decoder.out;
  if (decoder.takeAny("parity"))
    variant |= kByParity;
  takeMemoryModifiers(decoder, out.space);
  decoder.takeType();
  out.variant = variant;
  out.exec = execWait;
  if (!decoder.destination(Type::Pred) || !decoder.memory(out.immediate) ||
      !decoder.source(variant & kByParity ? Type::U32 : Type::B64))
    return false;
  // The time limit is a hint.
  return !(variant & kMayBlock) || !decoder.operandsLeft() ||
         decoder.nextOperandOrFail();
}

static bool decodeTestWait(Decoder &decoder) { return decodeWait(decoder, 0); }
static bool decodeTryWait(Decoder &decoder) {
  return decodeWait(decoder, kMayBlock);
}

static bool decodePendingCount(Decoder &decoder) {
  decoder.takeType();
  decoder.out.exec = execPendingCount;
  return decoder.destination(Type::U32) && decoder.source(Type::B64);
}

std::span<const Family> heddle::emulator::mbarrierFamilies() {
  static constexpr Family families[] = {
      {"mbarrier.init", decodeInit},
      {"mbarrier.inval", decodeInvalidate},
      {"mbarrier.arrive", decodeArrive},
      {"mbarrier.arrive_drop", decodeArriveDrop},
      {"mbarrier.expect_tx", decodeExpect},
      {"mbarrier.complete_tx", decodeComplete},
      {"mbarrier.test_wait", decodeTestWait},
      {"mbarrier.try_wait", decodeTryWait},
      {"mbarrier.pending_count", decodePendingCount},
  };
  return families;
}
