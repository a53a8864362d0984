//===- SampleArguments.h - Arguments for tests ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that describe a view or a scalar as a manifest does, from a name
// and the few facts that a test is about. Arguments come from manifests alone,
// and a whole manifest in each test would hide these facts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_TOOLS_SAMPLEARGUMENTS_H
#define HEDDLE_UNITTESTS_TOOLS_SAMPLEARGUMENTS_H

#include "heddle/Run/ArgumentData.h"

namespace heddle::tool {

inline manifest::Argument makeView(std::string name,
                                   manifest::ElementType element,
                                   std::vector<int> order = {1, 0}) {
  manifest::Argument view;
  view.name = std::move(name);
  view.element = element;
  view.rank = int(order.size());
  view.order = std::move(order);
  return view;
}

inline manifest::Argument makeScalar(std::string name) {
  manifest::Argument scalar;
  scalar.kind = manifest::Argument::Kind::Scalar;
  scalar.name = std::move(name);
  scalar.element = manifest::ElementType::F32;
  return scalar;
}

} // namespace heddle::tool

#endif // HEDDLE_UNITTESTS_TOOLS_SAMPLEARGUMENTS_H
