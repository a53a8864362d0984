//===- Simulation.h - Simulates a program text ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program as text. Out: the messages of its simulation as plain strings.
// A test of the protocol is then a text and the messages expected; every order
// worth trying is run, and one whose messages differ from the first order's is
// what the test sees.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SIMULATOR_SIMULATION_H
#define HEDDLE_UNITTESTS_SIMULATOR_SIMULATION_H

#include "heddle/Simulator/Compiled.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace heddle::simulator {

/// Every order worth trying: fair, adversarial with some priorities, random.
std::vector<Options> allOrders();

/// A parsed module with one kernel of the aref rung.
class Simulation {
public:
  explicit Simulation(llvm::StringRef text);

  /// "" if the kernel ran; otherwise every error and note, a line each, as
  /// "LINE: MESSAGE".
  std::string run(llvm::ArrayRef<interp::Argument> arguments,
                  const Options &options = {});
  /// The same as machine code; "interpret: REASON" where that cannot be.
  std::string runCompiled(llvm::ArrayRef<interp::Argument> arguments,
                          const Options &options, bool isLong = false);
  std::string output; ///< of tile.print

private:
  mlir::MLIRContext context;
  std::string messages;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CompiledSimulator compiled;
};

/// The messages of a kernel without arguments whose entry is `body`, which
/// begins at line 2; the same in every order, or the first that differs.
std::string messagesOf(llvm::StringRef body);

} // namespace heddle::simulator

#endif // HEDDLE_UNITTESTS_SIMULATOR_SIMULATION_H
