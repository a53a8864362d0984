//===- Driver.cpp - libcuda.so.1, loaded at first use ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Context.h"
#include "Internal.h"
#include "TrapRecords.h"
#include "Workspace.h"

#include <atomic>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <vector>

using namespace heddle::runtime;

namespace {
struct Loader {
  std::mutex mutex;
  std::string path = "libcuda.so.1";
  std::atomic<const Driver *> driver = nullptr;
  // Every table ever made: another thread may still be inside an old one.
  std::vector<std::unique_ptr<const Driver>> tables;
};

// Never destroyed: other threads may still launch while the process exits.
Loader &loader() {
  static Loader *instance = new Loader();
  return *instance;
}
} // namespace

static heddle_status resolve(void *library, const std::string &path,
                             Driver &driver) {
#define X(name, parameters)                                                    \
  driver.name =                                                                \
      reinterpret_cast<CUresult(*) parameters>(dlsym(library, #name));         \
  if (!driver.name)                                                            \
    return fail(HEDDLE_ERROR_NO_DRIVER,                                        \
                "the CUDA driver " + path +                                    \
                    " has no function " #name                                  \
                    "; a driver for CUDA 12.0 or later is needed");
  HEDDLE_DRIVER_FUNCTIONS(X)
#undef X
  return HEDDLE_OK;
}

static heddle_status load(const std::string &path,
                          std::unique_ptr<const Driver> &result) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return fail(HEDDLE_ERROR_NO_DRIVER,
                "cannot load the CUDA driver " + path + ": " +
                    (why ? why : "no reason given") +
                    "; install the NVIDIA driver, or use the emulator");
  }
  auto driver = std::make_unique<Driver>();
  HEDDLE_TRY(resolve(library, path, *driver));
  CUresult initialised = driver->cuInit(0);
  if (initialised == CUDA_ERROR_NO_DEVICE)
    return fail(HEDDLE_ERROR_NO_DEVICE, "the CUDA driver finds no device");
  HEDDLE_TRY(checkDriver(*driver, initialised, "cuInit"));
  result = std::move(driver);
  return HEDDLE_OK;
}

heddle_status heddle::runtime::getDriver(const Driver *&driver) {
  Loader &state = loader();
  driver = state.driver.load(std::memory_order_acquire);
  if (driver)
    return HEDDLE_OK;
  // A failure is not remembered: a device may become visible later.
  std::lock_guard lock(state.mutex);
  driver = state.driver.load(std::memory_order_relaxed);
  if (driver)
    return HEDDLE_OK;
  std::unique_ptr<const Driver> table;
  HEDDLE_TRY(load(state.path, table));
  driver = state.tables.emplace_back(std::move(table)).get();
  state.driver.store(driver, std::memory_order_release);
  return HEDDLE_OK;
}

heddle_status heddle::runtime::checkDriver(const Driver &driver,
                                           CUresult result,
                                           const char *function) {
  if (result == CUDA_SUCCESS)
    return HEDDLE_OK;
  const char *name = nullptr, *text = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &text);
  std::string message = std::string(function) + " failed with " +
                        (name ? name : "error " + std::to_string(result)) +
                        (text ? std::string(": ") + text : std::string());
  if (std::string traps = describeTraps(); !traps.empty())
    message += "; " + traps;
  return fail(result == CUDA_ERROR_OUT_OF_MEMORY ? HEDDLE_ERROR_OUT_OF_MEMORY
                                                 : HEDDLE_ERROR_DRIVER,
              message);
}

void heddle_internal_set_driver_path(const char *path) {
  Loader &state = loader();
  std::lock_guard lock(state.mutex);
  state.path = path;
  state.driver.store(nullptr, std::memory_order_release);
  forgetPrimaryContext();
  forgetPools();
}
