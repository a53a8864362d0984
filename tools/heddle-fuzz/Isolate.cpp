//===- Isolate.cpp - A check in a process of its own ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program goes in; the outcome of its check comes back through a pipe from a
// child process with limits on CPU time and memory. A signal that ends the
// child becomes the verdict crash or hang, so that campaign and shrinker go on
// behind a compiler that aborts, does not stop or takes all memory.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "llvm/ADT/StringRef.h"

#include "heddle/Support/MemoryLimit.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle::fuzz;

/// More than any check needs; what explodes ends here and not in swap.
static constexpr rlim_t kMemoryBytes = 6ull << 30;

static void limit(int resource, rlim_t value) {
  rlimit limits{value, value};
  setrlimit(resource, &limits);
}

/// VERDICT \0 WHERE \0 MESSAGE
static std::string encode(const Outcome &outcome) {
  return std::string(1, char('0' + int(outcome.verdict))) + outcome.where +
         '\0' + outcome.message;
}

static Outcome decode(llvm::StringRef text) {
  Outcome outcome;
  outcome.verdict = Verdict(text.front() - '0');
  auto [where, message] = text.drop_front().split('\0');
  outcome.where = where.str();
  outcome.message = message.str();
  return outcome;
}

static void writeAll(int file, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t count = write(file, text.data(), text.size());
    if (count <= 0)
      return;
    text = text.drop_front(size_t(count));
  }
}

static std::string readAll(int file) {
  std::string text;
  char buffer[4096];
  while (ssize_t count = read(file, buffer, sizeof buffer)) {
    if (count < 0)
      break;
    text.append(buffer, size_t(count));
  }
  return text;
}

Outcome heddle::fuzz::checkIsolated(const Program &program,
                                    const CheckOptions &options, int seconds) {
  int ends[2];
  if (pipe(ends) != 0)
    return {Verdict::Crash, "", "no pipe"};
  pid_t child = fork();
  if (child < 0)
    return {Verdict::Crash, "", "no process"};
  if (child == 0) {
    close(ends[0]);
    // The parent tells what happened; `heddle-fuzz check` shows a stack.
    if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
      dup2(nowhere, STDERR_FILENO);
    limit(RLIMIT_CPU, rlim_t(seconds));
    alarm(unsigned(seconds) * 4 + 10); // one that waits takes no such time
    limit(RLIMIT_CORE, 0);
    heddle::limitMemory(kMemoryBytes);
    writeAll(ends[1], encode(check(program, options)));
    _exit(0);
  }
  close(ends[1]);
  std::string answer = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && !answer.empty())
    return decode(answer);
  if (!WIFSIGNALED(status))
    return {Verdict::Crash, "", "exit without an answer"};
  int signal = WTERMSIG(status);
  bool late = signal == SIGXCPU || signal == SIGKILL || signal == SIGALRM;
  return {late ? Verdict::Hang : Verdict::Crash, "", strsignal(signal)};
}
