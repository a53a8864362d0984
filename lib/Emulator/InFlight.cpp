//===- InFlight.cpp - Registers that a wgmma is still using ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InFlight.h"

#include "WgmmaDetail.h"

#include <algorithm>

using namespace heddle::emulator;

std::span<const uint32_t>
heddle::emulator::resultRegisters(const Instruction &in) {
  return in.destinations;
}

std::span<const uint32_t>
heddle::emulator::sourceRegisters(const Instruction &in) {
  const auto &detail = static_cast<const WgmmaDetail &>(*in.detail);
  return std::span(in.sources).first(detail.registersOfA);
}

void heddle::emulator::markProductRegisters(Entry &entry) {
  std::vector<bool> isOfProduct(entry.registerCount, false);
  for (const Instruction &in : entry.instructions)
    if (in.checksRegisters) {
      for (uint32_t reg : resultRegisters(in))
        isOfProduct[reg] = true;
      for (uint32_t reg : sourceRegisters(in))
        isOfProduct[reg] = true;
    }
  isOfProduct[0] = false; // where unused results go
  auto any = [&](const std::vector<uint32_t> &list) {
    return std::any_of(list.begin(), list.end(),
                       [&](uint32_t reg) { return isOfProduct[reg]; });
  };
  for (Instruction &in : entry.instructions)
    in.touchesProduct =
        !in.checksRegisters && (any(in.destinations) || any(in.sources));
}

void heddle::emulator::noteAccess(const Entry &entry, Warp &warp,
                                  const Instruction &in) {
  auto pc = uint32_t(&in - entry.instructions.data());
  auto note = [&](const std::vector<uint32_t> &list) {
    for (uint32_t reg : list) {
      if (!warp.accessedBy[reg])
        warp.unfenced.push_back(reg);
      warp.accessedBy[reg] = pc + 1;
    }
  };
  note(in.destinations);
  note(in.sources);
}

void heddle::emulator::fenceRegisters(Warp &warp) {
  warp.hasFenced = true;
  for (uint32_t reg : warp.unfenced)
    warp.accessedBy[reg] = 0;
  warp.unfenced.clear();
}

static std::string nameOf(const Cta &cta, uint32_t reg) {
  const std::vector<std::string> &names = cta.launch.entry.registerNames;
  return reg - 1 < names.size() ? names[reg - 1] : "a constant";
}

/// The wgmma of this warp that has `reg` in flight.
static std::string describeUser(const Cta &cta, const Warp &warp,
                                uint32_t reg) {
  const WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
  for (uint64_t serial = warp.wgmmaIssued; serial-- > warp.wgmmaRetired;) {
    const Instruction &in = *queue.ops[serial - queue.first].in;
    auto uses = [&](std::span<const uint32_t> list) {
      return std::find(list.begin(), list.end(), reg) != list.end();
    };
    if (uses(resultRegisters(in)) || uses(sourceRegisters(in)))
      return "the wgmma at PTX line " + std::to_string(in.line);
  }
  return "a wgmma";
}

static bool report(ExecContext &context, const Instruction &in, int lane,
                   const char *verb, uint32_t reg, const char *role) {
  context.fail(in, lane,
               std::string(verb) + " " + nameOf(context.cta, reg) + ", " +
                   role + " " + describeUser(context.cta, context.warp, reg) +
                   ", which no wgmma.wait_group has retired yet");
  return false;
}

bool heddle::emulator::checkInFlight(ExecContext &context,
                                     const Instruction &in, LaneMask mask) {
  Warp &warp = context.warp;
  int lane = firstLane(mask);
  for (uint32_t reg : in.sources)
    if (warp.inFlightResult[reg])
      return report(context, in, lane, "reads", reg, "an accumulator of");
  for (uint32_t reg : in.destinations) {
    if (warp.inFlightResult[reg])
      return report(context, in, lane, "writes", reg, "an accumulator of");
    if (warp.inFlightSource[reg])
      return report(context, in, lane, "writes", reg, "an A operand of");
  }
  return true;
}

/// Whether a wgmma in flight has exactly these result registers; the hardware
/// chains wgmmas of one shape on one accumulator by itself.
static bool continuesAccumulator(const Cta &cta, const Warp &warp,
                                 const Instruction &in) {
  const WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
  for (uint64_t serial = warp.wgmmaIssued; serial-- > warp.wgmmaRetired;) {
    const Instruction &other = *queue.ops[serial - queue.first].in;
    if (other.destinations == in.destinations)
      return true;
  }
  return false;
}

/// Whether a wgmma.fence stands behind the last access to each register.
static bool checkFenced(ExecContext &context, const Instruction &in) {
  const Warp &warp = context.warp;
  if (!warp.hasFenced) {
    context.fail(in, 0, "no wgmma.fence stands before the first wgmma");
    return false;
  }
  auto check = [&](std::span<const uint32_t> list) {
    for (uint32_t reg : list)
      if (uint32_t by = warp.accessedBy[reg]) {
        const Instruction &other =
            context.cta.launch.entry.instructions[by - 1];
        context.fail(in, 0,
                     "uses " + nameOf(context.cta, reg) +
                         ", which was accessed at PTX line " +
                         std::to_string(other.line) +
                         " with no wgmma.fence behind it");
        return false;
      }
    return true;
  };
  return check(resultRegisters(in)) && check(sourceRegisters(in));
}

bool heddle::emulator::issueInFlight(ExecContext &context,
                                     const Instruction &in) {
  Warp &warp = context.warp;
  std::span<const uint32_t> sources = sourceRegisters(in);
  if (context.cta.order.isOn() && !checkFenced(context, in))
    return false;
  bool continues = continuesAccumulator(context.cta, warp, in);
  for (uint32_t reg : resultRegisters(in)) {
    if (warp.inFlightResult[reg] && !continues)
      return report(context, in, 0, "accumulates into", reg,
                    "part of another accumulator list of");
    if (warp.inFlightSource[reg])
      return report(context, in, 0, "writes", reg, "an A operand of");
  }
  for (uint32_t reg : std::span(in.sources))
    if (warp.inFlightResult[reg])
      return report(context, in, 0, "reads", reg, "an accumulator of");
  for (uint32_t reg : resultRegisters(in))
    ++warp.inFlightResult[reg];
  for (uint32_t reg : sources)
    ++warp.inFlightSource[reg];
  return true;
}

void heddle::emulator::retireInFlight(Cta &cta, Warp &warp, uint64_t end) {
  WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
  for (; warp.wgmmaRetired < end; ++warp.wgmmaRetired) {
    const Instruction &in = *queue.ops[warp.wgmmaRetired - queue.first].in;
    for (uint32_t reg : resultRegisters(in))
      --warp.inFlightResult[reg];
    for (uint32_t reg : sourceRegisters(in))
      --warp.inFlightSource[reg];
  }
  // The queue forgets what all four warps have retired.
  int firstWarp = warp.number / 4 * 4;
  uint64_t retired = ~uint64_t(0);
  for (int w = firstWarp; w < firstWarp + 4; ++w)
    if (size_t(w) < cta.warps.size())
      retired = std::min(retired, cta.warps[w].wgmmaRetired);
  while (queue.first < retired && !queue.ops.empty()) {
    queue.ops.pop_front();
    ++queue.first;
  }
}
