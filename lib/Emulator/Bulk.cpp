//===- Bulk.cpp - Executes bulk copies ------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load happens as a whole: shared memory is written, then the barrier is
// told. A store reads its source at one moment and writes global memory at a
// later one, because wait_group.read tells the two apart.
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"
#include "BulkDetail.h"
#include "Cluster.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "RaceCheck.h"
#include "TensorMaps.h"

#include <algorithm>
#include <cstring>

using namespace heddle::emulator;

namespace {
/// One row of a box: contiguous in global memory, `offset` bytes into the tile.
struct TileRow {
  uint64_t offset = 0;
  uint64_t address = 0;   ///< of the first element inside the tensor
  uint64_t skipBytes = 0; ///< before the tensor's first column
  uint64_t bytes = 0;     ///< inside the tensor; 0 when the row is outside
};

uint64_t rowBytesOf(const TensorMap &map) {
  return uint64_t(map.box[0]) * uint64_t(map.elementBytes());
}

/// Calls `body(row)` for each row of the box, in the order of shared memory.
/// Stops at the first false.
template <class Body>
bool forEachRow(const TensorMap &map, const std::array<int32_t, 5> &coordinates,
                Body body) {
  int64_t elementBytes = map.elementBytes();
  int64_t first = std::max<int64_t>(0, -int64_t(coordinates[0]));
  int64_t last = std::min<int64_t>(map.box[0], map.dims[0] - coordinates[0]);
  std::array<int64_t, 5> at{};
  TileRow row;
  while (true) {
    bool isInside = first < last;
    uint64_t offset = uint64_t((coordinates[0] + first) * elementBytes);
    for (int axis = 1; axis < map.rank; ++axis) {
      int64_t position = coordinates[axis] + at[axis] * map.steps[axis];
      isInside &= position >= 0 && position < map.dims[axis];
      offset += uint64_t(position) * uint64_t(map.strideBytes[axis]);
    }
    row.address = map.address + offset; // modulo 2^64, as the hardware adds
    row.skipBytes = isInside ? uint64_t(first * elementBytes) : 0;
    row.bytes = isInside ? uint64_t((last - first) * elementBytes) : 0;
    if (!body(row))
      return false;
    row.offset += rowBytesOf(map);
    int axis = 1;
    for (; axis < map.rank && ++at[axis] == map.tileExtent(axis); ++axis)
      at[axis] = 0;
    if (axis >= map.rank)
      return true;
  }
}

/// The same in im2col mode: a row for each pixel, which go on along the pixel
/// axes between the corners, and then to the next image.
template <class Body>
bool forEachPixel(const TensorMap &map, const BulkCopy &copy, Body body) {
  int64_t elementBytes = map.elementBytes();
  std::array<int64_t, 5> at{};
  std::copy(copy.coordinates.begin(), copy.coordinates.end(), at.begin());
  int64_t first = std::max<int64_t>(0, -at[0]);
  int64_t last = std::min<int64_t>(map.box[0], map.dims[0] - at[0]);
  TileRow row;
  for (int pixel = 0; pixel < map.pixels; ++pixel) {
    bool isInside = first < last;
    uint64_t offset = uint64_t((at[0] + first) * elementBytes);
    for (int axis = 1; axis < map.rank; ++axis) {
      int64_t position = at[axis];
      if (axis <= map.pixelAxes())
        position += copy.offsets[axis - 1];
      isInside &= position >= 0 && position < map.dims[axis];
      offset += uint64_t(position) * uint64_t(map.strideBytes[axis]);
    }
    row.address = map.address + offset; // modulo 2^64, as the hardware adds
    row.skipBytes = isInside ? uint64_t(first * elementBytes) : 0;
    row.bytes = isInside ? uint64_t((last - first) * elementBytes) : 0;
    if (!body(row))
      return false;
    row.offset += rowBytesOf(map);
    at[1] += map.steps[1];
    for (int axis = 1; axis <= map.pixelAxes() &&
                       at[axis] > map.dims[axis] - 1 + map.upper[axis - 1];
         ++axis) {
      at[axis] = map.lower[axis - 1];
      at[axis + 1] += map.steps[axis + 1];
    }
  }
  return true;
}

/// What a row reads outside the tensor.
void fillOutside(const TensorMap &map, std::vector<uint8_t> &buffer) {
  if (!map.fillsNan) {
    std::fill(buffer.begin(), buffer.end(), uint8_t(0));
    return;
  }
  // A quiet NaN in each format: all bits but the sign.
  size_t size = size_t(map.elementBytes());
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer[i] = i % size == size - 1 ? 0x7F : 0xFF;
}

class Copier {
public:
  /// `target` has the shared memory: for loads perhaps another CTA.
  Copier(Cta &cta, const BulkCopy &copy, Cta &target)
      : cta(cta), target(target), copy(copy), warp(cta.warps[copy.warp]),
        map(copy.isTensor ? &copy.map : nullptr) {
    engine.past = &copy.past;
    if (!cta.order.isOn())
      return;
    bool isLoad = copy.barrier != 0;
    engine.moment = isLoad ? copy.moment : uint32_t(copy.group + 1);
    engine.agent =
        isLoad ? cta.order.agentOf(Engine::Delivery, uint32_t(copy.barrier))
               : cta.order.agentOf(Engine::StoreRead, warp.threadOf(copy.lane));
  }

