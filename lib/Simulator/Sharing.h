//===- Sharing.h - Processes that use a unit at once ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each scheduler of a multiprocessor has a warp of every group, and issues from
// all of them. So operations of threads that run at the same time share what
// executes them: below a unit's capacity they do not notice each other, above
// it all get slower by the same factor. Beside an asynchronous unit that reads
// and writes registers they are slower, too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_SHARING_H
#define HEDDLE_LIB_SIMULATOR_SHARING_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::simulator {

class Sharing {
public:
  /// From now on `process` is busy for `cycles`, if it is alone, of which it
  /// needs the unit for `reserved`; for `beside` cycles while all is slow.
  void begin(unsigned process, llvm::StringRef unit, int64_t cycles,
             int64_t reserved, int64_t beside);
  /// All is slow until `time`.
  void slowDown(int64_t time) { slowUntil = std::max(slowUntil, time); }

  struct End {
    int64_t time;
    unsigned process;
  };
  /// Who is done first, if nobody begins before; of several the one that began
  /// first.
  std::optional<End> nextEnd() const;

  /// Lets time pass; to the next end at most.
  void advance(int64_t time);
  /// `process` is done.
  void finish(unsigned process);

private:
  struct Work {
    unsigned process;
    std::string unit;
    double left;   ///< cycles of being alone
    double demand; ///< share of the unit when alone
    double slow;   ///< speed while all is slow
  };
  /// Of who uses the unit.
  double shareOf(const Work &work) const;

  std::vector<Work> works; ///< in the order of their beginning
  int64_t now = 0, slowUntil = 0;
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_SHARING_H
