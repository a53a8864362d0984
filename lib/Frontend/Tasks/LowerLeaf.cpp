//===- LowerLeaf.cpp - Bodies that compute --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A leaf's operations are copied with numbers, or parameters, for the names in
// their types. Where a name stands for the pieces of a folded prange, an
// operation must do for the whole tile what it does for each piece: elements
// along that axis are never mixed, counted or told apart.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

/// "64", "BM", or "2 pieces of 64".
static std::string spell(const Axis &axis) {
  if (!axis.fold)
    return tile::spellExtents(axis.extent);
  return std::to_string(axis.fold->parts) + " pieces of " +
         std::to_string(axis.extent.size / axis.fold->parts);
}

/// Matches a tile's type with the tensor that it is of.
LogicalResult Lowering::bindNames(Frame &frame, Operation *access,
                                  RankedTensorType tile, const Tensor &tensor,
                                  Bindings &bindings) {
  for (auto [axis, extent] : llvm::enumerate(tile::getExtents(tile))) {
    const Axis &along = tensor.axes[axis];
    if (!extent.name) {
      if (ShapedType::isDynamic(extent.size))
        return refuse(access, diag::task_extent,
                      "axis " + Twine(axis) +
                          " of the tile has neither an extent nor a name; "
                          "write #tile.shape<...>");
      bool isEqual = !along.fold && along.extent == extent;
      if (!isEqual)
        return refuse(access, diag::task_extent,
                      "axis " + Twine(axis) + " of the tile has the extent " +
                          Twine(extent.size) + ", and the tensor has " +
                          spell(along));
      continue;
    }
    auto [known, isNew] = bindings.insert({extent.name, {along, access}});
    const Axis &first = known->second.axis;
    if (isNew || (first.extent == along.extent && first.fold == along.fold))
      continue;
    Report error = report(access, diag::task_extent)
                   << "\"" << extent.name.getValue() << "\" is " << spell(along)
                   << " here";
    error.attachNote(known->second.where->getLoc())
        << "and " << spell(first) << " here";
    for (auto [launch, instance] : stack)
      error.attachNote(launch.getLoc())
          << "in instance @" << instance->op.getSym() << ", launched here";
    return error;
  }
  return success();
}

namespace {

/// Where a leaf works on all pieces of a prange at once.
class FoldRules {
public:
  explicit FoldRules(llvm::function_ref<bool(StringAttr)> isFolded)
      : isFolded(isFolded) {}

  /// Empty if `op` does for all pieces what it does for each, else the reason.
  std::string check(Operation *op) {
    bool touches = false;
    for (Value value : valuesOf(op)) {
      unsigned axes = llvm::count(foldedAxes(value), true);
      touches |= axes > 0;
      if (axes > 1)
        return "a tile has the pieces along two axes";
    }
    if (!touches)
      return {};
    if (op->getNumRegions() && !isa<tile::ReduceOp, tile::ScanOp>(op))
      return "there is control flow around them";
    if (isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::TransOp,
            ReadOp, WriteOp>(op))
      return {};
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return foldedAxes(dot.getA())[1] || foldedAxes(dot.getB())[0]
                 ? "a product adds along them"
                 : "";
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      return combines(reduce.getValues(), reduce.getAxis());
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      return combines(scan.getValues(), scan.getAxis());
    auto byElement = dyn_cast<tile::TileOpInterface>(op);
    if (op->hasTrait<OpTrait::Elementwise>() ||
        (byElement && byElement.goesByElement()))
      return {};
    return "'" + op->getName().getStringRef().str() + "' tells them apart";
  }

private:
  static SmallVector<Value> valuesOf(Operation *op) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    return values;
  }

  SmallVector<bool> foldedAxes(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    SmallVector<bool> folded;
    if (type)
      for (const tile::Extent &extent : tile::getExtents(type))
        folded.push_back(extent.name && isFolded(extent.name));
    return folded;
  }

  std::string combines(ValueRange values, int64_t axis) {
    for (Value value : values)
      if (foldedAxes(value)[axis])
        return "they are combined";
    return {};
  }

  llvm::function_ref<bool(StringAttr)> isFolded;
};

} // namespace

