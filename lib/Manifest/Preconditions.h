//===- Preconditions.h - Which variant may run ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a precondition of a variant and the arguments of a launch. Out: whether
// it holds, or why not; LaunchPlan.cpp joins the reasons of all variants into
// one message. Tensor maps are made beside the check that admits them, so that
// the two know the same limits of TMA.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_PRECONDITIONS_H
#define HEDDLE_LIB_MANIFEST_PRECONDITIONS_H

#include "heddle/Manifest/LaunchPlan.h"

namespace heddle::manifest {

/// Whether the precondition holds; if not, `why` names the argument and the
/// numbers. The arguments have passed planLaunch's checks.
bool holds(const Precondition &condition, const Manifest &manifest,
           const std::vector<ArgumentValue> &arguments, int smCount,
           std::string &why);

/// The tensor map of a recipe for whose view Kind::Tma holds. False if the
/// arguments allow none, with `why` as above.
bool makeTensorMap(const TensorMapRecipe &recipe, const Manifest &manifest,
                   const std::vector<ArgumentValue> &arguments, int smCount,
                   TensorMap &map, std::string &why);

/// Whether a view can be a TMA tensor; `why` as above.
bool canBeTensorMap(const Argument &argument, const ArgumentValue &value,
                    std::string &why);

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_PRECONDITIONS_H
