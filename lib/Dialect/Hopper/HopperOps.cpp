//===- HopperOps.cpp - Text and local rules of the hopper rung's ops --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of hopper.kernel, and rules that one operation can check on its own.
// Rules that need the kernel around an operation stand in Verify*.cpp. They run
// from KernelOp::verifyRegions, when every operation inside has been verified.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::hopper;

// The generated parsers look for it here.
namespace heddle::hopper {
using tile::parseCombiner;
using tile::printCombiner;
} // namespace heddle::hopper

#define GET_OP_CLASSES
#include "heddle/Dialect/Hopper/HopperOps.cpp.inc"

//===----------------------------------------------------------------------===//
// hopper.kernel
//===----------------------------------------------------------------------===//

static ParseResult parseAttr(OpAsmParser &parser, OperationState &result,
                             StringRef keyword, StringAttr name) {
  int64_t value;
  if (parser.parseKeyword(keyword) || parser.parseInteger(value))
    return failure();
  result.addAttribute(name, parser.getBuilder().getI64IntegerAttr(value));
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  OperationName name = result.name;
  StringAttr symbol, source;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<int64_t> tma, rows, multiples;
  if (parser.parseSymbolName(symbol, getSymNameAttrName(name),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseKeyword("source") ||
      parser.parseAttribute(source, getSourceNameAttrName(name),
                            result.attributes) ||
      parseAttr(parser, result, "threads", getThreadsAttrName(name)) ||
      parseAttr(parser, result, "shared", getSharedBytesAttrName(name)) ||
      parser.parseKeyword("tma") ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(tma.emplace_back()); }) ||
      (succeeded(parser.parseOptionalKeyword("rows")) &&
       parser.parseCommaSeparatedList(
           OpAsmParser::Delimiter::Square,
           [&] { return parser.parseInteger(rows.emplace_back()); })) ||
      (succeeded(parser.parseOptionalKeyword("multiples")) &&
       parser.parseCommaSeparatedList(
           OpAsmParser::Delimiter::Square,
           [&] { return parser.parseInteger(multiples.emplace_back()); })) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  SmallVector<Type> types;
  SmallVector<Attribute> names;
  for (const OpAsmParser::Argument &argument : arguments) {
    types.push_back(argument.type);
    names.push_back(builder.getStringAttr(argument.ssaName.name.drop_front()));
  }
  result.addAttribute(getFunctionTypeAttrName(name),
                      TypeAttr::get(builder.getFunctionType(types, {})));
  result.addAttribute(getTmaArgsAttrName(name),
                      builder.getDenseI64ArrayAttr(tma));
  result.addAttribute(getRowArgsAttrName(name),
                      builder.getDenseI64ArrayAttr(rows));
  result.addAttribute(getMultipleArgsAttrName(name),
                      builder.getDenseI64ArrayAttr(multiples));
  if (!result.attributes.get(getArgNamesAttrName(name)))
    result.addAttribute(getArgNamesAttrName(name), builder.getArrayAttr(names));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(
      getEntry().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") source " << getSourceNameAttr() << " threads " << getThreads()
          << " shared " << getSharedBytes() << " tma [";
  llvm::interleaveComma(getTmaArgs(), printer);
  printer << ']';
  for (auto [list, name] : {std::pair(getRowArgs(), "rows"),
                            std::pair(getMultipleArgs(), "multiples")}) {
    if (list.empty())
      continue;
    printer << ' ' << name << " [";
    llvm::interleaveComma(list, printer);
    printer << ']';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getArgNamesAttrName(),
       getSourceNameAttrName(), getThreadsAttrName(), getSharedBytesAttrName(),
       getTmaArgsAttrName(), getRowArgsAttrName(), getMultipleArgsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgName(argument.getArgNumber()));
}

std::string KernelOp::getArgName(unsigned i) {
  if (std::optional<ArrayAttr> names = getArgNames();
      names && i < names->size())
    return cast<StringAttr>((*names)[i]).getValue().str();
  return "arg" + std::to_string(i);
}

MadeViewOp KernelOp::getMaker(unsigned i) {
  for (auto made : getOps<MadeViewOp>())
    if (made.getView() == getEntry().getArgument(i))
      return made;
  return {};
}

CountersOp KernelOp::getCounters(unsigned i) {
  for (auto counters : getOps<CountersOp>())
    if (counters.getView() == getEntry().getArgument(i))
      return counters;
  return {};
}

int64_t KernelOp::getTeams() {
  for (auto grid : getOps<GridOp>())
    return grid.getTeams();
  return 1;
}

bool KernelOp::beginsWithBarrier() {
  return !getOps<RingOp>().empty() || !getTmaArgs().empty();
}

LogicalResult KernelOp::verify() {
  if (!llvm::equal(getFunctionType().getInputs(),
                   getEntry().getArgumentTypes()))
    return reportOp(*this, diag::hopper_kernel)
           << "'s function type differs from its block's arguments";
  if (std::optional<ArrayAttr> names = getArgNames())
    if (names->size() != getEntry().getNumArguments())
      return reportOp(*this, diag::hopper_kernel)
             << "has " << names->size() << " argument names for "
             << getEntry().getNumArguments() << " arguments";
  for (auto [list, name] :
       {std::pair(getTmaArgs(), "tma"), std::pair(getRowArgs(), "rows")})
    for (int64_t index : list)
      if (index < 0 || index >= getEntry().getNumArguments() ||
          !isa<tile::ViewType>(getEntry().getArgument(index).getType()))
        return reportOp(*this, diag::hopper_kernel)
               << "lists argument " << index << " under " << name
               << ", which is no view";
  for (int64_t index : getMultipleArgs())
    if (index < 0 || index >= getEntry().getNumArguments() ||
        !isa<IntegerType, IndexType, tile::PtrType>(
            getEntry().getArgument(index).getType()))
      return reportOp(*this, diag::hopper_kernel)
             << "lists argument " << index
             << " under multiples, which is no number or address";
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(verifyStructure(*this)) || failed(verifyResources(*this)) ||
      failed(verifyUses(*this)) || failed(verifyTurns(*this)) ||
      failed(verifyCluster(*this)))
    return failure();
  for (auto process : getOps<ProcessOp>())
    if (failed(verifyAsync(process)))
      return failure();
  return success();
}

