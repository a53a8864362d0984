//===- SharedTraffic.cpp - What passes shared memory's ports --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/SharedTraffic.h"

using namespace heddle::schedule;

int64_t heddle::schedule::sharedTraffic(const Problem &problem) {
  auto isAsynchronous = [&](int op) {
    int unit = problem.operations[op].unit;
    return unit >= 0 && problem.units[unit].asynchronous;
  };
  int64_t bytes = 0;
  for (const Transfer &transfer : problem.transfers) {
    if (!isAsynchronous(transfer.from))
      continue;
    bytes += transfer.bytes;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == transfer.from && !edge.orders && isAsynchronous(edge.to))
        bytes += transfer.bytes;
  }
  return bytes;
}
