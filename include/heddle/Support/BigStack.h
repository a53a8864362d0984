//===- BigStack.h - Room for what recurses -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses follow chains of operations by recursion, as deep as a program has
// operations. The number of those is bounded (pipeline::parse); the stack that
// they may need is made here, once, around a tool's main work. Memory is taken
// as it is touched.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_BIGSTACK_H
#define HEDDLE_SUPPORT_BIGSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <pthread.h>

namespace heddle {

inline constexpr size_t kStackBytes = size_t(1) << 30;

/// Starts `run` with `data` on a thread with a large stack. False where the
/// system gives none.
inline bool startOnBigStack(pthread_t &thread, void *(*run)(void *),
                            void *data) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  bool isThere = pthread_create(&thread, &attributes, run, data) == 0;
  pthread_attr_destroy(&attributes);
  return isThere;
}

/// The result of `body`, run on a large stack; on the caller's where the system
/// does not give one.
inline int runOnBigStack(llvm::function_ref<int()> body) {
  struct Call {
    llvm::function_ref<int()> body;
    int result = 0;
  } call{body};
  auto run = [](void *data) -> void * {
    auto *call = static_cast<Call *>(data);
    call->result = call->body();
    return nullptr;
  };
  pthread_t thread;
  if (!startOnBigStack(thread, run, &call))
    return body();
  pthread_join(thread, nullptr);
  return call.result;
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_BIGSTACK_H
