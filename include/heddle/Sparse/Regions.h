//===- Regions.h - How far to fuse statements -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements of one region hand results on; regions run one after the other. In:
// which statement reads which, for each set that may be a region the least that
// it can take in each way to carry it out, and a measurement for who asks. Out:
// the division with the least sum, and the least that any other could have.
// Nothing here knows streams or machines.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_REGIONS_H
#define HEDDLE_SPARSE_REGIONS_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace heddle::sparse {

/// Statements as bits.
using StatementSet = uint32_t;
constexpr int kMostStatements = 20;

/// The sets that may be a region: joined by results that one hands to another,
/// and none of which needs what another statement makes of it. `reads[s]`: the
/// statements whose results s reads, which stand before it.
std::vector<StatementSet> findRegions(const std::vector<StatementSet> &reads);

/// One way to carry out a region.
struct RegionWay {
  double bound = 0; ///< it takes no less
  std::optional<double> measured;
  double cost() const { return measured ? *measured : bound; }
};

struct RegionSearch {
  std::vector<StatementSet> reads;
  /// The ways to carry out each region; those that cannot be have none.
  std::map<StatementSet, std::vector<RegionWay>> ways;
  /// Measures one way; nullopt: it fails, and is not asked for again.
  std::function<std::optional<double>(StatementSet, size_t)> measure;
  /// The search ends where a measured division exceeds the bound of all by at
  /// most this share of it,
  double enough = 0;
  /// or after this many measurements.
  int mostMeasured = 1 << 30;
};

struct Division {
  /// In an order in which they can run, each with its way.
  std::vector<std::pair<StatementSet, size_t>> regions;
  double cost = 0;
};

struct FoundDivision {
  std::optional<Division> best; ///< measured; none if statements have no way
  double bound = 0;             ///< no division takes less
  int measured = 0;
};

/// Measures the regions of the division with the least bound, until it is one
/// whose regions are measured: then no other can take less. `search.ways` gets
/// what was measured.
FoundDivision findDivision(RegionSearch &search);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_REGIONS_H
