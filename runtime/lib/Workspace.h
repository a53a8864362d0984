//===- Workspace.h - Memory for the steps of one launch ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch in several steps hands numbers on through memory that no caller
// passes. It is taken and given back in the order of the stream, so that
// launches of several streams never share it, and one that a graph captures has
// memory of its own. A pool keeps what is given back; no launch waits for the
// device.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_WORKSPACE_H
#define HEDDLE_RUNTIME_LIB_WORKSPACE_H

#include "Driver.h"

namespace heddle::runtime {

/// Given back at the end of its scope at the latest.
class Workspace {
public:
  Workspace(const Driver &driver, CUstream stream)
      : driver(driver), stream(stream) {}
  ~Workspace() { (void)release(); }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// Memory of `device`, of any content, aligned to 256 bytes.
  heddle_status allocate(CUdevice device, size_t bytes);
  heddle_status release();
  CUdeviceptr begin() const { return address; }

private:
  const Driver &driver;
  CUstream stream;
  CUdeviceptr address = 0;
};

/// For heddle_internal_set_driver_path: pools are the driver's that made them.
void forgetPools();

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_WORKSPACE_H
