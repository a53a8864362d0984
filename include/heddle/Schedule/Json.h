//===- Json.h - Scheduling problems and solutions as JSON -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields are named as the structs' members, all of them are written and all are
// required, and an object has a "version". Reading refuses unknown fields,
// wrong types and numbers so large that sums of them could overflow; what needs
// two fields to judge is left to Problem::check and the verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_JSON_H
#define HEDDLE_SCHEDULE_JSON_H

#include "heddle/Schedule/Problem.h"

#include "llvm/ADT/StringRef.h"

namespace llvm::json {
class OStream;
}
namespace heddle::strict {
class Node;
}

namespace heddle::schedule {

/// Of the JSON form of problems and solutions.
inline constexpr int64_t kJsonVersion = 1;

/// The largest cycle, byte or register count that is read.
inline constexpr int64_t kMaxQuantity = int64_t(1) << 36;

/// Into an object that is part of a larger text.
void write(llvm::json::OStream &json, const Problem &problem);
void write(llvm::json::OStream &json, const Solution &solution);
void read(const strict::Node &node, Problem &problem);
void read(const strict::Node &node, Solution &solution);

std::string toJson(const Problem &problem);
std::string toJson(const Solution &solution);

/// Empty, or one sentence with the path of what is wrong; then the result is
/// unspecified.
std::string fromJson(llvm::StringRef text, Problem &problem);
std::string fromJson(llvm::StringRef text, Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_JSON_H
