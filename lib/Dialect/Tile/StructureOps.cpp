//===- StructureOps.cpp - Parameters, kernels and parallel instances
//-------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and rules of param, kernel and parallel, the frame of a program. The
// limits on values of a parameter and on elements of a tile are here, where a
// text enters: without them one line could make any pass take any amount of
// time and memory.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/EntryText.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Layout.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Support/PtxName.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

//===----------------------------------------------------------------------===//
// param, param_value
//===----------------------------------------------------------------------===//

/// `128`, or `64 to 256 step 64`, both ends included.
static ParseResult parseValues(OpAsmParser &parser,
                               SmallVectorImpl<int64_t> &values) {
  constexpr int64_t kMost = 4096;
  int64_t first = 0, last = 0, step = 0;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseInteger(first))
    return failure();
  if (failed(parser.parseOptionalKeyword("to"))) {
    values.push_back(first);
    return success();
  }
  if (parser.parseInteger(last) || parser.parseKeyword("step") ||
      parser.parseInteger(step))
    return failure();
  // As far apart as they may be, which 64 bits with a sign do not hold.
  uint64_t distance = uint64_t(last) - uint64_t(first);
  if (step < 1 || last < first || distance / uint64_t(step) >= kMost)
    return report(parser.getEncodedSourceLoc(place), diag::param_values)
           << first << " to " << last << " step " << step
           << " is no range of 1 to " << kMost << " values";
  for (uint64_t i = 0; i <= distance / uint64_t(step); ++i)
    values.push_back(int64_t(uint64_t(first) + i * uint64_t(step)));
  return success();
}

/// Many values at equal distances are written as a range.
static void printValues(OpAsmPrinter &printer, ArrayRef<int64_t> values) {
  constexpr size_t kFewest = 5;
  for (size_t begin = 0; begin < values.size();) {
    size_t end = std::min(begin + 2, values.size());
    auto stepTo = [&](size_t i) {
      return __int128(values[i]) - values[i - 1]; // never overflows
    };
    __int128 step = end - begin == 2 ? stepTo(begin + 1) : 0;
    while (step > 0 && end < values.size() && stepTo(end) == step)
      ++end;
    printer << (begin ? ", " : "") << values[begin];
    if (end - begin >= kFewest)
      printer << " to " << values[end - 1] << " step " << int64_t(step);
    begin = end - begin >= kFewest ? end : begin + 1;
  }
}

ParseResult ParamOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<int64_t> values;
  int64_t init = 0;
  auto parseValue = [&]() { return parseValues(parser, values); };
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parser.parseColon() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     parseValue) ||
      parser.parseEqual() || parser.parseInteger(init) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Builder &builder = parser.getBuilder();
  result.addAttribute(getValuesAttrName(result.name),
                      builder.getDenseI64ArrayAttr(values));
  result.addAttribute(getInitAttrName(result.name),
                      builder.getI64IntegerAttr(init));
  return success();
}

void ParamOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " : {";
  printValues(printer, getValues());
  printer << "} = " << getInit();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getValuesAttrName(), getInitAttrName()});
}

LogicalResult ParamOp::verify() {
  for (int64_t value : getValues())
    if (value <= 0)
      return reportOp(*this, diag::param_values)
             << "@" << getSymName() << " lists " << value
             << " but an extent is at least 1";
  if (llvm::is_contained(getValues(), int64_t(getInit())))
    return success();
  Report error = reportOp(*this, diag::param_values)
                 << "@" << getSymName() << " starts as " << getInit()
                 << ", which is not one of {";
  llvm::interleaveComma(getValues(), error);
  return error << "}";
}

LogicalResult
ParamValueOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (symbolTable.lookupNearestSymbolFrom<heddle::tile::ParamOp>(
          *this, getParamAttr()))
    return success();
  return reportOp(*this, diag::unknown_param)
         << "names @" << getParam() << " but no tile.param declares it";
}

//===----------------------------------------------------------------------===//
// kernel
//===----------------------------------------------------------------------===//

/// The name the user gave, unless it is only a number.
static std::string kernelArgName(StringRef ssaName, unsigned index) {
  ssaName.consume_front("%");
  if (ssaName.empty() || llvm::isDigit(ssaName.front()))
    return "arg" + std::to_string(index);
  return ssaName.str();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  Builder &builder = parser.getBuilder();
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    types.push_back(argument.type);
    names.push_back(
        builder.getStringAttr(kernelArgName(argument.ssaName.name, index)));
  }
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, {})));
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

void KernelOp::print(OpAsmPrinter &printer) {
  printEntry(printer, *this, getSymName(), getSymNameAttrName());
}

