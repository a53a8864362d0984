//===- Describe.h - A problem, for programs that tune it ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other tuners ask for a problem's parameters and values by lines of JSON.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_DESCRIBE_H
#define HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_DESCRIBE_H

#include "Problems.h"

namespace heddle::study {

/// One line: parameters, budget, and what may be won: the values of the
/// default, of the expert's point, the median and the least, over all points
/// where these are few, else over 20 000 drawn.
void describe(const Problem &problem);

/// Answers lines of standard input until it ends:
///   {"point": {...}}       {"value": 3}, {"invalid": "reason"}, {"outside":
///   true}
///   {"walk": [0.1, ...]}   {"point": {...}}: a share for each choice in turn
///   {"draw": 5, "seed": 1} {"points": [...]}: each point as likely
/// Returns the exit code.
int serve(const Problem &problem);

} // namespace heddle::study

#endif // HEDDLE_TOOLS_HEDDLE_TUNE_STUDY_DESCRIBE_H
