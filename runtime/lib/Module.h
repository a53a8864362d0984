//===- Module.h - One kernel's PTX loaded in one context ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX and manifest go in; a module of the driver comes out, with the function
// and the resources of each variant. A variant that does not fit the device
// keeps the reason and does not fail the load, because launches may take
// another one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_MODULE_H
#define HEDDLE_RUNTIME_LIB_MODULE_H

#include "Context.h"
#include "LoadRemarks.h"
#include "heddle/Manifest/Manifest.h"
#include <vector>

namespace heddle::runtime {

/// One variant's entry, ready to launch unless `refusal` says why it is not.
struct Entry {
  CUfunction function = nullptr;
  heddle_resources resources = {};
  std::string refusal;
};

struct Module {
  DeviceFacts device;
  CUmodule module = nullptr;
  std::vector<Entry> entries; ///< one per variant
  std::string jitLog;
  std::vector<Remark> remarks;
};

/// Compiles and loads `ptx` in the current context, finds every variant's entry
/// and raises its limits. `module` is filled only on success.
heddle_status loadModule(const Current &current, const std::string &ptx,
                         const manifest::Manifest &manifest, Module &module);

/// Whether code compiled for `target` ("sm_90a") runs on the device. An "a"
/// target runs on exactly its capability, an "f" one on its family.
bool targetRunsOn(const std::string &target, int major, int minor);

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_MODULE_H
