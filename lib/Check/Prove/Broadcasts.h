//===- Broadcasts.h - Numbers that processes hand on ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number that one event writes into a slot or buffer and others read there
// decides how often loops of several processes run. Where one event alone
// writes to a place, who reads there is taken to get the number which that
// event wrote in the same iteration. That is a guess, which makes processes
// ask the same questions; each read that control flow depends on is checked
// against what stands there (Memory.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_BROADCASTS_H
#define HEDDLE_LIB_CHECK_BROADCASTS_H

#include "Linear.h"

namespace heddle::check {

class Broadcasts {
public:
  explicit Broadcasts(const Protocol &protocol);

  /// The event that writes what `loaded` of a process is taken to be; -1: none.
  int writerOf(int process, Value loaded) const;
  /// The number of an event that is somebody's writer; -1 for others.
  int indexOf(const Event &event) const;
  size_t size() const { return known.size(); }

  /// What a writer writes, as far as the last round knew.
  const std::optional<Linear> &numberOf(int writer) const {
    return known[writer];
  }
  void setNumber(int writer, Linear number) { found[writer] = number; }
  /// Makes what was set known; false if it was before.
  bool settle();
  /// Takes every number that is read for data.
  void forget();

private:
  std::map<std::pair<int, Value>, int> writers; ///< by process and value
  std::map<const Event *, int> indices;
  std::vector<std::optional<Linear>> known, found;
};

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_BROADCASTS_H
