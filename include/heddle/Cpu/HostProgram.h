//===- HostProgram.h - Launches and allocations as steps --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile.program without MLIR: values are numbered slots of 64 bits, addresses
// or numbers, and steps fill them. Who launches decides what a kernel is: a
// compiled function, or the oracle of the tile rung.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CPU_HOSTPROGRAM_H
#define HEDDLE_CPU_HOSTPROGRAM_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle::cpu {

struct Step {
  enum class Kind {
    Constant,
    Add,
    Multiply,
    Divide,
    Allocate,
    Read,
    Limit,
    Launch
  };
  Kind kind;
  int result = -1;           ///< slot
  std::vector<int> operands; ///< slots
  int64_t number = 0;        ///< constant, limit, or bytes of an element
  bool isZeroed = false;     ///< of an allocation
  std::string text;          ///< the kernel, or the subject of a limit
};

struct HostProgram {
  struct Argument {
    std::string name;
    int elementBytes = 0; ///< 0: a number
  };
  struct Result {
    std::string name;
    int array, count; ///< slots
    int elementBytes;
  };
  std::string name;
  std::vector<Argument> arguments; ///< slots 0, 1, ...
  int slots = 0;
  std::vector<Step> steps;
  std::vector<Result> results;
};

/// Arrays that a run allocated; freed with it.
class Arrays {
public:
  /// Memory of the caller for the array of a slot, used if its size is this
  /// one. It stays the caller's.
  void lend(int slot, void *memory, int64_t bytes);
  /// Null if there is no memory for it, beside the arrays that there are: the
  /// system may promise more than it has, and end the process that takes it.
  void *allocate(int slot, int64_t bytes, bool zeroed);
  /// The size of an array; -1 if it is none of these.
  int64_t sizeOf(const void *array) const;
  /// Gives up an array, to be freed by the caller with std::free.
  void *release(const void *array);

private:
  struct Free {
    void operator()(void *memory) const;
  };
  std::vector<std::pair<std::unique_ptr<void, Free>, int64_t>> owned;
  int64_t taken = 0; ///< bytes of these
  int lentSlot = -1;
  void *lent = nullptr;
  int64_t lentBytes = 0;
};

/// Runs all instances of a kernel; false, with a sentence, if that fails.
using Launch = std::function<bool(const std::string &kernel,
                                  const std::vector<int64_t> &arguments,
                                  std::string &error)>;

/// Executes the steps. `slots` holds the arguments in front and every value
/// afterwards. False, with a sentence, if memory or a limit does not suffice.
bool execute(const HostProgram &program, std::vector<int64_t> &slots,
             Arrays &arrays, const Launch &launch, std::string &error);

} // namespace heddle::cpu

#endif // HEDDLE_CPU_HOSTPROGRAM_H
