//===- TrapRecord.h - What a wait leaves behind when it traps ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel compiled with --debug-waits traps when a wait has lasted 2 seconds.
// A trap ends the context and all its memory with it, so the thread writes to
// the host's memory first: where the parameter `trap_record` points.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MANIFEST_TRAPRECORD_H
#define HEDDLE_MANIFEST_TRAPRECORD_H

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {

/// Written by the first thread that gives up; zeros until then.
struct alignas(32) TrapRecord {
  uint32_t isTaken = 0;
  uint32_t barrier = 0; ///< offset in dynamic shared memory
  uint32_t warp = 0;    ///< in its CTA
  uint32_t items = 0; ///< waits of this thread on that side of the ring before
  uint32_t cta = 0;
  uint32_t unused[3] = {};
};

/// "process 'mma.0' (warp 5, CTA 3) waited 2 s for the full barrier of slot 1
/// of ring 'loads', turn 4"; "" for a record that nobody wrote.
std::string describe(const Variant &variant, const TrapRecord &record);

} // namespace heddle::manifest

#endif // HEDDLE_MANIFEST_TRAPRECORD_H
