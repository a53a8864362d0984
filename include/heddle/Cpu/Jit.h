//===- Jit.h - Machine code in this process ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an LLVM module of kernels (Conversion/TileToCpu.h), or of any functions.
// Out: machine code to call, for the processor at hand, by LLVM's ORC.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CPU_JIT_H
#define HEDDLE_CPU_JIT_H

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Cpu/Pool.h"

#include <map>

namespace llvm {
class Module;
class LLVMContext;
} // namespace llvm

namespace heddle::cpu {

/// The processor at hand and its instructions, as LLVM names them.
std::string hostProcessor();

/// The instructions of an optimised module for this processor.
bool optimize(llvm::Module &module, std::string &error);

/// The module as an object file for this processor, at any address.
std::string emitObject(llvm::Module &module, std::string &error);

class Jit {
public:
  /// For code that runs long, or for code that is wanted soon.
  enum class Effort { Full, Quick };

  /// Compiles the module; null, with a sentence, if that fails.
  static std::unique_ptr<Jit>
  compile(std::unique_ptr<llvm::Module> module,
          std::unique_ptr<llvm::LLVMContext> context, std::string &error,
          Effort effort = Effort::Full);
  /// Code that `object()` gave in another process, on the same `processor()`.
  static std::unique_ptr<Jit> load(const std::string &object,
                                   std::string &error);
  ~Jit();

  /// The object file that was linked.
  const std::string &object() const;

  /// Runs all instances of a kernel on the pool.
  bool launch(const std::string &kernel, const std::vector<int64_t> &arguments,
              Pool &pool, std::string &error);

  /// The address of a function of the module; null, with a sentence, if there
  /// is none.
  void *find(const std::string &function, std::string &error);

private:
  struct State;
  explicit Jit(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace heddle::cpu

#endif // HEDDLE_CPU_JIT_H
