//===- Pool.h - Workers that share instances --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that wait for work. Instances are independent and each computes the
// same whoever runs it, so the result does not depend on how many workers there
// are, nor on who takes which chunk.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CPU_POOL_H
#define HEDDLE_CPU_POOL_H

#include "heddle/Support/Workers.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace heddle::cpu {

class Pool {
public:
  /// The caller of run is one of the workers. There are fewer where the system
  /// gives no more threads.
  explicit Pool(int workers);
  ~Pool();
  Pool(const Pool &) = delete;

  int size() const { return int(threads.size()) + 1; }

  /// The instances [begin, end), by a worker with a number.
  using Work = std::function<void(int64_t begin, int64_t end, int worker)>;
  /// Returns when all are done. One caller at a time.
  void run(int64_t instances, int64_t chunk, const Work &work);

private:
  void serve(int worker);
  void takeChunks(int worker);

  Threads threads;
  std::mutex mutex;
  std::condition_variable started, finished;
  uint64_t round = 0;
  int busy = 0;
  bool isOver = false;

  const Work *current = nullptr;
  int64_t total = 0, step = 1;
  std::atomic<int64_t> next = 0;
};

} // namespace heddle::cpu

#endif // HEDDLE_CPU_POOL_H
