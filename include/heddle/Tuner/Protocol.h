//===- Protocol.h - Points and outcomes as lines -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two protocols over standard input and output. JSON: a line with the point, an
// answer with its value or why it has none. BaCO's and HyperMapper's: the line
// "Request n", a line of names, n rows; the answer has a line of names and n
// rows with the value and whether it is valid.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_PROTOCOL_H
#define HEDDLE_TUNER_PROTOCOL_H

#include "heddle/Tuner/Scenario.h"
#include "heddle/Tuner/Search.h"

namespace heddle::tuner {

/// {"point": {...}}, with the end of the line.
std::string writeQuestion(const Space &space, const Point &point);

/// {"value": 0.5}, {"valid": false, "reason": "registers"}. Returns "" or what
/// is wrong with the line.
std::string readAnswer(llvm::StringRef line, Outcome &outcome);

/// "Request 1", names and values, each with the end of its line.
std::string writeRequest(const Space &space, const Point &point);

/// The two lines of an answer to one request. Columns may be in any order;
/// those of parameters, where they are, must have the values that were asked
/// for.
std::string readReply(llvm::StringRef header, llvm::StringRef row,
                      const Scenario &scenario, const Space &space,
                      const Point &asked, Outcome &outcome);

/// What BaCO's server says at the end.
inline constexpr char kEndOfRequests[] = "End of HyperMapper\n";

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_PROTOCOL_H
