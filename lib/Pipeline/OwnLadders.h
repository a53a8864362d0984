//===- OwnLadders.h - The targets that heddle brings ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipeline.cpp lists the passes of each step; the registry begins with what it
// lists.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_OWNLADDERS_H
#define HEDDLE_LIB_PIPELINE_OWNLADDERS_H

#include "heddle/Pipeline/Ladder.h"

#include <map>

namespace heddle::pipeline {

/// By the names of their targets.
std::map<std::string, std::vector<Step>> ownLadders();

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_OWNLADDERS_H
