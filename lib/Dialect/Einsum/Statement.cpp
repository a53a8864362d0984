//===- Statement.cpp - Text and rules of einsum.statement -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `(i, k) += %A(i, j) * exp(%B(j, k)) - 0.5 * %D(i) where %M(i, k) over "S"
// then relu : types -> type`. Rules are about names, ranks, extents, element
// types and what becomes of elements that are not stored; a format that no way
// down exists for yet is refused here as well, by the name of its level.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/Scalars.h"

#include "mlir/IR/Builders.h"

#include <cmath>

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

namespace {
/// A statement's text as far as it has been read.
struct Read {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Attribute> accesses, functions;
  SmallVector<int64_t> terms;
  SmallVector<double> coefficients;
  bool isMasked = false;

  bool hasFunctions() const {
    return llvm::any_of(functions, [](Attribute list) {
      return !cast<ArrayAttr>(list).empty();
    });
  }
  bool hasCoefficients() const {
    return llvm::any_of(coefficients, [](double value) { return value != 1; });
  }
};
} // namespace

static ParseResult parseAccess(OpAsmParser &parser, Read &read) {
  ArrayAttr indices;
  if (parser.parseOperand(read.operands.emplace_back()) ||
      parseIndices(parser, indices))
    return failure();
  read.accesses.push_back(indices);
  return success();
}

/// `%A(i, j)`, or functions around it; the outermost comes first in the text
/// and last in the list.
static ParseResult parseFactor(OpAsmParser &parser, Read &read) {
  SmallVector<Attribute> functions;
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    functions.push_back(parser.getBuilder().getStringAttr(word));
    if (parser.parseLParen())
      return failure();
  }
  if (parseAccess(parser, read))
    return failure();
  for (size_t i = 0; i < functions.size(); ++i)
    if (parser.parseRParen())
      return failure();
  std::reverse(functions.begin(), functions.end());
  read.functions.push_back(parser.getBuilder().getArrayAttr(functions));
  ++read.terms.back();
  return success();
}

/// A number, then factors, all joined by `*`.
static ParseResult parseTerm(OpAsmParser &parser, bool isMinus, Read &read) {
  read.terms.push_back(0);
  double &coefficient = read.coefficients.emplace_back(isMinus ? -1 : 1);
  Attribute number;
  SMLoc place = parser.getCurrentLocation();
  OptionalParseResult found =
      parser.parseOptionalAttribute(number, parser.getBuilder().getF64Type());
  if (found.has_value()) {
    if (failed(*found))
      return failure();
    auto value = dyn_cast<FloatAttr>(number);
    if (!value)
      return report(parser.getEncodedSourceLoc(place), diag::einsum_statement)
             << "a term begins with a number, a function or an operand, not "
                "with "
             << number;
    if (parser.parseStar())
      return failure();
    coefficient *= value.getValueAsDouble();
  }
  do {
    if (parseFactor(parser, read))
      return failure();
  } while (succeeded(parser.parseOptionalStar()));
  return success();
}

/// `where %M(i, j) over "max-plus" then exp, neg`, as far as it is there.
static ParseResult parseClauses(OpAsmParser &parser, Read &read,
                                OperationState &result) {
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("where"))) {
    read.isMasked = true;
    if (parseAccess(parser, read))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    std::string semiring;
    if (parser.parseString(&semiring))
      return failure();
    result.addAttribute(StatementOp::getSemiringAttrName(result.name),
                        builder.getStringAttr(semiring));
  }
  if (failed(parser.parseOptionalKeyword("then")))
    return success();
  SmallVector<Attribute> functions;
  auto parseName = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    functions.push_back(builder.getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(parseName))
    return failure();
  result.addAttribute(StatementOp::getThenAttrName(result.name),
                      builder.getArrayAttr(functions));
  return success();
}

