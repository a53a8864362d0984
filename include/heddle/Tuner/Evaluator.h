//===- Evaluator.h - A program that measures ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a command of the shell, which reads questions and writes answers line by
// line (Protocol.h). Out: an outcome for every point, within a time limit: a
// program that hangs, ends, takes too much memory or answers nonsense makes the
// point invalid, with a reason, and is started again for the next. One that
// ends after an answer is asked again in a new process.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_EVALUATOR_H
#define HEDDLE_TUNER_EVALUATOR_H

#include "heddle/Tuner/Search.h"

#include <sys/types.h>

namespace heddle::tuner {

struct CommandOptions {
  std::string command;
  double seconds = 600;    ///< for one point, the start included
  uint64_t mostMemory = 0; ///< bytes of each process; 0 for no limit
};

class CommandEvaluator {
public:
  explicit CommandEvaluator(CommandOptions options);
  ~CommandEvaluator(); ///< kills the program and what it started
  CommandEvaluator(const CommandEvaluator &) = delete;

  /// Reasons of its own: "timeout", "ended", "answer".
  Outcome measure(const Space &space, const Point &point);

  /// Whether a line ever came.
  bool hasAnswered() const { return answers > 0; }
  /// How the program ended last: "exit status 127", "signal 9", or "".
  const std::string &lastEnd() const { return end; }

private:
  enum class Read { Line, Timeout, Ended };
  Read ask(llvm::StringRef question, std::string &line, double deadline);
  bool start();
  void stop();
  bool write(llvm::StringRef text, double deadline);
  Read read(std::string &line, double deadline);
  /// Whether there is something behind the last line that was read.
  bool hasSaidMore();

  CommandOptions options;
  pid_t child = -1;
  int input = -1, output = -1; ///< of the child, from here
  std::string pending;         ///< read, and not yet a line
  std::string end;
  int answers = 0;
  bool hasServed = false; ///< this process answered before
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_EVALUATOR_H
