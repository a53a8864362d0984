//===- KernelInfoApi.cpp - Looking into a kernel --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of runtime.h that describe a kernel: arguments and variants,
// resources and remarks of a load, and the plan of a launch that is not made.
// Facts of the manifest, and plans for a given number of multiprocessors, need
// no driver, so that they can be had where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Arguments.h"
#include "Entry.h"

#include <algorithm>
#include <cstring>

using namespace heddle::runtime;
using namespace heddle::manifest;

static heddle_status failIndex(const char *function,
                               const heddle_kernel &kernel, size_t index,
                               size_t count, const char *what) {
  return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
              std::string(function) + ": kernel '" + kernel.manifest.kernel +
                  "' has " + std::to_string(count) + " " + what +
                  ", so there is no index " + std::to_string(index));
}

const char *heddle_kernel_name(const heddle_kernel *kernel) noexcept {
  return enterOr(__func__, "", [&]() -> const char * {
    return kernel ? kernel->manifest.kernel.c_str() : "";
  });
}

size_t heddle_kernel_argument_count(const heddle_kernel *kernel) noexcept {
  return enterOr(__func__, size_t(0), [&]() -> size_t {
    return kernel ? kernel->manifest.arguments.size() : 0;
  });
}

size_t heddle_kernel_variant_count(const heddle_kernel *kernel) noexcept {
  return enterOr(__func__, size_t(0), [&]() -> size_t {
    return kernel ? kernel->manifest.variants.size() : 0;
  });
}

heddle_status heddle_kernel_argument(const heddle_kernel *kernel, size_t index,
                                     heddle_argument_info *info) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !info)
      return failNull(name, kernel ? "info" : "kernel");
    const std::vector<Argument> &arguments = kernel->manifest.arguments;
    if (index >= arguments.size())
      return failIndex(name, *kernel, index, arguments.size(), "arguments");
    const Argument &argument = arguments[index];
    *info = {};
    info->name = argument.name.c_str();
    info->kind = static_cast<int32_t>(argument.kind);
    info->dtype = static_cast<int32_t>(argument.element);
    info->rank = argument.rank;
    info->written = argument.written;
    std::copy(argument.order.begin(), argument.order.end(), info->order);
    return HEDDLE_OK;
  });
}

heddle_status heddle_kernel_variant(const heddle_kernel *kernel, size_t index,
                                    heddle_variant_info *info) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !info)
      return failNull(name, kernel ? "info" : "kernel");
    const std::vector<Variant> &variants = kernel->manifest.variants;
    if (index >= variants.size())
      return failIndex(name, *kernel, index, variants.size(), "variants");
    const Variant &variant = variants[index];
    *info = {};
    info->entry = variant.entry.c_str();
    info->threads = variant.threads;
    std::copy(variant.cluster.begin(), variant.cluster.end(), info->cluster);
    info->shared_bytes = variant.sharedBytes;
    return HEDDLE_OK;
  });
}

heddle_status heddle_kernel_resources(heddle_kernel *kernel, size_t variant,
                                      heddle_resources *resources) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !resources)
      return failNull(name, kernel ? "resources" : "kernel");
    size_t count = kernel->manifest.variants.size();
    if (variant >= count)
      return failIndex(name, *kernel, variant, count, "variants");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    KernelLock lock(*kernel);
    Loaded *loaded = nullptr;
    HEDDLE_TRY(kernel->load(current, loaded));
    *resources = loaded->module.entries[variant].resources;
    return HEDDLE_OK;
  });
}

/// The module in the current context, null if there is none. It stays as it is
/// until the kernel goes.
static const Module *findLoaded(heddle_kernel *kernel) {
  Current current;
  if (!kernel || getCurrent(current) != HEDDLE_OK)
    return nullptr;
  KernelLock lock(*kernel);
  auto found = kernel->loadedByContext.find(current.context);
  bool isLoaded = found != kernel->loadedByContext.end() && found->second;
  return isLoaded ? &found->second->module : nullptr;
}

const char *heddle_kernel_jit_log(heddle_kernel *kernel) noexcept {
  return enterOr(__func__, "", [&]() -> const char * {
    const Module *module = findLoaded(kernel);
    return module ? module->jitLog.c_str() : "";
  });
}

size_t heddle_kernel_remark_count(heddle_kernel *kernel) noexcept {
  return enterOr(__func__, size_t(0), [&]() -> size_t {
    const Module *module = findLoaded(kernel);
    return module ? module->remarks.size() : 0;
  });
}

