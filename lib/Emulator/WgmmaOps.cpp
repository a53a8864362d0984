//===- WgmmaOps.cpp - Issues and waits of wgmma ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wgmma belongs to its warp group: it exists when all four warps have issued
// it, executes as a whole (Wgmma.cpp), and a warp's wait is over when it has.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "InFlight.h"
#include "WgmmaDetail.h"

#include <algorithm>
#include <cstdio>

using namespace heddle::emulator;

/// Whether all lanes hold the same value, which descriptors must.
static bool isUniform(const uint64_t *lanes) {
  return std::all_of(lanes, lanes + kLanes,
                     [&](uint64_t value) { return value == lanes[0]; });
}

static Step execIssue(ExecContext &context, const Instruction &in, LaneMask) {
  const auto &detail = static_cast<const WgmmaDetail &>(*in.detail);
  Cta &cta = context.cta;
  Warp &warp = context.warp;
  if (size_t(warp.number / 4 * 4 + 4) > cta.warps.size())
    return context.fail(in, 0, "wgmma needs a whole group of four warps");
  WgmmaOp op;
  op.in = &in;
  size_t next = detail.registersOfA;
  if (!detail.registersOfA) {
    if (!isUniform(context.lanes(in.sources[next])))
      return context.fail(in, 0, "the descriptor of A differs between lanes");
    op.descriptorA = context.lanes(in.sources[next++])[0];
  }
  if (!isUniform(context.lanes(in.sources[next])))
    return context.fail(in, 0, "the descriptor of B differs between lanes");
  op.descriptorB = context.lanes(in.sources[next++])[0];
  if (!isUniform(context.lanes(in.sources[next])))
    return context.fail(in, 0, "scale-d differs between lanes");
  op.accumulates = context.lanes(in.sources[next])[0] != 0;
  if (!issueInFlight(context, in))
    return Step::Failed;

  WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
  size_t index = size_t(warp.wgmmaIssued - queue.first);
  if (index == queue.ops.size())
    queue.ops.push_back(op);
  WgmmaOp &joint = queue.ops[index];
  if (joint.in != &in)
    return context.fail(in, 0,
                        "the warps of one group issue different wgmmas; "
                        "another one is at PTX line " +
                            std::to_string(joint.in->line));
  if (joint.descriptorA != op.descriptorA ||
      joint.descriptorB != op.descriptorB ||
      joint.accumulates != op.accumulates)
    return context.fail(in, 0,
                        "the descriptors or scale-d differ between the warps "
                        "of one group");
  ++joint.warpsIssued;
  // Each warp must itself have waited for what the four read together.
  if (cta.order.isOn() && joint.warpsIssued == 1)
    joint.past = cta.order.common(warp.number);
  else if (cta.order.isOn())
    joint.past.meet(cta.order.common(warp.number));
  ++warp.wgmmaIssued;
  return Step::Next;
}

static Step execCommit(ExecContext &context, const Instruction &, LaneMask) {
  context.warp.wgmmaGroups.push_back(context.warp.wgmmaIssued);
  return Step::Next;
}

static Step execWait(ExecContext &context, const Instruction &in, LaneMask) {
  Warp &warp = context.warp;
  size_t allowed = size_t(in.immediate);
  if (warp.wgmmaGroups.size() <= allowed)
    return Step::Next;
  size_t finished = warp.wgmmaGroups.size() - allowed;
  uint64_t target = warp.wgmmaGroups[finished - 1];
  if (context.cta.wgmmas[warp.number / 4].executed < target) {
    context.block(Wait::Kind::Wgmma);
    context.wait.count = target;
    return Step::Blocked;
  }
  warp.wgmmaGroups.erase(warp.wgmmaGroups.begin(),
                         warp.wgmmaGroups.begin() + ptrdiff_t(finished));
  retireInFlight(context.cta, warp, target);
  if (context.cta.order.isOn())
    context.cta.order.learn(
        warp.number, kAllLanes,
        context.cta.order.agentOf(Engine::Wgmma, uint32_t(warp.number / 4)),
        uint32_t(target));
  return Step::Next;
}

