//===- BulkOps.cpp - Issues and waits of cp.async.bulk --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies with and without a tensor map (TMA). Issue checks what can be
// checked then and queues; Bulk.cpp carries out.
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"
#include "BulkDetail.h"
#include "Cluster.h"
#include "Decoder.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "RaceCheck.h"
#include "TensorMapOps.h"

#include <algorithm>

using namespace heddle::emulator;

/// Where the pixels begin: at one that the map's walk reaches, so that it goes
/// on as documented.
static bool takePixels(ExecContext &context, const Instruction &in,
                       const BulkDetail &detail, int lane, BulkCopy &copy) {
  const TensorMap &map = copy.map;
  // The offsets along all pixel axes share 16 bits.
  int64_t most = (int64_t(1) << (16 / map.pixelAxes())) - 1;
  for (int axis = 0; axis < map.pixelAxes(); ++axis) {
    std::string name = " along axis " + std::to_string(axis + 1);
    uint64_t offset =
        context.lanes(in.sources[detail.offsetsAt + axis])[lane] & 0xFFFF;
    copy.offsets[axis] = uint16_t(offset);
    if (int64_t(offset) > most) {
      context.fail(in, lane,
                   "an im2col offset of " + std::to_string(offset) + name +
                       "; 0 to " + std::to_string(most) + " are possible");
      return false;
    }
    int64_t at = copy.coordinates[axis + 1], lower = map.lower[axis],
            last = map.dims[axis + 1] - 1 + map.upper[axis];
    if (at >= lower && at <= last && (at - lower) % map.steps[axis + 1] == 0)
      continue;
    context.fail(in, lane,
                 "the first pixel is at " + std::to_string(at) + name +
                     "; the map's pixels there are every " +
                     std::to_string(map.steps[axis + 1]) + " from " +
                     std::to_string(lower) + " to " + std::to_string(last));
    return false;
  }
  return true;
}

static bool takeTensorMap(ExecContext &context, const Instruction &in,
                          const BulkDetail &detail, int lane, BulkCopy &copy) {
  uint64_t address = context.lanes(in.sources[detail.mapAt])[lane];
  if (!fetchTensorMap(context, in, lane, address, copy.map))
    return false;
  const TensorMap &map = copy.map;
  if (map.rank != detail.rank) {
    context.fail(in, lane,
                 "a " + std::to_string(detail.rank) +
                     "-d copy through a map of rank " +
                     std::to_string(map.rank));
    return false;
  }
  for (int axis = 0; axis < detail.rank; ++axis)
    copy.coordinates[axis] =
        int32_t(context.lanes(in.sources[detail.mapAt + 1 + axis])[lane]);
  if (map.isIm2col() != detail.isIm2col) {
    context.fail(in, lane,
                 map.isIm2col() ? "a tiled copy through a map in im2col mode"
                                : "an im2col copy through a map in tiled mode");
    return false;
  }
  if (detail.isIm2col && !takePixels(context, in, detail, lane, copy))
    return false;
  // Seen on an H200: both of these end in an illegal instruction.
  int64_t first = int64_t(copy.coordinates[0]) * map.elementBytes();
  bool isLoad = detail.kind == BulkCopy::Kind::Load;
  if (first % 16) {
    context.fail(in, lane,
                 "the tile starts at " + std::to_string(first) +
                     " bytes along the fastest axis; the hardware traps when "
                     "this is not a multiple of 16");
    return false;
  }
  for (int axis = 0; axis < detail.rank && !isLoad; ++axis)
    if (copy.coordinates[axis] < 0) {
      context.fail(in, lane,
                   "the tile starts at " +
                       std::to_string(copy.coordinates[axis]) +
                       " along axis " + std::to_string(axis) +
                       ", counted from the fastest; the hardware traps on "
                       "stores when this is negative");
      return false;
    }
  // And a store clips no finer than 16 bytes: it would write behind the extent.
  int64_t extent = map.dims[0] * map.elementBytes();
  int64_t last = first + int64_t(map.box[0]) * map.elementBytes();
  if (!isLoad && extent % 16 && last > extent) {
    context.fail(in, lane,
                 "the tile reaches over the fastest axis, which spans " +
                     std::to_string(extent) +
                     " bytes; the hardware writes up to the next multiple "
                     "of 16");
    return false;
  }
  copy.bytes = uint64_t(map.tileBytes());
  return true;
}

