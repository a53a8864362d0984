//===- Pool.cpp - Workers that share instances ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Cpu/Pool.h"

#include <algorithm>

using namespace heddle::cpu;

Pool::Pool(int workers) {
  for (int worker = 1; worker < workers; ++worker)
    if (!threads.start([this, worker] { serve(worker); }))
      break;
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  started.notify_all();
  threads.join();
}

void Pool::takeChunks(int worker) {
  for (;;) {
    int64_t begin = next.fetch_add(step, std::memory_order_relaxed);
    if (begin >= total)
      return;
    (*current)(begin, std::min(begin + step, total), worker);
  }
}

void Pool::serve(int worker) {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex);
      started.wait(lock, [&] { return isOver || round != seen; });
      if (isOver)
        return;
      seen = round;
    }
    takeChunks(worker);
    std::lock_guard lock(mutex);
    if (--busy == 0)
      finished.notify_one();
  }
}

void Pool::run(int64_t instances, int64_t chunk, const Work &work) {
  // A chunk or less is not worth waking anybody.
  if (threads.size() == 0 || instances <= chunk) {
    if (instances > 0)
      work(0, instances, 0);
    return;
  }
  {
    std::lock_guard lock(mutex);
    current = &work;
    total = instances;
    step = std::max<int64_t>(chunk, 1);
    next = 0;
    busy = int(threads.size());
    ++round;
  }
  started.notify_all();
  takeChunks(0);
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return busy == 0; });
}
