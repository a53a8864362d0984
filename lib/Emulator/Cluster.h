//===- Cluster.h - CTAs that run at the same time ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CTAs of a cluster reach each other's shared memory. An address of
// `.shared::cluster` carries the rank of its CTA, plus one, above the offset; a
// plain address is the CTA's own. Between CTAs no races are looked for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_CLUSTER_H
#define HEDDLE_LIB_EMULATOR_CLUSTER_H

#include "Cta.h"

#include <functional>

namespace heddle::emulator {

inline constexpr int kRankShift = 24;

/// The address of `offset` in the shared memory of the CTA with `rank`.
inline uint64_t clusterAddress(uint64_t offset, uint64_t rank) {
  return (offset & lowBits(kRankShift)) | (rank + 1) << kRankShift;
}

class Cluster {
public:
  Cluster(Launch &launch, size_t size);

  /// Resets all CTAs, of which `first` is the one with rank 0.
  void start(std::array<int64_t, 3> first, Random &seeds);
  /// Runs them to their end. False with the first error in `error`.
  bool run();

  size_t size() const { return ctas.size(); }
  Cta &at(size_t rank) { return *ctas[rank]; }
  uint32_t liveThreads() const;
  const Cta &ownerOf(const Warp &warp) const;
  NamedBarrier &barrier() { return ctas[0]->barriers.back(); }
  /// Completes the cluster's barrier if only CTAs that ended are missing.
  void settleBarrier();
  int64_t steps() const;

  std::string error;
  uint64_t events = 0; ///< see Cta::nextEvent

private:
  Launch &launch;
  std::vector<std::unique_ptr<Cta>> ctas;
  Random random;
};

/// The CTA whose shared memory `address` lies in; leaves the offset there.
/// Null after reporting that there is none, or that it has ended.
Cta *reach(Cta &cta, const Instruction &in, const Warp &warp, int lane,
           uint64_t &address);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_CLUSTER_H
