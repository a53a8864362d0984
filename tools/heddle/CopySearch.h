//===- CopySearch.h - Chooses numbers of parallel copies --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the regions and orders of a plan, and how many units a kernel may have.
// Out: the same plan with parallel copies, and why so many of which index.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_COPYSEARCH_H
#define HEDDLE_TOOLS_HEDDLE_COPYSEARCH_H

#include "RegionPrices.h"

namespace heddle::tool {

/// What "auto:UNITS" asks for; nullopt for another text.
std::optional<int64_t> parseCopySearch(llvm::StringRef text);

/// Gives each region in the plan of `source` the copies with which it takes the
/// fewest cycles on `mostUnits` units, and prints them. Regions whose entries
/// name parallel indices keep these. An exit code.
int chooseCopies(einsum::ProgramOp source, RegionPricer &pricer,
                 int64_t mostUnits, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_COPYSEARCH_H
