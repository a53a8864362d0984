//===- Chain.h - Streams of coordinates, level by level ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks streams of which each goes one space deeper than the one before, by the
// tokens of the deepest. A stop alone does not say how many of the fibers that
// it closes were there; the outer streams do.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FLOW_CHAIN_H
#define HEDDLE_LIB_FLOW_CHAIN_H

#include "heddle/Flow/Interpret.h"

namespace heddle::flow {

class Chain {
public:
  explicit Chain(std::vector<const Stream *> levels)
      : levels(std::move(levels)), at(this->levels.size()),
        loaded(this->levels.size()), coordinates(this->levels.size()) {}

  /// Takes the next token of the deepest stream: 1 for a coordinate, then all
  /// of `coordinates` are known; 2 for the stop `level`; 0 at the end. -1 if
  /// the outer streams do not fit it.
  int next();

  const std::vector<int64_t> &getCoordinates() const { return coordinates; }
  int64_t getLevel() const { return level; }
  /// How many tokens of the deepest stream were taken before the last one.
  size_t getIndex() const { return at.back() - 1; }

private:
  const Token *peek(size_t depth) const {
    return at[depth] < levels[depth]->size() ? &(*levels[depth])[at[depth]]
                                             : nullptr;
  }

  std::vector<const Stream *> levels;
  std::vector<size_t> at;
  std::vector<bool> loaded;
  std::vector<int64_t> coordinates;
  int64_t level = 0;
};

/// Adds to `entries` what flow.write finds in one part's streams, for a tensor
/// with a format and extents; `levels` says of which level each stream of
/// coordinates is. Empty, or why not.
std::string takeElements(const std::vector<const Stream *> &crds,
                         llvm::ArrayRef<int64_t> levels, const Stream &values,
                         const sparse::Tensor &tensor,
                         std::vector<sparse::Entry> &entries);

} // namespace heddle::flow

#endif // HEDDLE_LIB_FLOW_CHAIN_H
