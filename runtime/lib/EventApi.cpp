//===- EventApi.cpp - Timing and ordering by the driver's events ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle_kernel_time measures launches between two events of the driver, and
// heddle_stream_wait makes one stream wait for another. Each set of arguments
// is planned and encoded before the first event is recorded, so that this work
// of the host is no part of the time.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "Kernel.h"

#include <algorithm>

using namespace heddle::runtime;

// More would be a mistake, and run for hours.
static constexpr size_t kMostSets = size_t(1) << 20;
static constexpr size_t kMostLaunches = 100'000'000;

namespace {
/// A driver event that is destroyed with the object.
class Event {
public:
  explicit Event(const Driver &driver) : driver(driver) {}
  ~Event() {
    if (event)
      driver.cuEventDestroy_v2(event);
  }
  heddle_status record(CUstream stream, unsigned flags = 0) {
    HEDDLE_TRY(checkDriver(driver, driver.cuEventCreate(&event, flags),
                           "cuEventCreate"));
    return checkDriver(driver, driver.cuEventRecord(event, stream),
                       "cuEventRecord");
  }
  CUevent get() const { return event; }

private:
  const Driver &driver;
  CUevent event = nullptr;
};
} // namespace

heddle_status heddle_kernel_time(heddle_kernel *kernel, const heddle_arg *args,
                                 size_t n_sets, size_t n_args, size_t launches,
                                 heddle_stream stream,
                                 float *milliseconds) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !milliseconds)
      return failNull(name, kernel ? "milliseconds" : "kernel");
    if (n_sets == 0 || launches == 0)
      return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
                  "heddle_kernel_time: 'n_sets' is " + std::to_string(n_sets) +
                      " and 'launches' is " + std::to_string(launches) +
                      "; both must be at least 1");
    HEDDLE_TRY(checkSize(name, "n_sets", n_sets, kMostSets));
    HEDDLE_TRY(checkSize(name, "launches", launches, kMostLaunches));
    Current current;
    HEDDLE_TRY(getCurrent(current));
    const Driver &driver = *current.driver;
    std::vector<std::shared_ptr<const PreparedLaunch>> sets(n_sets);
    // Where a set has another number than the kernel's, the first says so.
    for (size_t i = 0; i < n_sets; ++i)
      HEDDLE_TRY(kernel->prepare(current, args ? args + i * n_args : nullptr,
                                 n_args, sets[i]));
    CUstream target = static_cast<CUstream>(stream);
    Event begin(driver), end(driver);
    HEDDLE_TRY(begin.record(target));
    for (size_t i = 0; i < launches; ++i)
      HEDDLE_TRY(
          submit(driver, *sets[i % n_sets], target, kernel->manifest.kernel));
    HEDDLE_TRY(end.record(target));
    HEDDLE_TRY(checkDriver(driver, driver.cuEventSynchronize(end.get()),
                           "cuEventSynchronize"));
    return checkDriver(
        driver, driver.cuEventElapsedTime(milliseconds, begin.get(), end.get()),
        "cuEventElapsedTime");
  });
}

heddle_status heddle_stream_wait(heddle_stream waiting,
                                 heddle_stream awaited) noexcept {
  return enter(__func__, [&](const char *) -> heddle_status {
    Current current;
    HEDDLE_TRY(getCurrent(current));
    Event event(*current.driver); // the driver keeps it until it has happened
    HEDDLE_TRY(
        event.record(static_cast<CUstream>(awaited), CU_EVENT_DISABLE_TIMING));
    return checkDriver(*current.driver,
                       current.driver->cuStreamWaitEvent(
                           static_cast<CUstream>(waiting), event.get(), 0),
                       "cuStreamWaitEvent");
  });
}
