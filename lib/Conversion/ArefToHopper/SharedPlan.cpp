//===- SharedPlan.cpp - Decide: where rings, barriers and staging lie
//-------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedPlan.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle::areftohopper;

namespace {

RingPlacement placeElements(const RingRequest &ring) {
  RingPlacement placement;
  int64_t end = 0, alignment = 1;
  for (const ElementRequest &element : ring.elements) {
    end = llvm::alignTo(end, element.alignment);
    placement.elements.push_back(end);
    end += element.bytes;
    alignment = std::max(alignment, element.alignment);
  }
  placement.slotBytes = llvm::alignTo(end, alignment);
  return placement;
}

int64_t ringAlignment(const RingRequest &ring) {
  int64_t alignment = 1;
  for (const ElementRequest &element : ring.elements)
    alignment = std::max(alignment, element.alignment);
  return alignment;
}

/// Bytes of all full and empty barriers.
int64_t barrierBytes(const SharedRequest &request) {
  int64_t bytes = 0;
  for (const RingRequest &ring : request.rings)
    bytes += 2 * ring.depth * kBarrierBytes;
  return bytes;
}

/// Gives one buffer more to process `leader` and its replicas, which write the
/// same through as many; returns the new end, or `end` if not all of them fit.
int64_t giveTogether(const SharedRequest &request, size_t leader, int64_t end,
                     SharedPlan &plan) {
  std::vector<std::pair<size_t, int64_t>> given;
  int64_t after = end;
  for (size_t i = leader; i < request.staging.size(); ++i) {
    const StagingRequest &wanted = request.staging[i];
    if (i != leader && wanted.leader != int(leader))
      continue;
    int64_t offset = llvm::alignTo(after, kSwizzledAlignment);
    after = offset + wanted.bytes;
    given.push_back({i, offset});
  }
  if (after + barrierBytes(request) > request.limitBytes)
    return end;
  for (auto [process, offset] : given)
    plan.staging[process].push_back(offset);
  return after;
}

/// One pass gives every process one more buffer where it fits; returns the new
/// end.
int64_t giveStaging(const SharedRequest &request, int64_t round, int64_t end,
                    SharedPlan &plan) {
  for (size_t i = 0; i < request.staging.size(); ++i)
    if (request.staging[i].leader < 0 && round < request.staging[i].count &&
        static_cast<int64_t>(plan.staging[i].size()) == round)
      end = giveTogether(request, i, end, plan);
  return end;
}

/// Places rings and scratch, all that must fit; returns the end.
int64_t placeRequired(const SharedRequest &request, SharedPlan &plan) {
  int64_t end = 0;
  for (const RingRequest &ring : request.rings) {
    RingPlacement &placement = plan.rings.emplace_back(placeElements(ring));
    placement.offset = llvm::alignTo(end, ringAlignment(ring));
    end = placement.offset + ring.depth * placement.slotBytes;
  }
  for (const ScratchRequest &scratch : request.scratch) {
    int64_t offset =
        scratch.bytes ? int64_t(llvm::alignTo(end, kSwizzledAlignment)) : end;
    plan.scratch.push_back(offset);
    end = offset + scratch.bytes;
  }
  return end;
}

/// For the diagnostic: how deep ring `index` may be when the others stay.
int64_t findDepthThatFits(const SharedRequest &request, size_t index) {
  SharedRequest smaller = request;
  while (--smaller.rings[index].depth > 0) {
    SharedPlan plan;
    int64_t end = placeRequired(smaller, plan);
    if (static_cast<int64_t>(llvm::alignTo(end, kBarrierBytes)) +
            barrierBytes(smaller) <=
        request.limitBytes)
      return smaller.rings[index].depth;
  }
  return 0;
}

} // namespace

SharedPlan heddle::areftohopper::planShared(const SharedRequest &request) {
  SharedPlan plan;
  int64_t end = placeRequired(request, plan);

  plan.staging.resize(request.staging.size());
  int64_t rounds = 0;
  for (const StagingRequest &wanted : request.staging)
    rounds = std::max(rounds, wanted.count);
  for (int64_t round = 0; round < rounds; ++round)
    end = giveStaging(request, round, end, plan);

  end = llvm::alignTo(end, kBarrierBytes);
  for (size_t i = 0; i < request.rings.size(); ++i) {
    int64_t bytes = request.rings[i].depth * kBarrierBytes;
    plan.rings[i].full = end;
    plan.rings[i].empty = end + bytes;
    end += 2 * bytes;
  }
  plan.totalBytes = end;
  plan.fits = end <= request.limitBytes;
  for (size_t i = 0; i < request.rings.size(); ++i)
    plan.rings[i].depthThatFits =
        plan.fits ? request.rings[i].depth : findDepthThatFits(request, i);
  return plan;
}

void SharedPlan::print(llvm::raw_ostream &os,
                       const SharedRequest &request) const {
  for (size_t i = 0; i < rings.size(); ++i) {
    os << "ring " << request.rings[i].name << " depth "
       << request.rings[i].depth << " at " << rings[i].offset << " slot "
       << rings[i].slotBytes << " full " << rings[i].full << " empty "
       << rings[i].empty << " elements";
    for (int64_t offset : rings[i].elements)
      os << ' ' << offset;
    os << '\n';
  }
  for (size_t i = 0; i < scratch.size(); ++i)
    if (request.scratch[i].bytes)
      os << "scratch " << request.scratch[i].process << " of "
         << request.scratch[i].bytes << " at " << scratch[i] << '\n';
  for (size_t i = 0; i < staging.size(); ++i) {
    os << "staging " << request.staging[i].process << " of "
       << request.staging[i].bytes << " at";
    for (int64_t offset : staging[i])
      os << ' ' << offset;
    os << (staging[i].empty() ? " none\n" : "\n");
  }
  os << "total " << totalBytes << (fits ? " fits " : " exceeds ")
     << request.limitBytes << '\n';
}
