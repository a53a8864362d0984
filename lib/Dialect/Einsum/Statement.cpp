//===- Statement.cpp - Text and rules of einsum.statement -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `(i, k) += %A(i, j) * %B(j, k) + ... : types -> type`. Rules are about names,
// ranks, extents and element types; a format that no way down exists for yet is
// refused here as well, by the name of its level.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::einsum;

static ParseResult parseIndices(OpAsmParser &parser, ArrayAttr &indices) {
  SmallVector<Attribute> names;
  auto parseName = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseName))
    return failure();
  indices = parser.getBuilder().getArrayAttr(names);
  return success();
}

ParseResult StatementOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Attribute> accesses;
  SmallVector<int64_t> terms;
  ArrayAttr output;
  SMLoc place = parser.getCurrentLocation();
  StringRef name = parser.getResultName(0).first;
  if (parseIndices(parser, output) || parser.parsePlus() || parser.parseEqual())
    return failure();
  do {
    terms.push_back(0);
    do {
      OpAsmParser::UnresolvedOperand operand;
      ArrayAttr indices;
      if (parser.parseOperand(operand) || parseIndices(parser, indices))
        return failure();
      operands.push_back(operand);
      accesses.push_back(indices);
      ++terms.back();
    } while (succeeded(parser.parseOptionalStar()));
  } while (succeeded(parser.parseOptionalPlus()));
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    std::string semiring;
    if (parser.parseString(&semiring))
      return failure();
    result.addAttribute(getSemiringAttrName(result.name),
                        builder.getStringAttr(semiring));
  }
  SmallVector<Type> types;
  Type type;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseTypeList(types) || parser.parseArrow() ||
      parser.parseType(type))
    return failure();
  if (types.size() != operands.size())
    return report(parser.getEncodedSourceLoc(place), diag::einsum_statement)
           << "the statement has " << operands.size() << " operands and "
           << types.size() << " types of operands";
  result.addAttribute(getNameAttrName(result.name),
                      builder.getStringAttr(name.empty() ? "result" : name));
  result.addAttribute(getOutputAttrName(result.name), output);
  result.addAttribute(getAccessesAttrName(result.name),
                      builder.getArrayAttr(accesses));
  result.addAttribute(getTermsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(terms));
  result.addTypes(type);
  return parser.resolveOperands(operands, types, place, result.operands);
}

static void printIndices(OpAsmPrinter &printer, ArrayAttr indices) {
  printer << "(";
  llvm::interleaveComma(indices, printer, [&](Attribute name) {
    printer << cast<StringAttr>(name).getValue();
  });
  printer << ")";
}

void StatementOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printIndices(printer, getOutput());
  printer << " +=";
  size_t operand = 0;
  for (auto [number, count] : llvm::enumerate(getTerms())) {
    printer << (number ? " +" : "");
    for (int64_t i = 0; i < count; ++i, ++operand) {
      printer << (i ? " * " : " ") << getOperands()[operand];
      printIndices(printer, cast<ArrayAttr>(getAccesses()[operand]));
    }
  }
  if (getSemiring())
    printer << " over " << getSemiringAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getNameAttrName(), getOutputAttrName(),
                                 getAccessesAttrName(), getTermsAttrName(),
                                 getSemiringAttrName()});
  printer << " : " << getOperandTypes() << " -> " << getType();
}

void StatementOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

/// The operand's name as the program has it.
static std::string nameOf(Value value) {
  if (auto statement = value.getDefiningOp<StatementOp>())
    return statement.getName().str();
  auto argument = cast<BlockArgument>(value);
  auto program = cast<ProgramOp>(argument.getOwner()->getParentOp());
  return cast<StringAttr>(program.getArgNames()[argument.getArgNumber()])
      .getValue()
      .str();
}

