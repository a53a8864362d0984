//===- Kernel.h - The state behind a heddle_kernel ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A heddle_kernel holds the texts of one kernel and, for each CUDA context, its
// loaded module and prepared launches. The functions of the interface share
// this state, so one mutex guards all that a load or a plan changes. KernelLock
// tells remarks only after it has let go of that mutex, because a handler may
// call the library.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_KERNEL_H
#define HEDDLE_RUNTIME_LIB_KERNEL_H

#include "Launch.h"
#include <atomic>
#include <map>
#include <mutex>

namespace heddle::runtime {

/// A kernel in one context.
struct Loaded {
  Module module;
  LaunchCache cache;
};

} // namespace heddle::runtime

/// The texts do not change after creation; what was loaded is behind the mutex.
/// Contexts are told apart by their handle, so a context must not be destroyed
/// before the kernels that ran in it.
struct heddle_kernel {
  heddle::manifest::Manifest manifest;
  std::string ptx;
  size_t wordCount = 0; ///< that its arguments are
  /// A graph holds a launch, and may launch it again after the kernel is
  /// destroyed, so the modules stay loaded then.
  std::atomic<bool> wasCaptured{false};

  /// Hands the launch to the driver.
  heddle_status submit(const heddle::runtime::Driver &driver,
                       const heddle::runtime::PreparedLaunch &launch,
                       heddle::runtime::CUstream stream);

  /// The kernel in the current context, loading it first if need be. The caller
  /// holds the mutex; the result stays where it is until the kernel goes.
  heddle_status load(const heddle::runtime::Current &current,
                     heddle::runtime::Loaded *&loaded);

  /// The launch for these arguments, from the cache or made now.
  heddle_status
  prepare(const heddle::runtime::Current &current, const heddle_arg *args,
          size_t count,
          std::shared_ptr<const heddle::runtime::PreparedLaunch> &launch);
  /// The same for arguments as heddle_kernel_launch_words takes them.
  heddle_status
  prepareWords(const heddle::runtime::Current &current, const uint64_t *words,
               size_t count,
               std::shared_ptr<const heddle::runtime::PreparedLaunch> &launch);

  std::mutex mutex; ///< taken by KernelLock alone
  std::vector<const heddle::runtime::Remark *> news; ///< to tell once unlocked
  std::map<heddle::runtime::CUcontext, std::unique_ptr<heddle::runtime::Loaded>>
      loadedByContext;

private:
  /// Makes a launch and keeps it under `key`, unless that is null. The caller
  /// holds the mutex.
  heddle_status
  plan(const heddle::runtime::Current &current, heddle::runtime::Loaded &loaded,
       const heddle_arg *args, size_t count, const std::vector<uint64_t> *key,
       std::shared_ptr<const heddle::runtime::PreparedLaunch> &launch);
};

namespace heddle::runtime {

/// Holds the kernel's mutex. Once it has let go of it, it tells the remarks
/// that came up meanwhile, so that a handler may call the library.
class KernelLock {
public:
  explicit KernelLock(heddle_kernel &kernel)
      : kernel(kernel), lock(kernel.mutex) {}
  ~KernelLock();

private:
  heddle_kernel &kernel;
  std::unique_lock<std::mutex> lock;
};

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_KERNEL_H
