//===- RingWords.h - The memory of a compiled ring --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring's words (Words.h) and what they point to. Slots get memory as it is
// needed; the times at which turns became free are kept for the whole depth.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_RINGWORDS_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_RINGWORDS_H

#include "../Process.h"
#include "Words.h"

#include "llvm/Support/MathExtras.h"

#include <cstdlib>

namespace heddle::simulator {

using Words = std::vector<int64_t>;

inline int64_t addressOf(const void *place) {
  return int64_t(reinterpret_cast<intptr_t>(place));
}

/// A ring's words, and the memory that they point to.
class RingWords {
public:
  /// Slots with memory at the beginning.
  static constexpr int64_t kFirstSlots = 256;

  explicit RingWords(Ring &ring)
      : op(ring.op), words(ring::Consumers + 2 * ring.consumers.size()) {
    words[ring::Depth] = ring.depth();
    auto times = int64_t(llvm::PowerOf2Ceil(uint64_t(ring.depth())));
    // Large arrays of zeros take no memory before they are written.
    free.reset(static_cast<int64_t *>(std::calloc(size_t(times), 8)));
    words[ring::Free] = addressOf(free.get());
    words[ring::FreeMask] = times - 1;
    giveSlots(std::min(kFirstSlots, times));
    words[ring::Limit] = std::min(kFirstSlots, ring.depth());
  }

  int64_t *data() { return words.data(); }
  int64_t get(int64_t word) const { return words[size_t(word)]; }
  int64_t got(size_t consumer) const {
    return words[ring::Consumers + 2 * consumer];
  }
  int64_t released(size_t consumer) const {
    return words[ring::Consumers + 2 * consumer + 1];
  }
  /// Turns that every consumer has released.
  int64_t retired() const {
    int64_t least = get(ring::Published);
    for (size_t i = ring::Consumers + 1; i < words.size(); i += 2)
      least = std::min(least, words[i]);
    return least;
  }

  /// Whether slots could have more memory.
  bool canGrow() const { return get(ring::Limit) < get(ring::Depth); }
  void grow() {
    giveSlots(2 * (get(ring::SlotMask) + 1));
    words[ring::Limit] = std::min(get(ring::SlotMask) + 1, get(ring::Depth));
  }
  /// How many slots may be in use.
  void setLimit(int64_t slots) {
    while (get(ring::SlotMask) + 1 < slots)
      giveSlots(2 * (get(ring::SlotMask) + 1));
    words[ring::Limit] = slots;
  }

private:
  struct Free {
    void operator()(int64_t *memory) const { std::free(memory); }
  };

  void giveSlots(int64_t count) {
    int64_t width = 1 + int64_t(op.getRing().getType().getPayload().size());
    Words more(size_t(count * width));
    for (int64_t turn = retired(); turn < get(ring::Published); ++turn)
      std::copy_n(slots.data() + (turn & get(ring::SlotMask)) * width, width,
                  more.data() + (turn & (count - 1)) * width);
    slots = std::move(more);
    words[ring::Slots] = addressOf(slots.data());
    words[ring::SlotMask] = count - 1;
  }

  aref::RingOp op;
  Words words, slots;
  std::unique_ptr<int64_t, Free> free;
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_RINGWORDS_H
