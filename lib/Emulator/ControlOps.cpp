//===- ControlOps.cpp - Branches, exits and instructions without effect ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes branches, exits, fences, traps and the instructions that do nothing
// here. The scheduler carries out branches, because they change groups of
// lanes. Only `brx.idx` has a handler, since its lanes may go to several
// targets.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "Decoder.h"
#include "ExecContext.h"

using namespace heddle::emulator;

static bool decodeBra(Decoder &decoder) {
  auto branch = std::make_shared<BranchDetail>();
  decoder.take("uni");
  const Operand *target = decoder.nextOperandOrFail();
  if (!target)
    return false;
  if (target->kind != Operand::Kind::Label)
    return decoder.fail("expected a label");
  branch->targets.push_back(uint32_t(target->index));
  branch->isUniform = decoder.parsed.guard < 0;
  decoder.out.isBranch = true; // the scheduler carries it out
  decoder.out.detail = branch;
  return true;
}

static bool decodeExit(Decoder &decoder) {
  auto branch = std::make_shared<BranchDetail>();
  branch->isExit = true;
  branch->isUniform = decoder.parsed.guard < 0;
  decoder.take("uni");
  decoder.out.isBranch = true;
  decoder.out.detail = branch;
  return true;
}

/// `brx.idx r, table`: lanes go in groups to the targets that they name.
static Step execIndexedBranch(ExecContext &context, const Instruction &in,
                              LaneMask mask) {
  const auto &branch = static_cast<const BranchDetail &>(*in.detail);
  const uint64_t *index = context.lanes(in.a);
  Warp &warp = context.warp;
  int g = context.group;
  uint32_t meetingPoint =
      context.cta.launch.entry.reconvergence[warp.groups[g].pc];
  LaneMask left = mask;
  while (left) {
    int lane = firstLane(left);
    if (index[lane] >= branch.targets.size())
      return context.fail(in, lane,
                          "branches to entry " + std::to_string(index[lane]) +
                              " of a table of " +
                              std::to_string(branch.targets.size()));
    LaneMask same = 0;
    for (LaneMask rest = left; rest; rest &= rest - 1)
      if (index[firstLane(rest)] == index[lane])
        same |= LaneMask(1) << firstLane(rest);
    left &= ~same;
    // What stays behind falls to the next instruction; pull it back to this
    // one until its own turn comes.
    uint32_t pc = warp.groups[g].pc;
    warp.branch(g, same, branch.targets[index[lane]], meetingPoint);
    if (left)
      warp.groups[g].pc = pc;
  }
  return Step::Jumped;
}

static bool decodeBrx(Decoder &decoder) {
  if (decoder.parsed.guard >= 0)
    return decoder.fail("a guarded brx is not supported");
  decoder.takeAny("uni");
  decoder.take("idx");
  if (!decoder.source(Type::U32))
    return false;
  const Operand *table = decoder.nextOperandOrFail();
  if (!table)
    return false;
  if (table->kind != Operand::Kind::Vector || table->elements.empty() ||
      table->elements[0].kind != Operand::Kind::Label)
    return decoder.fail("expected the name of .branchtargets");
  auto branch = std::make_shared<BranchDetail>();
  for (const Operand &target : table->elements)
    branch->targets.push_back(uint32_t(target.index));
  branch->isUniform = true;
  decoder.out.isBranch = true;
  decoder.out.exec = execIndexedBranch;
  decoder.out.detail = branch;
  return true;
}

static Step execNothing(ExecContext &, const Instruction &, LaneMask) {
  return Step::Next;
}

static Step execFence(ExecContext &context, const Instruction &,
                      LaneMask mask) {
  context.cta.order.fence(context.warp.number, mask);
  context.warp.learnUpTo(context.cta.nextEvent());
  return Step::Next;
}

/// A fence of the generic proxy, of any scope: memory is one, and each access
/// is there at once.
static bool decodeFence(Decoder &decoder) {
  decoder.drop({"sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu",
                "sys", "gl", "sync_restrict::shared::cta",
                "sync_restrict::shared::cluster"});
  decoder.out.exec = execFence;
  return true;
}

static bool decodeNothing(Decoder &decoder) {
  while (decoder.hasModifiers())
    decoder.takeModifier();
  while (decoder.operandsLeft())
    decoder.nextOperandOrFail();
  decoder.out.exec = execNothing;
  return true;
}

static Step execYield(ExecContext &, const Instruction &, LaneMask) {
  return Step::Yield;
}

static bool decodeNanosleep(Decoder &decoder) {
  decoder.takeType();
  decoder.out.exec = execYield;
  return decoder.source(Type::U32);
}

static Step execTrap(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  return context.fail(in, firstLane(mask), "the kernel trapped");
}

static bool decodeTrap(Decoder &decoder) {
  decoder.out.exec = execTrap;
  return true;
}

static Step execProxyFence(ExecContext &context, const Instruction &,
                           LaneMask mask) {
  context.cta.order.fenceProxy(context.warp.number, mask,
                               context.cta.launch.options.fencesByWriter);
  return Step::Next;
}

static bool decodeProxyFence(Decoder &decoder) {
  bool isGlobalOnly = decoder.takeAny("global");
  decoder.drop({"shared::cta", "shared::cluster"});
  decoder.out.exec = isGlobalOnly ? execNothing : execProxyFence;
  return true;
}

std::span<const Family> heddle::emulator::controlFamilies() {
  static constexpr Family families[] = {
      {"bra", decodeBra},
      {"brx", decodeBrx},
      {"ret", decodeExit},
      {"exit", decodeExit},
      {"trap", decodeTrap},
      {"brkpt", decodeNothing},
      {"pmevent", decodeNothing},
      {"nanosleep", decodeNanosleep},
      {"membar", decodeFence},
      {"membar.proxy", decodeNothing},
      {"fence", decodeFence},
      {"fence.proxy", decodeNothing},
      {"fence.proxy.async", decodeProxyFence},
      {"fence.mbarrier_init", decodeNothing},
      {"griddepcontrol", decodeNothing},
  };
  return families;
}
