//===- PtxEntries.h - What PTX says of its entries --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text in, signatures and launch bounds out. No parser of PTX: the runtime
// reads a kernel's text once, in a fraction of the time that the driver
// compiles it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_PTXENTRIES_H
#define HEDDLE_LIB_MANIFEST_PTXENTRIES_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::manifest {

struct PtxParam {
  std::string_view name;
  std::string_view type; ///< "u32", "b8"
  int64_t bytes = 0;     ///< of the whole array
  int64_t alignment = 0;
};

struct PtxEntry {
  std::string_view name;
  std::vector<PtxParam> params;
  std::array<int64_t, 3> requiredThreads = {}; ///< 0: none are required
  std::array<int64_t, 3> mostThreads = {};     ///< .maxntid, likewise
  std::array<int64_t, 3> cluster = {};         ///< .reqnctapercluster, likewise
  std::string_view body; ///< from its brace to the next entry
};

struct PtxEntries {
  std::string_view target;        ///< "sm_90a"; "" without
  std::string_view dynamicShared; ///< name of the .extern .shared; "" without
  std::vector<PtxEntry> entries;
};

/// Reads `ptx`, whose text must outlive the result. False with a sentence for
/// an entry that is not written as PTX has them.
bool readPtxEntries(std::string_view ptx, PtxEntries &result,
                    std::string &error);

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_PTXENTRIES_H
