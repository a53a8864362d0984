//===- Kernel.cpp - Creating, loading and launching -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Arguments.h"
#include "Entry.h"
#include "heddle/Manifest/PtxCheck.h"

using namespace heddle::runtime;
using namespace heddle::manifest;

KernelLock::~KernelLock() {
  std::vector<const Remark *> news;
  news.swap(kernel.news);
  lock.unlock();
  for (const Remark *remark : news)
    tell(&kernel, *remark);
}

/// Remarks about a variant interest those who launch it.
static void collectNews(Module &module, const std::string &entry,
                        std::vector<const Remark *> &news) {
  for (Remark &remark : module.remarks) {
    if (remark.wasTold || (!remark.variant.empty() && remark.variant != entry))
      continue;
    news.push_back(&remark);
    remark.wasTold = true;
  }
}

heddle_status heddle_kernel::load(const Current &current, Loaded *&loaded) {
  std::unique_ptr<Loaded> &slot = loadedByContext[current.context];
  if (!slot) {
    auto fresh = std::make_unique<Loaded>();
    HEDDLE_TRY(loadModule(current, ptx, manifest, fresh->module));
    slot = std::move(fresh);
  }
  loaded = slot.get();
  return HEDDLE_OK;
}

heddle_status
heddle_kernel::plan(const Current &current, Loaded &loaded,
                    const heddle_arg *args, size_t count,
                    const std::vector<uint64_t> *key,
                    std::shared_ptr<const PreparedLaunch> &launch) {
  std::vector<ArgumentValue> values;
  HEDDLE_TRY(readArguments(manifest, args, count, values));
  HEDDLE_TRY(checkReachable(*current.driver, loaded.module.device.device,
                            manifest, values));
  LaunchPlan plan;
  std::string error;
  if (!planLaunch(manifest, values, loaded.module.device.smCount, plan, error))
    return fail(HEDDLE_ERROR_ARGUMENTS, error);
  auto fresh = std::make_shared<PreparedLaunch>();
  HEDDLE_TRY(
      prepareLaunch(*current.driver, manifest, plan, loaded.module, *fresh));
  if (!fresh->isNothing)
    collectNews(loaded.module, manifest.variants[plan.variantIndex].entry,
                news);
  if (key)
    loaded.cache.insert(*key, fresh);
  launch = std::move(fresh);
  return HEDDLE_OK;
}

heddle_status
heddle_kernel::prepare(const Current &current, const heddle_arg *args,
                       size_t count,
                       std::shared_ptr<const PreparedLaunch> &launch) {
  // Arguments that the kernel does not take have no key: the plan refuses them.
  static thread_local std::vector<uint64_t> key;
  bool hasKey = makeKey(manifest, args, count, key);
  KernelLock lock(*this);
  Loaded *loaded = nullptr;
  HEDDLE_TRY(load(current, loaded));
  if (hasKey && (launch = loaded->cache.find(key)))
    return HEDDLE_OK;
  return plan(current, *loaded, args, count, hasKey ? &key : nullptr, launch);
}

heddle_status
heddle_kernel::prepareWords(const Current &current, const uint64_t *words,
                            size_t count,
                            std::shared_ptr<const PreparedLaunch> &launch) {
  if (count != wordCount)
    return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
                "kernel '" + manifest.kernel + "': its arguments are " +
                    std::to_string(wordCount) + " words, not " +
                    std::to_string(count));
  // What makeKey gives for the same arguments.
  static thread_local std::vector<uint64_t> key;
  key.assign(words, words + count);
  KernelLock lock(*this);
  Loaded *loaded = nullptr;
  HEDDLE_TRY(load(current, loaded));
  if ((launch = loaded->cache.find(key)))
    return HEDDLE_OK;
  std::vector<heddle_arg> args = unpackWords(manifest, words);
  return plan(current, *loaded, args.data(), args.size(), &key, launch);
}

heddle_status heddle_kernel::submit(const Driver &driver,
                                    const PreparedLaunch &launch,
                                    CUstream stream) {
  // Asked before the launch: what fails to be captured is not in the graph.
  // The default stream cannot be captured, and an error means the same.
  int status = 0;
  if (stream && !wasCaptured.load(std::memory_order_relaxed) &&
      driver.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status)
    wasCaptured = true;
  return heddle::runtime::submit(driver, launch, stream, manifest.kernel);
}

heddle_status heddle_kernel_create(const char *ptx, size_t ptx_size,
                                   const char *manifest_json,
                                   size_t manifest_size,
                                   heddle_kernel **kernel) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!ptx || !manifest_json || !kernel)
      return failNull(name, !ptx             ? "ptx"
                            : !manifest_json ? "manifest_json"
                                             : "kernel");
    HEDDLE_TRY(checkSize(name, "ptx_size", ptx_size, kMostTextBytes));
    HEDDLE_TRY(checkSize(name, "manifest_size", manifest_size, kMostTextBytes));
    auto result = std::make_unique<heddle_kernel>();
    std::string error;
    if (!parse(std::string(manifest_json, manifest_size), result->manifest,
               error))
      return fail(HEDDLE_ERROR_MANIFEST, error);
    result->ptx.assign(ptx, ptx_size);
    if (!checkPtx(result->manifest, result->ptx, error))
      return fail(HEDDLE_ERROR_MANIFEST, error);
    result->wordCount = countWords(result->manifest);
    *kernel = result.release();
    return HEDDLE_OK;
  });
}

void heddle_kernel_destroy(heddle_kernel *kernel) noexcept {
  enterOr(__func__, 0, [&] {
    if (!kernel)
      return 0;
    std::unique_ptr<heddle_kernel> owned(kernel);
    // Failures are ignored: at the end of a process the driver may be gone
    // already.
    Current before;
    if (!kernel->loadedByContext.empty() && !kernel->wasCaptured &&
        getDriver(before.driver) == HEDDLE_OK) {
      const Driver &driver = *before.driver;
      driver.cuCtxGetCurrent(&before.context);
      for (auto &[context, loaded] : kernel->loadedByContext)
        if (loaded && driver.cuCtxSetCurrent(context) == CUDA_SUCCESS)
          driver.cuModuleUnload(loaded->module.module);
      driver.cuCtxSetCurrent(before.context);
    }
    return 0;
  });
}

heddle_status heddle_kernel_load(heddle_kernel *kernel) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel)
      return failNull(name, "kernel");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    KernelLock lock(*kernel);
    Loaded *loaded = nullptr;
    return kernel->load(current, loaded);
  });
}

heddle_status heddle_kernel_launch(heddle_kernel *kernel,
                                   const heddle_arg *args, size_t n_args,
                                   heddle_stream stream) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel)
      return failNull(name, "kernel");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    std::shared_ptr<const PreparedLaunch> launch;
    HEDDLE_TRY(kernel->prepare(current, args, n_args, launch));
    return kernel->submit(*current.driver, *launch,
                          static_cast<CUstream>(stream));
  });
}

heddle_status heddle_kernel_launch_words(heddle_kernel *kernel,
                                         const uint64_t *words, size_t n_words,
                                         heddle_stream stream) noexcept {
  return enter(__func__, [&](const char *name) -> heddle_status {
    if (!kernel || (!words && n_words))
      return failNull(name, kernel ? "words" : "kernel");
    Current current;
    HEDDLE_TRY(getCurrent(current));
    std::shared_ptr<const PreparedLaunch> launch;
    HEDDLE_TRY(kernel->prepareWords(current, words, n_words, launch));
    return kernel->submit(*current.driver, *launch,
                          static_cast<CUstream>(stream));
  });
}