  bool load();
  bool readSource(std::vector<uint8_t> &data);
  bool writeGlobal();

private:
  bool fail(const std::string &message) {
    cta.fail(*copy.in, warp, copy.lane, message);
    return false;
  }
  bool checkGlobal(uint64_t address, uint64_t bytes, bool isWrite);
  bool noteGlobal(uint64_t address, uint64_t bytes, bool isWrite);
  /// Checks and records an access of 16 bytes.
  bool note(uint64_t address, bool isWrite) {
    MemoryAccess access{address, 16, isWrite};
    access.subject = "the bulk copy ";
    return noteEngineAccess(cta, *copy.in, warp, copy.lane, engine, access);
  }
  bool writeShared(uint64_t offset, const uint8_t *data, uint64_t bytes);
  bool loadTile();
  bool writeTile();
  void deliver(uint64_t address, const uint8_t *data, uint64_t bytes);
  /// Where a tile's bytes really are.
  uint64_t place(uint64_t offset) const {
    return swizzled(copy.sharedAddress + offset, map ? map->swizzleBytes : 0);
  }

  Cta &cta;
  Cta &target;
  const BulkCopy &copy;
  const Warp &warp;
  const TensorMap *map;
  EngineMoment engine;
};
} // namespace

bool Copier::checkGlobal(uint64_t address, uint64_t bytes, bool isWrite) {
  if (cta.launch.global.allows(address, bytes, isWrite))
    return noteGlobal(address, bytes, isWrite);
  return fail(std::string("the bulk copy ") + (isWrite ? "writes " : "reads ") +
              std::to_string(bytes) + " bytes at global address " +
              hexadecimal(address) + ", " +
              cta.launch.global.explain(address, bytes, isWrite));
}

bool Copier::noteGlobal(uint64_t address, uint64_t bytes, bool isWrite) {
  if (!cta.order.isOn() || !cta.launch.global.isWritable())
    return true;
  MemoryAccess access{address, bytes, isWrite};
  access.subject = "the bulk copy ";
  access.isGlobal = true;
  access.isAtomic = copy.kind == BulkCopy::Kind::Reduce;
  EngineMoment moment = engine;
  if (isWrite)
    moment.agent =
        cta.order.agentOf(Engine::StoreWrite, warp.threadOf(copy.lane));
  return noteEngineAccess(cta, *copy.in, warp, copy.lane, moment, access);
}

/// `bytes` is a multiple of 16, the grain of the swizzle.
bool Copier::writeShared(uint64_t offset, const uint8_t *data, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += 16) {
    uint64_t address = place(offset + at);
    if (target.shared.overlapsBarrier(address, 16))
      return fail("the bulk copy overwrites a live mbarrier near shared "
                  "address " +
                  hexadecimal(address));
    if (!note(address, true))
      return false;
    std::memcpy(target.shared.at(address), data + at, 16);
  }
  return true;
}

bool Copier::loadTile() {
  std::vector<uint8_t> buffer(rowBytesOf(*map));
  auto loadRow = [&](const TileRow &row) {
    fillOutside(*map, buffer);
    if (row.bytes) {
      if (!checkGlobal(row.address, row.bytes, false))
        return false;
      std::memcpy(buffer.data() + row.skipBytes,
                  reinterpret_cast<const void *>(row.address), row.bytes);
    }
    return writeShared(row.offset, buffer.data(), buffer.size());
  };
  return map->isIm2col() ? forEachPixel(*map, copy, loadRow)
                         : forEachRow(*map, copy.coordinates, loadRow);
}

