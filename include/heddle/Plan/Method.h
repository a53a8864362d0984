//===- Method.h - Ways to propose a schedule --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the word that a person or a pass option gives. Out: the proposer that it
// names. A word that names none is the path of a plan.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PLAN_METHOD_H
#define HEDDLE_PLAN_METHOD_H

#include <optional>
#include <string_view>

namespace heddle::plan {

enum class Method {
  Automatic, ///< staggered where that is found soon and as short, else
             ///< heuristic
  Heuristic, ///< list scheduling with fixed roles
  Staggered, ///< the best of sub-tiles at equal distances
  Exact,     ///< the shortest interval, then the most slack
};

/// Nothing for a word that is no method's.
std::optional<Method> findMethod(std::string_view word);

/// Does the method look for the least interval, so that a gap to the bound is
/// worth a remark?
inline bool isThorough(Method method) {
  return method == Method::Exact || method == Method::Staggered;
}

} // namespace heddle::plan

#endif // HEDDLE_PLAN_METHOD_H
