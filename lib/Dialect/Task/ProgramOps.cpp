//===- ProgramOps.cpp - Variants and what they consist of -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and local rules of the logical program: each operation by itself, and
// which operations a variant may hold. Rules between variants need the mapping
// or the whole program and stand in lib/Frontend/Tasks.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

#define GET_OP_CLASSES
#include "heddle/Dialect/Task/TaskOps.cpp.inc"

//===----------------------------------------------------------------------===//
// variant
//===----------------------------------------------------------------------===//

static constexpr int64_t kReads = 1, kWrites = 2;

/// `reduces(add)`, behind the word.
static ParseResult parseReduction(OpAsmParser &parser, int64_t &privileges) {
  std::string word;
  if (parser.parseLParen())
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&word) || parser.parseRParen())
    return failure();
  int64_t reduction = word == "add"   ? kReducesAdd
                      : word == "min" ? kReducesMin
                      : word == "max" ? kReducesMax
                                      : 0;
  if (!reduction)
    return report(parser.getEncodedSourceLoc(place), diag::task_form)
           << "a tensor is reduced by add, min or max, not by '" << word << "'";
  if (privileges)
    return report(parser.getEncodedSourceLoc(place), diag::task_form)
           << "'reduces' stands alone; who also reads or writes says 'reads "
              "writes'";
  privileges = reduction;
  return success();
}

/// `reads`, `writes` or both, or a reduction, before a tensor.
static ParseResult parsePrivileges(OpAsmParser &parser, int64_t &privileges) {
  privileges = 0;
  while (true) {
    if (succeeded(parser.parseOptionalKeyword("reads")))
      privileges |= kReads;
    else if (succeeded(parser.parseOptionalKeyword("writes")))
      privileges |= kWrites;
    else if (succeeded(parser.parseOptionalKeyword("reduces"))) {
      return parseReduction(parser, privileges);
    } else
      return success();
  }
}

ParseResult VariantOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  FlatSymbolRefAttr task;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<int64_t> privileges;
  SmallVector<Attribute> names;
  Builder &builder = parser.getBuilder();
  auto parseArgument = [&]() -> ParseResult {
    SMLoc place = parser.getCurrentLocation();
    OpAsmParser::Argument argument;
    int64_t given = 0;
    if (parsePrivileges(parser, given) ||
        parser.parseArgument(argument, /*allowType=*/true))
      return failure();
    if (isa<ArrayType>(argument.type) != (given != 0))
      return report(parser.getEncodedSourceLoc(place), diag::task_form)
             << (given ? "privileges are for tensors, unlike "
                       : "a tensor needs a privilege, 'reads', 'writes', "
                         "'reads writes' or 'reduces(add)': ")
             << argument.ssaName.name;
    arguments.push_back(argument);
    privileges.push_back(given);
    names.push_back(builder.getStringAttr(argument.ssaName.name.drop_front()));
    return success();
  };
  bool isLeaf = false;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parser.parseKeyword("of") ||
      parser.parseAttribute(task, getTaskAttrName(result.name),
                            result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("leaf")))
    isLeaf = true;
  else if (parser.parseKeyword("inner", " or 'leaf'"))
    return failure();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseArgument) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  if (isLeaf)
    result.addAttribute(getLeafAttrName(result.name), builder.getUnitAttr());
  result.addAttribute(getPrivilegesAttrName(result.name),
                      builder.getDenseI64ArrayAttr(privileges));
  result.addAttribute(getArgNamesAttrName(result.name),
                      builder.getArrayAttr(names));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty()) {
    Block &entry = body->emplaceBlock();
    for (OpAsmParser::Argument &argument : arguments)
      entry.addArgument(argument.type, result.location);
  }
  return success();
}

void VariantOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " of " << getTaskAttr() << (getLeaf() ? " leaf" : " inner") << "(";
  llvm::interleaveComma(
      getEntry().getArguments(), printer, [&](BlockArgument argument) {
        if (int64_t privileges = getPrivileges()[argument.getArgNumber()])
          printer << spellPrivileges(privileges) << " ";
        printer.printRegionArgument(argument);
      });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getTaskAttrName(), getLeafAttrName(),
       getPrivilegesAttrName(), getArgNamesAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void VariantOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgName(argument.getArgNumber()));
}

