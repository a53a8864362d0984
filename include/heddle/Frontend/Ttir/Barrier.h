//===- Barrier.h - The one operation of ttg that TTIR has ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tl.debug_barrier() is gpu.barrier in Triton 3.6 and ttg.barrier in 3.8. It
// means nothing to a program whose accesses are in its order anyhow.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_TTIR_BARRIER_H
#define HEDDLE_FRONTEND_TTIR_BARRIER_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

namespace heddle::ttir {

/// `ttg.barrier local|global_read`.
class TtgBarrierOp
    : public mlir::Op<TtgBarrierOp, mlir::OpTrait::ZeroOperands,
                      mlir::OpTrait::ZeroResults, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::ZeroSuccessors> {
public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "ttg.barrier"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &result);
  void print(mlir::OpAsmPrinter &printer) { printer << " all"; }
};

class TtgDialect : public mlir::Dialect {
public:
  explicit TtgDialect(mlir::MLIRContext *context);
  static llvm::StringRef getDialectNamespace() { return "ttg"; }
};

} // namespace heddle::ttir

MLIR_DECLARE_EXPLICIT_TYPE_ID(heddle::ttir::TtgBarrierOp)
MLIR_DECLARE_EXPLICIT_TYPE_ID(heddle::ttir::TtgDialect)

#endif // HEDDLE_FRONTEND_TTIR_BARRIER_H
