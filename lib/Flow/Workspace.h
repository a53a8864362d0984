//===- Workspace.h - Sums by coordinates ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums of a flow.reduce with keys: found by their coordinates while they
// grow, and put out in the order of these.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FLOW_WORKSPACE_H
#define HEDDLE_LIB_FLOW_WORKSPACE_H

#include "heddle/Flow/Interpret.h"

#include <map>

namespace heddle::flow {

class Workspace {
public:
  explicit Workspace(size_t keys) : keys(keys) {}

  /// The sum at these coordinates; an absent one if there is none yet.
  Token &at(llvm::ArrayRef<int64_t> coordinates);
  /// Emits all sums in order, the stop that closes their deepest fiber, and the
  /// stops around it; `sorted` are the streams of coordinates, outermost first.
  void empty(llvm::ArrayRef<Stream *> sorted, Stream &out, int64_t stop);

private:
  /// Where the sum of one key is, 1 + its number; 0 if there is none.
  size_t &placeOf(int64_t key);
  const int64_t *coordinatesOf(size_t sum) const {
    return coordinates.data() + sum * keys;
  }

  size_t keys;
  std::vector<Token> sums;
  std::vector<int64_t> coordinates; ///< of each sum, one after the other
  /// Where a sum is: by its coordinate if there is one key, as in most
  /// workspaces, or by all of them. Small coordinates have a place each.
  std::vector<size_t> ofSmall;
  llvm::DenseMap<int64_t, size_t> ofOne;
  std::map<std::vector<int64_t>, size_t> ofSeveral;
};

} // namespace heddle::flow

#endif // HEDDLE_LIB_FLOW_WORKSPACE_H
