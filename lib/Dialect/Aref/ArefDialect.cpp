//===- ArefDialect.cpp - Processes, rings, turns, tokens and flights -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the dialect; text and rules of single operations. A ring's payload
// types all that passes through it, and a flight counts as the value that it
// will be, so a process can publish a result before it has landed.
// Structure.cpp has the rules about places.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::aref;

#include "heddle/Dialect/Aref/ArefDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Aref/ArefTypes.cpp.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Aref/ArefOps.cpp.inc"

void ArefDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Aref/ArefTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Aref/ArefOps.cpp.inc"
      >();
}

Type RingType::parse(AsmParser &parser) {
  SmallVector<Type> payload;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseType(payload.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), payload);
}

void RingType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getPayload(), printer);
  printer << "]>";
}

/// More than any machine has; sums and products of them do not wrap.
static constexpr int64_t kMost = 65536;
static constexpr int64_t kMostCycles = 1 << 20;

LogicalResult RingOp::verify() {
  int64_t depth = getDepthAttr().getInt();
  if (depth < 1 || depth > kMost)
    return reportOp(*this, diag::ring_depth)
           << "'" << getSym() << "' has depth " << depth
           << "; a ring needs 1 to " << kMost << " slots";
  return success();
}

/// Costs are text that a person may edit.
LogicalResult ArefDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kBeside) {
    auto process = op->getParentOfType<ProcessOp>();
    Operation *outer = op->getParentOp();
    while (outer && outer != process && !outer->hasAttr(kBeside))
      outer = outer->getParentOp();
    if (isa<scf::IfOp>(op) && process && process.getUnit() && outer == process)
      return success();
    return reportOp(op, diag::unit_cost)
           << "has " << kBeside
           << ", which an 'scf.if' of a process on a unit may have, outside of "
              "other such branches";
  }
  if (attribute.getName() != kIssue && attribute.getName() != kLatency)
    return success();
  auto cycles = dyn_cast<IntegerAttr>(attribute.getValue());
  if (cycles && cycles.getType().isSignlessInteger(64) &&
      cycles.getInt() >= 0 && cycles.getInt() <= kMostCycles)
    return success();
  return reportOp(op, diag::unit_cost)
         << "has " << attribute.getName().getValue() << " = "
         << attribute.getValue() << "; it takes a number of cycles from 0 to "
         << kMostCycles;
}

LogicalResult ProcessOp::verify() {
  int64_t warps = getWarpsAttr().getInt();
  int64_t registers = getRegistersAttr().getInt();
  if (getUnit() && warps == 0 && registers == 0)
    return success();
  if (getUnit())
    return reportOp(*this, diag::process_size)
           << "'" << getSym() << "' is on unit '" << *getUnit() << "' and has "
           << warps << " warps; it has one or the other";
  if (warps < 1 || warps > kMost)
    return reportOp(*this, diag::process_size)
           << "'" << getSym() << "' has " << warps << " warps; it needs 1 to "
           << kMost;
  if (registers < 0 || registers > kMost)
    return reportOp(*this, diag::process_size)
           << "'" << getSym() << "' has a budget of " << registers
           << " registers a thread; it takes 0 to " << kMost;
  return success();
}

/// A flight stands for the value that it will be.
static Type valueType(Type type) {
  if (auto flight = dyn_cast<FlightType>(type))
    return flight.getValue();
  return type;
}

/// Values that enter or leave a ring must be its payload, element by element.
static LogicalResult verifyPayload(Operation *op, RingType ring,
                                   TypeRange values) {
  ArrayRef<Type> payload = ring.getPayload();
  if (payload.size() != values.size())
    return reportOp(op, diag::ring_payload)
           << "moves " << values.size()
           << " values through a ring whose payload has " << payload.size();
  for (auto [index, expected, actual] : llvm::enumerate(payload, values))
    if (expected != actual)
      return reportOp(op, diag::ring_payload)
             << "value " << index << " is " << actual
             << ", but the ring's payload has " << expected;
  return success();
}

LogicalResult PublishOp::verify() {
  auto types = llvm::map_to_vector(getValues().getTypes(), valueType);
  return verifyPayload(*this, getRing().getType(), types);
}

LogicalResult GetOp::verify() {
  return verifyPayload(*this, getRing().getType(), getValues().getTypes());
}

LogicalResult StartOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return reportOp(*this, diag::start_region)
           << "has " << getInputs().size() << " operands and "
           << body.getNumArguments() << " region arguments";
  for (auto [index, input, argument] :
       llvm::enumerate(getInputs().getTypes(), body.getArgumentTypes()))
    if (valueType(input) != argument)
      return reportOp(*this, diag::start_region)
             << "operand " << index << " is " << input
             << ", but the region sees " << argument;
  for (Type type : body.getArgumentTypes())
    if (isa<ArefDialect>(type.getDialect()))
      return reportOp(*this, diag::start_region)
             << "shows its region a " << type << "; a unit sees values only";
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return reportOp(*this, diag::start_region)
           << "needs an aref.yield at the end of its region";
  if (yield.getValue().getType() != getFlight().getType().getValue())
    return reportOp(*this, diag::start_region)
           << "yields " << yield.getValue().getType() << ", but its flight is "
           << getFlight().getType();
  return success();
}

ParseResult StartOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr unit;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseAttribute(unit, "unit", result.attributes))
    return failure();
  auto parseInput = [&]() -> ParseResult {
    Type type;
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(type))
      return failure();
    types.push_back(type);
    arguments.back().type = valueType(type);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput))
    return failure();
  Region *body = result.addRegion();
  Type flight;
  if (parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(flight) ||
      parser.resolveOperands(operands, types, parser.getCurrentLocation(),
                             result.operands))
    return failure();
  result.addTypes(flight);
  return success();
}

void StartOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getUnitAttr() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair) << " : "
                                  << std::get<1>(pair).getType();
                        });
  printer << ") ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"unit"});
  printer << " : " << getFlight().getType();
}

LogicalResult AwaitOp::verify() {
  if (getPendingAttr().getInt() < 0)
    return reportOp(*this, diag::await_count)
           << "has the negative pending count " << getPendingAttr().getInt();
  if (getFlight().getType().getValue() != getValue().getType())
    return reportOp(*this, diag::await_count)
           << "waits for " << getFlight().getType() << " but returns "
           << getValue().getType();
  return success();
}
