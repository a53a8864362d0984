//===- MappingOps.cpp - The text of mappings ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and local rules of instances and of their lines. Whether a mapping fits
// its program is asked where both are read (lib/Frontend/Tasks).
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

LogicalResult MappingOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<InstanceOp, PinOp, TuneOp>(op))
      return reportOp(&op, diag::task_form)
             << "does not belong into a mapping, which holds instances and "
                "pins";
  return success();
}

ParseResult InstanceOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  FlatSymbolRefAttr variant;
  std::string level;
  SmallVector<Attribute> memories, calls;
  Builder &builder = parser.getBuilder();
  auto parseMemory = [&]() -> ParseResult {
    std::string word;
    if (parser.parseKeywordOrString(&word))
      return failure();
    memories.push_back(builder.getStringAttr(word));
    return success();
  };
  auto parseCall = [&]() -> ParseResult {
    StringAttr called;
    if (parser.parseSymbolName(called))
      return failure();
    calls.push_back(FlatSymbolRefAttr::get(called));
    return success();
  };
  if (parser.parseSymbolName(name) || parser.parseKeyword("runs") ||
      parser.parseAttribute(variant, getVariantAttrName(result.name),
                            result.attributes) ||
      parser.parseKeyword("on") || parser.parseKeywordOrString(&level))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("memories")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseMemory))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("calls")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseCall))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute(getSymAttrName(result.name), name);
  result.addAttribute(getLevelAttrName(result.name),
                      builder.getStringAttr(level));
  result.addAttribute(getMemoriesAttrName(result.name),
                      builder.getArrayAttr(memories));
  result.addAttribute(getCallsAttrName(result.name),
                      builder.getArrayAttr(calls));
  Region *body = result.addRegion();
  OptionalParseResult lines = parser.parseOptionalRegion(*body);
  if (lines.has_value() && failed(*lines))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void InstanceOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSym());
  printer << " runs " << getVariantAttr() << " on " << getLevel();
  if (!getMemories().empty()) {
    printer << " memories [";
    llvm::interleaveComma(getMemories().getAsValueRange<StringAttr>(), printer,
                          [&](StringRef memory) { printer << memory; });
    printer << "]";
  }
  if (!getCalls().empty()) {
    printer << " calls [";
    llvm::interleaveComma(getCalls(), printer);
    printer << "]";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymAttrName(), getVariantAttrName(), getLevelAttrName(),
       getMemoriesAttrName(), getCallsAttrName()});
  if (!getBody().front().empty()) {
    printer << " ";
    printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  }
}

LogicalResult InstanceOp::verify() {
  if (!findLevel(getLevel()))
    return reportOp(*this, diag::task_mapping)
           << "@" << getSym() << " is on '" << getLevel()
           << "'; levels are host, block, warpgroup, warp and thread";
  for (StringRef memory : getMemories().getAsValueRange<StringAttr>())
    if (!findMemory(memory))
      return reportOp(*this, diag::task_mapping)
             << "@" << getSym() << " names the memory '" << memory
             << "'; memories are global, shared, register and none";
  for (Attribute call : getCalls())
    if (!isa<FlatSymbolRefAttr>(call))
      return reportOp(*this, diag::task_mapping)
             << "@" << getSym() << " calls " << call
             << ", which names no instance";
  for (Operation &op : getBody().front())
    if (!isa<TuneOp, PinOp>(op))
      return reportOp(&op, diag::task_form)
             << "does not belong into an instance, which holds the lines "
                "task.tune and task.pin";
  return success();
}

ParseResult TuneOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr tunable;
  int64_t value = 0;
  Builder &builder = parser.getBuilder();
  if (parser.parseAttribute(tunable, getTunableAttrName(result.name),
                            result.attributes) ||
      parser.parseEqual() || parser.parseInteger(value))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("of"))) {
    SmallVector<int64_t> choices;
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
          return parser.parseInteger(choices.emplace_back());
        }))
      return failure();
    result.addAttribute(getChoicesAttrName(result.name),
                        builder.getDenseI64ArrayAttr(choices));
  }
  result.addAttribute(getValueAttrName(result.name),
                      builder.getI64IntegerAttr(value));
  return parser.parseOptionalAttrDict(result.attributes);
}

void TuneOp::print(OpAsmPrinter &printer) {
  printer << " " << getTunableAttr() << " = " << getValue();
  if (getChoices()) {
    printer << " of {";
    llvm::interleaveComma(*getChoices(), printer);
    printer << "}";
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getTunableAttrName(), getValueAttrName(), getChoicesAttrName()});
}

LogicalResult TuneOp::verify() {
  SmallVector<int64_t> values{int64_t(getValue())};
  if (getChoices())
    llvm::append_range(values, *getChoices());
  for (int64_t value : values)
    if (value < 1)
      return reportOp(*this, diag::task_mapping)
             << "binds \"" << getTunable() << "\" to " << value
             << "; a tunable is at least 1";
  if (getChoices() && !llvm::is_contained(*getChoices(), int64_t(getValue())))
    return reportOp(*this, diag::task_mapping)
           << "binds \"" << getTunable() << "\" to " << getValue()
           << ", which is not among its choices";
  return success();
}