ParseResult StatementOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Read read;
  ArrayAttr output;
  SMLoc place = parser.getCurrentLocation();
  StringRef name = parser.getResultName(0).first;
  if (parseIndices(parser, output) || parser.parsePlus() || parser.parseEqual())
    return failure();
  bool isMinus = succeeded(parser.parseOptionalMinus());
  while (true) {
    if (parseTerm(parser, isMinus, read))
      return failure();
    isMinus = succeeded(parser.parseOptionalMinus());
    if (!isMinus && failed(parser.parseOptionalPlus()))
      break;
  }
  SmallVector<Type> types;
  Type type;
  if (parseClauses(parser, read, result) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseTypeList(types) || parser.parseArrow() ||
      parser.parseType(type))
    return failure();
  if (types.size() != read.operands.size())
    return report(parser.getEncodedSourceLoc(place), diag::einsum_statement)
           << "the statement has " << read.operands.size() << " operands and "
           << types.size() << " types of operands";
  result.addAttribute(getNameAttrName(result.name),
                      builder.getStringAttr(name.empty() ? "result" : name));
  result.addAttribute(getOutputAttrName(result.name), output);
  result.addAttribute(getAccessesAttrName(result.name),
                      builder.getArrayAttr(read.accesses));
  result.addAttribute(getTermsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(read.terms));
  if (read.hasFunctions())
    result.addAttribute(getFunctionsAttrName(result.name),
                        builder.getArrayAttr(read.functions));
  if (read.hasCoefficients())
    result.addAttribute(getCoefficientsAttrName(result.name),
                        builder.getDenseF64ArrayAttr(read.coefficients));
  if (read.isMasked)
    result.addAttribute(getMaskedAttrName(result.name), builder.getUnitAttr());
  result.addTypes(type);
  return parser.resolveOperands(read.operands, types, place, result.operands);
}

static void printIndices(OpAsmPrinter &printer, ArrayAttr indices) {
  printer << "(";
  llvm::interleaveComma(indices, printer, [&](Attribute name) {
    printer << cast<StringAttr>(name).getValue();
  });
  printer << ")";
}

static void printFactor(OpAsmPrinter &printer, StatementOp op, size_t operand) {
  size_t depth = 0;
  if (auto functions = op.getFunctionsAttr()) {
    auto list = cast<ArrayAttr>(functions[operand]);
    depth = list.size();
    for (Attribute name : llvm::reverse(list))
      printer << cast<StringAttr>(name).getValue() << "(";
  }
  printer << op.getOperands()[operand];
  printIndices(printer, cast<ArrayAttr>(op.getAccesses()[operand]));
  for (size_t i = 0; i < depth; ++i)
    printer << ")";
}

void StatementOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printIndices(printer, getOutput());
  printer << " +=";
  size_t operand = 0;
  for (auto [number, count] : llvm::enumerate(getTerms())) {
    double coefficient = getCoefficients() ? (*getCoefficients())[number] : 1;
    bool isMinus = std::signbit(coefficient);
    printer << (isMinus ? " -" : number ? " +" : "") << " ";
    if (coefficient != 1 && coefficient != -1) {
      printer.printFloat(llvm::APFloat(std::fabs(coefficient)));
      printer << " * ";
    }
    for (int64_t i = 0; i < count; ++i, ++operand) {
      printer << (i ? " * " : "");
      printFactor(printer, *this, operand);
    }
  }
  if (getMasked()) {
    printer << " where " << getOperands().back();
    printIndices(printer, cast<ArrayAttr>(getAccesses()[operand]));
  }
  if (getSemiring())
    printer << " over " << getSemiringAttr();
  if (getThen()) {
    printer << " then ";
    llvm::interleaveComma(*getThen(), printer, [&](Attribute name) {
      printer << cast<StringAttr>(name).getValue();
    });
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getNameAttrName(), getOutputAttrName(), getAccessesAttrName(),
       getTermsAttrName(), getSemiringAttrName(), getFunctionsAttrName(),
       getCoefficientsAttrName(), getMaskedAttrName(), getThenAttrName()});
  printer << " : " << getOperandTypes() << " -> " << getType();
}

void StatementOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

std::string heddle::einsum::nameOf(Value value) {
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
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !element.isF64())
    return report(op, diag::einsum_element)
           << "elements of " << name << " are of type " << element
           << "; f16, bf16, f32 and f64 are supported";
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
  if (type.getRank() > 8)
    return report(op, diag::einsum_indices) << name << " has " << type.getRank()
                                            << " axes; at most 8 are supported";
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

/// Lists of functions by their names: one for each factor, and that of `then`.
static LogicalResult verifyFunctionNames(StatementOp op) {
  auto verifyList = [&](Attribute list) -> LogicalResult {
    auto names = dyn_cast<ArrayAttr>(list);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return report(op, diag::einsum_statement)
             << "the functions of a factor are a list of names";
    for (Attribute name : names)
      if (StringRef word = cast<StringAttr>(name).getValue();
          !findFunction(word))
        return report(op, diag::einsum_function)
               << "there is no function " << word << "; there are "
               << listFunctions();
    return success();
  };
  if (ArrayAttr functions = op.getFunctionsAttr()) {
    if (functions.size() != op.getNumFactors())
      return report(op, diag::einsum_statement)
             << "there are functions for " << functions.size() << " of "
             << op.getNumFactors() << " factors";
    for (Attribute list : functions)
      if (failed(verifyList(list)))
        return failure();
  }
  return op.getThen() ? verifyList(*op.getThen()) : success();
}

