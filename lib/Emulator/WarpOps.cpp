//===- WarpOps.cpp - Instructions between the lanes of a warp -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `shfl`, `vote`, `match`, `redux`, `elect`, `activemask` and `setmaxnreg`.
// Lanes with one member mask act as a team and may arrive in parts
// (ExecContext.h). Results that PTX leaves open are chosen so that reliance on
// them shows: a lane that takes no part gives NaN, and an adversarial schedule
// elects any lane.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecContext.h"

#include <algorithm>

using namespace heddle::emulator;

/// The member mask is the last source.
static const uint64_t *masksOf(ExecContext &context, const Instruction &in) {
  return context.lanes(in.sources.back());
}

//===----------------------------------------------------------------------===//
// shfl
//===----------------------------------------------------------------------===//

namespace {
enum ShuffleMode : uint32_t { kUp, kDown, kButterfly, kIndex };
} // namespace

/// The lane that `lane` reads, or -1 when its own value stays.
static int shuffleSource(uint32_t mode, int lane, uint32_t b, uint32_t c) {
  int amount = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  int highest = (lane & segment) | (clamp & ~segment);
  switch (mode) {
  case kUp: {
    int source = lane - amount;
    return source >= highest ? source : -1;
  }
  case kDown: {
    int source = lane + amount;
    return source <= highest ? source : -1;
  }
  case kButterfly: {
    int source = lane ^ amount;
    return source <= highest ? source : -1;
  }
  default: {
    int source = (lane & segment) | (amount & ~segment);
    return source <= highest ? source : -1;
  }
  }
}

static Step execShuffle(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  return forEachTeam(
      context, in, masksOf(context, in), mask, [&](LaneMask team) {
        const uint64_t *b = context.lanes(in.b), *c = context.lanes(in.c);
        uint64_t values[kLanes];
        std::copy_n(context.lanes(in.a), kLanes, values);
        uint64_t *d = context.lanes(in.d);
        uint64_t *p = in.destinations.size() > 1
                          ? context.lanes(in.destinations[1])
                          : nullptr;
        forEachLane(team, [&](int lane) {
          int source = shuffleSource(in.variant, lane, uint32_t(b[lane]),
                                     uint32_t(c[lane]));
          bool isValid = source >= 0;
          source = isValid ? source : lane;
          // A lane that does not take part gives garbage: a NaN that will show.
          d[lane] = team >> source & 1 ? values[source] : 0xFFFFFFFF;
          if (p)
            p[lane] = isValid;
        });
      });
}

static bool decodeShuffle(Decoder &decoder) {
  static constexpr std::string_view modes[] = {"up", "down", "bfly", "idx"};
  for (uint32_t i = 0; i < 4; ++i)
    if (decoder.take(modes[i]))
      decoder.out.variant = i;
  decoder.takeType();
  decoder.out.exec = execShuffle;
  return decoder.destination(Type::B32) && decoder.source(Type::B32) &&
         decoder.source(Type::B32) && decoder.source(Type::B32) &&
         decoder.source(Type::B32);
}

//===----------------------------------------------------------------------===//
// vote, match, redux, elect, activemask
//===----------------------------------------------------------------------===//

namespace {
enum VoteMode : uint32_t { kAll, kAny, kUniform, kBallot, kNegated = 8 };
} // namespace

static Step execVote(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  return forEachTeam(
      context, in, masksOf(context, in), mask, [&](LaneMask team) {
        const uint64_t *a = context.lanes(in.a);
        uint64_t *d = context.lanes(in.d);
        LaneMask set = 0;
        forEachLane(team, [&](int lane) {
          bool bit = (a[lane] != 0) != ((in.variant & kNegated) != 0);
          set |= LaneMask(bit) << lane;
        });
        bool all = set == team, any = set != 0;
        uint32_t mode = in.variant & 7;
        uint64_t result = mode == kAll       ? all
                          : mode == kAny     ? any
                          : mode == kUniform ? all || !any
                                             : set;
        forEachLane(team, [&](int lane) { d[lane] = result; });
      });
}

static bool decodeVote(Decoder &decoder) {
  decoder.takeAny("sync");
  static constexpr std::string_view modes[] = {"all", "any", "uni", "ballot"};
  for (uint32_t i = 0; i < 4; ++i)
    if (decoder.take(modes[i]))
      decoder.out.variant = i;
  decoder.takeType();
  decoder.out.exec = execVote;
  if (!decoder.destination(Type::B32))
    return false;
  const Operand *predicate = decoder.nextOperandOrFail();
  uint32_t reg;
  if (!predicate || !decoder.registerFor(*predicate, Type::Pred, reg))
    return false;
  if (predicate->isNegated)
    decoder.out.variant |= kNegated;
  decoder.out.sources.push_back(reg);
  return decoder.source(Type::B32);
}

static Step execMatch(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  return forEachTeam(
      context, in, masksOf(context, in), mask, [&](LaneMask team) {
        uint64_t values[kLanes];
        std::copy_n(context.lanes(in.a), kLanes, values);
        uint64_t *d = context.lanes(in.d);
        forEachLane(team, [&](int lane) {
          LaneMask same = 0;
          forEachLane(team, [&](int other) {
            same |= LaneMask(values[other] == values[lane]) << other;
          });
          bool all = same == team;
          d[lane] = in.variant == kAll && !all ? 0 : same;
          if (in.destinations.size() > 1)
            context.lanes(in.destinations[1])[lane] = all;
        });
      });
}

