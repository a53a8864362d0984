//===- BoundJson.h - Lower bounds and their witnesses as text ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_BOUNDJSON_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_BOUNDJSON_H

#include "heddle/Schedule/Certify.h"

namespace llvm::json {
class OStream;
}
namespace heddle::strict {
class Node;
}

namespace heddle::schedule {

void write(llvm::json::OStream &json, const Problem &problem,
           const Bound &bound);
void read(const strict::Node &node, const Problem &problem, Bound &bound);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_BOUNDJSON_H
