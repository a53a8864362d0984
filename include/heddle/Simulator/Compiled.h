//===- Compiled.h - The simulator as machine code ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedule::Local for processes that are machine code: the same values, the
// same cycles, and the same words about a deadlock, some hundred times as fast.
// Each process is a function that runs until it must wait and goes on there
// later; processes with the same body share it, also across kernels. What
// cannot be compiled, and what breaks the protocol of rings, is for the
// interpreter (Simulator.h), which knows every rule and says which one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SIMULATOR_COMPILED_H
#define HEDDLE_SIMULATOR_COMPILED_H

#include "heddle/Simulator/Simulator.h"

#include <memory>

namespace heddle::simulator {

class CompiledSimulator {
public:
  CompiledSimulator();
  ~CompiledSimulator();

  enum class Outcome {
    Finished,
    Failed,    ///< with a message
    Interpret, ///< has to be run by the interpreter, on fresh arguments
    Stuck,     ///< of a probe: a deadlock
  };
  /// Runs `kernel` on `arguments`, in place, and fills `options.run`. A long
  /// run is worth better code, which takes longer to make. All kernels are of
  /// one context. `reason` says why something has to be interpreted.
  Outcome run(tile::KernelOp kernel, llvm::ArrayRef<interp::Argument> arguments,
              const Options &options, bool isLong, std::string &reason);

  /// A run that asks for slots and not for times. Whether it ends depends on
  /// the rings' slots alone: processes are deterministic, so a deadlock is one
  /// in every order.
  struct Probe {
    /// Of each ring, in the order of the program.
    std::vector<int64_t> slots;
    /// Gives a ring one more where processes wait for each other and one of
    /// them for a free slot: of the rings with such a wait the one with the
    /// fewest.
    bool grows = false;
    /// Of a deadlock: who waits for whom.
    std::string circle;
  };
  Outcome probe(tile::KernelOp kernel,
                llvm::ArrayRef<interp::Argument> arguments, Probe &probe,
                const Options &options, std::string &reason);

  /// Of all runs so far.
  struct Spent {
    double compiling = 0, running = 0; ///< seconds of a processor
    int64_t processes = 0, functions = 0;
  };
  const Spent &getSpent() const;

private:
  Outcome execute(tile::KernelOp kernel,
                  llvm::ArrayRef<interp::Argument> arguments,
                  const Options &options, bool isLong, Probe *probe,
                  std::string &reason);

  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle::simulator

#endif // HEDDLE_SIMULATOR_COMPILED_H
