//===- Streams.h - In which orders streams walk a statement -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement carried out by streams has one order of all its indices. In: a
// statement and what is known of its operands. Out: which index must come
// before which, and why; how many orders that leaves; and the orders ranked by
// the coordinates that they handle.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_STREAMS_H
#define HEDDLE_SPARSE_STREAMS_H

#include "heddle/Sparse/Plan.h"

#include <optional>
#include <set>

namespace heddle::sparse {

/// `before` stands outside of `after`, because of a tensor's storage.
struct OrderEdge {
  int before, after;
  std::string reason; ///< "A is stored i, j"
};
/// Tensors of which the statement has transposed copies, by name.
using Copies = std::set<std::string>;
/// Without those of tensors that are copied.
std::vector<OrderEdge> findOrderEdges(const Statement &statement,
                                      const Copies &copies = {});

/// How many orders of `count` indices, at most 24, keep the edges: by dynamic
/// programming over the sets that are closed towards the outside. nullopt if
/// there are more than 64 bits count.
std::optional<uint64_t> countOrders(int count,
                                    const std::vector<OrderEdge> &edges);

/// Empty if streams carry out the statement in this order; else why not.
std::string whyNotStreamed(const Statement &statement,
                           const std::vector<int> &order,
                           const Copies &copies = {});

/// The levels of `access` as they have to be stored, outermost first, to be
/// walked in this order.
std::vector<int> sortLevels(const Access &access,
                            const std::vector<int> &order);

/// Whether some element of the mask may get no product, so that the mask is a
/// term of its own, whose values are the zero.
bool needsMaskTerm(const Statement &statement);

/// Whether the term has a product, or a sum of none, at every element of a
/// dense result.
bool isDenseTerm(const Statement &statement, int term);

/// Whether streams of the result have every element that is stored: a dense
/// term has one, unless a workspace holds it, and so has a mask of the same
/// format.
bool computesAll(const Statement &statement, const std::vector<int> &order);

/// What lies below an index is there `copies` times, and its coordinates are
/// dealt out to these in runs of `chunk`.
struct ParallelIndex {
  int index;
  int64_t copies, chunk = 1;
};

struct RankedOrder {
  std::vector<int> order;
  Copies copies;
  /// Coordinates handled in all loops of all terms, where elements lie
  /// independently of one another, and in making copies.
  double coordinates = 0;
  /// What a person asked for.
  std::vector<ParallelIndex> parallel = {};
};

/// The legal orders, fewest coordinates first. Where operands want opposite
/// orders, or ones in which terms could not meet, those with as few copies as
/// possible. Empty, and `error` says why, if there is none. Statements of more
/// than nine indices get the first of 100 000.
std::vector<RankedOrder> rankOrders(const Statement &statement,
                                    const Statistics &statistics,
                                    std::string &error);

/// Why every one of these orders has copies.
std::string whyCopied(const Statement &statement);

/// Whether streams of the result, which has an index, can be made for one of
/// its rows alone: the first level stands outermost, and the others come in
/// their order. Of a dense result all levels but the last stand outside of
/// sums, so that what nobody computes can be filled in.
bool comesByRows(const Statement &statement, const std::vector<int> &order);

/// A legal order that does, with as few copies as possible.
std::optional<RankedOrder> findRowOrder(const Statement &statement);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_STREAMS_H
