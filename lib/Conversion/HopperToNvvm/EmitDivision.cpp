//===- EmitDivision.cpp - Quotients that one thread waits for -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division takes about a hundred cycles, and a process of one thread, which
// only starts copies, has nothing else to do meanwhile: its first copy waits
// for the divisions that say where a tile begins, a twentieth of a small
// kernel's time. Mostly the number is less than the divisor or the divisor is a
// power of two, so both are asked for first. Only where each division waits for
// the one before, once an instance: side by side they hide each other, which
// branches would keep them from (a kernel of ten a tile lost a tenth). Processes
// of many threads divide beside products that run, and branches would stand in
// the way of those.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace heddle::tonvvm {

static Value choose(Code &code, Value condition,
                    llvm::function_ref<Value()> then,
                    llvm::function_ref<Value()> otherwise, Type type) {
  auto branch = scf::IfOp::create(code.builder, code.loc, type, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(code.builder);
  code.builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(code.builder, code.loc, then());
  code.builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(code.builder, code.loc, otherwise());
  return branch.getResult(0);
}

/// Of numbers without sign.
static Value quotient(Code &code, Value number, Value divisor) {
  Type type = number.getType();
  return choose(
      code, code.isBelow(number, divisor), [&] { return code.zero(type); },
      [&] {
        Value others = code.bitAnd(divisor, code.sub(divisor, 1));
        return choose(
            code, code.isEqual(others, 0),
            [&]() -> Value {
              Value power =
                  code.intrinsic("llvm.cttz", type, {divisor, code.i1(true)});
              return arith::ShRUIOp::create(code.builder, code.loc, number,
                                            power);
            },
            [&] { return code.divide(number, divisor); }, type);
      },
      type);
}

/// A division by a number that nobody knows.
static bool isDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp>(op) &&
         op->getResult(0).getType().isIntOrIndex() &&
         !matchPattern(op->getOperand(1), m_Constant());
}

/// Whether each division in `block` waits for the one before. A quotient and
/// the remainder beside it are one.
static bool isChain(Block &block) {
  SmallVector<Operation *> known;
  llvm::DenseSet<Value> waiting; // for the last one
  for (Operation &op : block) {
    bool waits = llvm::any_of(op.getOperands(), [&](Value operand) {
      return waiting.contains(operand);
    });
    bool isKnown = llvm::any_of(known, [&](Operation *other) {
      return other->getOperands() == op.getOperands();
    });
    if (isDivision(&op) && !isKnown) {
      if (!known.empty() && !waits)
        return false;
      known.push_back(&op);
      waiting.clear();
      waits = true;
    }
    if (waits)
      waiting.insert(op.result_begin(), op.result_end());
  }
  return true;
}

/// Whether `block` runs once an instance: it is in one loop at the most.
static bool runsOnceAnInstance(Block &block) {
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  return !loop || !loop->getParentOfType<scf::ForOp>();
}

bool Emitter::emitsQuickDivision(Operation *op) {
  if (!threads.process || !threads.isSingle() || !isDivision(op))
    return false;
  Block &block = *op->getBlock();
  return runsOnceAnInstance(block) && isChain(block);
}

void Emitter::emitQuickDivision(Operation *op) {
  Code code(builder, op->getLoc());
  Value number = scalar(op->getOperand(0)), divisor = scalar(op->getOperand(1));
  // A quotient and the remainder beside it are one division.
  Operation *other = op;
  while ((other = other->getPrevNode()))
    if (isa<arith::DivUIOp, arith::RemUIOp>(other) &&
        other->getOperands() == op->getOperands())
      break;
  Value whole;
  if (other)
    whole = quotients.lookup(other);
  if (!whole)
    whole = quotient(code, number, divisor);
  quotients[op] = whole;
  bool isQuotient = isa<arith::DivUIOp>(op);
  bind(op->getResult(0),
       {isQuotient ? whole : code.sub(number, code.mul(whole, divisor))});
}

} // namespace heddle::tonvvm
