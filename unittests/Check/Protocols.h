//===- Protocols.h - Small protocols to check -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates correct protocols from a few options, and mutants of them. The test
// of agreement compares the prover's verdict on each with that of every order
// of steps. The protocols are small, because that comparison enumerates.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_CHECK_PROTOCOLS_H
#define HEDDLE_UNITTESTS_CHECK_PROTOCOLS_H

#include "heddle/Check/Protocol.h"

namespace heddle::check {

/// A producer that fills the slots of a ring, `n` a tile, and consumers that
/// multiply from them.
struct Shape {
  int depth = 2;
  int consumers = 1;
  int consumerWarps = 1;
  bool copiesByThreads = false; ///< else by TMA
  bool goesOn = false;   ///< with copiesByThreads: they end while threads go on
  bool overlaps = false; ///< a product is in flight when the next slot comes
  bool accumulates = false; ///< with overlaps: products go on with one flight
  bool tiles = false;       ///< all of that `m` times
  bool exchanges = false;   ///< warps exchange values through a scratch buffer
  bool stores = false;      ///< each tile ends with a TMA store from a buffer
  int lastFrom = 0;         ///< one turn more if there are so many; 0: never
  /// The producer reads each tile's `n` from memory and hands it on through a
  /// second ring. Its threads copy, and there are `m` tiles.
  bool counts = false;

  std::string text() const;
};

/// Symbols: "n" and, with tiles, "m"; with counts "counts[0]" and so on, and
/// "m".
Protocol makePipeline(const Shape &shape);

/// A change of a protocol, and what it is.
struct Mutant {
  std::string what;
  Protocol protocol;
};

/// All mistakes that can be made at one place.
std::vector<Mutant> makeMutants(const Protocol &protocol);

} // namespace heddle::check

#endif // HEDDLE_UNITTESTS_CHECK_PROTOCOLS_H
