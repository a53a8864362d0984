//===- Module.cpp - One kernel's PTX loaded in one context ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include <cstring>

using namespace heddle::runtime;
using heddle::manifest::Manifest;
using heddle::manifest::Variant;

namespace {
constexpr size_t kLogBytes = 64 * 1024;
constexpr int kPortableClusterCtas = 8; // more needs an opt-in

/// Unloads the module unless told to keep it.
class ModuleGuard {
public:
  ModuleGuard(const Driver &driver, CUmodule module)
      : driver(driver), module(module) {}
  ~ModuleGuard() {
    if (module)
      driver.cuModuleUnload(module);
  }
  void keep() { module = nullptr; }

private:
  const Driver &driver;
  CUmodule module;
};
} // namespace

bool heddle::runtime::targetRunsOn(const std::string &target, int major,
                                   int minor) {
  if (target.rfind("sm_", 0) != 0)
    return true; // not a name known here: let the driver decide
  int number = 0;
  size_t i = 3;
  for (; i < target.size() && target[i] >= '0' && target[i] <= '9' && i < 8;
       ++i)
    number = 10 * number + (target[i] - '0');
  int targetMajor = number / 10, targetMinor = number % 10;
  char suffix = i < target.size() ? target[i] : 0;
  if (suffix == 'a')
    return major == targetMajor && minor == targetMinor;
  if (suffix == 'f')
    return major == targetMajor && minor >= targetMinor;
  return major > targetMajor || (major == targetMajor && minor >= targetMinor);
}

static bool isPtxError(CUresult result) {
  return result == CUDA_ERROR_INVALID_PTX ||
         result == CUDA_ERROR_INVALID_IMAGE ||
         result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
         result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

static std::string trimmed(const std::vector<char> &log) {
  std::string text(log.data(), strnlen(log.data(), log.size()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  return text;
}

static heddle_status compile(const Driver &driver, const std::string &ptx,
                             const Manifest &manifest, Module &module) {
  std::vector<char> info(kLogBytes), error(kLogBytes);
  auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
  int options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                   CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                   CU_JIT_LOG_VERBOSE};
  void *values[] = {info.data(), number(kLogBytes), error.data(),
                    number(kLogBytes), number(1)};
  CUresult result = driver.cuModuleLoadDataEx(&module.module, ptx.c_str(), 5,
                                              options, values);
  std::string infoText = trimmed(info), errorText = trimmed(error);
  module.jitLog = infoText;
  if (!errorText.empty()) // warnings may stand in either log
    module.jitLog += (infoText.empty() ? "" : "\n") + errorText;
  if (!isPtxError(result))
    return checkDriver(driver, result, "cuModuleLoadDataEx");
  const char *name = nullptr;
  driver.cuGetErrorName(result, &name);
  return fail(HEDDLE_ERROR_PTX,
              "the driver refuses the PTX of kernel '" + manifest.kernel +
                  "' (" + (name ? name : std::to_string(result)) + "): " +
                  (errorText.empty() ? "it gives no reason" : errorText));
}

static heddle_status readResources(const Driver &driver, Entry &entry) {
  auto read = [&](int attribute, int32_t &value) {
    return checkDriver(
        driver, driver.cuFuncGetAttribute(&value, attribute, entry.function),
        "cuFuncGetAttribute");
  };
  heddle_resources &resources = entry.resources;
  HEDDLE_TRY(read(CU_FUNC_ATTRIBUTE_NUM_REGS, resources.registers));
  HEDDLE_TRY(read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, resources.local_bytes));
  HEDDLE_TRY(
      read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, resources.static_shared_bytes));
  return read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, resources.max_threads);
}

/// Why the device cannot run the variant, "" if it can.
static std::string refusalOf(const Variant &variant, const DeviceFacts &device,
                             const heddle_resources &resources) {
  std::string name = "variant '" + variant.entry + "' ";
  int64_t shared = variant.sharedBytes + resources.static_shared_bytes;
  if (shared > device.sharedBytes)
    return name + "needs " + std::to_string(shared) +
           " bytes of shared memory, but a CTA of this device has at most " +
           std::to_string(device.sharedBytes);
  if (variant.threads > resources.max_threads)
    return name + "has " + std::to_string(variant.threads) + " threads of " +
           std::to_string(resources.registers) +
           " registers, but this device runs at most " +
           std::to_string(resources.max_threads) + " such threads in a CTA";
  return {};
}

static heddle_status prepareEntry(const Driver &driver, const Variant &variant,
                                  const Manifest &manifest, Module &module,
                                  Entry &entry) {
  CUresult result = driver.cuModuleGetFunction(&entry.function, module.module,
                                               variant.entry.c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    return fail(HEDDLE_ERROR_PTX,
                "the PTX of kernel '" + manifest.kernel + "' has no entry '" +
                    variant.entry +
                    "'; PTX and manifest do not belong together");
  HEDDLE_TRY(checkDriver(driver, result, "cuModuleGetFunction"));
  HEDDLE_TRY(readResources(driver, entry));
  entry.refusal = refusalOf(variant, module.device, entry.resources);
  if (!entry.refusal.empty())
    return HEDDLE_OK; // another variant may do
  auto set = [&](int attribute, int value) {
    return checkDriver(
        driver, driver.cuFuncSetAttribute(entry.function, attribute, value),
        "cuFuncSetAttribute");
  };
  if (variant.sharedBytes > 0)
    HEDDLE_TRY(set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   static_cast<int>(variant.sharedBytes)));
  int ctas = variant.cluster[0] * variant.cluster[1] * variant.cluster[2];
  if (ctas > kPortableClusterCtas)
    HEDDLE_TRY(set(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  return HEDDLE_OK;
}

heddle_status heddle::runtime::loadModule(const Current &current,
                                          const std::string &ptx,
                                          const Manifest &manifest,
                                          Module &module) {
  const Driver &driver = *current.driver;
  Module result;
  HEDDLE_TRY(getDeviceFacts(current, result.device));
  const DeviceFacts &device = result.device;
  if (!targetRunsOn(manifest.target, device.major, device.minor))
    return fail(HEDDLE_ERROR_UNSUPPORTED_DEVICE,
                "kernel '" + manifest.kernel + "' was compiled for " +
                    manifest.target +
                    ", but the device has compute capability " +
                    std::to_string(device.major) + "." +
                    std::to_string(device.minor) + "; compile it for that");
  HEDDLE_TRY(compile(driver, ptx, manifest, result));
  ModuleGuard guard(driver, result.module);
  for (const Variant &variant : manifest.variants)
    HEDDLE_TRY(prepareEntry(driver, variant, manifest, result,
                            result.entries.emplace_back()));
  std::vector<LoadedEntry> loaded;
  for (size_t i = 0; i < manifest.variants.size(); ++i)
    loaded.push_back(
        {manifest.variants[i].entry, result.entries[i].resources.local_bytes});
  result.remarks = findRemarks(manifest.kernel, loaded, result.jitLog);
  guard.keep();
  module = std::move(result);
  return HEDDLE_OK;
}