/// Registers are always up to date here; what matters is that it is there.
static Step execFence(ExecContext &context, const Instruction &, LaneMask) {
  fenceRegisters(context.warp);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool takeShapeAndTypes(Decoder &decoder, WgmmaDetail &detail) {
  decoder.drop({"sync", "aligned"});
  int m = 0;
  std::string shape(decoder.takeModifier());
  if (std::sscanf(shape.c_str(), "m%dn%dk%d", &m, &detail.n, &detail.k) != 3)
    return decoder.failUnknown();
  detail.saturates = decoder.takeAny("satfinite");
  detail.typeD = decoder.takeType();
  detail.typeA = decoder.takeType();
  detail.typeB = decoder.takeType();
  int bits = bitsOf(detail.typeA);
  if (m != 64 || detail.n % 8 || detail.n < 8 || detail.n > 256)
    return decoder.fail("shape " + shape + " is not m64, n8 to n256 by 8");
  if (detail.k < 0 || detail.k > 256 || detail.k * bits != 256 ||
      bitsOf(detail.typeB) != bits)
    return decoder.fail("k must be 32 bytes of A and of B");
  bool isKnownResult = detail.typeD == Type::F32 || detail.typeD == Type::F16 ||
                       detail.typeD == Type::S32;
  return isKnownResult || decoder.failUnknown();
}

/// The constants behind scale-d: how many there are tells which they are.
static bool takeScales(Decoder &decoder, WgmmaDetail &detail) {
  if (detail.typeD == Type::S32)
    return true;
  int64_t scaleA, scaleB;
  if (!decoder.immediate(scaleA) || !decoder.immediate(scaleB))
    return false;
  if ((scaleA != 1 && scaleA != -1) || (scaleB != 1 && scaleB != -1))
    return decoder.fail("imm-scale must be 1 or -1");
  detail.negateA = scaleA == -1;
  detail.negateB = scaleB == -1;
  if (bitsOf(detail.typeA) != 16)
    return true;
  int64_t transpose = 0;
  if (!detail.registersOfA) {
    if (!decoder.immediate(transpose))
      return false;
    detail.transposeA = transpose != 0;
  }
  if (!decoder.immediate(transpose))
    return false;
  detail.transposeB = transpose != 0;
  return true;
}

static bool decodeIssue(Decoder &decoder) {
  auto detail = std::make_shared<WgmmaDetail>();
  Instruction &out = decoder.out;
  out.detail = detail;
  out.exec = execIssue;
  out.needsFullWarp = true;
  out.checksRegisters = true;
  if (!takeShapeAndTypes(decoder, *detail))
    return false;
  int results = detail->n / 2 / (detail->typeD == Type::F16 ? 2 : 1);
  if (!decoder.vectorDestination(detail->typeD, results))
    return false;
  bool fromRegisters = decoder.peekOperand() &&
                       decoder.peekOperand()->kind == Operand::Kind::Vector;
  detail->registersOfA = fromRegisters ? 4 : 0;
  if (!(fromRegisters ? decoder.vectorSource(Type::B32, 4)
                      : decoder.source(Type::B64)))
    return false;
  return decoder.source(Type::B64) && decoder.source(Type::Pred) &&
         takeScales(decoder, *detail);
}

static bool decodeGroup(Decoder &decoder, ExecFn exec) {
  decoder.drop({"sync", "aligned"});
  decoder.out.exec = exec;
  decoder.out.needsFullWarp = true;
  return true;
}

static bool decodeFence(Decoder &decoder) {
  return decodeGroup(decoder, execFence);
}
static bool decodeCommit(Decoder &decoder) {
  return decodeGroup(decoder, execCommit);
}
static bool decodeWait(Decoder &decoder) {
  return decodeGroup(decoder, execWait) &&
         decoder.immediate(decoder.out.immediate);
}

std::span<const Family> heddle::emulator::wgmmaFamilies() {
  static constexpr Family families[] = {
      {"wgmma.mma_async", decodeIssue},
      {"wgmma.fence", decodeFence},
      {"wgmma.commit_group", decodeCommit},
      {"wgmma.wait_group", decodeWait},
  };
  return families;
}
