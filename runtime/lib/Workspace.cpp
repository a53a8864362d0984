//===- Workspace.cpp - Memory for the steps of one launch -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool for each device, made at the first launch that needs one and kept
// until the process ends. The default pool would give memory back to the system
// at each synchronisation, and belongs to whoever else uses it.
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include <map>
#include <mutex>

using namespace heddle::runtime;

namespace {
struct Pools {
  std::mutex mutex;
  std::map<CUdevice, CUmemoryPool> byDevice;
};

// Never destroyed: other threads may still launch while the process exits.
Pools &pools() {
  static Pools *instance = new Pools();
  return *instance;
}
} // namespace

static heddle_status makePool(const Driver &driver, CUdevice device,
                              CUmemoryPool &pool) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.locationType = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.locationId = device;
  HEDDLE_TRY(checkDriver(driver, driver.cuMemPoolCreate(&pool, &properties),
                         "cuMemPoolCreate"));
  uint64_t kept = UINT64_MAX;
  return checkDriver(driver,
                     driver.cuMemPoolSetAttribute(
                         pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept),
                     "cuMemPoolSetAttribute");
}

static heddle_status findPool(const Driver &driver, CUdevice device,
                              CUmemoryPool &pool) {
  Pools &state = pools();
  std::lock_guard lock(state.mutex);
  auto found = state.byDevice.find(device);
  if (found != state.byDevice.end()) {
    pool = found->second;
    return HEDDLE_OK;
  }
  HEDDLE_TRY(makePool(driver, device, pool));
  state.byDevice[device] = pool;
  return HEDDLE_OK;
}

heddle_status Workspace::allocate(CUdevice device, size_t bytes) {
  CUmemoryPool pool = nullptr;
  HEDDLE_TRY(findPool(driver, device, pool));
  return checkDriver(
      driver, driver.cuMemAllocFromPoolAsync(&address, bytes, pool, stream),
      ("cuMemAllocFromPoolAsync of " + std::to_string(bytes) +
       " bytes for the workspace of a launch")
          .c_str());
}

heddle_status Workspace::release() {
  if (!address)
    return HEDDLE_OK;
  CUdeviceptr given = address;
  address = 0;
  return checkDriver(driver, driver.cuMemFreeAsync(given, stream),
                     "cuMemFreeAsync");
}

void heddle::runtime::forgetPools() {
  Pools &state = pools();
  std::lock_guard lock(state.mutex);
  state.byDevice.clear();
}
