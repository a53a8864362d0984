//===- ConvertBlocks.cpp - Early returns -------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TTIR returns early, from any depth of conditionals, by branches between the
// blocks of the function. The tile rung has one block, so what follows a place
// from which the program may have returned stands in an `scf.if`, whose
// condition the conditionals before it hand on.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

/// How a chain of blocks ends: the program has returned, or goes on at the
/// block that it was followed to, with values for its arguments.
struct Converter::Ending {
  /// Null: always.
  Value goesOn;
  bool returns = false; ///< always
  SmallVector<Value> arguments;
};

static bool onlyReturns(Block *block) { return isa<ReturnOp>(block->front()); }

/// The blocks that `from` leads to, without those that only return.
static llvm::SmallSetVector<Block *, 8> reachableFrom(Block *from) {
  llvm::SmallSetVector<Block *, 8> found;
  if (!onlyReturns(from))
    found.insert(from);
  for (size_t i = 0; i < found.size(); ++i)
    for (Block *next : found[i]->getSuccessors())
      if (!onlyReturns(next))
        found.insert(next);
  return found;
}

/// Where the two ways of a branch meet first; null if they never do.
static Block *findMeeting(Block *a, Block *b) {
  llvm::SmallSetVector<Block *, 8> fromA = reachableFrom(a),
                                   fromB = reachableFrom(b);
  for (Block *block : fromA) {
    if (!fromB.contains(block))
      continue;
    // All others in which they meet lie behind it.
    llvm::SmallSetVector<Block *, 8> behind = reachableFrom(block);
    if (llvm::all_of(fromA, [&](Block *other) {
          return !fromB.contains(other) || behind.contains(other);
        }))
      return block;
  }
  return nullptr;
}

LogicalResult Converter::reportBlocks(Operation *end) {
  return report(end, diag::ttir_use)
         << "'" << end->getName()
         << "' does not end a conditional or return from one; write loops and "
            "branches as for, while, if and else";
}

/// For a path on which nobody reads it.
Value Converter::makeAny(Location loc, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isPointer = isa<tile::PtrType>(element);
  Type number = isPointer ? builder.getI64Type() : element;
  Value any =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(number));
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    any = tile::SplatOp::create(builder, loc, tensor.clone(number), any);
  return isPointer ? tile::IntToPtrOp::create(builder, loc, type, any) : any;
}

/// An scf.if whose branches are made by `makeThen` and `makeElse`; they end
/// where the branches reach `stop`.
FailureOr<Converter::Ending>
Converter::makeBranch(Location loc, Value condition, Block *stop,
                      llvm::function_ref<FailureOr<Ending>()> makeThen,
                      llvm::function_ref<FailureOr<Ending>()> makeElse) {
  SmallVector<Type> types;
  if (stop) {
    types.push_back(builder.getI1Type());
    for (BlockArgument argument : stop->getArguments())
      types.push_back(convertType(argument.getType()));
  }
  auto branch =
      scf::IfOp::create(builder, loc, types, condition, /*withElse=*/true);
  Ending result;
  result.returns = true;
  bool isAlways = true;
  auto fill =
      [&](Block &block,
          llvm::function_ref<FailureOr<Ending>()> make) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    if (!block.empty())
      block.back().erase();
    builder.setInsertionPointToEnd(&block);
    FailureOr<Ending> ending = make();
    if (failed(ending))
      return failure();
    result.returns &= ending->returns;
    isAlways &= !ending->returns && !ending->goesOn;
    SmallVector<Value> yielded;
    if (stop) {
      Value goesOn = ending->goesOn;
      if (!goesOn)
        goesOn =
            arith::ConstantIntOp::create(builder, loc, !ending->returns, 1);
      yielded.push_back(goesOn);
      for (size_t i = 1; i < types.size(); ++i)
        yielded.push_back(ending->returns ? makeAny(loc, types[i])
                                          : ending->arguments[i - 1]);
    }
    scf::YieldOp::create(builder, loc, yielded);
    return success();
  };
  if (failed(fill(*branch.thenBlock(), makeThen)) ||
      failed(fill(*branch.elseBlock(), makeElse)))
    return failure();
  if (stop) {
    result.goesOn = isAlways ? Value() : branch.getResult(0);
    llvm::append_range(result.arguments, branch.getResults().drop_front());
  }
  return result;
}

