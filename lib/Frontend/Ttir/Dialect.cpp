//===- Dialect.cpp - The tt dialect: how its text is read ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsers and printers for texts that the declarative format cannot describe,
// in the spellings of Triton 3.6 and 3.8. Hints that change no result are
// dropped on reading. There are no verifiers: a mistake shows at the tile
// operation that is made of it, with Triton's line.
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Ttir/Ttir.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

static Report reportAt(AsmParser &parser, SMLoc loc) {
  auto emitError = [&] { return parser.emitError(loc); };
  return Report(emitError(), diag::not_well_formed);
}

/// An enumeration's value, `relaxed`; which there are is the converter's
/// affair.
static ParseResult parseWord(OpAsmParser &parser, StringAttr &word) {
  std::string text;
  if (parser.parseKeywordOrString(&text))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printWord(OpAsmPrinter &printer, Operation *, StringAttr word) {
  printer.printKeywordOrString(word.getValue());
}

#include "heddle/Frontend/Ttir/TtirDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Frontend/Ttir/TtirTypes.cpp.inc"

#define GET_OP_CLASSES
#include "heddle/Frontend/Ttir/TtirOps.cpp.inc"

void TtDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Frontend/Ttir/TtirTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Frontend/Ttir/TtirOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type TensorDescType::parse(AsmParser &parser) {
  Type type;
  if (parser.parseLess())
    return {};
  SMLoc place = parser.getCurrentLocation();
  OptionalParseResult tensor = parser.parseOptionalType(type);
  if (!tensor.has_value()) {
    SmallVector<int64_t> shape;
    Type element;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
        parser.parseType(element))
      return {};
    if (!RankedTensorType::isValidElementType(element))
      return reportAt(parser, place) << "a block is not of " << element, Type();
    type = RankedTensorType::get(shape, element);
  } else if (failed(*tensor)) {
    return {};
  }
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block || !block.hasStaticShape())
    return reportAt(parser, place) << "expected the type of a block", Type();
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), block);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<" << getBlock() << ">";
}

/// `type`, with `element` for its elements.
static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

/// What addresses of `type` point to; null if they are none.
static Type pointeeOf(Type type) {
  auto pointer = dyn_cast<PtrType>(getElementTypeOrSelf(type));
  return pointer ? withElement(type, pointer.getPointee()) : Type();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kTextName = "tt.text_name";

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  (void)SymbolTable::getSymbolAttrName();
  std::string visibility;
  if (succeeded(parser.parseOptionalKeywordOrString(&visibility)))
    result.addAttribute(getSymVisibilityAttrName(result.name),
                        builder.getStringAttr(visibility));
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<DictionaryAttr> resultAttributes;
  SmallVector<Type> resultTypes;
  bool isVariadic = false;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttributes))
    return failure();
  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments) {
    types.push_back(argument.type);
    NamedAttrList attributes(argument.attrs);
    // A declaration names none.
    StringRef word = argument.ssaName.name;
    word.consume_front("%");
    attributes.set(kTextName, builder.getStringAttr(word));
    argument.attrs = attributes.getDictionary(builder.getContext());
  }
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(builder.getFunctionType(types, resultTypes)));
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttributes,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  OptionalParseResult region = parser.parseOptionalRegion(*body, arguments);
  return failure(region.has_value() && failed(*region));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, "function_type",
      getArgAttrsAttrName(), getResAttrsAttrName());
}

std::string FuncOp::getArgName(unsigned index) {
  BlockArgument argument = getBody().getArgument(index);
  // Triton names a value once more for each variable that it is bound to, so
  // that `p = b_ptr` calls the argument p; its own name is the innermost.
  if (auto named = argument.getLoc()->findInstanceOf<NameLoc>()) {
    while (auto inner = named.getChildLoc()->findInstanceOf<NameLoc>())
      named = inner;
    return named.getName().str();
  }
  auto name = getArgAttrOfType<StringAttr>(index, kTextName);
  std::string text = name ? name.getValue().str() : "";
  return text.empty() || llvm::isDigit(text.front())
             ? "arg" + std::to_string(index)
             : text;
}

//===----------------------------------------------------------------------===//
// Forms that the declarative format cannot say
//===----------------------------------------------------------------------===//

