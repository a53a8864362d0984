//===- BuildHostProgram.cpp - A tile.program as steps ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value of the program gets a slot, each operation becomes one step.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/TileToCpu.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using cpu::Step;

static int bytesOf(Type pointer) {
  auto type = dyn_cast<tile::PtrType>(pointer);
  return type ? int(type.getElementType().getIntOrFloatBitWidth() / 8) : 0;
}

static std::optional<Step> makeStep(Operation &op) {
  Step step;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    step.kind = Step::Kind::Constant;
    step.number = cast<IntegerAttr>(constant.getValue()).getInt();
  } else if (isa<arith::AddIOp>(op)) {
    step.kind = Step::Kind::Add;
  } else if (isa<arith::MulIOp>(op)) {
    step.kind = Step::Kind::Multiply;
  } else if (isa<arith::DivUIOp>(op)) {
    step.kind = Step::Kind::Divide;
  } else if (auto allocate = dyn_cast<tile::AllocateOp>(op)) {
    step.kind = Step::Kind::Allocate;
    step.number = bytesOf(allocate.getType());
    step.isZeroed = allocate.getZeroed();
  } else if (auto read = dyn_cast<tile::ReadOp>(op)) {
    step.kind = Step::Kind::Read;
    step.number = bytesOf(read.getPtr().getType());
  } else if (auto limit = dyn_cast<tile::LimitOp>(op)) {
    step.kind = Step::Kind::Limit;
    step.number = limit.getMost();
    step.text = limit.getWhat().str();
  } else if (auto launch = dyn_cast<tile::LaunchOp>(op)) {
    step.kind = Step::Kind::Launch;
    step.text = launch.getKernel().str();
  } else {
    return std::nullopt;
  }
  return step;
}

FailureOr<cpu::HostProgram> heddle::buildHostProgram(tile::ProgramOp program) {
  cpu::HostProgram made;
  made.name = program.getSymName().str();
  llvm::DenseMap<Value, int> slots;
  auto addSlot = [&](Value value) { return slots[value] = made.slots++; };
  for (BlockArgument argument : program.getEntry().getArguments()) {
    addSlot(argument);
    made.arguments.push_back({program.getArgName(argument.getArgNumber()),
                              bytesOf(argument.getType())});
  }
  for (Operation &op : program.getEntry().without_terminator()) {
    std::optional<Step> step = makeStep(op);
    if (!step)
      return report(&op, diag::cpu_unsupported)
             << "'" << op.getName() << "' has no lowering to the CPU yet";
    for (Value operand : op.getOperands())
      step->operands.push_back(slots.at(operand));
    if (op.getNumResults())
      step->result = addSlot(op.getResult(0));
    made.steps.push_back(std::move(*step));
  }
  auto give = cast<tile::GiveOp>(program.getEntry().back());
  for (auto [name, array, count] :
       llvm::zip(give.getNames(), give.getArrays(), give.getCounts()))
    made.results.push_back({cast<StringAttr>(name).getValue().str(),
                            slots.at(array), slots.at(count),
                            bytesOf(array.getType())});
  return made;
}
