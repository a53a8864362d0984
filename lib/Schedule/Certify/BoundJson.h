//===- BoundJson.h - Lower bounds and their witnesses as text ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a lower bound with its witness. Out: its part of a certificate's text,
// and back. It is apart from CertificateJson.cpp because the form of each
// witness changes with the method that proves it, while a certificate's frame
// stays.
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