/// What Triton allows too; a machine's tiles are far smaller. Without a limit
/// an extent could ask any pass for any amount of time and memory.
static constexpr int64_t kMostElements = int64_t(1) << 20;

/// No rung has layouts for other tiles.
static bool hasLegalRank(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return !tile || (tile.getRank() >= 1 && tile.getRank() <= machine::kMaxRank);
}

/// Neither registers nor memory hold others.
static bool hasLegalElements(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || isa<PtrType, IndexType>(tile.getElementType()))
    return true;
  Type element = tile.getElementType();
  if (!element.isIntOrFloat())
    return false;
  unsigned bits = element.getIntOrFloatBitWidth();
  return element.isInteger(1) || element.isTF32() ||
         llvm::is_contained({8u, 16u, 32u, 64u}, bits);
}

/// False for an extent of 0 or too many elements. Named extents get their
/// numbers from `instantiate`, after which this is asked again.
static bool hasLegalSize(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return true;
  int64_t count = 1;
  for (int64_t extent : tile.getShape())
    if (!ShapedType::isDynamic(extent) &&
        (extent < 1 || llvm::MulOverflow(count, extent, count) ||
         count > kMostElements))
      return false;
  return true;
}

static LogicalResult verifySizes(Region &body) {
  WalkResult result = body.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (!hasLegalRank(type)) {
        report(op, diag::tile_rank)
            << "a tile has 1 to " << machine::kMaxRank << " axes, but this is "
            << type << "; use a scalar, or give it an axis of extent 1";
        return WalkResult::interrupt();
      }
      if (!hasLegalElements(type)) {
        report(op, diag::element_type)
            << "a tile's elements have 8, 16, 32 or 64 bits, or are i1 or "
               "tf32, but "
            << "this is " << type << "; cast them to a wider type";
        return WalkResult::interrupt();
      }
      if (!hasLegalSize(type)) {
        report(op, diag::tile_extent)
            << "a tile has 1 to " << kMostElements << " elements, but this is "
            << type << "; choose other extents";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult KernelOp::verify() {
  ArrayRef<Type> types = getFunctionType().getInputs();
  if (!isPtxName(getSymName()))
    return reportOp(*this, diag::kernel_signature)
           << describeName(getSymName());
  if (!getFunctionType().getResults().empty())
    return reportOp(*this, diag::kernel_signature)
           << "returns " << getFunctionType().getResults().size()
           << " values but a kernel writes its results to views";
  if (types != ArrayRef<Type>(llvm::to_vector(getEntry().getArgumentTypes())))
    return reportOp(*this, diag::kernel_signature)
           << "declares " << types.size()
           << " arguments whose types differ from those of its "
           << getEntry().getNumArguments() << " block arguments";
  if (getArgNames() && getArgNames()->size() != types.size())
    return reportOp(*this, diag::kernel_signature)
           << "has " << types.size() << " arguments but "
           << getArgNames()->size() << " argument names";
  for (auto [index, type] : llvm::enumerate(types))
    if (!isa<ViewType, PtrType>(type) && !type.isIntOrIndexOrFloat())
      return reportOp(*this, diag::kernel_signature)
             << "argument '" << getArgName(index)
             << "' is neither a view, a pointer nor a scalar: " << type;
  return verifySizes(getBody());
}

std::string KernelOp::getArgName(unsigned index) {
  if (getArgNames() && index < getArgNames()->size())
    return cast<StringAttr>((*getArgNames())[index]).getValue().str();
  return "arg" + std::to_string(index);
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgName(argument.getArgNumber()));
}

//===----------------------------------------------------------------------===//
// parallel
//===----------------------------------------------------------------------===//

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<OpAsmParser::UnresolvedOperand> bounds;
  Type index = parser.getBuilder().getIndexType();
  if (parser.parseArgumentList(indices, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("to") ||
      parser.parseOperandList(bounds, OpAsmParser::Delimiter::Paren) ||
      parser.resolveOperands(bounds, index, result.operands) ||
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

void ParallelOp::print(OpAsmPrinter &printer) {
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

LogicalResult ParallelOp::verify() {
  Block &body = getBody().front();
  if (getBounds().empty())
    return reportOp(*this, diag::parallel_bounds) << "needs at least one bound";
  if (body.getNumArguments() != getBounds().size())
    return reportOp(*this, diag::parallel_bounds)
           << "has " << body.getNumArguments() << " indices but "
           << getBounds().size() << " bounds";
  for (Type type : body.getArgumentTypes())
    if (!type.isIndex())
      return reportOp(*this, diag::parallel_bounds)
             << "indices are of type index, not " << type;
  return success();
}
