//===- DeviceApi.cpp - Devices, memory and streams of the C API -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of runtime.h that need no kernel: queries of the device,
// memory, copies and synchronisation. They are thin calls of the driver, so
// that a program can feed a kernel and read its results without a CUDA header
// or toolkit. Sizes that no device has are errors before the driver sees them.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Entry.h"

#include <algorithm>
#include <cstring>

using namespace heddle::runtime;

static CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

int heddle_device_available(void) noexcept {
  return enterOr(__func__, 0, [&]() -> int {
    Current current;
    return getCurrent(current) == HEDDLE_OK;
  });
}

heddle_status heddle_device_query(heddle_device_info *info) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!info)
      return failNull(name, "info");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    DeviceFacts facts;
    HEDDLE_TRY(getDeviceFacts(current, facts));
    int version = 0;
    HEDDLE_TRY(checkDriver(*current.driver,
                           current.driver->cuDriverGetVersion(&version),
                           "cuDriverGetVersion"));
    *info = {facts.device, facts.smCount,     facts.major,
             facts.minor,  facts.sharedBytes, version};
    return HEDDLE_OK;
  });
}

heddle_status heddle_device_name(char *buffer, size_t size) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!buffer)
      return failNull(name, "buffer");
    if (size == 0)
      return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
                  "heddle_device_name: 'size' is 0; the final zero needs 1");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    const Driver &driver = *current.driver;
    CUdevice device = 0;
    HEDDLE_TRY(
        checkDriver(driver, driver.cuCtxGetDevice(&device), "cuCtxGetDevice"));
    char text[256] = {};
    HEDDLE_TRY(checkDriver(
        driver, driver.cuDeviceGetName(text, sizeof(text) - 1, device),
        "cuDeviceGetName"));
    size_t length = std::min(size - 1, std::strlen(text));
    std::memcpy(buffer, text, length);
    buffer[length] = 0;
    return HEDDLE_OK;
  });
}

heddle_status heddle_synchronize(heddle_stream stream) noexcept {
  return enter(__func__, [&](const char *) -> heddle_status {
    Current current;
    HEDDLE_TRY(getCurrent(current));
    return checkDriver(
        *current.driver,
        current.driver->cuStreamSynchronize(static_cast<CUstream>(stream)),
        "cuStreamSynchronize");
  });
}

heddle_status heddle_malloc(size_t bytes, void **device_pointer) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!device_pointer)
      return failNull(name, "device_pointer");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    if (bytes > kMostMemoryBytes)
      return fail(HEDDLE_ERROR_OUT_OF_MEMORY,
                  "the device has no " + std::to_string(bytes) + " bytes left");
    CUdeviceptr result = 0;
    // The driver refuses 0 bytes, but an empty buffer is a legal argument.
    CUresult status = current.driver->cuMemAlloc_v2(&result, bytes ? bytes : 1);
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
      return fail(HEDDLE_ERROR_OUT_OF_MEMORY,
                  "the device has no " + std::to_string(bytes) + " bytes left");
    HEDDLE_TRY(checkDriver(*current.driver, status, "cuMemAlloc"));
    *device_pointer = reinterpret_cast<void *>(result);
    return HEDDLE_OK;
  });
}

heddle_status heddle_free(void *device_pointer) noexcept {
  return enter(__func__, [&](const char *) -> heddle_status {
    if (!device_pointer)
      return HEDDLE_OK;
    Current current;
    HEDDLE_TRY(getCurrent(current));
    return checkDriver(*current.driver,
                       current.driver->cuMemFree_v2(address(device_pointer)),
                       "cuMemFree");
  });
}

heddle_status heddle_copy_to_device(void *device_pointer,
                                    const void *host_pointer,
                                    size_t bytes) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (bytes == 0)
      return HEDDLE_OK;
    if (!device_pointer || !host_pointer)
      return failNull(name, device_pointer ? "host_pointer" : "device_pointer");
    HEDDLE_TRY(checkSize(name, "bytes", bytes, kMostMemoryBytes));
    Current current;
    HEDDLE_TRY(getCurrent(current));
    return checkDriver(*current.driver,
                       current.driver->cuMemcpyHtoD_v2(address(device_pointer),
                                                       host_pointer, bytes),
                       "cuMemcpyHtoD");
  });
}

heddle_status heddle_copy_from_device(void *host_pointer,
                                      const void *device_pointer,
                                      size_t bytes) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (bytes == 0)
      return HEDDLE_OK;
    if (!device_pointer || !host_pointer)
      return failNull(name, device_pointer ? "host_pointer" : "device_pointer");
    HEDDLE_TRY(checkSize(name, "bytes", bytes, kMostMemoryBytes));
    Current current;
    HEDDLE_TRY(getCurrent(current));
    return checkDriver(*current.driver,
                       current.driver->cuMemcpyDtoH_v2(
                           host_pointer, address(device_pointer), bytes),
                       "cuMemcpyDtoH");
  });
}

heddle_status heddle_memset(void *device_pointer, int value,
                            size_t bytes) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (bytes == 0)
      return HEDDLE_OK;
    if (!device_pointer)
      return failNull(name, "device_pointer");
    HEDDLE_TRY(checkSize(name, "bytes", bytes, kMostMemoryBytes));
    Current current;
    HEDDLE_TRY(getCurrent(current));
    return checkDriver(
        *current.driver,
        current.driver->cuMemsetD8_v2(address(device_pointer),
                                      static_cast<unsigned char>(value), bytes),
        "cuMemsetD8");
  });
}
