//===- TensorMapOps.cpp - Tensor maps made by the kernel ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The TMA unit reads maps through a proxy of its own. A map that the kernel
// changed in global memory is seen there after a release and an acquire of that
// proxy: `tensormap.cp_fenceproxy` or `fence.proxy.tensormap...release`, then
// `fence.proxy.tensormap...acquire`. Each CTA knows the maps it changed and how
// far their fences are.
//
//===----------------------------------------------------------------------===//

#include "TensorMapOps.h"

#include "Decoder.h"
#include "TensorMaps.h"

#include <algorithm>
#include <cstring>

using namespace heddle::emulator;

/// The 128 bytes at an address, which are two accesses of half the size: maps
/// are aligned to 64 bytes only.
static uint8_t *accessMap(ExecContext &context, const Instruction &in,
                          Space space, uint64_t address, bool isWrite,
                          int lane) {
  uint8_t *bytes = context.access(in, space, address, 64, isWrite, lane);
  if (!bytes || !context.access(in, space, address + 64, 64, isWrite, lane))
    return nullptr;
  return bytes;
}

//===----------------------------------------------------------------------===//
// What the TMA unit sees
//===----------------------------------------------------------------------===//

bool heddle::emulator::fetchTensorMap(ExecContext &context,
                                      const Instruction &in, int lane,
                                      uint64_t address, TensorMap &map) {
  uint64_t window = address >> 56 << 56;
  auto fail = [&](const std::string &message) {
    context.fail(in, lane, "address " + hexadecimal(address) + " " + message);
    return false;
  };
  if (window == kSharedWindow || window == kLocalWindow)
    return fail("is no place for a tensor map; they lie in parameters or in "
                "global memory");
  auto changed = context.cta.tensorMaps.find(address);
  if (changed != context.cta.tensorMaps.end() &&
      changed->second != TensorMapState::Acquired)
    return fail(std::string("holds a tensor map that this CTA has changed; ") +
                (changed->second == TensorMapState::Written
                     ? "fence.proxy.tensormap::generic.release"
                     : "fence.proxy.tensormap::generic.acquire") +
                " is missing before its use");
  const uint8_t *bytes =
      accessMap(context, in, Space::Generic, address, false, lane);
  if (!bytes)
    return false;
  std::string error;
  if (!readTensorMap(bytes, map, error))
    return fail(error);
  return checkTensorMap(map, error) || fail("holds a bad " + error);
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

namespace {
struct ReplaceDetail : Detail {
  TensorMapField field = TensorMapField::Address;
  int axis = 0;
};
} // namespace

/// A change through the generic proxy; only maps in global memory are ever
/// looked at.
static void noteChange(ExecContext &context, Space space, uint64_t address) {
  bool isGlobal = space == Space::Global ||
                  (space == Space::Generic && address < kSharedWindow);
  if (isGlobal)
    context.cta.tensorMaps[address] = TensorMapState::Written;
}

/// Sources: the map, the value.
static Step execReplace(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  const auto &detail = static_cast<const ReplaceDetail &>(*in.detail);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = context.lanes(in.a)[lane] + uint64_t(in.immediate);
    uint8_t *bytes = accessMap(context, in, in.space, address, true, lane);
    if (!bytes)
      return Step::Failed;
    std::string error;
    uint64_t value = context.lanes(in.b)[lane];
    if (!replaceField(bytes, detail.field, detail.axis, value, error))
      return context.fail(in, lane,
                          "address " + hexadecimal(address) + ": " + error);
    noteChange(context, in.space, address);
  }
  return Step::Next;
}

static bool decodeReplace(Decoder &decoder) {
  static constexpr std::pair<std::string_view, TensorMapField> names[] = {
      {"global_address", TensorMapField::Address},
      {"rank", TensorMapField::Rank},
      {"elemtype", TensorMapField::Format},
      {"interleave_layout", TensorMapField::Interleave},
      {"swizzle_mode", TensorMapField::Swizzle},
      {"fill_mode", TensorMapField::Fill},
      {"box_dim", TensorMapField::Box},
      {"global_dim", TensorMapField::Dim},
      {"global_stride", TensorMapField::Stride},
      {"element_stride", TensorMapField::Step},
  };
  auto detail = std::make_shared<ReplaceDetail>();
  Instruction &out = decoder.out;
  out.detail = detail;
  out.exec = execReplace;
  std::string_view name = decoder.takeModifier();
  auto row = std::find_if(std::begin(names), std::end(names),
                          [&](const auto &row) { return row.first == name; });
  if (row == std::end(names))
    return decoder.failUnknown();
  detail->field = row->second;
  if (decoder.take("global"))
    out.space = Space::Global;
  else if (decoder.take("shared::cta"))
    out.space = Space::Shared;
  bool isWide = detail->field == TensorMapField::Address ||
                detail->field == TensorMapField::Stride;
  if (!decoder.take("b1024") ||
      decoder.takeType() != (isWide ? Type::B64 : Type::B32))
    return decoder.failUnknown();
  if (!decoder.memory(out.immediate))
    return false;
  int axes = axesOf(detail->field);
  int64_t axis = 0;
  if (axes > 1 && !decoder.immediate(axis))
    return false;
  if (axis < 0 || axis >= axes)
    return decoder.fail("there is no " + std::string(name) + " " +
                        std::to_string(axis));
  detail->axis = int(axis);
  return decoder.source(isWide ? Type::U64 : Type::U32);
}

