//===- ProgramOps.cpp - Programs of several kernels -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and rules of scratch memory and of programs that launch kernels. A
// program is run by a host that knows pointers and numbers only, so nothing
// else may stand in one.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/EntryText.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult ScratchOp::verify() {
  Type element = getType().getElementType();
  if (!element.isIntOrFloat())
    return reportOp(*this, diag::program_use)
           << "holds integers or floating point, not " << element;
  return success();
}

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

std::string ProgramOp::getArgName(unsigned index) {
  if (getArgNames() && index < getArgNames()->size())
    return cast<StringAttr>((*getArgNames())[index]).getValue().str();
  return "arg" + std::to_string(index);
}

void ProgramOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgName(argument.getArgNumber()));
}

static bool isHostType(Type type) { return isa<PtrType, IndexType>(type); }

LogicalResult ProgramOp::verify() {
  ArrayRef<Type> types = getFunctionType().getInputs();
  if (types != ArrayRef<Type>(llvm::to_vector(getEntry().getArgumentTypes())))
    return reportOp(*this, diag::program_use)
           << "declares arguments whose types differ from those of its block";
  for (auto [index, type] : llvm::enumerate(types))
    if (!isHostType(type))
      return reportOp(*this, diag::program_use)
             << "argument '" << getArgName(index)
             << "' is neither a pointer nor an index: " << type;
  for (Operation &op : getEntry()) {
    bool isKnown =
        isa<AllocateOp, ReadOp, LimitOp, LaunchOp, GiveOp, PtrAddOp>(op) ||
        isa_and_present<arith::ArithDialect>(op.getDialect());
    if (!isKnown || !llvm::all_of(op.getResultTypes(), isHostType))
      return reportOp(&op, diag::program_use)
             << "stands in a tile.program, which holds index arithmetic, "
                "allocations, launches and what it gives";
  }
  if (!isa<GiveOp>(getEntry().back()))
    return reportOp(*this, diag::program_use) << "does not end in a tile.give";
  return success();
}

LogicalResult ReadOp::verify() {
  if (!getPtr().getType().getElementType().isInteger())
    return reportOp(*this, diag::program_use)
           << "reads integers, not " << getPtr().getType().getElementType();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(
      getOperation()->getParentOp(), getKernelAttr());
  if (!kernel)
    return reportOp(*this, diag::program_use)
           << "names @" << getKernel() << ", which is no tile.kernel";
  if (kernel.getFunctionType().getInputs() !=
      ArrayRef<Type>(llvm::to_vector(getOperandTypes())))
    return reportOp(*this, diag::program_use)
           << "gives @" << getKernel() << " " << getNumOperands()
           << " arguments whose types are not those of the kernel's "
           << kernel.getFunctionType().getNumInputs();
  return success();
}

LogicalResult GiveOp::verify() {
  if (getNames().size() != getArrays().size())
    return reportOp(*this, diag::program_use)
           << "has " << getNames().size() << " names for " << getArrays().size()
           << " arrays";
  return success();
}
