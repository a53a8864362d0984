//===- PointerAccess.h - The elements at a tile of addresses --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a tile of addresses for gathers, scatters and atomic updates. It skips
// masked elements and checks each address against the memory of the arguments.
// The operations on pointers reach memory in no other way.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_POINTERACCESS_H
#define HEDDLE_LIB_INTERP_POINTERACCESS_H

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/IR/TypeUtilities.h"

namespace heddle::interp {

/// What a pointer, or each of a tile of them, points to.
inline Element getPointee(mlir::Value pointer) {
  auto type =
      mlir::cast<tile::PtrType>(mlir::getElementTypeOrSelf(pointer.getType()));
  return *Element::get(type.getElementType());
}

class PointerAccess {
public:
  /// `mask` may be null: every element is active.
  PointerAccess(Interpreter &interpreter, mlir::Operation *op,
                mlir::Value pointer, mlir::Value mask)
      : op(op), memory(interpreter.getMemory()),
        addresses(interpreter.get(pointer)),
        mask(mask ? &interpreter.get(mask) : nullptr),
        elementBytes(getPointee(pointer).getSizeBytes()) {}

  /// Calls visit(index, address) for each active element in row-major order;
  /// an error where an address is outside the kernel's arguments.
  template <typename Visit> mlir::LogicalResult forEachActive(Visit visit) {
    for (size_t i = 0; i < addresses.size(); ++i) {
      if (mask && !mask->integers[i])
        continue;
      int64_t address = addresses.integers[i];
      if (!memory.contains(address, elementBytes))
        return report(op->getLoc(), diag::outside_arguments)
               << "'" << op->getName() << "' touches " << elementBytes
               << " bytes outside every argument of the kernel, at element "
               << i;
      memory.note(address, elementBytes);
      visit(int64_t(i), reinterpret_cast<void *>(address));
    }
    return mlir::success();
  }

private:
  mlir::Operation *op;
  const Memory &memory;
  const Datum &addresses;
  const Datum *mask;
  int64_t elementBytes;
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_POINTERACCESS_H