bool Copier::load() {
  if (copy.isTensor) {
    if (!loadTile())
      return false;
  } else if (copy.kind == BulkCopy::Kind::SharedToShared) {
    if (!cta.shared.contains(copy.globalAddress, copy.bytes))
      return fail("the source is outside shared memory");
    for (uint64_t at = 0; at < copy.bytes; at += 16)
      if (!note(copy.globalAddress + at, false) ||
          !writeShared(at, cta.shared.at(copy.globalAddress + at), 16))
        return false;
  } else {
    if (!checkGlobal(copy.globalAddress, copy.bytes, false) ||
        !writeShared(0, reinterpret_cast<const uint8_t *>(copy.globalAddress),
                     copy.bytes))
      return false;
  }
  ++cta.launch.statistics.bulkLoads;
  cta.launch.statistics.bulkLoadBytes += int64_t(copy.bytes);
  // A CTA that did not issue the copy may be in another phase.
  Mbarrier *barrier =
      requireBarrier(target, *copy.in, warp, copy.lane, copy.barrier);
  if (barrier && copy.bytes)
    barrier->delivery = {copy.in,
                         &warp,
                         copy.lane,
                         "bulk load",
                         copy.sharedAddress,
                         copy.bytes,
                         barrier->deliveryMoment()};
  return barrier && completeBytes(target, *copy.in, warp, copy.lane,
                                  copy.barrier, int64_t(copy.bytes),
                                  &target == &cta ? copy.moment
                                                  : barrier->deliveryMoment());
}

bool Copier::readSource(std::vector<uint8_t> &data) {
  data.resize(copy.bytes);
  for (uint64_t at = 0; at < copy.bytes; at += 16) {
    uint64_t address = place(at);
    if (!note(address, false))
      return false;
    std::memcpy(data.data() + at, cta.shared.at(address), 16);
  }
  return true;
}

/// Stores or reduces a contiguous run of bytes.
void Copier::deliver(uint64_t address, const uint8_t *data, uint64_t bytes) {
  auto *target = reinterpret_cast<uint8_t *>(address);
  if (copy.kind != BulkCopy::Kind::Reduce) {
    std::memcpy(target, data, bytes);
    return;
  }
  const auto &detail = static_cast<const BulkDetail &>(*copy.in->detail);
  Type type = map ? reductionType(map->format) : detail.type;
  size_t size = size_t(bitsOf(type)) / 8;
  for (uint64_t at = 0; size && at + size <= bytes; at += size) {
    uint64_t old = 0, value = 0;
    std::memcpy(&old, target + at, size);
    std::memcpy(&value, data + at, size);
    uint64_t result = combineAtomically(detail.operation, type, old, value);
    std::memcpy(target + at, &result, size);
  }
}

bool Copier::writeTile() {
  return forEachRow(*map, copy.coordinates, [&](const TileRow &row) {
    if (!row.bytes)
      return true; // dropped
    if (!checkGlobal(row.address, row.bytes, true))
      return false;
    deliver(row.address, copy.data.data() + row.offset + row.skipBytes,
            row.bytes);
    return true;
  });
}

bool Copier::writeGlobal() {
  if (copy.isTensor) {
    if (!writeTile())
      return false;
  } else {
    if (!checkGlobal(copy.globalAddress, copy.bytes, true))
      return false;
    deliver(copy.globalAddress, copy.data.data(), copy.bytes);
  }
  ++cta.launch.statistics.bulkStores;
  cta.launch.statistics.bulkStoreBytes += int64_t(copy.bytes);
  return true;
}

bool heddle::emulator::executeLoad(Cta &cta, size_t index) {
  std::vector<BulkCopy> &loads = cta.bulk.loads;
  BulkCopy copy = std::move(loads[index]);
  loads.erase(loads.begin() + ptrdiff_t(index));
  for (uint32_t rest = copy.targets; rest; rest &= rest - 1) {
    uint32_t rank = uint32_t(std::countr_zero(rest));
    Cta &target = rank == cta.rank ? cta : cta.cluster->at(rank);
    if (!Copier(cta, copy, target).load())
      return false;
  }
  return true;
}

bool heddle::emulator::executeStoreRead(Cta &cta, size_t index) {
  BulkCopy &copy = cta.bulk.stores[index];
  copy.hasRead = true;
  return Copier(cta, copy, cta).readSource(copy.data);
}

bool heddle::emulator::executeStoreWrite(Cta &cta, size_t index) {
  std::vector<BulkCopy> &stores = cta.bulk.stores;
  BulkCopy copy = std::move(stores[index]);
  stores.erase(stores.begin() + ptrdiff_t(index));
  return Copier(cta, copy, cta).writeGlobal();
}
