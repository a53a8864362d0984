//===- LoadRemarks.h - What the driver's compiler did to a kernel ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule counts on registers and on products that run beside other work.
// The driver's compiler may give neither, and says so in its log alone. Here
// the log becomes remarks, found when a kernel is loaded and told when a
// variant that they are about is launched first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_LOADREMARKS_H
#define HEDDLE_RUNTIME_LIB_LOADREMARKS_H

#include "heddle/runtime.h"
#include <string>
#include <vector>

namespace heddle::runtime {

struct Remark {
  const char *id;      ///< as `heddle explain --error` knows it
  std::string variant; ///< its entry; "" where the log names none
  std::string text;
  bool wasTold = false;
};

/// What the log says of one entry, and what the loaded code shows.
struct LoadedEntry {
  std::string name;
  int localBytes = 0; ///< a thread
};

/// The remarks of a load, in the order of `entries`; those of no entry last.
std::vector<Remark> findRemarks(const std::string &kernel,
                                const std::vector<LoadedEntry> &entries,
                                const std::string &log);

/// Hands a remark to the process's handler, if there is one. Callers hold no
/// lock that a handler could want. What a handler throws is dropped.
void tell(const heddle_kernel *kernel, const Remark &remark);

/// The remark as the C interface shows it; valid as long as `remark`.
heddle_remark shown(const Remark &remark);

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_LOADREMARKS_H