heddle_status heddle_kernel_remark(heddle_kernel *kernel, size_t index,
                                   heddle_remark *remark) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !remark)
      return failNull(name, kernel ? "remark" : "kernel");
    size_t count = heddle_kernel_remark_count(kernel);
    if (index >= count)
      return failIndex(name, *kernel, index, count, "remarks");
    *remark = shown(findLoaded(kernel)->remarks[index]);
    return HEDDLE_OK;
  });
}

static heddle_status plan(const heddle_kernel &kernel, const heddle_arg *args,
                          size_t count, int smCount, LaunchPlan &plan) {
  if (smCount <= 0) {
    Current current;
    HEDDLE_TRY(getCurrent(current));
    DeviceFacts facts;
    HEDDLE_TRY(getDeviceFacts(current, facts));
    smCount = facts.smCount;
  }
  std::vector<ArgumentValue> values;
  HEDDLE_TRY(readArguments(kernel.manifest, args, count, values));
  std::string error;
  if (!planLaunch(kernel.manifest, values, smCount, plan, error))
    return fail(HEDDLE_ERROR_ARGUMENTS, error);
  return HEDDLE_OK;
}

heddle_status heddle_kernel_plan(const heddle_kernel *kernel,
                                 const heddle_arg *args, size_t n_args,
                                 int sm_count,
                                 heddle_plan_info *info) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || !info)
      return failNull(name, kernel ? "plan" : "kernel");
    LaunchPlan result;
    HEDDLE_TRY(plan(*kernel, args, n_args, sm_count, result));
    *info = {};
    info->variant = result.variantIndex;
    std::copy(result.grid.begin(), result.grid.end(), info->grid);
    return HEDDLE_OK;
  });
}

template <typename List> static std::string listText(const List &numbers) {
  std::string text;
  for (auto number : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

static std::string paramText(const Param &param, const ParamValue &value) {
  static const char *const kinds[] = {"tensor map", "pointer", "dim", "stride",
                                      "scalar"};
  if (param.kind == Param::Kind::TrapRecord)
    return "trap record";
  std::string text = std::string(kinds[static_cast<int>(param.kind)]) + " '" +
                     param.argument + "'";
  if (param.kind == Param::Kind::Dim || param.kind == Param::Kind::Stride)
    text += " axis " + std::to_string(param.axis);
  if (!value.isTensorMap)
    return text + ": " + std::to_string(value.bits);
  const TensorMap &map = value.tensorMap;
  return text + ": " + spelling(map.element) + " at " +
         std::to_string(map.address) + ", dims " + listText(map.dims) +
         ", strides " + listText(map.stridesBytes) + " bytes, box " +
         listText(map.box) + ", swizzle " + std::to_string(map.swizzleBytes) +
         " bytes";
}

static std::string describe(const Manifest &manifest, const LaunchPlan &plan) {
  const Variant &variant = manifest.variants[plan.variantIndex];
  std::string text =
      "kernel '" + manifest.kernel + "', variant " +
      std::to_string(plan.variantIndex) + " '" + variant.entry + "', grid " +
      listText(plan.grid) + ", " + std::to_string(variant.threads) +
      " threads, cluster " + listText(variant.cluster) + ", " +
      std::to_string(variant.sharedBytes) + " bytes of dynamic shared memory\n";
  for (size_t i = 0; i < plan.params.size(); ++i)
    text += "  " + std::to_string(i) + ": " +
            paramText(variant.params[i], plan.params[i]) +
            (plan.params[i].isInWorkspace ? ", in the workspace" : "") + "\n";
  for (const LaunchPlan::Range &range : plan.cleared)
    text += "  " + std::to_string(range.bytes) + " bytes of zeros " +
            std::to_string(range.begin) + " behind the workspace's begin\n";
  for (const LaunchPlan &step : plan.then)
    text += "then, with a workspace of " + std::to_string(plan.workspaceBytes) +
            " bytes: " + describe(manifest, step);
  return text;
}

heddle_status heddle_kernel_plan_describe(const heddle_kernel *kernel,
                                          const heddle_arg *args, size_t n_args,
                                          int sm_count, char *buffer,
                                          size_t size,
                                          size_t *needed) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || (!buffer && size > 0))
      return failNull(name, kernel ? "buffer" : "kernel");
    LaunchPlan result;
    HEDDLE_TRY(plan(*kernel, args, n_args, sm_count, result));
    std::string text = describe(kernel->manifest, result);
    if (needed)
      *needed = text.size() + 1;
    if (size > 0) {
      size_t length = std::min(size - 1, text.size());
      std::memcpy(buffer, text.data(), length);
      buffer[length] = 0;
    }
    return HEDDLE_OK;
  });
}
