//===- Error.h - Statuses and the thread's last message -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A status and a sentence go in; the status is returned, and the thread keeps
// the sentence until heddle_last_error asks for it. A status alone names
// neither the argument nor the kernel, and a C function has nowhere else to put
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_ERROR_H
#define HEDDLE_RUNTIME_LIB_ERROR_H

#include "heddle/runtime.h"
#include <string>

namespace heddle::runtime {

/// Keeps `message` as the thread's last error and returns `status`.
heddle_status fail(heddle_status status, std::string message);

/// fail() for a mistake in the call.
heddle_status failNull(const char *function, const char *parameter);

} // namespace heddle::runtime

/// Returns from the calling function unless `call` succeeds.
#define HEDDLE_TRY(call)                                                       \
  do                                                                           \
    if (heddle_status status_ = (call); status_ != HEDDLE_OK)                  \
      return status_;                                                          \
  while (false)

#endif // HEDDLE_RUNTIME_LIB_ERROR_H
