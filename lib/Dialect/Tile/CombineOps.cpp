//===- CombineOps.cpp - Reductions, scans and histograms ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of combiners, and the verifiers of reduce, scan and histogram. A
// combiner must consist of pure scalar operations, because a lowering runs it
// as often as it likes and on parts: on registers, between lanes, between
// warps.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

/// `combine (%p: f32, %q: f32) { ... }`; called by the generated parsers.
ParseResult heddle::tile::parseCombiner(OpAsmParser &parser, Region &combiner) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  return parser.parseRegion(combiner, arguments);
}

void heddle::tile::printCombiner(OpAsmPrinter &printer, Operation *op,
                                 Region &combiner) {
  printer << "(";
  llvm::interleaveComma(
      combiner.getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(combiner, /*printEntryBlockArgs=*/false);
}

/// One shape for all operands; twice as many combiner arguments, of the element
/// types; one yielded value an operand; nothing that touches memory.
static LogicalResult verifyCombiner(Operation *op, OperandRange values,
                                    Region &combiner) {
  if (values.empty())
    return reportOp(op, diag::combiner) << "needs at least one tile";
  SmallVector<Type> elements;
  for (Value value : values) {
    if (failed(verifySameShape(op, "an operand", value.getType(), "the first",
                               values.front().getType())))
      return failure();
    elements.push_back(elementOf(value.getType()));
  }
  SmallVector<Type> expected(elements);
  expected.append(elements);
  if (combiner.front().getArgumentTypes() != TypeRange(expected))
    return reportOp(op, diag::combiner)
           << "has " << values.size() << " operands, so its combiner takes "
           << expected.size() << " scalars, " << TypeRange(expected) << ", not "
           << combiner.front().getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(combiner.front().back());
  if (!yield || yield.getOperandTypes() != TypeRange(elements))
    return reportOp(op, diag::combiner)
           << "needs a combiner that ends in tile.yield of "
           << TypeRange(elements);
  for (Operation &inner : combiner.front())
    if (!isMemoryEffectFree(&inner))
      return reportOp(op, diag::combiner)
             << "has a combiner with '" << inner.getName()
             << "', which is not a pure scalar op";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombiner(*this, getValues(), getCombiner())))
    return failure();
  SmallVector<Extent> extents = extentsOf(getValues().front().getType());
  if (failed(verifyAxis(*this, getAxis(), extents.size())))
    return failure();
  extents.erase(extents.begin() + getAxis());
  if (getResults().size() != getValues().size())
    return reportOp(*this, diag::result_type)
           << "has " << getValues().size() << " operands but "
           << getResults().size() << " results";
  for (auto [value, result] : llvm::zip(getValues(), getResults()))
    if (failed(verifyResult(*this, result.getType(), extents,
                            elementOf(value.getType()))))
      return failure();
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombiner(*this, getValues(), getCombiner())))
    return failure();
  SmallVector<Extent> extents = extentsOf(getValues().front().getType());
  if (failed(verifyAxis(*this, getAxis(), extents.size())))
    return failure();
  if (getResultTypes() != getValues().getTypes())
    return reportOp(*this, diag::result_type)
           << "gives what it takes, " << getValues().getTypes() << ", not "
           << getResultTypes();
  return success();
}

LogicalResult HistogramOp::verify() {
  RankedTensorType from = tileOf(getValue()), to = tileOf(getResult());
  for (auto [name, type] :
       {std::pair("numbers", from), std::pair("counts", to)})
    if (type.getRank() != 1 || !type.getElementType().isIntOrIndex())
      return reportOp(*this, diag::element_type)
             << "has " << name << " of " << type
             << " but they are integers along one axis";
  return verifyMask(*this, getMask(), from, "the numbers");
}