/// Bounds and alignment of the shared side.
static bool checkShared(ExecContext &context, const Instruction &in, int lane,
                        uint64_t address, uint64_t bytes, uint64_t alignment) {
  if (address % alignment == 0 &&
      context.cta.shared.contains(address, bytes ? bytes : 1))
    return true;
  context.fail(in, lane,
               "copies " + std::to_string(bytes) + " bytes at shared address " +
                   hexadecimal(address) +
                   (address % alignment
                        ? ", which is not aligned to " +
                              std::to_string(alignment) + " bytes"
                        : "; the CTA's shared memory ends at " +
                              hexadecimal(context.cta.shared.endAddress())));
  return false;
}

/// Who gets what a load brings: the CTA of the address, or those of the mask.
static bool takeTargets(ExecContext &context, const Instruction &in, int lane,
                        const Cta &target, const Cta &owner, BulkCopy &copy) {
  const auto &detail = static_cast<const BulkDetail &>(*in.detail);
  copy.targets = uint32_t(1) << target.rank;
  if (&target != &owner) {
    context.fail(in, lane,
                 "the mbarrier lies in another CTA than the destination");
    return false;
  }
  if (!detail.isMulticast)
    return true;
  copy.targets =
      uint32_t(context.lanes(in.sources[detail.targetsAt])[lane] & 0xFFFF);
  size_t size = context.cta.cluster ? context.cta.cluster->size() : 1;
  if (!copy.targets || copy.targets >> size) {
    context.fail(in, lane,
                 "multicast to CTAs " + hexadecimal(copy.targets) +
                     " of a cluster of " + std::to_string(size));
    return false;
  }
  for (uint32_t rest = copy.targets; rest; rest &= rest - 1) {
    auto rank = uint64_t(std::countr_zero(rest));
    uint64_t address = clusterAddress(copy.sharedAddress, rank);
    if (!reach(context.cta, in, context.warp, lane, address))
      return false;
  }
  return true;
}

/// Under the adversarial order a load lands as soon as it may, which finds
/// slots that were released too early, or as late as it may, which finds waits
/// that are missing. Of the first two of an instruction in a warp one does
/// either.
static bool isLate(Cta &cta, const Instruction &in, const Warp &warp) {
  if (cta.launch.options.schedule != Schedule::Adversarial)
    return false;
  uint32_t number = cta.loadsIssued[{&in, warp.number}]++;
  return (number < 2 ? uint32_t(cta.election) + number : cta.random.below(2)) &
         1;
}

static bool issueOne(ExecContext &context, const Instruction &in, int lane) {
  const auto &detail = static_cast<const BulkDetail &>(*in.detail);
  Cta &cta = context.cta;
  uint32_t thread = context.warp.threadOf(lane);
  auto value = [&](int source) {
    return context.lanes(in.sources[source])[lane];
  };
  BulkCopy copy;
  copy.kind = detail.kind;
  copy.isTensor = detail.rank > 0;
  copy.in = &in;
  copy.warp = uint32_t(context.warp.number);
  copy.lane = uint8_t(lane);
  copy.sharedAddress = sharedAddress(Space::Shared, value(detail.sharedAt) +
                                                        uint64_t(in.immediate));
  if (copy.isTensor) {
    if (!takeTensorMap(context, in, detail, lane, copy))
      return false;
  } else {
    copy.globalAddress = value(detail.globalAt) + uint64_t(in.immediate2);
    copy.bytes = uint32_t(value(detail.bytesAt));
    if (copy.bytes % 16 || copy.globalAddress % 16) {
      context.fail(in, lane,
                   "copies " + std::to_string(copy.bytes) +
                       " bytes from or to " + hexadecimal(copy.globalAddress) +
                       "; both must be multiples of 16");
      return false;
    }
  }
  Cta *target = reach(cta, in, context.warp, lane, copy.sharedAddress);
  if (!target || !checkShared(context, in, lane, copy.sharedAddress, copy.bytes,
                              copy.isTensor ? 128 : 16))
    return false;
  bool isLoad = detail.kind == BulkCopy::Kind::Load ||
                detail.kind == BulkCopy::Kind::SharedToShared;
  if (!isLoad) {
    if (target != &cta) {
      context.fail(in, lane, "stores from the shared memory of another CTA");
      return false;
    }
    copy.group = cta.bulk.committed[thread];
    if (copy.bytes)
      cta.bulk.lastStore[thread] = {&in, copy.group + 1, copy.sharedAddress,
                                    copy.bytes};
    copy.past = cta.order.release(context.warp.number, LaneMask(1) << lane);
    cta.bulk.stores.push_back(std::move(copy));
    return true;
  }
  copy.barrier = value(detail.barrierAt) + uint64_t(detail.barrierOffset);
  Cta *owner = reach(cta, in, context.warp, lane, copy.barrier);
  if (!owner || !takeTargets(context, in, lane, *target, *owner, copy))
    return false;
  Mbarrier *barrier =
      requireBarrier(*owner, in, context.warp, lane, copy.barrier);
  if (!barrier || !noteBarrierUse(cta, in, context.warp, lane, copy.barrier))
    return false;
  copy.moment = barrier->deliveryMoment();
  copy.isLate = isLate(cta, in, context.warp);
  copy.past = cta.order.release(context.warp.number, LaneMask(1) << lane);
  cta.bulk.loads.push_back(std::move(copy));
  return true;
}

