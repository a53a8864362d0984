//===- TaskDialect.cpp - The task dialect ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, the text of the two types, and the words of mappings.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

#include "heddle/Dialect/Task/TaskDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Task/TaskTypes.cpp.inc"

void TaskDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Task/TaskTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Task/TaskOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// As many axes as a view or a tile may have.
static constexpr int64_t kMostAxes = 5;

static LogicalResult verifyArray(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rank, Type elementType) {
  if (rank < 1 || rank > kMostAxes)
    return Report(emitError(), diag::task_form)
           << "a tensor of tasks has 1 to " << kMostAxes << " axes, not "
           << rank;
  if (!elementType.isIntOrFloat())
    return Report(emitError(), diag::task_form)
           << "a tensor's elements are integers or floating point, not "
           << elementType;
  return success();
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t rank, Type elementType) {
  return verifyArray(emitError, rank, elementType);
}

LogicalResult
PartitionType::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t rank, Type elementType) {
  return verifyArray(emitError, rank, elementType);
}

template <typename Made> static Type parseArray(AsmParser &parser) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (!llvm::all_of(shape, ShapedType::isDynamic)) {
    report(parser.getEncodedSourceLoc(place), diag::task_form)
        << "extents are no part of a tensor's type; write ? for each axis";
    return {};
  }
  return parser.getChecked<Made>(place, parser.getContext(),
                                 int64_t(shape.size()), elementType);
}

static void printArray(AsmPrinter &printer, int64_t rank, Type elementType) {
  printer << "<";
  for (int64_t axis = 0; axis < rank; ++axis)
    printer << "?x";
  printer << elementType << ">";
}

Type ArrayType::parse(AsmParser &parser) {
  return parseArray<ArrayType>(parser);
}
void ArrayType::print(AsmPrinter &printer) const {
  printArray(printer, getRank(), getElementType());
}
Type PartitionType::parse(AsmParser &parser) {
  return parseArray<PartitionType>(parser);
}
void PartitionType::print(AsmPrinter &printer) const {
  printArray(printer, getRank(), getElementType());
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kLevels[] = {"host", "block", "warpgroup",
                                            "warp", "thread"};
static constexpr StringLiteral kMemories[] = {"global", "shared", "register",
                                              "none"};

template <typename Word, size_t count>
static std::optional<Word> findWord(const StringLiteral (&words)[count],
                                    StringRef text) {
  const auto *found = llvm::find(words, text);
  if (found == std::end(words))
    return std::nullopt;
  return Word(found - std::begin(words));
}

std::optional<Level> heddle::task::findLevel(StringRef word) {
  return findWord<Level>(kLevels, word);
}
std::optional<Memory> heddle::task::findMemory(StringRef word) {
  return findWord<Memory>(kMemories, word);
}
StringRef heddle::task::spelling(Level level) { return kLevels[int(level)]; }
StringRef heddle::task::spelling(Memory memory) {
  return kMemories[int(memory)];
}

StringRef heddle::task::spellPrivileges(int64_t privileges) {
  switch (privileges) {
  case 1:
    return "reads";
  case 2:
    return "writes";
  case 3:
    return "reads writes";
  case kReducesAdd:
    return "reduces(add)";
  case kReducesMin:
    return "reduces(min)";
  case kReducesMax:
    return "reduces(max)";
  }
  return "does nothing with";
}

Value heddle::task::rootOf(Value tensor) {
  while (auto piece = tensor.getDefiningOp<PieceOp>())
    tensor = piece.getBlocks().getTensor();
  return tensor;
}
