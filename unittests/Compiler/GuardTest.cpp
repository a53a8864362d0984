//===- GuardTest.cpp - A crash of the compiler is an outcome --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work that fails goes into the guard: a fatal error of LLVM, an abort, a
// fault, in one thread or in half of eight. The process must live, the outcome
// must be HEDDLE_INTERNAL with a sentence, and signal handlers of the caller
// must work afterwards, because the guard replaces them for a while.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"

#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

#include <csignal>
#include <thread>
#include <vector>

using namespace heddle::compiler;

TEST(Guard, PassesOutcomesOn) {
  heddle_result result;
  EXPECT_EQ(guard(result, [] { return HEDDLE_DECLINED; }), HEDDLE_DECLINED);
  EXPECT_EQ(result.messages, "");
}

TEST(Guard, KeepsTheReasonOfAFatalError) {
  heddle_result result;
  auto die = []() -> heddle_outcome {
    llvm::report_fatal_error("no registers");
  };
  EXPECT_EQ(guard(result, die), HEDDLE_INTERNAL);
  EXPECT_EQ(result.messages,
            "error: bug in heddle: the compiler stopped: no registers "
            "[internal]\n");
}

TEST(Guard, SurvivesAbortsAndFaults) {
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE}) {
    heddle_result result;
    auto die = [&] {
      raise(signal);
      return HEDDLE_FINE;
    };
    EXPECT_EQ(guard(result, die), HEDDLE_INTERNAL);
    EXPECT_EQ(result.messages,
              "error: bug in heddle: the compiler stopped in the middle "
              "[internal]\n");
  }
}

TEST(Guard, CrashesOfOneThreadLeaveOthersAlone) {
  std::vector<std::thread> threads;
  std::vector<heddle_outcome> outcomes(8);
  for (size_t i = 0; i < outcomes.size(); ++i)
    threads.emplace_back([&outcomes, i] {
      heddle_result result;
      outcomes[i] = guard(result, [i] {
        if (i % 2)
          raise(SIGSEGV);
        return HEDDLE_FINE;
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < outcomes.size(); ++i)
    EXPECT_EQ(outcomes[i], i % 2 ? HEDDLE_INTERNAL : HEDDLE_FINE);
}

static volatile sig_atomic_t handled = 0;

TEST(Guard, LeavesTheCallersHandlersInPlace) {
  auto before = std::signal(SIGFPE, [](int) { handled = 1; });
  heddle_result result;
  guard(result, [] { return HEDDLE_FINE; });
  raise(SIGFPE);
  std::signal(SIGFPE, before);
  EXPECT_EQ(handled, 1);
}
