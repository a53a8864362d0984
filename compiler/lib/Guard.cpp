//===- Guard.cpp - A crash of the compiler is an outcome ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's crash recovery catches the signals of threads that are inside a guard
// and hands those of others to whoever had them. Its handlers are there only
// while somebody compiles.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"

#include "Entry.h"

#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <mutex>
#include <pthread.h>

using namespace heddle;
using namespace heddle::compiler;

static constexpr unsigned kStackBytes = 64 << 20;

static std::mutex guardMutex;
static int guards = 0;

static thread_local std::string *fatalReason = nullptr;

/// LLVM would abort or exit next.
static void keepReason(void *, const char *reason, bool) {
  llvm::CrashRecoveryContext *context =
      llvm::CrashRecoveryContext::GetCurrent();
  if (!context || !fatalReason)
    return;
  *fatalReason = reason;
  context->HandleExit(70);
}

static void beginRecovery() {
  std::lock_guard lock(guardMutex);
  if (guards++ == 0) {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(keepReason);
  }
}

static void endRecovery() {
  std::lock_guard lock(guardMutex);
  if (--guards == 0) {
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }
}

/// Calls `body` on a thread with a deep stack; false where the system has none.
/// (LLVM's own threads end the process then.)
static bool runOnThread(llvm::function_ref<void()> body) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  int fault = pthread_create(
      &thread, &attributes,
      [](void *work) -> void * {
        (*static_cast<llvm::function_ref<void()> *>(work))();
        return nullptr;
      },
      &body);
  pthread_attr_destroy(&attributes);
  if (fault == 0)
    pthread_join(thread, nullptr);
  return fault == 0;
}

heddle_outcome
heddle::compiler::guard(heddle_result &result,
                        llvm::function_ref<heddle_outcome()> work) {
  heddle_outcome outcome = HEDDLE_INTERNAL;
  std::string reason;
  bool isDone = false;
  beginRecovery();
  bool hasRun = runOnThread([&] {
    llvm::CrashRecoveryContext context;
    isDone = context.RunSafely([&] {
      fatalReason = &reason;
      if (!runCatching([&] { outcome = work(); })) {
        outcome = HEDDLE_INTERNAL;
        reason = "out of memory";
      }
      fatalReason = nullptr;
    });
  });
  endRecovery();
  if (!hasRun)
    reason = "the system gives no thread with a stack of 64 MiB";
  isDone &= reason.empty();
  if (isDone)
    return outcome;
  result.kernels.clear();
  result.messages +=
      "error: " +
      diag::withId(diag::internal,
                   "bug in heddle: the compiler stopped" +
                       (reason.empty() ? std::string(" in the middle")
                                       : ": " + reason)) +
      "\n";
  return HEDDLE_INTERNAL;
}