FailureOr<Converter::Ending>
Converter::followTo(Block *next, ValueRange operands, Block *stop) {
  if (next == stop)
    return Ending{Value(), false, get(operands)};
  for (auto [argument, operand] : llvm::zip(next->getArguments(), operands))
    bind(argument, get(operand));
  return convertBlocks(*next, stop);
}

FailureOr<Converter::Ending> Converter::convertBranch(cf::CondBranchOp branch,
                                                      Block *stop) {
  Location loc = branch.getLoc();
  Block *onTrue = branch.getTrueDest(), *onFalse = branch.getFalseDest();
  Value condition = get(branch.getCondition());
  auto takeTrue = [&](Block *to) {
    return followTo(onTrue, branch.getTrueDestOperands(), to);
  };
  auto takeFalse = [&](Block *to) {
    return followTo(onFalse, branch.getFalseDestOperands(), to);
  };
  if (!stop && onlyReturns(onTrue) != onlyReturns(onFalse)) {
    bool goesOnIfTrue = onlyReturns(onFalse);
    if (!goesOnIfTrue) {
      Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
      condition = arith::XOrIOp::create(builder, loc, condition, one);
    }
    auto rest = scf::IfOp::create(builder, loc, condition, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(rest.thenYield());
    return goesOnIfTrue ? takeTrue(nullptr) : takeFalse(nullptr);
  }
  Block *meeting =
      onTrue == stop || onFalse == stop ? stop : findMeeting(onTrue, onFalse);
  Block *end = meeting ? meeting : stop;
  FailureOr<Ending> both = makeBranch(
      loc, condition, end, [&] { return takeTrue(end); },
      [&] { return takeFalse(end); });
  if (failed(both) || !meeting || meeting == stop || both->returns)
    return both;
  for (auto [argument, value] :
       llvm::zip(meeting->getArguments(), both->arguments))
    bind(argument, value);
  if (!both->goesOn)
    return convertBlocks(*meeting, stop);
  if (!stop) {
    auto rest = scf::IfOp::create(builder, loc, both->goesOn, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(rest.thenYield());
    return convertBlocks(*meeting, nullptr);
  }
  return makeBranch(
      loc, both->goesOn, stop, [&] { return convertBlocks(*meeting, stop); },
      [&] { return FailureOr<Ending>(Ending{Value(), true, {}}); });
}

FailureOr<Converter::Ending> Converter::convertBlocks(Block &block,
                                                      Block *stop) {
  Operation *end = block.getTerminator();
  // A second time would be a cycle, or a jump into a branch.
  if (!onlyReturns(&block) && !followed.insert(&block).second)
    return reportBlocks(end);
  if (failed(convertBlock(block)))
    return failure();
  if (auto result = dyn_cast<ReturnOp>(end)) {
    if (result.getNumOperands())
      return report(result, diag::ttir_use)
             << "a kernel returns nothing; this returns "
             << result.getNumOperands() << " values";
    return Ending{Value(), true, {}};
  }
  if (auto jump = dyn_cast<cf::BranchOp>(end))
    return followTo(jump.getDest(), jump.getDestOperands(), stop);
  if (auto branch = dyn_cast<cf::CondBranchOp>(end))
    return convertBranch(branch, stop);
  return reportBlocks(end);
}

LogicalResult Converter::convertFunctionBlock(Block &block) {
  // Where branches meet is asked of all pairs.
  constexpr size_t kMostBlocks = 128;
  size_t count = block.getParent()->getBlocks().size();
  if (count > kMostBlocks)
    return report(function, diag::ttir_use)
           << "the kernel has " << count << " blocks between branches; at most "
           << kMostBlocks << " are imported";
  return success(succeeded(convertBlocks(block, nullptr)));
}
