//===- Program.cpp - The frame of an einsum program -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and rules of einsum.program: its arguments are tensors, its body is
// statements and a return. Names of arguments are the operands' names in plans
// and messages, so they are kept.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Dialect/EntryText.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::einsum;

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();
  return parseEntry<ProgramOp>(parser, result);
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printEntry(printer, *this, getSymName(), getSymNameAttrName());
}

void ProgramOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), getArgNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}

LogicalResult ProgramOp::verify() {
  if (getFunctionType().getInputs() !=
          ArrayRef<Type>(llvm::to_vector(getEntry().getArgumentTypes())) ||
      getArgNames().size() != getEntry().getNumArguments())
    return reportOp(*this, diag::einsum_program)
           << "declares arguments that are not those of its block";
  for (Type type : getEntry().getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      return reportOp(*this, diag::einsum_program)
             << "takes tensors, not " << type;
  for (Operation &op : getEntry())
    if (!isa<StatementOp, ReturnOp>(op))
      return reportOp(&op, diag::einsum_program)
             << "stands in an einsum.program, which holds statements and a "
                "return";
  if (getEntry().empty() || !isa<ReturnOp>(getEntry().back()))
    return reportOp(*this, diag::einsum_program)
           << "does not end in an einsum.return";
  llvm::StringMap<bool> names;
  for (Attribute name : getArgNames())
    names[cast<StringAttr>(name).getValue()] = true;
  for (StatementOp statement : getEntry().getOps<StatementOp>())
    if (!names.try_emplace(statement.getName(), true).second)
      return reportOp(statement, diag::einsum_program)
             << "names its result %" << statement.getName()
             << ", and another tensor has that name";
  for (Value value : getEntry().back().getOperands())
    if (!value.getDefiningOp<StatementOp>())
      return reportOp(&getEntry().back(), diag::einsum_program)
             << "returns an argument; a program returns what it computes";
  return success();
}