static LogicalResult verifySignature(VariantOp variant) {
  size_t count = variant.getEntry().getNumArguments();
  if (variant.getPrivileges().size() != count ||
      variant.getArgNames().size() != count)
    return reportOp(variant, diag::task_form)
           << "has " << count << " arguments, "
           << variant.getPrivileges().size() << " privileges and "
           << variant.getArgNames().size() << " names";
  for (BlockArgument argument : variant.getEntry().getArguments()) {
    unsigned index = argument.getArgNumber();
    int64_t given = variant.getPrivileges()[index];
    bool isTensor = isa<ArrayType>(argument.getType());
    if (!isTensor && !argument.getType().isIntOrIndexOrFloat())
      return reportOp(variant, diag::task_form)
             << "argument '" << variant.getArgName(index)
             << "' is neither a tensor nor a scalar: " << argument.getType();
    bool isThere =
        (given >= 1 && given <= 3) ||
        llvm::is_contained({kReducesAdd, kReducesMin, kReducesMax}, given);
    if (isTensor ? !isThere : given != 0)
      return reportOp(variant, diag::task_form)
             << "argument '" << variant.getArgName(index)
             << "' has privileges that there are not: " << given;
  }
  return success();
}

/// Operations that a leaf may consist of: those that compute and touch no
/// memory but through task.read and task.write.
static bool isComputation(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "scf" || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (!llvm::is_contained({"arith", "math", "tile"}, dialect))
    return false;
  static constexpr StringLiteral kElsewhere[] = {
      "tile.kernel",    "tile.parallel",     "tile.param", "tile.param_value",
      "tile.worker_id", "tile.worker_count", "tile.dim",   "tile.make_view"};
  if (llvm::is_contained(kElsewhere, op->getName().getStringRef()))
    return false;
  return op->getNumRegions() || isMemoryEffectFree(op);
}

LogicalResult VariantOp::verify() {
  if (failed(verifySignature(*this)))
    return failure();
  bool isLeaf = getLeaf();
  return checkEach<Operation *>(*this, [&](Operation *op) -> LogicalResult {
    StringRef dialect = op->getName().getDialectNamespace();
    bool isTask = dialect == "task";
    bool isAccess = isa<ReadOp, WriteOp>(op);
    // Extents, too, are what a leaf may ask for.
    bool isQuestion = isa<ExtentOp, InsideOp>(op);
    bool fits = isLeaf   ? isTask ? isAccess || isQuestion : isComputation(op)
                : isTask ? !isAccess
                         : dialect == "arith";
    if (isLeaf && isTask && fits && op->getParentOp() != *this)
      return reportOp(op, diag::task_form)
             << "stands inside control flow; a leaf reads and writes its "
                "tensors at its top level";
    if (fits || op == *this)
      return success();
    if (isLeaf && isa<CallOpInterface>(op))
      return reportOp(op, diag::task_form)
             << "leaves the text: heddle has no cost for code that it does not "
                "see; write the leaf @"
             << getSymName() << " with operations on tiles";
    return reportOp(op, diag::task_form)
           << "does not belong into the "
           << (isLeaf ? "leaf @" : "inner variant @") << getSymName()
           << (isLeaf ? ", which reads tiles, computes and writes tiles"
                      : ", which computes indices, cuts tensors and launches "
                        "tasks");
  });
}

//===----------------------------------------------------------------------===//
// Tensors, blocks and pieces
//===----------------------------------------------------------------------===//

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return reportOp(op, diag::task_form)
         << "names axis " << axis << " of " << rank << " axes, counted from 0";
}

LogicalResult ExtentOp::verify() {
  return verifyAxis(*this, getAxis(), getTensor().getType().getRank());
}
LogicalResult InsideOp::verify() {
  return verifyAxis(*this, getAxis(), getTensor().getType().getRank());
}
LogicalResult CountOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getPartition().getType().getRank())))
    return failure();
  auto blocks = getPartition().getDefiningOp<BlocksOp>();
  if (!blocks)
    return reportOp(*this, diag::task_form)
           << "needs a partition that task.blocks made";
  if (failed(blocks.verify()))
    return failure();
  if (!blocks.getBlock(getAxis()))
    return reportOp(*this, diag::task_form)
           << "counts the blocks along axis " << getAxis()
           << ", which is left whole";
  return success();
}

LogicalResult ElementOp::verify() {
  ArrayType type = getTensor().getType();
  auto argument = dyn_cast<BlockArgument>(getTensor());
  if (argument && isa<VariantOp>(argument.getOwner()->getParentOp()) &&
      type.getRank() == 1 && type.getElementType().isInteger(32))
    return success();
  return reportOp(*this, diag::task_form)
         << "reads an argument of its variant that has one axis of i32, and "
            "this is "
         << (argument ? "a " : "a piece, a ") << type;
}

