//===- Context.cpp - The context to work in -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <mutex>

using namespace heddle::runtime;

static std::mutex primaryMutex;
static CUcontext primaryContext = nullptr;

static heddle_status retainPrimary(const Driver &driver, CUcontext &context) {
  std::lock_guard lock(primaryMutex);
  if (!primaryContext) {
    int count = 0;
    HEDDLE_TRY(checkDriver(driver, driver.cuDeviceGetCount(&count),
                           "cuDeviceGetCount"));
    if (count == 0)
      return fail(HEDDLE_ERROR_NO_DEVICE, "the CUDA driver finds no device");
    CUdevice device = 0;
    HEDDLE_TRY(
        checkDriver(driver, driver.cuDeviceGet(&device, 0), "cuDeviceGet"));
    HEDDLE_TRY(checkDriver(
        driver, driver.cuDevicePrimaryCtxRetain(&primaryContext, device),
        "cuDevicePrimaryCtxRetain"));
  }
  context = primaryContext;
  return HEDDLE_OK;
}

heddle_status heddle::runtime::getCurrent(Current &current) {
  HEDDLE_TRY(getDriver(current.driver));
  const Driver &driver = *current.driver;
  HEDDLE_TRY(checkDriver(driver, driver.cuCtxGetCurrent(&current.context),
                         "cuCtxGetCurrent"));
  if (current.context)
    return HEDDLE_OK;
  HEDDLE_TRY(retainPrimary(driver, current.context));
  return checkDriver(driver, driver.cuCtxSetCurrent(current.context),
                     "cuCtxSetCurrent");
}

heddle_status heddle::runtime::getDeviceFacts(const Current &current,
                                              DeviceFacts &facts) {
  const Driver &driver = *current.driver;
  HEDDLE_TRY(checkDriver(driver, driver.cuCtxGetDevice(&facts.device),
                         "cuCtxGetDevice"));
  auto read = [&](int attribute, int &value) {
    return checkDriver(
        driver, driver.cuDeviceGetAttribute(&value, attribute, facts.device),
        "cuDeviceGetAttribute");
  };
  HEDDLE_TRY(read(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, facts.smCount));
  HEDDLE_TRY(read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, facts.major));
  HEDDLE_TRY(read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, facts.minor));
  return read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
              facts.sharedBytes);
}

void heddle::runtime::forgetPrimaryContext() {
  std::lock_guard lock(primaryMutex);
  primaryContext = nullptr;
}
