//===- Program.h - Runs a program text on arrays --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a program and arrays. Out: the arrays after a run, the first
// diagnostic and the printed text. `oneTile` makes a program of one line, with
// the loads before it and the store behind, so that a test of an operation
// shows only that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_INTERP_PROGRAM_H
#define HEDDLE_UNITTESTS_INTERP_PROGRAM_H

#include "heddle/Interp/Interp.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace heddle::interp {

/// A parsed module with one kernel; collects what the oracle reports.
class Program {
public:
  explicit Program(llvm::StringRef text);

  /// True if the kernel ran; otherwise `message` is "line: first error".
  bool run(llvm::ArrayRef<Argument> arguments);

  tile::KernelOp getKernel();
  std::string message;
  std::string output; // of tile.print

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// An array of T as a Buffer; strides are packed in the view's order unless
/// given.
template <typename T>
Buffer bufferOf(std::vector<T> &data, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<int64_t> strides = {}) {
  return {data.data(),
          llvm::SmallVector<int64_t>(shape),
          llvm::SmallVector<int64_t>(strides),
          {}};
}

/// A kernel that loads one tile of each view, `%x0`, `%x1`..., of types like
/// "2x3xf32", runs `body`, and stores its `%r`, of type `result`, in the last
/// view.
std::string oneTile(llvm::ArrayRef<std::string> inputs, llvm::StringRef body,
                    llvm::StringRef result);

/// The extents in a type like "2x3xf32".
llvm::SmallVector<int64_t> extentsOf(llvm::StringRef type);

/// The arguments of oneTile's views: each its data, with the extents of its
/// type.
template <typename T>
Buffer bufferLike(llvm::StringRef type, std::vector<T> &data) {
  return bufferOf(data, extentsOf(type));
}

} // namespace heddle::interp

#endif // HEDDLE_UNITTESTS_INTERP_PROGRAM_H
