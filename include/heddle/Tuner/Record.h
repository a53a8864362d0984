//===- Record.h - What was measured, on disk ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of JSON lines: the first says of which space and for what, each other
// one has a point with its outcome. Lines are appended whole, so that a tuner
// that is killed loses what was in flight and nothing else; one tuner at a time
// has the file. Out: what was measured before, for a search to go on from.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_RECORD_H
#define HEDDLE_TUNER_RECORD_H

#include "heddle/Tuner/Search.h"

namespace heddle::tuner {

class Record {
public:
  /// Opens or makes a record of `space` for `key`: a program, sizes, a machine,
  /// versions, in the caller's words. Errors: [tuner-record] of a record of
  /// something else, a line that cannot be read, a file that another tuner has;
  /// [file-unreadable].
  static llvm::Expected<Record>
  open(const std::string &path, const Space &space, const std::string &key);
  ~Record();
  Record(Record &&);

  const std::vector<Told> &told() const { return found; }
  /// One more line, at once. "", or why it could not be written.
  std::string append(const Space &space, const Told &told);

private:
  Record() = default;
  int descriptor = -1;
  std::vector<Told> found;
};

/// Reads a record of `space`, whatever its key, without taking it.
llvm::Expected<std::vector<Told>> readRecord(const std::string &path,
                                             const Space &space);

/// The lines of a text: outcomes behind a header. Errors name the line.
/// `wholeBytes`: up to the end of the last whole line.
std::string parseRecord(llvm::StringRef text, const Space &space,
                        const std::string *key, std::vector<Told> &told,
                        size_t &wholeBytes);

/// 16 digits that depend on the parameters and constraints of a space.
std::string identify(const Space &space);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_RECORD_H
