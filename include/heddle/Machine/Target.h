//===- Target.h - Kinds of machines ------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is a kind of machine, and a machine is a description that names its
// target. The target says how its descriptions are read; the way of programs
// down to its machines is registered with it, in Pipeline/Ladder.h. What reads
// a description asks the target for the model and no machine for its name.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_TARGET_H
#define HEDDLE_MACHINE_TARGET_H

#include <string>
#include <vector>

namespace heddle::machine {

/// By what the time of a program is known before it runs.
enum class Model {
  Timetable, ///< machine::Costs: each operation of a loop has a start
  Units,     ///< machine::Units: processes run on units by name
  Processor, ///< machine::Processor: nests of sparse einsums, by cycles
};

struct Target {
  std::string name; ///< as descriptions say it: "target": "units"
  Model model = Model::Units;
};

/// Makes a target known, before the first description of its machines is read.
/// A name that is known already is an error of the program that registers.
void registerTarget(Target target);

/// Null if there is none of this name.
const Target *findTarget(const std::string &name);

/// In alphabetical order.
std::vector<std::string> targetNames();

/// The target of the machine with this name or description file. On failure
/// returns null and puts one sentence in `error`.
const Target *targetOf(const std::string &nameOrFile, std::string &error);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_TARGET_H
