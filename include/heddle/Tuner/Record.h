//===- Record.h - What was measured, on disk ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of JSON lines: the first says of which space and for what, the second
// is the space, each other one has a point with its outcome, or says why the
// tuner ended and what measuring again gave. Lines are appended whole, so that
// a tuner that is killed loses what was in flight and nothing else; one tuner
// at a time has the file. Out: what was measured before, for a search to go on
// from, or all of it, for somebody who asks why.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_RECORD_H
#define HEDDLE_TUNER_RECORD_H

#include "heddle/Tuner/Confirm.h"
#include "heddle/Tuner/Search.h"

namespace heddle::tuner {

/// Why a tuner ended.
struct Ending {
  enum class Why {
    Budget, ///< as many evaluations as were asked for
    Points, ///< every point was told
    Bounds, ///< no other point can be faster by enough
    Twins,  ///< many points in a row had the codes of earlier ones
  };
  Why why = Why::Budget;
  Claim claim;
};

/// What a record says below its space.
struct Recorded {
  std::vector<Told> told;
  /// After the last point told; nothing of a tuner that was killed or is at
  /// work.
  std::optional<Ending> ending;
  std::optional<Verdict> verdict;
};

class Record {
public:
  /// Opens or makes a record of `space` for `key`: a program, sizes, a machine,
  /// versions, in the caller's words. Errors: [tuner-record] of a record of
  /// something else, a line that cannot be read, a file that another tuner has;
  /// [file-unreadable].
  static llvm::Expected<Record> open(const std::string &path,
                                     const Space &space, const std::string &key,
                                     bool isLogOutput);
  ~Record();
  Record(Record &&);

  const std::vector<Told> &told() const { return found.told; }
  /// One more line, at once. "", or why it could not be written.
  std::string append(const Space &space, const Told &told);
  /// The same; nothing where the file says it already.
  std::string end(const Ending &ending);
  std::string confirm(const Space &space, const Verdict &verdict);

private:
  Record() = default;
  std::string write(const std::string &line);
  int descriptor = -1;
  Recorded found;
  std::string lastEnd; ///< its line, if no point was told after it
};

/// Reads a record of `space`, whatever its key, without taking it.
llvm::Expected<std::vector<Told>> readRecord(const std::string &path,
                                             const Space &space);

/// A record by itself.
struct WholeRecord {
  std::string key;
  Space space;
  bool isLogOutput = true;
  Recorded lines;
};
llvm::Expected<WholeRecord> readWholeRecord(const std::string &path);

/// The lines of a text. Errors name the line. `wholeBytes`: up to the end of
/// the last whole line, or 0 where the space is not whole.
std::string parseRecord(llvm::StringRef text, const Space &space,
                        const std::string *key, Recorded &found,
                        size_t &wholeBytes);

/// 16 digits that depend on the parameters and constraints of a space.
std::string identify(const Space &space);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_RECORD_H
