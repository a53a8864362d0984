//===- ExecContext.cpp - What an instruction's handler sees ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecContext.h"

#include "Cluster.h"

#include "RaceCheck.h"

#include <cstring>

using namespace heddle::emulator;

uint64_t heddle::emulator::windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return kSharedWindow;
  case Space::Local:
    return kLocalWindow;
  case Space::Param:
    return kParamWindow;
  default:
    return 0;
  }
}

static Space spaceOfGeneric(uint64_t address) {
  switch (address >> 56) {
  case kSharedWindow >> 56:
    return Space::Shared;
  case kLocalWindow >> 56:
    return Space::Local;
  case kParamWindow >> 56:
    return Space::Param;
  default:
    return Space::Global;
  }
}

static std::string describe(bool isWrite, uint32_t bytes, const char *space,
                            uint64_t address) {
  return std::string(isWrite ? "writes " : "reads ") + std::to_string(bytes) +
         " bytes at " + space + " address " + hexadecimal(address);
}

/// A strong access to one location carries what its thread released there, and
/// takes what others did.
static void noteStrong(Cta &cta, const Instruction &in, Warp &warp, int lane,
                       uint64_t address, bool isWrite) {
  warp.learnUpTo(cta.nextEvent());
  if (!isWrite || in.isAtomic)
    cta.order.takeFrom(warp.number, lane, address, in.acquires);
  if (isWrite)
    cta.order.giveTo(warp.number, lane, address, in.releases, in.isAtomic);
}

uint8_t *ExecContext::access(const Instruction &in, Space space,
                             uint64_t address, uint32_t bytes, bool isWrite,
                             int lane, const uint8_t *values) {
  if (space == Space::Generic) {
    space = spaceOfGeneric(address);
    address -= windowOf(space);
  }
  if (address % bytes) {
    fail(in, lane,
         describe(isWrite, bytes, "", address) + ", which is not aligned to " +
             std::to_string(bytes) + " bytes");
    return nullptr;
  }
  switch (space) {
  case Space::Shared: {
    Cta *target = reach(cta, in, warp, lane, address);
    if (!target)
      return nullptr;
    SharedMemory &shared = target->shared;
    if (!shared.contains(address, bytes)) {
      fail(in, lane,
           describe(isWrite, bytes, "shared", address) +
               "; the CTA's shared memory ends at " +
               hexadecimal(shared.endAddress()));
      return nullptr;
    }
    if (isWrite && shared.overlapsBarrier(address, bytes)) {
      fail(in, lane,
           describe(isWrite, bytes, "shared", address) +
               ", over a live mbarrier");
      return nullptr;
    }
    MemoryAccess note{address, bytes, isWrite};
    note.repeatsValue =
        values && std::memcmp(shared.at(address), values, bytes) == 0;
    if (!noteThreadAccess(cta, in, warp, lane, note))
      return nullptr;
    if (in.isStrong)
      noteStrong(cta, in, warp, lane, address, isWrite);
    return shared.at(address);
  }
  case Space::Local: {
    uint64_t size = warp.localMemory.size() / kLanes;
    if (address + bytes > size) {
      fail(in, lane,
           describe(isWrite, bytes, "local", address) + "; a thread has " +
               std::to_string(size) + " bytes of it");
      return nullptr;
    }
    return warp.localMemory.data() + size * lane + address;
  }
  case Space::Param: {
    const std::vector<uint8_t> &params = cta.launch.params;
    if (isWrite || address + bytes > params.size()) {
      fail(in, lane,
           describe(isWrite, bytes, "parameter", address) + " of " +
               std::to_string(params.size()) + " read-only bytes");
      return nullptr;
    }
    return const_cast<uint8_t *>(params.data()) + address;
  }
  default:
    if (!cta.launch.global.allows(address, bytes, isWrite)) {
      fail(in, lane,
           describe(isWrite, bytes, "global", address) + ", " +
               cta.launch.global.explain(address, bytes, isWrite));
      return nullptr;
    }
    if (cta.launch.global.isWritable()) {
      MemoryAccess note{address, bytes, isWrite};
      note.isGlobal = true;
      note.repeatsValue =
          values && std::memcmp(reinterpret_cast<const void *>(address), values,
                                bytes) == 0;
      if (!noteThreadAccess(cta, in, warp, lane, note))
        return nullptr;
    }
    if (in.isStrong)
      noteStrong(cta, in, warp, lane, address, isWrite);
    return reinterpret_cast<uint8_t *>(address);
  }
}