static Step execIssue(ExecContext &context, const Instruction &in,
                      LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    if (!issueOne(context, in, firstLane(rest)))
      return Step::Failed;
  return Step::Next;
}

static Step execCommit(ExecContext &context, const Instruction &,
                       LaneMask mask) {
  forEachLane(mask, [&](int lane) {
    ++context.cta.bulk.committed[context.warp.threadOf(lane)];
  });
  return Step::Next;
}

/// The lanes learn that their stores are done, but for `allowed` groups.
static void learnStores(ExecContext &context, LaneMask mask, uint64_t allowed,
                        bool written) {
  Cta &cta = context.cta;
  forEachLane(mask, [&](int lane) {
    uint32_t thread = context.warp.threadOf(lane);
    auto done = uint32_t(required(cta.bulk.committed[thread], allowed));
    uint64_t &waited = cta.bulk.waitedRead[thread];
    waited = std::max<uint64_t>(waited, done);
    if (!done || !cta.order.isOn())
      return;
    int warp = context.warp.number;
    LaneMask self = LaneMask(1) << lane;
    cta.order.learn(warp, self, cta.order.agentOf(Engine::StoreRead, thread),
                    done);
    if (written)
      cta.order.learn(warp, self, cta.order.agentOf(Engine::StoreWrite, thread),
                      done);
  });
}

/// variant: 1 with .read
static Step execWait(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  Group probe;
  probe.wait.kind = in.variant ? Wait::Kind::BulkRead : Wait::Kind::BulkDone;
  probe.wait.count = uint64_t(in.immediate);
  probe.wait.lanes = mask;
  if (context.cta.isReady(context.warp, probe)) {
    learnStores(context, mask, probe.wait.count, !in.variant);
    return Step::Next;
  }
  context.wait = probe.wait;
  return Step::Blocked;
}

