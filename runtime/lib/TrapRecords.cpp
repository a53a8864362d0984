//===- TrapRecords.cpp - Where kernels say why they trapped ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrapRecords.h"

#include <cstring>
#include <mutex>
#include <vector>

using namespace heddle::runtime;
using namespace heddle::manifest;

namespace {
struct Entry {
  std::string kernel;
  Variant variant;
  const void *record = nullptr;
};
struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
};

// Never destroyed, as the records are.
Registry &registry() {
  static Registry *instance = new Registry();
  return *instance;
}
} // namespace

heddle_status heddle::runtime::makeTrapRecord(const Driver &driver,
                                              const std::string &kernel,
                                              const Variant &variant,
                                              uint64_t &address) {
  void *memory = nullptr;
  HEDDLE_TRY(checkDriver(driver,
                         driver.cuMemHostAlloc(&memory, sizeof(TrapRecord),
                                               CU_MEMHOSTALLOC_PORTABLE |
                                                   CU_MEMHOSTALLOC_DEVICEMAP),
                         "cuMemHostAlloc"));
  std::memset(memory, 0, sizeof(TrapRecord));
  Registry &state = registry();
  std::lock_guard lock(state.mutex);
  state.entries.push_back({kernel, variant, memory});
  // Addresses are the same on both sides: 64-bit processes have one space.
  address = reinterpret_cast<uint64_t>(memory);
  return HEDDLE_OK;
}

std::string heddle::runtime::describeTraps() {
  Registry &state = registry();
  std::lock_guard lock(state.mutex);
  std::string text;
  for (const Entry &entry : state.entries) {
    TrapRecord record;
    std::memcpy(&record, entry.record, sizeof record);
    std::string what = describe(entry.variant, record);
    if (!what.empty())
      text += (text.empty() ? "" : "; ") + ("kernel '" + entry.kernel + "': ") +
              what;
  }
  return text;
}
