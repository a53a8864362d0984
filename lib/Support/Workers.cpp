//===- Workers.cpp - Independent tasks on several threads -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of POSIX, since std::thread has no size of a stack, and throws where
// the system gives no thread.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Workers.h"

#include "heddle/Support/BigStack.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using namespace heddle;

namespace {

struct Tasks {
  llvm::function_ref<void(size_t)> task;
  size_t count;
  std::atomic<size_t> next = 0;

  void work() {
    for (size_t i = next++; i < count; i = next++)
      task(i);
  }
};

} // namespace

bool Threads::start(std::function<void()> work) {
  auto given = std::make_unique<std::function<void()>>(std::move(work));
  auto run = [](void *data) -> void * {
    std::unique_ptr<std::function<void()>> work(
        static_cast<std::function<void()> *>(data));
    (*work)();
    return nullptr;
  };
  pthread_t handle;
  if (pthread_create(&handle, nullptr, run, given.get()) != 0)
    return false;
  given.release();
  handles.push_back(handle);
  return true;
}

void Threads::join() {
  for (pthread_t handle : handles)
    pthread_join(handle, nullptr);
  handles.clear();
}

void heddle::forEachTask(size_t count, llvm::function_ref<void(size_t)> task) {
  Tasks tasks{task, count};
  size_t workers = std::min<size_t>(count, std::thread::hardware_concurrency());
  auto run = [](void *data) -> void * {
    static_cast<Tasks *>(data)->work();
    return nullptr;
  };
  std::vector<pthread_t> others;
  for (size_t i = 1; i < workers; ++i) {
    pthread_t thread;
    if (!startOnBigStack(thread, run, &tasks))
      break;
    others.push_back(thread);
  }
  tasks.work();
  for (pthread_t thread : others)
    pthread_join(thread, nullptr);
}
