//===- Workers.h - Independent tasks on several threads ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler's tasks recurse, so each thread has the stack of a tool's main
// work. Results must not depend on which thread does a task, nor on the order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_WORKERS_H
#define HEDDLE_SUPPORT_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <functional>
#include <pthread.h>
#include <vector>

namespace heddle {

/// Threads that do the same work as their caller, with stacks of usual size.
class Threads {
public:
  Threads() = default;
  ~Threads() { join(); }
  Threads(const Threads &) = delete;

  /// False where the system gives no more threads; the caller goes on with
  /// those that it has.
  [[nodiscard]] bool start(std::function<void()> work);
  void join();
  size_t size() const { return handles.size(); }

private:
  std::vector<pthread_t> handles;
};

/// Calls `task` once with each number from 0 to `count` - 1. Each processor
/// that the process may use gets a thread, as far as the system starts them;
/// the caller's is one of them.
void forEachTask(size_t count, llvm::function_ref<void(size_t)> task);

} // namespace heddle

#endif // HEDDLE_SUPPORT_WORKERS_H
