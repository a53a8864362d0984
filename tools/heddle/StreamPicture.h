//===- StreamPicture.h - What binds a graph of streams ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of kernels whose processes have a clock each: a table of who was busy, who
// waited for what, and how full rings were, and the same as a picture of the
// graph.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_STREAMPICTURE_H
#define HEDDLE_TOOLS_HEDDLE_STREAMPICTURE_H

#include "heddle/Simulator/Timing.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// One kernel by name, with what was noted of it.
struct NotedKernel {
  std::string name;
  const simulator::TimedRun &run;
};

void printProfile(llvm::ArrayRef<NotedKernel> kernels, llvm::raw_ostream &os);

/// As SVG: processes from the sources on the left to what is written on the
/// right, each with its shares, red for busy.
std::string drawGraph(llvm::ArrayRef<NotedKernel> kernels);

/// For Chrome or Perfetto: each kernel a group, each process a lane.
std::string traceGraph(llvm::ArrayRef<NotedKernel> kernels);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_STREAMPICTURE_H
