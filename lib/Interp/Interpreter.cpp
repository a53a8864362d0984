//===- Interpreter.cpp - Runs a kernel op by op ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

int64_t heddle::interp::countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Datum::Datum(Element element, Shape shape)
    : element(element), shape(std::move(shape)) {
  size_t count = size_t(countElements(this->shape));
  if (element.isFloat())
    floats.resize(count);
  else
    integers.resize(count);
}

const Handlers::Handler *Handlers::find(Operation *op) const {
  auto found = table.find(op->getName().getTypeID());
  return found == table.end() ? nullptr : &found->second;
}

Interpreter::Interpreter(tile::KernelOp kernel, const Options &options)
    : kernel(kernel), options(options) {
  addFloatOps(handlers);
  addIntegerOps(handlers);
  addCastOps(handlers);
  addMathOps(handlers);
  addControlFlowOps(handlers);
  addStructureOps(handlers);
  addViewOps(handlers);
  addMappedViewOps(handlers);
  addShapeOps(handlers);
  addDotOps(handlers);
  addPointerOps(handlers);
  addAtomicOps(handlers);
  addCombineOps(handlers);
  addDebugOps(handlers);
  if (auto module = kernel->getParentOfType<ModuleOp>())
    module.walk([&](tile::ParamOp param) {
      parameters[param.getSymName()] = param.getInit();
    });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Shape Interpreter::getShape(Type type) const {
  Shape shape;
  auto tileType = dyn_cast<RankedTensorType>(type);
  if (!tileType)
    return shape;
  for (const tile::Extent &extent : tile::getExtents(tileType))
    shape.push_back(extent.name ? getParameter(extent.name.getValue())
                                : extent.size);
  return shape;
}

Datum Interpreter::make(Value value) {
  Shape shape = getShape(value.getType());
  if (lanes != 0 && shape.empty())
    shape.push_back(lanes);
  return Datum(*Element::get(getElementTypeOrSelf(value.getType())),
               std::move(shape));
}

void Interpreter::setInteger(Value value, int64_t number) {
  Datum datum = make(value);
  datum.integers[0] = datum.element.wrap(number);
  set(value, std::move(datum));
}

Shape Interpreter::getIntegers(ValueRange values) const {
  Shape numbers;
  for (Value value : values)
    numbers.push_back(getInteger(value));
  return numbers;
}

SmallVector<DatumRef> Interpreter::getOperands(Operation *op) const {
  return llvm::map_to_vector(op->getOperands(),
                             [&](Value value) { return getRef(value); });
}

int64_t Interpreter::addScratch(int64_t sizeBytes) {
  std::vector<char> &bytes = scratch.emplace_back(size_t(sizeBytes));
  auto address = int64_t(bytes.data());
  memory.addRange(address, address + sizeBytes);
  return address;
}

bool Interpreter::isScratchZero() const {
  return llvm::all_of(scratch, [](const std::vector<char> &bytes) {
    return llvm::all_of(bytes, [](char byte) { return byte == 0; });
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::takeStep(Operation *op) {
  if (options.maxSteps && ++steps > options.maxSteps)
    return report(op->getLoc(), diag::step_limit)
           << "the oracle stops after " << options.maxSteps << " operations";
  return success();
}

LogicalResult Interpreter::runOp(Operation *op) {
  if (failed(takeStep(op)))
    return failure();
  return (*handlers.find(op))(*this, op);
}

LogicalResult Interpreter::runBlock(Block &block) {
  for (Operation &op : block) {
    // An empty block counts too: a loop may have nothing else.
    if (op.hasTrait<OpTrait::IsTerminator>())
      return takeStep(&op);
    if (failed(runOp(&op)))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::checkOp(Operation *op) const {
  if (op->hasTrait<OpTrait::IsTerminator>() || handlers.find(op))
    return success();
  return report(op->getLoc(), diag::oracle_unsupported)
         << "the oracle cannot run '" << op->getName() << "'";
}

LogicalResult Interpreter::checkType(Operation *op, Type type) const {
  Type element = getElementTypeOrSelf(type);
  if (auto view = dyn_cast<tile::ViewType>(type))
    element = view.getElementType();
  if (auto pointer = dyn_cast<tile::PtrType>(element))
    element = pointer.getElementType();
  if (!Element::get(element))
    return report(op->getLoc(), diag::oracle_unsupported)
           << "the oracle has no values of type " << type;
  auto tileType = dyn_cast<RankedTensorType>(type);
  if (!tileType)
    return success();
  for (const tile::Extent &extent : tile::getExtents(tileType)) {
    if (extent.name && !parameters.count(extent.name.getValue()))
      return report(op->getLoc(), diag::unknown_param)
             << "a tile type names the parameter " << extent.name.getValue()
             << " but the program does not declare it";
    if (!extent.name && ShapedType::isDynamic(extent.size))
      return report(op->getLoc(), diag::named_extent)
             << "the extents of " << type << " are not known";
  }
  return success();
}

LogicalResult Interpreter::checkProgram() {
  auto result = kernel.getBody().walk([&](Operation *op) -> WalkResult {
    if (failed(checkOp(op)))
      return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Interpreter::run(ArrayRef<Argument> arguments) {
  if (failed(checkProgram()) || failed(bindArguments(arguments)))
    return failure();
  return runBlock(kernel.getEntry());
}

LogicalResult heddle::interp::interpret(tile::KernelOp kernel,
                                        ArrayRef<Argument> arguments,
                                        const Options &options) {
  return Interpreter(kernel, options).run(arguments);
}
