//===- PtxFacts.h - What an entry's code shows to a glance ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what single lines say, and registers that one line defines: whatever is
// not written so plainly is left out, and nobody concludes anything from it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_PTXFACTS_H
#define HEDDLE_LIB_MANIFEST_PTXFACTS_H

#include "PtxEntries.h"
#include <map>

namespace heddle::manifest {

/// A copy of one TMA box.
struct PtxTensorCopy {
  int param = -1; ///< that holds the map
  int rank = 0;
  bool isLoad = false;
  bool isIm2col = false;
  int64_t sharedOffset = -1; ///< in dynamic shared memory; -1: not known
};

/// Bytes that a thread announces to an mbarrier, and the loads that bring them.
struct PtxAnnouncement {
  int64_t bytes = -1;     ///< -1: not known
  std::vector<int> loads; ///< indices of copies in front of the next branch
  bool isStraight = true; ///< all of these are executed, or none
};

struct PtxFacts {
  std::vector<PtxTensorCopy> copies;
  std::vector<PtxAnnouncement> announcements;
  /// Arrivals by offset in dynamic shared memory; -1 where not known.
  std::map<int64_t, int64_t> barriers;
  bool knowsBarriers = true;     ///< each mbarrier.init is in `barriers`
  bool knowsLoads = true;        ///< each load stands behind its announcement
  int64_t mostSharedOffset = -1; ///< that an instruction names
  int64_t widestAccess = 0;      ///< bytes of a vector access of global memory
  bool writesGlobal = false;
};

PtxFacts readPtxFacts(const PtxEntry &entry, std::string_view dynamicShared);

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_PTXFACTS_H