LogicalResult SharedTransOp::verify() {
  SmemType from = getTile().getType();
  if (from.getShape().size() != 2)
    return reportOp(*this, diag::conversion_form)
           << "exchanges the axes of tiles of rank 2, not of rank "
           << from.getShape().size();
  if (getResult().getType() != from.getTransposed())
    return reportOp(*this, diag::conversion_form)
           << "makes " << from.getTransposed() << " of " << from << ", not "
           << getResult().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// hopper.wgmma
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> operandShape(Type type) {
  if (auto smem = dyn_cast<SmemType>(type))
    return smem.getShape();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

LogicalResult WgmmaOp::verify() {
  ArrayRef<int64_t> a = operandShape(getA().getType());
  ArrayRef<int64_t> b = getB().getType().getShape();
  RankedTensorType value = getFlight().getType().getValue();
  if (a.size() != 2 || b.size() != 2 || value.getRank() != 2)
    return reportOp(*this, diag::wgmma_form)
           << "needs tiles of rank 2: a in registers or shared "
              "memory, b in shared memory";
  if (a[0] != value.getDimSize(0) || b[1] != value.getDimSize(1) ||
      a[1] != b[0])
    return reportOp(*this, diag::wgmma_form)
           << a[0] << 'x' << a[1] << " times " << b[0] << 'x' << b[1]
           << " is not " << value.getDimSize(0) << 'x' << value.getDimSize(1);
  if (a[0] != 64)
    return reportOp(*this, diag::wgmma_form)
           << "computes 64 rows, not " << a[0];
  if (b[1] % 8 || b[1] > 256)
    return reportOp(*this, diag::wgmma_form)
           << "needs a multiple of 8 columns, at most 256, not " << b[1];
  int64_t step =
      256 / getB().getType().getElementType().getIntOrFloatBitWidth();
  if (a[1] % step)
    return reportOp(*this, diag::wgmma_form)
           << "needs a multiple of " << step << " along the contraction, not "
           << a[1];
  if (!getAcc())
    return success();
  Type acc = getAcc().getType();
  if (auto flight = dyn_cast<FlightType>(acc))
    acc = flight.getValue();
  if (acc != value)
    return reportOp(*this, diag::wgmma_form)
           << "accumulates into " << acc << " but returns " << value;
  return success();
}

//===----------------------------------------------------------------------===//
// Layout changes
//===----------------------------------------------------------------------===//

/// Both tiles have layouts of one rank and the same elements.
static LogicalResult verifyTiles(Operation *op, RankedTensorType from,
                                 RankedTensorType to) {
  if (!getLayout(from) || !getLayout(to))
    return reportOp(op, diag::hopper_layout_use)
           << "needs register layouts on both tiles";
  if (from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType())
    return reportOp(op, diag::conversion_form)
           << "changes " << from << " into " << to;
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType from = getValue().getType(), to = getResult().getType();
  if (failed(verifyTiles(*this, from, to)))
    return failure();
  if (from.getShape() != to.getShape())
    return reportOp(*this, diag::conversion_form)
           << "changes the extents of a tile";
  return success();
}

LogicalResult SubtileOp::verify() {
  RankedTensorType from = getValue().getType(), to = getResult().getType();
  if (failed(verifyTiles(*this, from, to)))
    return failure();
  if (int64_t(getOffsets().size()) != from.getRank())
    return reportOp(*this, diag::conversion_form)
           << "needs one offset for each of " << from.getRank() << " axes";
  machine::Coord offset = {};
  llvm::copy(getOffsets(), offset.begin());
  if (!mapRegisters(*getLayout(from), *getLayout(to), offset))
    return reportOp(*this, diag::conversion_form)
           << "needs elements that another thread holds or that lie "
              "outside the tile";
  return success();
}
