//===- WordExchange.h - Narrow elements change lanes by words -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: two layouts of a tile whose elements have 8 or 16 bits, where one bit of
// a lane's number and one of a register's change places; other bits of the
// lane may move among themselves. Sums of wgmma become its operand a of 8 bits
// so. Out: the words to send, two rounds of shuffles, and the bytes to take.
//
// A thread needs elements of two lanes, `near` and `far`, which differ in the
// bit `apart`; and of each the half that its own bit `own` says. In round r it
// reads the near lane if r equals its own bit, else the far one; so each lane
// has one reader a round, and sends it what that one needs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_WORDEXCHANGE_H
#define HEDDLE_MACHINE_WORDEXCHANGE_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

struct WordExchange {
  /// The registers of the first layout that fill one word: for lanes that read
  /// with the bit `own` clear, and for those with it set.
  struct Sent {
    std::array<std::vector<int>, 2> registers;
  };
  /// Where an element of a word of the second layout comes from.
  struct Taken {
    int place;  ///< in the word that travelled
    bool isFar; ///< from the lane with `apart` set
  };
  struct Made {
    int sent; ///< all elements travel in this one
    std::vector<Taken> elements;
  };

  /// The lane that is near in round 0 where `own` is clear: `constant`,
  /// exclusive or ofBit[i] for each bit i of the own lane. None of them has
  /// the bit `apart`.
  int constant = 0;
  std::array<int, kLaneBits> ofBit = {};
  int apart = 0; ///< a power of two
  int own = 0;   ///< likewise
  int elementBits = 8;
  std::vector<Sent> sent; ///< each in both rounds
  std::vector<Made> made; ///< in the order of the second layout's registers

  /// Shuffles.
  int count() const { return 2 * int(sent.size()); }
  /// Which bytes of what the two rounds gave, the first in 0 to 3, make up a
  /// word, as `prmt` reads it: four bits each, the lowest byte first.
  int64_t selector(const Made &word, bool ownIsSet) const;
};

/// Nothing where elements move in another way.
std::optional<WordExchange> planWordExchange(const Layout &from,
                                             const Layout &to, int elementBits);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_WORDEXCHANGE_H