namespace {

/// `cacheModifier = ca evictionPolicy = evict_first`: hints, which change no
/// result and are dropped.
ParseResult skipHints(OpAsmParser &parser) {
  while (succeeded(parser.parseOptionalKeyword("cacheModifier")) ||
         succeeded(parser.parseOptionalKeyword("evictionPolicy"))) {
    StringRef word;
    if (parser.parseEqual() || parser.parseKeyword(&word))
      return failure();
  }
  return success();
}

/// `%p, %m, %o HINTS {ATTRIBUTES} : TYPE`, the type being that of the first.
ParseResult parseAccess(OpAsmParser &parser, OperationState &result,
                        SmallVectorImpl<OpAsmParser::UnresolvedOperand> &all,
                        Type &type, SMLoc &place) {
  place = parser.getCurrentLocation();
  return failure(parser.parseOperandList(all) || skipHints(parser) ||
                 parser.parseOptionalAttrDict(result.attributes) ||
                 parser.parseColonType(type));
}

} // namespace

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> all;
  Type type;
  SMLoc place;
  if (parseAccess(parser, result, all, type, place))
    return failure();
  Type value = pointeeOf(type);
  if (!value || all.empty() || all.size() > 3)
    return reportAt(parser, place)
           << "expected one to three operands and the type of an address";
  Type types[] = {type, withElement(type, parser.getBuilder().getI1Type()),
                  value};
  if (parser.resolveOperands(all, ArrayRef(types).take_front(all.size()), place,
                             result.operands))
    return failure();
  auto &segments = result.getOrAddProperties<Properties>().operandSegmentSizes;
  segments = {1, all.size() > 1, all.size() > 2};
  result.addTypes(value);
  Attribute flag = result.attributes.erase("isVolatile");
  if (auto isVolatile = dyn_cast_if_present<BoolAttr>(flag);
      isVolatile && isVolatile.getValue())
    result.addAttribute("isVolatile", parser.getBuilder().getUnitAttr());
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : " << getPtr().getType();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> all;
  Type type;
  SMLoc place;
  if (parseAccess(parser, result, all, type, place))
    return failure();
  Type value = pointeeOf(type);
  if (!value || all.size() < 2 || all.size() > 3)
    return reportAt(parser, place)
           << "expected two or three operands and the type of an address";
  Type types[] = {type, value,
                  withElement(type, parser.getBuilder().getI1Type())};
  return parser.resolveOperands(all, ArrayRef(types).take_front(all.size()),
                                place, result.operands);
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getPtr().getType();
}

ParseResult UnsplatOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Type type;
  if (parser.parseOperand(value) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(value, type, result.operands))
    return failure();
  result.addTypes(getElementTypeOrSelf(type));
  return success();
}

void UnsplatOp::print(OpAsmPrinter &printer) {
  printer << " " << getSrc() << " : " << getSrc().getType();
}

ParseResult HistogramOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> all;
  SMLoc place = parser.getCurrentLocation();
  Type source, counts;
  if (parser.parseOperandList(all) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(source) || parser.parseArrow() ||
      parser.parseType(counts))
    return failure();
  if (all.empty() || all.size() > 2)
    return reportAt(parser, place) << "expected one or two operands";
  Type types[] = {source, withElement(source, parser.getBuilder().getI1Type())};
  result.addTypes(counts);
  return parser.resolveOperands(all, ArrayRef(types).take_front(all.size()),
                                place, result.operands);
}

void HistogramOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands() << " : " << getSrc().getType() << " -> "
          << getResult().getType();
}

ParseResult MakeTensorDescOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  OpAsmParser::UnresolvedOperand base;
  SmallVector<OpAsmParser::UnresolvedOperand> shape, strides;
  using Delimiter = OpAsmParser::Delimiter;
  SMLoc place = parser.getCurrentLocation();
  PtrType pointer;
  TensorDescType descriptor;
  if (parser.parseOperand(base) || parser.parseComma() ||
      parser.parseOperandList(shape, Delimiter::Square) ||
      parser.parseComma() ||
      parser.parseOperandList(strides, Delimiter::Square) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseCustomTypeWithFallback(pointer) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(descriptor))
    return failure();
  size_t rank = descriptor.getBlock().getRank();
  if (shape.size() != rank || strides.size() != rank)
    return reportAt(parser, place)
           << "expected " << rank << " extents and strides";
  Builder &builder = parser.getBuilder();
  if (parser.resolveOperand(base, pointer, result.operands) ||
      parser.resolveOperands(shape, builder.getI32Type(), result.operands) ||
      parser.resolveOperands(strides, builder.getI64Type(), result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, int32_t(rank), int32_t(rank)};
  result.addTypes(descriptor);
  return success();
}

void MakeTensorDescOp::print(OpAsmPrinter &printer) {
  printer << " " << getBase() << ", [" << getShape() << "], [" << getStrides()
          << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : " << getBase().getType() << ", " << getResult().getType();
}

ParseResult DescriptorLoadOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  OpAsmParser::UnresolvedOperand descriptor;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  Type type, tile;
  if (parser.parseOperand(descriptor) ||
      parser.parseOperandList(indices, OpAsmParser::Delimiter::Square) ||
      skipHints(parser) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.parseArrow() ||
      parser.parseType(tile) ||
      parser.resolveOperand(descriptor, type, result.operands) ||
      parser.resolveOperands(indices, parser.getBuilder().getI32Type(),
                             result.operands))
    return failure();
  result.addTypes(tile);
  return success();
}

void DescriptorLoadOp::print(OpAsmPrinter &printer) {
  printer << " " << getDesc() << "[" << getIndices() << "]";
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getDesc().getType() << " -> " << getResult().getType();
}