static bool isDense(RankedTensorType type) {
  auto encoding = dyn_cast_if_present<sparse_tensor::SparseTensorEncodingAttr>(
      type.getEncoding());
  return !encoding || encoding.isAllDense();
}

/// An element that is not stored is the zero, and functions of sparse tensors
/// leave it so, unless `where` says which elements there are.
static LogicalResult verifyZero(StatementOp op, ArrayAttr names,
                                StringRef tensor, RankedTensorType type) {
  if (op.getMasked() || isDense(type))
    return success();
  double zero = zeroOf(op.getSemiring() ? *findSemiring(*op.getSemiring())
                                        : Semiring::PlusTimes);
  double value = zero;
  for (Attribute name : names)
    value =
        applyFunction(*findFunction(cast<StringAttr>(name).getValue()), value);
  if (value == zero)
    return success();
  Report error = report(op, diag::einsum_function);
  error << cast<StringAttr>(names[names.size() - 1]).getValue() << " makes "
        << std::to_string(value) << " of " << std::to_string(zero)
        << ", which is what the elements are that " << tensor
        << " does not store; say by `where` which elements there are, or make "
        << tensor << " dense";
  return error;
}

static LogicalResult verifyMask(StatementOp op, StringRef name) {
  if (isDense(cast<RankedTensorType>(op.getOperands().back().getType())))
    return report(op, diag::einsum_mask)
           << "the mask " << name
           << " is dense, so it has every element; leave `where` out, or give "
           << name << " a compressed level";
  for (Attribute index : cast<ArrayAttr>(op.getAccesses()[op.getNumFactors()]))
    if (!llvm::is_contained(op.getOutput(), index))
      return report(op, diag::einsum_mask)
             << "the mask " << name << " has the index "
             << cast<StringAttr>(index).getValue()
             << ", which the result lacks; a mask says which elements of the "
                "result there are";
  return success();
}

LogicalResult StatementOp::verify() {
  if (getSemiring() && !findSemiring(*getSemiring()))
    return report(*this, diag::einsum_semiring)
           << "there is no semiring \"" << *getSemiring() << "\"; there are "
           << listSemirings();
  if (getMasked() && getNumOperands() < 2)
    return report(*this, diag::einsum_statement)
           << "the statement has a mask and no factor";
  int64_t factors = int64_t(getNumFactors()), count = 0;
  for (int64_t size : getTerms())
    count += size < 1 ? factors + 1 : std::min(size, factors + 1);
  if (count != factors || getAccesses().size() != getNumOperands())
    return report(*this, diag::einsum_statement)
           << "the terms do not divide the " << factors << " operands";
  if (getCoefficients() && getCoefficients()->size() != getTerms().size())
    return report(*this, diag::einsum_statement)
           << "there are " << getCoefficients()->size() << " numbers for "
           << getTerms().size() << " terms";
  if (getCoefficients() && getSemiring() && *getSemiring() != "plus-times")
    return report(*this, diag::einsum_semiring)
           << "a number in front of a term, or a minus, needs the sums and "
              "products of \"plus-times\", not of \""
           << *getSemiring() << "\"";
  if (failed(verifyFunctionNames(*this)))
    return failure();
  for (Attribute access : getAccesses()) {
    auto names = dyn_cast<ArrayAttr>(access);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return report(*this, diag::einsum_statement)
             << "an access is a list of names of indices";
  }
  IndexExtents extents;
  auto result = cast<RankedTensorType>(getType());
  for (auto [number, value] : llvm::enumerate(getOperands())) {
    auto type = cast<RankedTensorType>(value.getType());
    std::string name = nameOf(value);
    if (failed(verifyAccess(*this, name, type,
                            cast<ArrayAttr>(getAccesses()[number]), extents)))
      return failure();
    if (type.getElementType() != result.getElementType())
      return report(*this, diag::einsum_element)
             << name << " has elements of " << type.getElementType()
             << " and the result of " << result.getElementType();
    if (number == getNumFactors() && failed(verifyMask(*this, name)))
      return failure();
    if (number < getNumFactors() && getFunctions() &&
        failed(verifyZero(*this, cast<ArrayAttr>((*getFunctions())[number]),
                          name, type)))
      return failure();
  }
  if (failed(
          verifyAccess(*this, getName().str(), result, getOutput(), extents)))
    return failure();
  if (getThen() && failed(verifyZero(*this, *getThen(), getName(), result)))
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