static LogicalResult verifyFormat(Operation *op, StringRef name,
                                  RankedTensorType type) {
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64())
    return report(op, diag::einsum_element)
           << "elements of " << name << " are of type " << element
           << "; f32 and f64 are supported";
  if (!type.getEncoding())
    return success();
  auto encoding =
      dyn_cast<sparse_tensor::SparseTensorEncodingAttr>(type.getEncoding());
  if (!encoding)
    return report(op, diag::einsum_format)
           << "the format of " << name
           << " is no #sparse_tensor.encoding: " << type.getEncoding();
  using sparse_tensor::LevelFormat;
  using sparse_tensor::LevelPropNonDefault;
  for (auto [number, level] : llvm::enumerate(encoding.getLvlTypes())) {
    LevelFormat format = level.getLvlFmt();
    const char *refused = nullptr;
    if (format == LevelFormat::Batch)
      refused = "batch";
    else if (format == LevelFormat::LooseCompressed)
      refused = "loose_compressed";
    else if (format == LevelFormat::NOutOfM)
      refused = "structured (n out of m)";
    if (refused)
      return report(op, diag::einsum_format)
             << "level " << number << " of " << name << " is " << refused
             << ", which is not lowered yet; dense, compressed and singleton "
                "levels are";
    if (level.isa<LevelFormat::Compressed, LevelFormat::Singleton>() &&
        level.isa<LevelPropNonDefault::Nonordered>())
      return report(op, diag::einsum_format)
             << "level " << number << " of " << name
             << " is nonordered; sort its coordinates and drop the property";
    bool followsList = number > 0 && encoding.getLvlTypes()[number - 1]
                                         .isa<LevelPropNonDefault::Nonunique>();
    if ((format == LevelFormat::Singleton) != followsList)
      return report(op, diag::einsum_format)
             << "level " << number << " of " << name
             << (followsList ? " follows a nonunique level and is no singleton"
                             : " is a singleton and follows a unique level")
             << "; coordinate storage is compressed(nonunique), then "
                "singletons";
  }
  if (!encoding.getLvlTypes().empty() &&
      encoding.getLvlTypes().back().isa<LevelPropNonDefault::Nonunique>())
    return report(op, diag::einsum_format)
           << "the last level of " << name
           << " is nonunique, so one element could be stored twice";
  AffineMap map = encoding.getDimToLvl();
  if (map && !map.isPermutation())
    return report(op, diag::einsum_format)
           << "the levels of " << name
           << " are no permutation of its axes, as blocks have it, which are "
              "not lowered yet";
  for (unsigned width : {encoding.getPosWidth(), encoding.getCrdWidth()})
    if (width != 0 && width != 32 && width != 64)
      return report(op, diag::einsum_format)
             << "positions and coordinates of " << name
             << " have 32 or 64 bits, not " << width;
  if (encoding.getExplicitVal() || encoding.getImplicitVal())
    return report(op, diag::einsum_format)
           << name
           << " has an explicit or implicit value, which is not lowered yet";
  return success();
}

namespace {
/// Extents and where they were seen.
struct IndexExtents {
  llvm::StringMap<std::pair<int64_t, std::string>> known;
};
} // namespace

static LogicalResult verifyAccess(StatementOp op, std::string name,
                                  RankedTensorType type, ArrayAttr indices,
                                  IndexExtents &extents) {
  if (int64_t(indices.size()) != type.getRank())
    return report(op, diag::einsum_indices)
           << name << " has " << type.getRank() << " axes and "
           << indices.size() << " indices";
  if (type.getRank() < 1 || type.getRank() > 8)
    return report(op, diag::einsum_indices) << name << " has " << type.getRank()
                                            << " axes; 1 to 8 are supported";
  for (auto [axis, attribute] : llvm::enumerate(indices)) {
    StringRef index = cast<StringAttr>(attribute).getValue();
    for (size_t before = 0; before < axis; ++before)
      if (indices[before] == attribute)
        return report(op, diag::einsum_indices)
               << name << " has the index " << index
               << " twice; a diagonal is not supported yet";
    if (type.isDynamicDim(axis))
      continue;
    int64_t extent = type.getDimSize(axis);
    auto [found, isNew] =
        extents.known.try_emplace(index, std::pair(extent, name));
    if (!isNew && found->second.first != extent)
      return report(op, diag::einsum_indices)
             << index << " is " << found->second.first << " in "
             << found->second.second << " and " << extent << " in " << name;
  }
  return verifyFormat(op, name, type);
}

LogicalResult StatementOp::verify() {
  static constexpr llvm::StringLiteral kSemirings[] = {"plus-times", "min-plus",
                                                       "max-plus"};
  if (getSemiring() && !llvm::is_contained(kSemirings, *getSemiring()))
    return report(*this, diag::einsum_semiring)
           << "there is no semiring \"" << *getSemiring() << "\"; there are "
           << llvm::join(ArrayRef(kSemirings), ", ");
  int64_t count = 0;
  for (int64_t size : getTerms())
    count += size < 1 ? int64_t(getNumOperands()) + 1
                      : std::min(size, int64_t(getNumOperands()) + 1);
  if (count != int64_t(getNumOperands()) ||
      getAccesses().size() != getNumOperands())
    return report(*this, diag::einsum_statement)
           << "the terms do not divide the " << getNumOperands() << " operands";
  for (Attribute access : getAccesses()) {
    auto names = dyn_cast<ArrayAttr>(access);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return report(*this, diag::einsum_statement)
             << "an access is a list of names of indices";
  }
  IndexExtents extents;
  auto result = cast<RankedTensorType>(getType());
  for (auto [value, indices] : llvm::zip(getOperands(), getAccesses())) {
    auto type = cast<RankedTensorType>(value.getType());
    if (failed(verifyAccess(*this, nameOf(value), type,
                            cast<ArrayAttr>(indices), extents)))
      return failure();
    if (type.getElementType() != result.getElementType())
      return report(*this, diag::einsum_element)
             << nameOf(value) << " has elements of " << type.getElementType()
             << " and the result of " << result.getElementType();
  }
  if (failed(
          verifyAccess(*this, getName().str(), result, getOutput(), extents)))
    return failure();
  for (Attribute index : getOutput()) {
    bool isKnown = llvm::any_of(getAccesses(), [&](Attribute access) {
      return llvm::is_contained(cast<ArrayAttr>(access), index);
    });
    if (!isKnown)
      return report(*this, diag::einsum_indices)
             << "the result has the index "
             << cast<StringAttr>(index).getValue() << ", which no operand has";
  }
  return success();
}