LogicalResult MakeOp::verify() {
  int64_t rank = getType().getRank();
  if (int64_t(getExtents().size()) == rank)
    return success();
  return reportOp(*this, diag::task_form)
         << "has " << getExtents().size() << " extents for " << rank << " axes";
}

/// `[%u, all, %v]`.
static ParseResult
parseOperandsOrAll(OpAsmParser &parser, OperationState &result,
                   StringAttr wholeName,
                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  SmallVector<bool> whole;
  auto parseOne = [&]() -> ParseResult {
    whole.push_back(succeeded(parser.parseOptionalKeyword("all")));
    return whole.back() ? success()
                        : parser.parseOperand(operands.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  result.addAttribute(wholeName,
                      parser.getBuilder().getDenseBoolArrayAttr(whole));
  return success();
}

static void printOperandsOrAll(OpAsmPrinter &printer, ValueRange operands,
                               ArrayRef<bool> whole) {
  printer << "[";
  size_t next = 0;
  llvm::interleaveComma(whole, printer, [&](bool isWhole) {
    if (isWhole)
      printer << "all";
    else
      printer << operands[next++];
  });
  printer << "]";
}

/// The operand along `axis`, null where that is whole.
static Value operandAlong(ValueRange operands, ArrayRef<bool> whole,
                          int64_t axis) {
  if (whole[axis])
    return {};
  return operands[llvm::count(whole.take_front(axis), false)];
}

static LogicalResult verifyAxes(Operation *op, ValueRange operands,
                                ArrayRef<bool> whole, int64_t rank) {
  if (int64_t(whole.size()) == rank &&
      llvm::count(whole, false) == int64_t(operands.size()))
    return success();
  return reportOp(op, diag::task_form)
         << "says something about " << whole.size() << " axes, and there are "
         << rank;
}

ParseResult BlocksOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tensor;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  ArrayType type;
  Type index = parser.getBuilder().getIndexType();
  if (parser.parseOperand(tensor) || parser.parseKeyword("by") ||
      parseOperandsOrAll(parser, result, getWholeAttrName(result.name),
                         extents) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(tensor, type, result.operands) ||
      parser.resolveOperands(extents, index, result.operands))
    return failure();
  result.addTypes(PartitionType::get(parser.getContext(), type.getRank(),
                                     type.getElementType()));
  return success();
}

void BlocksOp::print(OpAsmPrinter &printer) {
  printer << " " << getTensor() << " by ";
  printOperandsOrAll(printer, getExtents(), getWhole());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getWholeAttrName()});
  printer << " : " << getTensor().getType();
}

LogicalResult BlocksOp::verify() {
  if (getTensor().getType().getRank() != getType().getRank() ||
      getTensor().getType().getElementType() != getType().getElementType())
    return reportOp(*this, diag::task_form)
           << "makes " << getType() << " of " << getTensor().getType();
  return verifyAxes(*this, getExtents(), getWhole(), getType().getRank());
}

Value BlocksOp::getBlock(int64_t axis) {
  return operandAlong(getExtents(), getWhole(), axis);
}

ParseResult PieceOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand partition;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  PartitionType type;
  Type index = parser.getBuilder().getIndexType();
  if (parser.parseOperand(partition) ||
      parseOperandsOrAll(parser, result, getWholeAttrName(result.name),
                         indices))
    return failure();
  SmallVector<OpAsmParser::UnresolvedOperand> condition;
  if (succeeded(parser.parseOptionalKeyword("when")) &&
      parser.parseOperand(condition.emplace_back()))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(partition, type, result.operands) ||
      parser.resolveOperands(indices, index, result.operands) ||
      parser.resolveOperands(condition, parser.getBuilder().getI1Type(),
                             result.operands))
    return failure();
  result.addAttribute(
      getOperandSegmentSizeAttr(),
      parser.getBuilder().getDenseI32ArrayAttr(
          {1, int32_t(indices.size()), int32_t(condition.size())}));
  result.addTypes(ArrayType::get(parser.getContext(), type.getRank(),
                                 type.getElementType()));
  return success();
}

void PieceOp::print(OpAsmPrinter &printer) {
  printer << " " << getPartition();
  printOperandsOrAll(printer, getIndices(), getWhole());
  if (getCondition())
    printer << " when " << getCondition();
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {getWholeAttrName(), getOperandSegmentSizeAttr()});
  printer << " : " << getPartition().getType();
}

