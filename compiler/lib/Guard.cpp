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

#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <mutex>

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

static void enter() {
  std::lock_guard lock(guardMutex);
  if (guards++ == 0) {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(keepReason);
  }
}

static void leave() {
  std::lock_guard lock(guardMutex);
  if (--guards == 0) {
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }
}

heddle_outcome
heddle::compiler::guard(heddle_result &result,
                        llvm::function_ref<heddle_outcome()> work) {
  heddle_outcome outcome = HEDDLE_INTERNAL;
  std::string reason;
  enter();
  llvm::CrashRecoveryContext context;
  bool isDone = context.RunSafelyOnThread(
      [&] {
        fatalReason = &reason;
        outcome = work();
        fatalReason = nullptr;
      },
      kStackBytes);
  leave();
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
