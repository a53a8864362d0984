//===- Method.cpp - Ways to propose a schedule ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Plan/Method.h"

using namespace heddle::plan;

std::optional<Method> heddle::plan::findMethod(std::string_view word) {
  if (word == "auto")
    return Method::Automatic;
  if (word == "heuristic")
    return Method::Heuristic;
  if (word == "in-step")
    return Method::Staggered;
  if (word == "exact")
    return Method::Exact;
  return std::nullopt;
}
