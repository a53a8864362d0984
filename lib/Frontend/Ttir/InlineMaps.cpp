//===- InlineMaps.cpp - Functions of elements as operations on tiles ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: tt.map_elementwise, whose region computes one element, with conditionals
// and early returns. Out: the same operations on tiles, in the region's place.
// Both sides of a conditional are computed and one is chosen, so nothing may
// have effects, and a divisor that the program would not have divided by
// becomes 1.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace {

class MapInliner {
public:
  explicit MapInliner(MapElementwiseOp map)
      : map(map), builder(map), loc(map.getLoc()),
        tile(map.getNumResults()
                 ? cast<RankedTensorType>(map.getResult(0).getType())
                 : RankedTensorType()) {}

  LogicalResult run() {
    if (!tile)
      return refuse(map, "without a result");
    if (map.getPack() != 1)
      return refuse(map, "of several elements at a time");
    Region &region = map.getBody();
    if (!areElements(region.getArgumentTypes(), map.getOperandTypes()))
      return refuse(map,
                    "whose region does not take an element of each operand");
    for (auto [argument, operand] :
         llvm::zip(region.getArguments(), map.getOperands()))
      values.map(argument, operand);
    llvm::ReversePostOrderTraversal<Region *> blocks(&region);
    for (Block *block : blocks) {
      done.insert(block);
      if (failed(inlineBlock(*block, reached.lookup(block))) ||
          failed(leave(*block)))
        return failure();
    }
    if (returned.empty())
      return refuse(map, "that never returns");
    for (auto [result, value] : llvm::zip(map.getResults(), returned))
      result.replaceAllUsesWith(value);
    map.erase();
    return success();
  }

private:
  LogicalResult refuse(Operation *op, StringRef what) {
    return report(op, diag::ttir_use)
           << "a map_elementwise " << what
           << " is not imported; write it with operations on tiles";
  }

  /// Whether `elements` are those of as many tiles, which have one shape.
  bool areElements(TypeRange elements, TypeRange tiles) {
    return elements.size() == tiles.size() &&
           llvm::all_of(llvm::zip(elements, tiles), [&](auto pair) {
             return lifted(std::get<0>(pair)) == std::get<1>(pair);
           });
  }

  Type lifted(Type element) { return tile.clone(element); }

  /// A value of the region, or of the program around it, as a tile.
  Value get(Value value) {
    if (Value found = values.lookupOrNull(value))
      return found;
    Value tiles =
        isa<RankedTensorType>(value.getType())
            ? value
            : SplatOp::create(builder, loc, lifted(value.getType()), value);
    values.map(value, tiles);
    return tiles;
  }

  Value select(Value condition, Value yes, Value no) {
    return yes == no ? yes
                     : arith::SelectOp::create(builder, loc, condition, yes, no)
                           .getResult();
  }

  Value both(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return arith::AndIOp::create(builder, loc, a, b);
  }

  Value negated(Value condition) {
    Value yes = repeated(condition.getType(), builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, condition, yes);
  }

  /// `where`: of which elements; null is all.
  LogicalResult inlineBlock(Block &block, Value where) {
    for (Operation &op : block.without_terminator())
      if (failed(inlineOp(op, where)))
        return failure();
    return success();
  }

