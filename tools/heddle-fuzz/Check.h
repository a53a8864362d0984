//===- Check.h - Compiles a program and compares it with the oracle -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generated program goes in; a verdict comes out, with the rung and the
// message or difference that it rests on. `check` runs in this process, where a
// debugger sees it; `checkIsolated` runs in a child, because a campaign has to
// outlive a crash or a hang of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_CHECK_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_CHECK_H

#include "Program.h"

namespace heddle::fuzz {

enum class Verdict {
  Agree,    ///< every run gave what the oracle gave
  Declined, ///< the compiler said why not
  Disagree, ///< a wrong result, or an error of the emulator
  Broken,   ///< a pass made something that does not verify, and says so
  Invalid,  ///< the program does not verify or the oracle rejects it
  Crash,    ///< a signal, an abort, an assertion
  Hang,     ///< it ran out of time
};
const char *spelling(Verdict verdict);

struct Outcome {
  Verdict verdict = Verdict::Agree;
  std::string where;   ///< "sched random=7, adversarial", or the rung
  std::string message; ///< the diagnostic, or the first difference
};

struct CheckOptions {
  /// Random schedules to run besides the solver's.
  int schedules = 1;
  uint64_t seed = 0; ///< of those and of the emulator
  /// Spoils the PTX, to see the check fail: additions become subtractions and
  /// products are not waited for.
  bool sabotage = false;
};

Outcome check(const Program &program, const CheckOptions &options);

/// The same in a process of its own, which may crash or hang.
Outcome checkIsolated(const Program &program, const CheckOptions &options,
                      int seconds);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_CHECK_H
