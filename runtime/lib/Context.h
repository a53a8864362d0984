//===- Context.h - The context to work in ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calling thread's CUDA context and the facts of its device that loads and
// launches need. Streams and modules belong to a context, so heddle works in
// the one that the caller (PyTorch, for example) made current, and takes the
// primary context of device 0 only where there is none.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_CONTEXT_H
#define HEDDLE_RUNTIME_LIB_CONTEXT_H

#include "Driver.h"

namespace heddle::runtime {

/// The driver and the context that is current in the calling thread.
struct Current {
  const Driver *driver = nullptr;
  CUcontext context = nullptr;
};

/// Finds the current context; without one, makes the primary context of device
/// 0 current. That context is retained once and kept until the process ends.
heddle_status getCurrent(Current &current);

/// What a launch and a load must know about a device.
struct DeviceFacts {
  CUdevice device = 0;
  int smCount = 0;
  int major = 0;
  int minor = 0;
  int sharedBytes = 0; ///< most a CTA may have
};

heddle_status getDeviceFacts(const Current &current, DeviceFacts &facts);

/// For heddle_internal_set_driver_path.
void forgetPrimaryContext();

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_CONTEXT_H