static Step execNothing(ExecContext &, const Instruction &, LaneMask) {
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool takeDirection(Decoder &decoder, BulkDetail &detail) {
  auto takeShared = [&] {
    return decoder.take("shared::cluster") || decoder.take("shared::cta");
  };
  if (takeShared()) {
    detail.kind = BulkCopy::Kind::Load;
    if (decoder.take("global"))
      return true;
    detail.kind = BulkCopy::Kind::SharedToShared;
    return takeShared() || decoder.failUnknown();
  }
  detail.kind = BulkCopy::Kind::Store;
  return (decoder.take("global") && takeShared()) || decoder.failUnknown();
}

/// `[map, {c0, c1}]`
static bool takeTensor(Decoder &decoder, BulkDetail &detail) {
  const Operand *operand = decoder.nextOperandOrFail();
  if (!operand)
    return false;
  if (operand->kind != Operand::Kind::Tensor ||
      int(operand->elements.size()) != detail.rank + 1)
    return decoder.fail("expected [map, {" + std::to_string(detail.rank) +
                        " coordinates}]");
  detail.mapAt = int(decoder.out.sources.size());
  for (const Operand &element : operand->elements) {
    uint32_t reg;
    if (!decoder.registerFor(element, Type::B64, reg))
      return false;
    decoder.out.sources.push_back(reg);
  }
  return true;
}

/// `{o0, o1}`, of the pixel axes.
static bool takeOffsets(Decoder &decoder, BulkDetail &detail) {
  const Operand *operand = decoder.nextOperandOrFail();
  if (!operand)
    return false;
  if (operand->kind != Operand::Kind::Vector ||
      int(operand->elements.size()) != detail.rank - 2)
    return decoder.fail("expected {" + std::to_string(detail.rank - 2) +
                        " im2col offsets}");
  detail.offsetsAt = int(decoder.out.sources.size());
  for (const Operand &element : operand->elements) {
    uint32_t reg;
    if (!decoder.registerFor(element, Type::U16, reg))
      return false;
    decoder.out.sources.push_back(reg);
  }
  return true;
}

static bool takeAddress(Decoder &decoder, int &at, int64_t &offset) {
  at = int(decoder.out.sources.size());
  return decoder.memory(offset);
}

/// Operands behind the modifiers, for all forms.
static bool takeOperands(Decoder &decoder, BulkDetail &detail, bool hasHint) {
  Instruction &out = decoder.out;
  bool isStore = detail.kind == BulkCopy::Kind::Store ||
                 detail.kind == BulkCopy::Kind::Reduce;
  bool isTensor = detail.rank > 0;
  auto takeGlobal = [&] {
    return isTensor ? takeTensor(decoder, detail)
                    : takeAddress(decoder, detail.globalAt, out.immediate2);
  };
  auto takeShared = [&] {
    return takeAddress(decoder, detail.sharedAt, out.immediate);
  };
  if (!(isStore ? takeGlobal() && takeShared() : takeShared() && takeGlobal()))
    return false;
  if (!isTensor) {
    detail.bytesAt = int(out.sources.size());
    if (!decoder.source(Type::U32))
      return false;
  }
  if (!isStore && !takeAddress(decoder, detail.barrierAt, detail.barrierOffset))
    return false;
  if (detail.isIm2col && !takeOffsets(decoder, detail))
    return false;
  if (detail.isMulticast) {
    detail.targetsAt = int(out.sources.size());
    if (!decoder.source(Type::U16))
      return false;
  }
  return !hasHint || decoder.nextOperandOrFail();
}

static bool decodeBulk(Decoder &decoder, bool isTensor, bool reduces) {
  auto detail = std::make_shared<BulkDetail>();
  decoder.out.detail = detail;
  decoder.out.exec = execIssue;
  if (isTensor) {
    std::string_view rank = decoder.takeModifier();
    if (rank.size() != 2 || rank[1] != 'd' || rank[0] < '1' || rank[0] > '5')
      return decoder.failUnknown();
    detail->rank = rank[0] - '0';
  }
  if (!takeDirection(decoder, *detail))
    return false;
  detail->isIm2col = detail->rank > 2 && detail->kind == BulkCopy::Kind::Load &&
                     decoder.takeAny("im2col");
  detail->isMulticast = decoder.takeAny("multicast::cluster");
  if (detail->isMulticast && detail->kind != BulkCopy::Kind::Load)
    return decoder.failUnknown();
  bool hasHint = decoder.takeAny("L2::cache_hint");
  decoder.drop(
      {"tile", "mbarrier::complete_tx::bytes", "bulk_group", "cta_group::1"});
  if (reduces) {
    detail->kind = BulkCopy::Kind::Reduce;
    decoder.takeAny("noftz");
    if (!takeOperation(decoder, detail->operation))
      return false;
    detail->type = decoder.takeType();
  }
  return takeOperands(decoder, *detail, hasHint);
}

static bool decodeTensorCopy(Decoder &decoder) {
  return decodeBulk(decoder, true, false);
}
static bool decodeLinearCopy(Decoder &decoder) {
  return decodeBulk(decoder, false, false);
}
static bool decodeTensorReduce(Decoder &decoder) {
  return decodeBulk(decoder, true, true);
}
static bool decodeLinearReduce(Decoder &decoder) {
  return decodeBulk(decoder, false, true);
}

static bool decodePrefetch(Decoder &decoder) {
  while (decoder.hasModifiers())
    decoder.takeModifier();
  while (decoder.operandsLeft())
    decoder.nextOperandOrFail();
  decoder.out.exec = execNothing;
  return true;
}

static bool decodeCommit(Decoder &decoder) {
  decoder.out.exec = execCommit;
  return true;
}
static bool decodeWait(Decoder &decoder) {
  decoder.out.variant = decoder.takeAny("read");
  decoder.out.exec = execWait;
  return decoder.immediate(decoder.out.immediate);
}

std::span<const Family> heddle::emulator::bulkFamilies() {
  static constexpr Family families[] = {
      {"cp.async.bulk", decodeLinearCopy},
      {"cp.async.bulk.tensor", decodeTensorCopy},
      {"cp.reduce.async.bulk", decodeLinearReduce},
      {"cp.reduce.async.bulk.tensor", decodeTensorReduce},
      {"cp.async.bulk.prefetch", decodePrefetch},
      {"cp.async.bulk.prefetch.tensor", decodePrefetch},
      {"cp.async.bulk.commit_group", decodeCommit},
      {"cp.async.bulk.wait_group", decodeWait},
  };
  return families;
}