//===----------------------------------------------------------------------===//
// Copies and fences
//===----------------------------------------------------------------------===//

/// The number of bytes, which is 128 in every form there is.
static bool takeSize(Decoder &decoder) {
  int64_t size;
  if (!decoder.immediate(size))
    return false;
  return size == kTensorMapBytes || decoder.fail("the size must be 128");
}

/// Sources: global, shared. The whole warp copies one map.
static Step execCopyMap(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  int lane = firstLane(mask);
  uint64_t to = context.lanes(in.a)[lane] + uint64_t(in.immediate);
  uint64_t from = context.lanes(in.b)[lane] + uint64_t(in.immediate2);
  for (int other = 0; other < kLanes; ++other)
    if (context.lanes(in.a)[other] + uint64_t(in.immediate) != to ||
        context.lanes(in.b)[other] + uint64_t(in.immediate2) != from)
      return context.fail(in, other, "the addresses differ between lanes");
  uint8_t *target = accessMap(context, in, Space::Global, to, true, lane);
  if (!target)
    return Step::Failed;
  const uint8_t *source =
      accessMap(context, in, Space::Shared, from, false, lane);
  if (!source)
    return Step::Failed;
  std::memcpy(target, source, kTensorMapBytes);
  context.cta.tensorMaps[to] = TensorMapState::Released;
  return Step::Next;
}

static bool decodeCopyMap(Decoder &decoder) {
  Instruction &out = decoder.out;
  if (!decoder.take("global") || !decoder.take("shared::cta") ||
      !decoder.take("tensormap::generic") || !decoder.take("release"))
    return decoder.failUnknown();
  decoder.drop({"cta", "cluster", "gpu", "sys"});
  if (!decoder.take("sync") || !decoder.take("aligned"))
    return decoder.failUnknown();
  out.exec = execCopyMap;
  out.needsFullWarp = true;
  out.isStrong = out.releases = true;
  return decoder.memory(out.immediate) && decoder.memory(out.immediate2) &&
         takeSize(decoder);
}

/// Releases all that this CTA has changed.
static Step execRelease(ExecContext &context, const Instruction &, LaneMask) {
  for (auto &[address, state] : context.cta.tensorMaps)
    if (state == TensorMapState::Written)
      state = TensorMapState::Released;
  return Step::Next;
}

static Step execAcquire(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    uint64_t address = context.lanes(in.a)[lane] + uint64_t(in.immediate);
    // A fence takes what was released there, but reads nothing.
    Cta &cta = context.cta;
    if (address % 64 == 0 && !(address >> 56) &&
        cta.launch.global.allows(address, kTensorMapBytes, false))
      cta.order.takeFrom(context.warp.number, lane, address, true);
    else if (!accessMap(context, in, Space::Generic, address, false, lane))
      return Step::Failed;
    auto changed = context.cta.tensorMaps.find(address);
    if (changed != context.cta.tensorMaps.end() &&
        changed->second == TensorMapState::Released)
      changed->second = TensorMapState::Acquired;
  }
  return Step::Next;
}

static bool decodeFence(Decoder &decoder) {
  bool isAcquire = decoder.take("acquire");
  if (!isAcquire && !decoder.take("release"))
    return decoder.failUnknown();
  decoder.drop({"cta", "cluster", "gpu", "sys"});
  decoder.out.exec = isAcquire ? execAcquire : execRelease;
  return !isAcquire ||
         (decoder.memory(decoder.out.immediate) && takeSize(decoder));
}

std::span<const Family> heddle::emulator::tensorMapFamilies() {
  static constexpr Family families[] = {
      {"tensormap.replace.tile", decodeReplace},
      {"tensormap.cp_fenceproxy", decodeCopyMap},
      {"fence.proxy.tensormap::generic", decodeFence},
  };
  return families;
}
