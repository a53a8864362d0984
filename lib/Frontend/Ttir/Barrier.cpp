//===- Barrier.cpp - The one operation of ttg that TTIR has -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Ttir/Barrier.h"

using namespace mlir;
using namespace heddle::ttir;

MLIR_DEFINE_EXPLICIT_TYPE_ID(heddle::ttir::TtgBarrierOp)
MLIR_DEFINE_EXPLICIT_TYPE_ID(heddle::ttir::TtgDialect)

TtgDialect::TtgDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<TtgDialect>()) {
  addOperations<TtgBarrierOp>();
}

ParseResult TtgBarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef word;
  do {
    if (parser.parseKeyword(&word))
      return failure();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  return parser.parseOptionalAttrDict(result.attributes);
}