/// Copies `op` with its regions; the names in its types get their extents.
LogicalResult Lowering::copyLeafOp(Frame &frame, Operation *op,
                                   const Bindings &bindings) {
  auto isFolded = [&](StringAttr name) {
    const auto *found = bindings.find(name);
    return found != bindings.end() && found->second.axis.fold;
  };
  FoldRules rules(isFolded);
  StringAttr unknown;
  std::string reason;
  Operation *culprit = op;
  op->walk([&](Operation *inner) {
    if (!reason.empty())
      return;
    reason = rules.check(inner);
    culprit = inner;
  });
  if (!reason.empty())
    return refuse(culprit, diag::task_lowering,
                  "the pieces of a prange do not become one tile here: " +
                      reason);
  IRMapping values;
  LogicalResult mapped = success();
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (values.contains(operand) || failed(mapped))
        continue;
      if (auto found = frame.scalars.find(operand);
          found != frame.scalars.end()) {
        values.map(operand, found->second);
      } else if (auto number = frame.numbers.find(operand);
                 number != frame.numbers.end()) {
        FailureOr<Value> value = asValue(number->second, inner);
        if (failed(value))
          mapped = failure();
        else
          values.map(operand, *value);
      }
    }
  });
  if (failed(mapped))
    return failure();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        SmallVector<tile::Extent> extents = tile::getExtents(type);
        for (tile::Extent &extent : extents) {
          if (!extent.name)
            continue;
          const auto *found = bindings.find(extent.name);
          if (found == bindings.end())
            unknown = extent.name;
          else
            extent = found->second.axis.extent;
        }
        return std::pair(
            Type(tile::getTileType(extents, type.getElementType())),
            WalkResult::skip());
      });
  Operation *copy = builder.clone(*op, values);
  copy->walk([&](Operation *inner) {
    replacer.replaceElementsIn(inner, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(replacer.replace(argument.getType()));
  });
  if (unknown)
    return refuse(op, diag::task_extent,
                  "\"" + unknown.getValue() +
                      "\" is no extent of what the leaf reads or writes");
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    frame.scalars[from] = to;
  return success();
}

/// Two values of a tensor that is reduced.
Value Lowering::combine(int64_t reduction, Value a, Value b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  Operation *op = nullptr;
  if (reduction == kReducesAdd)
    op = isFloat ? arith::AddFOp::create(builder, here, a, b).getOperation()
                 : arith::AddIOp::create(builder, here, a, b).getOperation();
  else if (reduction == kReducesMin)
    op = isFloat ? arith::MinimumFOp::create(builder, here, a, b).getOperation()
                 : arith::MinSIOp::create(builder, here, a, b).getOperation();
  else
    op = isFloat ? arith::MaximumFOp::create(builder, here, a, b).getOperation()
                 : arith::MaxSIOp::create(builder, here, a, b).getOperation();
  return op->getResult(0);
}

LogicalResult Lowering::lowerLeaf(Frame &frame) {
  VariantOp variant = frame.instance->variant;
  auto tensorOf = [&](Value argument) -> Tensor & {
    return frame.tensors.find(argument)->second;
  };
  Bindings bindings;
  LogicalResult bound = checkEach<Operation *>(variant, [&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      return bindNames(frame, op, cast<RankedTensorType>(read.getType()),
                       tensorOf(read.getTensor()), bindings);
    if (auto write = dyn_cast<WriteOp>(op))
      return bindNames(frame, op,
                       cast<RankedTensorType>(write.getValue().getType()),
                       tensorOf(write.getTensor()), bindings);
    return success();
  });
  if (failed(bound))
    return failure();
  for (Operation &op : variant.getEntry()) {
    here = op.getLoc();
    if (++copied > (1 << 14))
      return refuse(&op, diag::task_lowering,
                    "the tree of instances has more than 16384 operations, "
                    "counting a variant at each launch");
    if (auto read = dyn_cast<ReadOp>(op)) {
      Cell *cell = tensorOf(read.getTensor()).cell;
      if (!cell->value) {
        Report error =
            report(&op, diag::task_undefined)
            << "'"
            << variant.getArgName(
                   cast<BlockArgument>(read.getTensor()).getArgNumber())
            << "' is read before anything is written to it";
        error.attachNote(cell->place) << "it is made here";
        for (auto [launch, instance] : stack)
          error.attachNote(launch.getLoc())
              << "in instance @" << instance->op.getSym() << ", launched here";
        return error;
      }
      if (cell->isPiece && cell->isWritten)
        return refuse(
            &op, diag::task_lowering,
            "'" +
                variant.getArgName(
                    cast<BlockArgument>(read.getTensor()).getArgNumber()) +
                "' is read below global memory after it was written "
                "there, where elements beyond an edge would no "
                "longer be zero; work on what task.make makes, and "
                "write the result once");
      frame.scalars[read] = cell->value;
    } else if (auto write = dyn_cast<WriteOp>(op)) {
      Cell *cell = tensorOf(write.getTensor()).cell;
      Value value = frame.scalars.lookup(write.getValue());
      int64_t reduction = variant.getReduction(
          cast<BlockArgument>(write.getTensor()).getArgNumber());
      // Of a piece in global memory, the first is what blocks add.
      if (reduction && !cell->value && !cell->isPiece)
        return refuse(&op, diag::task_undefined,
                      "what is reduced here has no value yet; launch a task "
                      "that clears it first");
      cell->value = reduction && cell->value
                        ? combine(reduction, cell->value, value)
                        : value;
      cell->source = -1;
      cell->isWritten = true;
    } else if (auto extent = dyn_cast<ExtentOp>(op)) {
      frame.numbers[extent] =
          extentOf(tensorOf(extent.getTensor()), extent.getAxis());
    } else if (auto question = dyn_cast<InsideOp>(op)) {
      FailureOr<Number> number =
          inside(tensorOf(question.getTensor()), question);
      if (failed(number))
        return failure();
      frame.numbers[question] = *number;
    } else if (failed(copyLeafOp(frame, &op, bindings))) {
      return failure();
    }
  }
  return success();
}
