//===- ProductSearch.h - Which products are made first ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --reassociate: A (X V) in place of (A X) V where the best division of the
// program so changed takes fewer cycles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_PRODUCTSEARCH_H
#define HEDDLE_TOOLS_HEDDLE_PRODUCTSEARCH_H

#include "RegionSearch.h"

namespace heddle::tool {

/// Changes `source`, and what `sound` says of it, and prints what each other
/// order of products takes. An exit code.
int chooseProducts(einsum::ProgramOp source, SoundOperands &sound,
                   const RegionRequest &request, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_PRODUCTSEARCH_H
