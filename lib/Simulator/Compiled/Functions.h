//===- Functions.h - Machine code of processes ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes of a kernel. Out: for each a function to call, with what its
// frame holds. The many processes of a graph that do the same (BodyKey.h) are
// compiled once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_FUNCTIONS_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_FUNCTIONS_H

#include "WriteProcess.h"

#include "heddle/Cpu/Jit.h"

namespace heddle::simulator {

struct ProcessFunction {
  void (*call)(int64_t *frame) = nullptr;
  int64_t words = 0; ///< of a frame
};

class Functions {
public:
  struct Compiled {
    ProcessCode code;
    ProcessFunction function;
  };
  /// In the order of the processes, all of one context; failure, with a reason,
  /// if one cannot be compiled.
  mlir::FailureOr<std::vector<Compiled>>
  compile(llvm::ArrayRef<aref::ProcessOp> processes, ConsumerOf consumerOf,
          ConsumerCount consumerCount, cpu::Jit::Effort effort,
          std::string &reason);

  size_t size() const { return known.size(); }

private:
  /// A function, and how the code of a process with the same key follows from
  /// that process.
  struct Known {
    std::string name;
    ProcessFunction function;
    std::vector<std::pair<ProcessInput::Kind, size_t>> inputs; ///< of outside
    std::vector<size_t> points;                                ///< of inside
  };
  /// Writes the function of a process; failure, with a reason.
  mlir::LogicalResult add(aref::ProcessOp process, const struct BodyKey &key,
                          mlir::ModuleOp module, ConsumerOf consumerOf,
                          ConsumerCount consumerCount, std::string &reason);
  /// Compiles functions that were added.
  mlir::LogicalResult translate(mlir::ModuleOp module,
                                llvm::ArrayRef<Known *> added,
                                cpu::Jit::Effort effort, std::string &reason);

  std::map<std::string, Known> known; ///< by the key of the body
  std::vector<std::unique_ptr<cpu::Jit>> codes;
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_FUNCTIONS_H
