//===- Clock.h - What an agent knows of the others --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector clock: for each agent, up to which of its moments all it did lies
// in the past. Clocks are shared by reference and copied when one holder
// changes his: the lanes of a warp, and mostly those of a CTA, know the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_CLOCK_H
#define HEDDLE_LIB_EMULATOR_CLOCK_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::emulator {

class Clock {
public:
  Clock() = default;
  Clock(const Clock &other) : node(other.node) {
    if (node)
      ++node->holders;
  }
  Clock(Clock &&other) noexcept : node(std::exchange(other.node, nullptr)) {}
  Clock &operator=(Clock other) noexcept {
    std::swap(node, other.node);
    return *this;
  }
  ~Clock() {
    if (node && --node->holders == 0)
      delete node;
  }

  /// Moments of `agent` that are known; 0 for an agent not heard of.
  uint32_t operator[](size_t agent) const {
    return node && agent < node->moments.size() ? node->moments[agent] : 0;
  }
  void set(size_t agent, uint32_t moment);
  /// Knows from here on what `other` knows too.
  void join(const Clock &other);
  /// Keeps only what `other` knows too.
  void meet(const Clock &other);
  bool knows(const Clock &other) const;

  /// The same clock object, not only equal values.
  bool isSame(const Clock &other) const { return node == other.node; }

private:
  struct Node {
    uint32_t holders = 1;
    std::vector<uint32_t> moments;
  };
  /// Makes the node this holder's alone.
  std::vector<uint32_t> &own();

  Node *node = nullptr; ///< null knows nothing; one thread uses all holders
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_CLOCK_H
