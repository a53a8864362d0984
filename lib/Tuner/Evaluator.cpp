//===- Evaluator.cpp - A program that measures ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "heddle/Tuner/Evaluator.h"

#include "heddle/Tuner/Protocol.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle::tuner;

static constexpr size_t kLongestLine = size_t(1) << 20;

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

CommandEvaluator::CommandEvaluator(CommandOptions options)
    : options(std::move(options)) {}

CommandEvaluator::~CommandEvaluator() { stop(); }

/// Waits until the descriptor can be read or written; false at the deadline.
static bool waitFor(int descriptor, short events, double deadline) {
  for (;;) {
    double left = deadline - now();
    if (left <= 0)
      return false;
    pollfd polled{descriptor, events, 0};
    int found = ::poll(&polled, 1, int(std::min(left * 1000 + 1, 1e6)));
    if (found > 0)
      return true;
    if (found < 0 && errno != EINTR)
      return true; // the next call says what is wrong
  }
}

bool CommandEvaluator::start() {
  int questions[2], replies[2];
  if (::pipe2(questions, O_CLOEXEC) != 0)
    return false;
  if (::pipe2(replies, O_CLOEXEC) != 0) {
    ::close(questions[0]);
    ::close(questions[1]);
    return false;
  }
  const char *arguments[] = {"/bin/sh", "-c", options.command.c_str(), nullptr};
  child = ::fork();
  if (child == 0) {
    // Nothing here but calls that are safe behind a fork.
    ::setpgid(0, 0); // so that what it starts ends with it
    ::dup2(questions[0], 0);
    ::dup2(replies[1], 1);
    ::signal(SIGPIPE, SIG_DFL);
    if (options.mostMemory != 0) {
      rlimit limit{options.mostMemory, options.mostMemory};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    ::execv(arguments[0], const_cast<char *const *>(arguments));
    ::_exit(127);
  }
  ::close(questions[0]);
  ::close(replies[1]);
  input = questions[1];
  output = replies[0];
  pending.clear();
  hasServed = false;
  if (child < 0) {
    stop();
    return false;
  }
  ::setpgid(child, child); // whoever is first
  ::fcntl(input, F_SETFL, O_NONBLOCK);
  return true;
}

void CommandEvaluator::stop() {
  if (child > 0) {
    ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    end = WIFEXITED(status)
              ? "exit status " + std::to_string(WEXITSTATUS(status))
              : "signal " + std::to_string(WTERMSIG(status));
  }
  child = -1;
  for (int *descriptor : {&input, &output}) {
    if (*descriptor >= 0)
      ::close(*descriptor);
    *descriptor = -1;
  }
}

bool CommandEvaluator::write(llvm::StringRef text, double deadline) {
  while (!text.empty()) {
    ssize_t written = ::write(input, text.data(), text.size());
    if (written > 0)
      text = text.drop_front(size_t(written));
    else if (written < 0 && errno == EAGAIN) {
      if (!waitFor(input, POLLOUT, deadline))
        return true; // read() says that it is too late
    } else if (!(written < 0 && errno == EINTR))
      return false;
  }
  return true;
}

CommandEvaluator::Read CommandEvaluator::read(std::string &line,
                                              double deadline) {
  for (;;) {
    if (size_t at = pending.find('\n'); at != std::string::npos) {
      line = pending.substr(0, at);
      pending.erase(0, at + 1);
      return Read::Line;
    }
    if (pending.size() > kLongestLine) {
      line = pending.substr(0, 100);
      return Read::Line; // no answer is so long
    }
    if (!waitFor(output, POLLIN, deadline))
      return Read::Timeout;
    char bytes[4096];
    ssize_t count = ::read(output, bytes, sizeof bytes);
    if (count > 0)
      pending.append(bytes, size_t(count));
    else if (!(count < 0 && errno == EINTR))
      return Read::Ended;
  }
}

bool CommandEvaluator::hasSaidMore() {
  pollfd polled{output, POLLIN, 0};
  char bytes[4096];
  if (pending.empty() && ::poll(&polled, 1, 0) > 0) {
    ssize_t count = ::read(output, bytes, sizeof bytes);
    if (count > 0)
      pending.append(bytes, size_t(count));
  }
  return !pending.empty();
}

/// Its exit status, if it ends by itself soon: closing its output comes first.
static void giveTimeToEnd(pid_t child) {
  for (int k = 0; k < 20; ++k) {
    siginfo_t info{};
    if (::waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != 0)
      return;
    timespec pause{0, 5'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

CommandEvaluator::Read CommandEvaluator::ask(llvm::StringRef question,
                                             std::string &line,
                                             double deadline) {
  // What it says before the question is no answer to it.
  if (child >= 0 && hasSaidMore())
    stop();
  if (child < 0 && !start())
    return Read::Ended;
  Read result = Read::Ended;
  if (write(question, deadline))
    result = read(line, deadline);
  if (result == Read::Line) {
    ++answers;
    hasServed = true;
    return result;
  }
  if (result == Read::Ended)
    giveTimeToEnd(child);
  stop();
  return result;
}

Outcome CommandEvaluator::measure(const Space &space, const Point &point) {
  double deadline = now() + options.seconds;
  end.clear();
  std::string line, question = writeQuestion(space, point);
  bool mayHaveEnded = hasServed; // of its own accord, after its last answer
  Read result = ask(question, line, deadline);
  if (result == Read::Ended && mayHaveEnded)
    result = ask(question, line, deadline);
  if (result != Read::Line)
    return {false, 0, result == Read::Timeout ? "timeout" : "ended"};
  Outcome outcome;
  if (readAnswer(line, outcome).empty() && !hasSaidMore())
    return outcome;
  stop(); // who knows what its next line belongs to
  return {false, 0, "answer"};
}
