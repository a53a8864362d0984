//===- FlowDialect.cpp - Registers the flow dialect; its type -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the code that TableGen generates, and has the text of streams:
// `!flow.stream<crd [i, j]>`. Rules.cpp has the rules of the primitives.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/EntryText.h"
#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

#include "heddle/Dialect/Flow/FlowDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Flow/FlowTypes.cpp.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Flow/FlowOps.cpp.inc"

void FlowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Flow/FlowTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Flow/FlowOps.cpp.inc"
      >();
}

bool heddle::flow::isDenseLevel(RankedTensorType type, int64_t level) {
  auto encoding = dyn_cast_if_present<sparse_tensor::SparseTensorEncodingAttr>(
      type.getEncoding());
  if (!encoding || encoding.getLvlTypes().empty())
    return true;
  return encoding.getLvlTypes()[size_t(level)]
      .isa<sparse_tensor::LevelFormat::Dense>();
}

void heddle::flow::dropUnused(GraphOp graph) {
  for (Operation *op = graph.getEntry().getTerminator()->getPrevNode(); op;) {
    Operation *before = op->getPrevNode();
    if (op->use_empty())
      op->erase();
    op = before;
  }
}

Type StreamType::parse(AsmParser &parser) {
  StreamKind kind = StreamKind::Val;
  Type element;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("crd")))
    kind = StreamKind::Crd;
  else if (succeeded(parser.parseOptionalKeyword("ref")))
    kind = StreamKind::Ref;
  else if (parser.parseType(element))
    return {};
  if (kind != StreamKind::Val)
    element = parser.getBuilder().getIndexType();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<StringAttr> nest;
  auto parseName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    nest.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseName) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    kind, element, nest);
}

void StreamType::print(AsmPrinter &printer) const {
  printer << "<";
  if (isVal())
    printer << getElement();
  else
    printer << (isCrd() ? "crd" : "ref");
  printer << " [";
  llvm::interleaveComma(getNest(), printer, [&](StringAttr name) {
    printer.printKeywordOrString(name.getValue());
  });
  printer << "]>";
}

LogicalResult StreamType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StreamKind kind, Type element,
                                 ArrayRef<StringAttr> nest) {
  if (kind == StreamKind::Val && !element.isF32() && !element.isF64())
    return Report(emitError(), diag::flow_stream)
           << "a stream carries crd, ref, f32 or f64, not " << element;
  for (auto [number, name] : llvm::enumerate(nest))
    if (llvm::is_contained(nest.take_front(number), name))
      return Report(emitError(), diag::flow_stream)
             << "a stream walks the space " << name.getValue() << " twice";
  return success();
}

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  result.addAttribute(getProgramAttrName(result.name),
                      FlatSymbolRefAttr::get(name));
  return parseEntry<GraphOp>(parser, result);
}

void GraphOp::print(OpAsmPrinter &printer) {
  printEntry(printer, *this, getProgram(), getProgramAttrName());
}

void GraphOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), getArgNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}