static bool decodeMatch(Decoder &decoder) {
  decoder.out.variant = decoder.take("all") ? kAll : kAny;
  decoder.drop({"any", "sync"});
  Type type = decoder.takeType();
  decoder.out.exec = execMatch;
  return decoder.destination(Type::B32) && decoder.source(type) &&
         decoder.source(Type::B32);
}

static Step execRedux(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  return forEachTeam(
      context, in, masksOf(context, in), mask, [&](LaneMask team) {
        const uint64_t *a = context.lanes(in.a);
        uint32_t result = uint32_t(a[firstLane(team)]);
        forEachLane(team & (team - 1), [&](int lane) {
          uint32_t value = uint32_t(a[lane]);
          bool isSignedType = in.type == Type::S32;
          bool isLess =
              isSignedType ? int32_t(value) < int32_t(result) : value < result;
          switch (in.variant) {
          case 0:
            result += value;
            break;
          case 1:
            result = isLess ? value : result;
            break;
          case 2:
            result = isLess ? result : value;
            break;
          case 3:
            result &= value;
            break;
          case 4:
            result |= value;
            break;
          default:
            result ^= value;
            break;
          }
        });
        uint64_t *d = context.lanes(in.d);
        forEachLane(team, [&](int lane) { d[lane] = result; });
      });
}

static bool decodeRedux(Decoder &decoder) {
  static constexpr std::string_view names[] = {"add", "min", "max",
                                               "and", "or",  "xor"};
  for (uint32_t i = 0; i < std::size(names); ++i)
    if (decoder.take(names[i]))
      decoder.out.variant = i;
  decoder.out.type = decoder.takeType();
  decoder.out.exec = execRedux;
  return decoder.destination(Type::B32) && decoder.source(Type::B32) &&
         decoder.source(Type::B32);
}

/// PTX says only that the same mask gives the same lane.
static int elect(const Cta &cta, LaneMask team) {
  if (cta.launch.options.schedule != Schedule::Adversarial)
    return firstLane(team);
  uint32_t count = uint32_t(std::popcount(team));
  for (uint32_t skip = Random(cta.election ^ team).below(count); skip; --skip)
    team &= team - 1;
  return firstLane(team);
}

static Step execElect(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  return forEachTeam(
      context, in, masksOf(context, in), mask, [&](LaneMask team) {
        int leader = elect(context.cta, team);
        uint64_t *d = context.lanes(in.d);
        forEachLane(team, [&](int lane) { d[lane] = uint64_t(leader); });
        if (in.destinations.size() > 1) {
          uint64_t *p = context.lanes(in.destinations[1]);
          forEachLane(team, [&](int lane) { p[lane] = lane == leader; });
        }
      });
}

static bool decodeElect(Decoder &decoder) {
  decoder.out.exec = execElect;
  return decoder.destination(Type::B32) && decoder.source(Type::B32);
}

static Step execActiveMask(ExecContext &context, const Instruction &in,
                           LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  forEachLane(mask, [&](int lane) { d[lane] = mask; });
  return Step::Next;
}

static bool decodeActiveMask(Decoder &decoder) {
  decoder.takeType();
  decoder.out.exec = execActiveMask;
  return decoder.destination(Type::B32);
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

static Step execSetMaxRegisters(ExecContext &context, const Instruction &in,
                                LaneMask mask) {
  Warp &warp = context.warp;
  int wanted = int(in.immediate);
  bool isIncrease = in.variant;
  int lane = firstLane(mask);
  if (isIncrease ? wanted < warp.maxRegisters : wanted > warp.maxRegisters)
    return context.fail(in, lane,
                        "asks for " + std::to_string(wanted) +
                            " registers a thread and has " +
                            std::to_string(warp.maxRegisters) +
                            (isIncrease ? "; .inc cannot give any back"
                                        : "; .dec cannot take more"));
  int64_t delta = int64_t(wanted - warp.maxRegisters) * kLanes;
  if (delta > context.cta.freeRegisters) {
    context.block(Wait::Kind::Registers);
    context.wait.count = uint64_t(wanted);
    return Step::Blocked;
  }
  context.cta.freeRegisters -= delta;
  warp.maxRegisters = wanted;
  return Step::Next;
}

static bool decodeSetMaxRegisters(Decoder &decoder) {
  decoder.out.variant = decoder.take("inc");
  decoder.drop({"dec", "sync", "aligned"});
  decoder.takeType();
  decoder.out.exec = execSetMaxRegisters;
  decoder.out.needsFullWarp = true;
  int64_t &count = decoder.out.immediate;
  if (!decoder.immediate(count))
    return false;
  if (count < 24 || count > 256 || count % 8)
    return decoder.fail(std::to_string(count) +
                        " registers; it must be a multiple of 8 from 24 to "
                        "256");
  return true;
}

std::span<const Family> heddle::emulator::warpFamilies() {
  static constexpr Family families[] = {
      {"shfl.sync", decodeShuffle},
      {"vote", decodeVote},
      {"match", decodeMatch},
      {"redux.sync", decodeRedux},
      {"elect.sync", decodeElect},
      {"activemask", decodeActiveMask},
      {"setmaxnreg", decodeSetMaxRegisters},
  };
  return families;
}