  LogicalResult inlineOp(Operation &op, Value where) {
    if (auto conditional = dyn_cast<scf::IfOp>(op))
      return inlineIf(conditional, where);
    auto library = dyn_cast<ExternElementwiseOp>(op);
    auto assembly = dyn_cast<InlineAsmOp>(op);
    bool isPure = (library && library.getPure()) ||
                  (assembly && assembly.getPure()) || isMemoryEffectFree(&op);
    if (op.getNumRegions() || !isPure)
      return refuse(&op, "with loops, accesses to memory or other effects");
    OperationState state(op.getLoc(), op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(get(operand));
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
            op) &&
        where)
      state.operands[1] =
          select(where, state.operands[1], one(state.operands[1].getType()));
    for (Type type : op.getResultTypes())
      state.addTypes(lifted(type));
    state.addAttributes(op.getAttrs());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      values.map(constant.getResult(),
                 repeated(lifted(constant.getType()), constant.getValue()));
      return success();
    }
    Operation *made = builder.create(state);
    for (auto [from, to] : llvm::zip(op.getResults(), made->getResults()))
      values.map(from, to);
    return success();
  }

  Value repeated(Type type, Attribute element) {
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(cast<ShapedType>(type), element));
  }

  Value one(Type type) {
    return repeated(type,
                    builder.getIntegerAttr(getElementTypeOrSelf(type), 1));
  }

  LogicalResult inlineIf(scf::IfOp op, Value where) {
    Value condition = get(op.getCondition());
    if (failed(inlineBlock(*op.thenBlock(), both(where, condition))))
      return failure();
    if (op.elseBlock() &&
        failed(inlineBlock(*op.elseBlock(), both(where, negated(condition)))))
      return failure();
    for (auto [number, result] : llvm::enumerate(op.getResults()))
      values.map(result,
                 select(condition, get(op.thenYield().getOperand(number)),
                        get(op.elseYield().getOperand(number))));
    return success();
  }

  /// What the block's end makes of the elements that reached it.
  LogicalResult leave(Block &block) {
    Value where = reached.lookup(&block);
    Operation *end = block.getTerminator();
    if (isa<MapElementwiseReturnOp>(end)) {
      if (!areElements(end->getOperandTypes(), map.getResultTypes()))
        return refuse(end, "that does not return an element of each result");
      merge(returned, end->getOperands(), where);
      return success();
    }
    if (auto branch = dyn_cast<cf::BranchOp>(end))
      return goTo(branch.getDest(), branch.getDestOperands(), where);
    auto branch = dyn_cast<cf::CondBranchOp>(end);
    if (!branch)
      return refuse(end, "that branches otherwise than by if and return");
    Value condition = get(branch.getCondition());
    if (failed(goTo(branch.getTrueDest(), branch.getTrueDestOperands(),
                    both(where, condition))))
      return failure();
    return goTo(branch.getFalseDest(), branch.getFalseDestOperands(),
                both(where, negated(condition)));
  }

  LogicalResult goTo(Block *block, ValueRange operands, Value where) {
    if (done.contains(block))
      return refuse(map, "with loops");
    SmallVector<Value> arguments;
    if (seen.insert(block).second) {
      reached[block] = where;
    } else {
      for (BlockArgument argument : block->getArguments())
        arguments.push_back(values.lookup(argument));
      Value before = reached.lookup(block);
      // From everywhere, if from all elements once.
      reached[block] = before && where
                           ? arith::OrIOp::create(builder, loc, before, where)
                           : Value();
    }
    merge(arguments, operands, where);
    for (auto [argument, value] : llvm::zip(block->getArguments(), arguments))
      values.map(argument, value);
    return success();
  }

  /// `list` holds values of other elements, or nothing yet.
  void merge(SmallVector<Value> &list, ValueRange added, Value where) {
    bool isFirst = list.empty();
    for (auto [number, value] : llvm::enumerate(added)) {
      Value tiles = get(value);
      if (isFirst)
        list.push_back(tiles);
      else
        list[number] = where ? select(where, tiles, list[number]) : tiles;
    }
  }

  MapElementwiseOp map;
  OpBuilder builder;
  Location loc;
  RankedTensorType tile;
  IRMapping values;
  /// The elements that a block is run for; null is all.
  llvm::DenseMap<Block *, Value> reached;
  llvm::SmallPtrSet<Block *, 8> seen, done;
  SmallVector<Value> returned;
};

} // namespace

LogicalResult heddle::ttir::inlineMaps(FuncOp function) {
  SmallVector<MapElementwiseOp> maps;
  function.walk([&](MapElementwiseOp map) { maps.push_back(map); });
  for (MapElementwiseOp map : maps)
    if (failed(MapInliner(map).run()))
      return failure();
  return success();
}