LogicalResult PieceOp::verify() {
  PartitionType from = getPartition().getType();
  if (from.getRank() != getType().getRank() ||
      from.getElementType() != getType().getElementType())
    return reportOp(*this, diag::task_form)
           << "makes " << getType() << " of " << from;
  if (failed(verifyAxes(*this, getIndices(), getWhole(), from.getRank())))
    return failure();
  BlocksOp blocks = getPartition().getDefiningOp<BlocksOp>();
  if (!blocks)
    return reportOp(*this, diag::task_form)
           << "needs a partition that task.blocks made";
  if (failed(blocks.verify()))
    return failure();
  for (int64_t axis = 0; axis < from.getRank(); ++axis)
    if (getWhole()[axis] != blocks.getWhole()[axis])
      return reportOp(*this, diag::task_form)
             << (getWhole()[axis] ? "takes all of axis " : "indexes axis ")
             << axis << ", which the partition "
             << (getWhole()[axis] ? "cuts" : "leaves whole; write all");
  return success();
}

BlocksOp PieceOp::getBlocks() {
  return getPartition().getDefiningOp<BlocksOp>();
}

Value PieceOp::getIndex(int64_t axis) {
  return operandAlong(getIndices(), getWhole(), axis);
}

static LogicalResult verifyTile(Operation *op, ArrayType tensor,
                                RankedTensorType tile) {
  if (!isa<BlockArgument>(op->getOperands().back()) ||
      !isa<VariantOp>(op->getOperands().back().getParentBlock()->getParentOp()))
    return reportOp(op, diag::task_form)
           << "is for arguments of the leaf, and this is none";
  if (tile.getRank() == tensor.getRank() &&
      tile.getElementType() == tensor.getElementType())
    return success();
  return reportOp(op, diag::task_form)
         << "takes " << tile << " for " << tensor
         << "; axes and elements must be the same";
}

LogicalResult ReadOp::verify() {
  return verifyTile(*this, getTensor().getType(),
                    cast<RankedTensorType>(getType()));
}
LogicalResult WriteOp::verify() {
  return verifyTile(*this, getTensor().getType(),
                    cast<RankedTensorType>(getValue().getType()));
}

//===----------------------------------------------------------------------===//
// srange, prange
//===----------------------------------------------------------------------===//

static ParseResult parseRange(OpAsmParser &parser, OperationState &result,
                              MutableArrayRef<OpAsmParser::Argument> indices,
                              ArrayRef<OpAsmParser::UnresolvedOperand> bounds) {
  Type index = parser.getBuilder().getIndexType();
  if (parser.resolveOperands(bounds, index, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (OpAsmParser::Argument &argument : indices)
    argument.type = index;
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, indices))
    return failure();
  if (body->empty()) {
    Block &entry = body->emplaceBlock();
    for (size_t i = 0; i < indices.size(); ++i)
      entry.addArgument(index, result.location);
  }
  return success();
}

static LogicalResult verifyRange(Operation *op, Block &body, size_t bounds) {
  if (bounds == 0)
    return reportOp(op, diag::task_form) << "needs at least one bound";
  if (body.getNumArguments() != bounds)
    return reportOp(op, diag::task_form)
           << "has " << body.getNumArguments() << " indices but " << bounds
           << " bounds";
  for (Type type : body.getArgumentTypes())
    if (!type.isIndex())
      return reportOp(op, diag::task_form)
             << "has an index of type " << type << ", not index";
  return success();
}

ParseResult SrangeOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument index;
  OpAsmParser::UnresolvedOperand bound;
  if (parser.parseArgument(index) || parser.parseKeyword("to") ||
      parser.parseOperand(bound))
    return failure();
  return parseRange(parser, result, index, bound);
}

void SrangeOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printRegionArgument(getBody().getArgument(0), {}, /*omitType=*/true);
  printer << " to " << getBound();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult SrangeOp::verify() {
  return verifyRange(*this, getBody().front(), 1);
}

ParseResult PrangeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<OpAsmParser::UnresolvedOperand> bounds;
  if (parser.parseArgumentList(indices, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("to") ||
      parser.parseOperandList(bounds, OpAsmParser::Delimiter::Paren))
    return failure();
  return parseRange(parser, result, indices, bounds);
}

void PrangeOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer.printRegionArgument(argument, {},
                                                      /*omitType=*/true);
                        });
  printer << ") to (" << getBounds() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult PrangeOp::verify() {
  return verifyRange(*this, getBody().front(), getBounds().size());
}
