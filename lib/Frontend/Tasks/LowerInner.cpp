//===- LowerInner.cpp - Bodies that launch --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices, partitions, loops and launches of inner variants. An srange becomes
// a loop that carries the tiles that its body writes. A prange below the host
// becomes nothing: each of its iterations has a part of whole tiles, and leaves
// are copied once, for all of them.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

/// As many operations as a program may have, counting a variant anew wherever
/// it is launched.
static constexpr int64_t kMostOperations = 1 << 14;

LogicalResult Lowering::lowerBody(Frame &frame, Block &body) {
  for (Operation &op : body)
    if (failed(lowerOp(frame, &op)))
      return failure();
  return success();
}

LogicalResult Lowering::lowerOp(Frame &frame, Operation *op) {
  if (++copied > kMostOperations)
    return refuse(op, diag::task_lowering,
                  "the tree of instances has more than " +
                      Twine(kMostOperations) +
                      " operations, counting a variant at each launch");
  here = op->getLoc();
  if (auto tunableOp = dyn_cast<TunableOp>(op)) {
    frame.numbers[tunableOp] = tunable(frame, tunableOp);
    return success();
  }
  if (auto extent = dyn_cast<ExtentOp>(op)) {
    frame.numbers[extent] = extentOf(
        frame.tensors.find(extent.getTensor())->second, extent.getAxis());
    return success();
  }
  if (auto question = dyn_cast<InsideOp>(op)) {
    FailureOr<Number> number =
        inside(frame.tensors.find(question.getTensor())->second, question);
    if (failed(number))
      return failure();
    frame.numbers[question] = *number;
    return success();
  }
  if (auto countOp = dyn_cast<CountOp>(op)) {
    FailureOr<Number> number = count(frame, countOp);
    if (failed(number))
      return failure();
    frame.numbers[countOp] = *number;
    return success();
  }
  if (isa<BlocksOp>(op)) // a piece asks for it
    return success();
  if (auto make = dyn_cast<MakeOp>(op))
    return lowerMake(frame, make);
  if (auto element = dyn_cast<ElementOp>(op))
    return lowerElement(frame, element);
  if (auto piece = dyn_cast<PieceOp>(op))
    return lowerPiece(frame, piece);
  if (auto range = dyn_cast<SrangeOp>(op))
    return lowerSrange(frame, range);
  if (auto range = dyn_cast<PrangeOp>(op))
    return lowerFold(frame, range);
  if (auto launch = dyn_cast<LaunchOp>(op))
    return lowerLaunch(frame, launch);
  return lowerScalar(frame, op);
}

/// The number of a block times its extent is the place where it begins.
bool Lowering::lowerPlace(Frame &frame, Operation *op) {
  auto product = dyn_cast<arith::MulIOp>(op);
  if (!product || !product.getType().isIndex())
    return false;
  for (auto [block, extent] : {std::pair(product.getLhs(), product.getRhs()),
                               std::pair(product.getRhs(), product.getLhs())}) {
    auto index = frame.numbers.find(block), unit = frame.numbers.find(extent);
    if (index == frame.numbers.end() || unit == frame.numbers.end() ||
        !index->second.multiple || unit->second.known != index->second.unit)
      continue;
    Value place = index->second.multiple;
    frame.numbers[product].value = place;
    return true;
  }
  return false;
}

/// Arithmetic is folded where all is known, since extents of pieces have to be.
LogicalResult Lowering::lowerScalar(Frame &frame, Operation *op) {
  if (lowerPlace(frame, op))
    return success();
  IRMapping operands;
  SmallVector<Attribute> constants;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIndex()) {
      operands.map(operand, frame.scalars.lookup(operand));
      constants.push_back({});
      continue;
    }
    FailureOr<Number> number = numberOf(frame, operand, op);
    if (failed(number))
      return failure();
    constants.push_back(number->isNumber()
                            ? builder.getIndexAttr(number->known->size)
                            : Attribute());
  }
  SmallVector<OpFoldResult> folded;
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
      llvm::all_of(constants, [](Attribute known) { return bool(known); })) {
    Operation *copy = op->clone();
    LogicalResult result = copy->fold(constants, folded);
    copy->destroy();
    if (succeeded(result) && folded.size() == 1) {
      // A constant, or one of the operands.
      auto known =
          dyn_cast_if_present<IntegerAttr>(dyn_cast<Attribute>(folded[0]));
      auto same = frame.numbers.find(dyn_cast<Value>(folded[0]));
      if (known || same != frame.numbers.end()) {
        Number number =
            known ? knownNumber({known.getInt(), {}}) : same->second;
        frame.numbers[op->getResult(0)] = number;
        return success();
      }
    }
  }
  if (auto cover = dyn_cast<arith::CeilDivUIOp>(op);
      cover && cover.getType().isIndex()) {
    Number unit = frame.numbers.find(cover.getRhs())->second;
    FailureOr<Value> covered =
        asValue(frame.numbers.find(cover.getLhs())->second, op);
    if (failed(covered))
      return failure();
    if (unit.known) {
      // As task.count: a loop to it goes through places.
      Number &number = frame.numbers[cover];
      number = {};
      number.covered = *covered;
      number.unit = *unit.known;
      return success();
    }
  }
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIndex())
      continue;
    FailureOr<Number> number = numberOf(frame, operand, op);
    FailureOr<Value> value = asValue(*number, op);
    if (failed(value))
      return failure();
    operands.map(operand, *value);
  }
  Operation *copy = builder.clone(*op, operands);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    if (to.getType().isIndex())
      frame.numbers[from].value = to;
    else
      frame.scalars[from] = to;
  return success();
}

LogicalResult Lowering::lowerMake(Frame &frame, MakeOp op) {
  Tensor tensor;
  Cell cell{Value(), {}, op.getType().getElementType(), op.getLoc()};
  for (auto [axis, value] : llvm::enumerate(op.getExtents())) {
    FailureOr<tile::Extent> extent = blockOf(frame, value, int64_t(axis), op);
    if (failed(extent))
      return failure();
    cell.extents.push_back(*extent);
    tensor.axes.emplace_back().extent = *extent;
  }
  if (isOnHost)
    return refuse(op, diag::task_lowering,
                  "a tensor made on the host would lie in global memory");
  cells.push_back(std::move(cell));
  tensor.cell = &cells.back();
  frame.tensors[op] = tensor;
  return success();
}

LogicalResult Lowering::lowerElement(Frame &frame, ElementOp op) {
  Value list = frame.scalars.lookup(op.getTensor());
  if (!list)
    return refuse(op, diag::task_lowering,
                  "a list is an argument of the entry, read there by elements "
                  "and in no other way; pass the element on");
  if (isOnHost)
    return refuse(op, diag::task_lowering,
                  "the host does not know the elements of a list; read it in "
                  "the prange");
  FailureOr<Number> place = numberOf(frame, op.getPlace(), op);
  FailureOr<Value> index =
      failed(place) ? FailureOr<Value>(failure()) : asValue(*place, op);
  if (failed(index))
    return failure();
  Type i32 = builder.getI32Type();
  Value number = arith::IndexCastOp::create(builder, here, i32, *index);
  Value address =
      tile::PtrAddOp::create(builder, here, list.getType(), list, number);
  Value element =
      tile::GatherOp::create(builder, here, i32, address, Value(), Value());
  frame.numbers[op].value = arith::IndexCastOp::create(
      builder, here, builder.getIndexType(), element);
  return success();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

LogicalResult Lowering::lowerPiece(Frame &frame, PieceOp op) {
  Tensor piece = frame.tensors.find(op.getBlocks().getTensor())->second;
  for (size_t axis = 0; axis < piece.axes.size(); ++axis)
    if (!op.getWhole()[axis] &&
        failed(lowerPieceAxis(frame, op, int64_t(axis), piece.axes[axis])))
      return failure();
  if (Value condition = op.getCondition()) {
    if (!piece.isGlobal())
      return refuse(op, diag::task_lowering,
                    "a piece of a tile under a condition; a piece of a tensor "
                    "in global memory may have one");
    here = op.getLoc();
    Value holds = frame.scalars.lookup(condition);
    piece.condition =
        piece.condition
            ? arith::AndIOp::create(builder, here, piece.condition, holds)
            : holds;
  }
  frame.tensors[op] = piece;
  return success();
}

static bool isZero(const Number &number) {
  return number.isNumber() && number.known->size == 0;
}

LogicalResult Lowering::lowerPieceAxis(Frame &frame, PieceOp op, int64_t axis,
                                       Axis &piece) {
  FailureOr<Number> index = numberOf(frame, op.getIndex(axis), op);
  FailureOr<tile::Extent> block =
      blockOf(frame, op.getBlocks().getBlock(axis), axis, op.getBlocks());
  if (failed(index) || failed(block))
    return failure();
  tile::Extent extent = *block;
  if (piece.fold)
    return refuse(op, diag::task_lowering,
                  "axis " + Twine(axis) +
                      " is one of the pieces of a prange already; heddle "
                      "splits an axis once");
  if (index->fold) {
    // All pieces together are what there was.
    if (!extent.name && piece.isKnown() && !piece.extent.name &&
        extent.size * index->fold->parts == piece.extent.size) {
      piece.fold = index->fold;
      return success();
    }
    if (!piece.isKnown() || piece.extent.name || extent.name)
      return refuse(op, diag::task_lowering,
                    "the pieces of axis " + Twine(axis) +
                        " become one tile only if both extents are numbers; "
                        "give the tunable one value");
    return refuse(op, diag::task_extent,
                  Twine(index->fold->parts) + " pieces of " +
                      Twine(extent.size) + " along axis " + Twine(axis) +
                      " do not make up an extent of " +
                      Twine(piece.extent.size));
  }
  const Tensor &from = frame.tensors.find(op.getBlocks().getTensor())->second;
  if (!from.isGlobal()) {
    if (isZero(*index) && extent == piece.extent)
      return success();
    return refuse(op, diag::task_lowering,
                  "a piece of a tile that is not a part for each iteration of "
                  "a prange; cut the tensor in global memory");
  }
  // A piece reaches no further than the tensor that it is a piece of: what of a
  // block lies beyond another block's edge would be the neighbour's.
  if (piece.isKnown() && extent != piece.extent &&
      (extent.name || piece.extent.name ||
       piece.extent.size % extent.size != 0))
    return refuse(op, diag::task_lowering,
                  "blocks of " + tile::spellExtents(extent) + " along axis " +
                      Twine(axis) + " of a piece of " +
                      tile::spellExtents(piece.extent) +
                      " would reach beyond it; the one has to divide the "
                      "other, as numbers");
  bool isInside =
      isZero(*index) || (!extent.name && index->below > 0 &&
                         index->below * extent.size <= piece.extent.size);
  if (piece.isKnown() && !isInside)
    return refuse(op, diag::task_lowering,
                  "the number of this block of a block is not known to stay "
                  "inside; use the index of an srange over task.count, whose "
                  "extents are numbers");
  Value offset;
  if (index->multiple && index->unit == extent) {
    offset = index->multiple;
  } else if (!isZero(*index)) {
    FailureOr<Value> number = asValue(*index, op);
    if (failed(number))
      return failure();
    offset = arith::MulIOp::create(builder, here, *number, valueOf(extent));
  }
  if (piece.offset && offset)
    offset = arith::AddIOp::create(builder, here, piece.offset, offset);
  piece.offset = offset ? offset : piece.offset;
  piece.extent = extent;
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The tiles that launches in `op` write and that were there before, in order.
SmallVector<Cell *> Lowering::writtenIn(Frame &frame, Operation *op) {
  llvm::SetVector<Cell *> written;
  op->walk([&](LaunchOp launch) {
    VariantOp callee = frame.instance->calls.lookup(launch)->variant;
    for (auto [index, argument] : llvm::enumerate(launch.getArguments())) {
      if (!isa<ArrayType>(argument.getType()) ||
          (!callee.mayWrite(index) && !callee.getReduction(index)))
        continue;
      auto found = frame.tensors.find(rootOf(argument));
      if (found != frame.tensors.end() && found->second.cell)
        written.insert(found->second.cell);
    }
  });
  return written.takeVector();
}

LogicalResult Lowering::lowerSrange(Frame &frame, SrangeOp op) {
  FailureOr<Number> bound = numberOf(frame, op.getBound(), op);
  if (failed(bound))
    return failure();
  // Over blocks: through the places where they begin.
  bool isOverBlocks = bool(bound->covered);
  FailureOr<Value> end =
      isOverBlocks ? FailureOr<Value>(bound->covered) : asValue(*bound, op);
  if (failed(end))
    return failure();
  Value first = constant(0);
  Value step = isOverBlocks ? valueOf(bound->unit) : constant(1);
  SmallVector<Cell *> written = writtenIn(frame, op), carried;
  SmallVector<Value> values;
  for (Cell *cell : written)
    if (cell->value) {
      carried.push_back(cell);
      values.push_back(cell->value);
    }
  auto loop =
      scf::ForOp::create(builder, op.getLoc(), first, *end, step, values);
  for (auto [cell, value] : llvm::zip(carried, loop.getRegionIterArgs()))
    cell->value = value;
  // By an iteration before.
  for (Cell *cell : written)
    cell->isWritten = true;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Number &index = frame.numbers[op.getBody().getArgument(0)];
    index = {};
    (isOverBlocks ? index.multiple : index.value) = loop.getInductionVar();
    index.unit = bound->unit;
    index.below = bound->isNumber() ? bound->known->size : -1;
    if (failed(lowerBody(frame, op.getBody().front())))
      return failure();
    SmallVector<Value> yielded;
    for (Cell *cell : carried)
      yielded.push_back(cell->value);
    // A loop that carries nothing has its terminator.
    if (!carried.empty())
      scf::YieldOp::create(builder, op.getLoc(), yielded);
  }
  // What the loop alone defines is not there where it runs no time.
  for (Cell *cell : written)
    cell->value = {};
  for (auto [cell, value] : llvm::zip(carried, loop.getResults()))
    cell->value = value;
  return success();
}

LogicalResult Lowering::lowerFold(Frame &frame, PrangeOp op) {
  if (isOnHost)
    return refuse(op, diag::task_lowering,
                  "a prange on the host stands in the entry, once");
  if (op.getBounds().size() != 1)
    return refuse(op, diag::task_lowering,
                  "a prange below the host has one index: the pieces of one "
                  "axis become one tile");
  FailureOr<Number> bound = numberOf(frame, op.getBounds()[0], op);
  if (failed(bound))
    return failure();
  if (!bound->isNumber())
    return refuse(op, diag::task_lowering,
                  "a prange below the host runs as many times as a number "
                  "says; pieces without one would be an axis of instances, "
                  "which the prange on the host has");
  if (openFold)
    return refuse(op, diag::task_lowering,
                  "a prange below another below the host: heddle splits tiles "
                  "once, into the parts of warp groups");
  constexpr int64_t kMostParts = 1024;
  if (bound->known->size < 1 || bound->known->size > kMostParts)
    return refuse(op, diag::task_extent,
                  "a tile is split into 1 to " + Twine(kMostParts) +
                      " parts, not " + Twine(bound->known->size));
  folds.push_back({op, bound->known->size});
  Fold &fold = folds.back();
  bool isSplit = false;
  op.walk([&](LaunchOp launch) {
    isSplit |= frame.instance->calls.lookup(launch)->level >= Level::Warpgroup;
  });
  if (isSplit) {
    sched::Pin pin{sched::kPinGroups, builder.getI64IntegerAttr(fold.parts),
                   frame.instance->op.getLoc(), -1};
    if (auto bound = op.getBounds()[0].getDefiningOp<TunableOp>())
      pin.place = frame.instance->tunables.lookup(bound.getTunable()).getLoc();
    if (failed(pins.add(pin)))
      return failure();
  }
  Number &index = frame.numbers[op.getBody().getArgument(0)];
  index = {};
  if (fold.parts == 1)
    index = knownNumber({0, {}});
  else
    index.fold = &fold;
  openFold = &fold;
  LogicalResult result = lowerBody(frame, op.getBody().front());
  openFold = nullptr;
  return result;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static bool isBelow(std::optional<Memory> memory) {
  return memory && *memory != Memory::Global;
}

/// A tile that was loaded from an argument lies in `memory`.
LogicalResult Lowering::pinHome(Instance &instance, unsigned index,
                                std::optional<Memory> memory, int64_t source) {
  if (!memory)
    return success();
  if (memory == Memory::None)
    return refuse(instance.op, diag::task_pin,
                  "'" + instance.variant.getArgName(index) +
                      "' comes from global memory, and that it lies nowhere on "
                      "its way cannot be pinned yet; say shared, register or "
                      "nothing");
  return pins.add({sched::kPinRing,
                   builder.getBoolAttr(memory == Memory::Shared),
                   instance.op.getLoc(), source});
}

/// As the callee has it: the same, or the tile that is loaded from there.
LogicalResult Lowering::passTensor(Frame &frame, LaunchOp op, unsigned index,
                                   Frame &callee) {
  Instance &instance = *callee.instance;
  VariantOp variant = instance.variant;
  Tensor tensor = frame.tensors.find(op.getArguments()[index])->second;
  std::optional<Memory> memory = instance.memories[index];
  Value argument = variant.getEntry().getArgument(index);
  std::string name = ("'" + variant.getArgName(index) + "'").str();
  if (!tensor.isGlobal()) {
    if (memory == Memory::Global)
      return refuse(op, diag::task_mapping,
                    name + " of instance @" + instance.op.getSym() +
                        " is in global memory, and what is passed is not");
    if (tensor.cell->source >= 0) {
      if (failed(pinHome(instance, index, memory, tensor.cell->source)))
        return failure();
      callee.tensors[argument] = tensor;
      return success();
    }
    if (memory == Memory::Shared)
      return refuse(instance.op, diag::task_pin,
                    name + " is computed, and that it lies in shared memory "
                           "cannot be pinned yet; say register, none or "
                           "nothing");
    if (memory &&
        failed(pins.add({sched::kPinRegisters, builder.getBoolAttr(true),
                         instance.op.getLoc(), -1})))
      return failure();
    callee.tensors[argument] = tensor;
    return success();
  }
  if (!isBelow(memory)) {
    if (variant.getLeaf() && memory)
      return refuse(instance.op, diag::task_lowering,
                    name + " is in global memory, where a leaf's elements are "
                           "not; say shared, register, none or nothing");
    if (!variant.getLeaf()) {
      callee.tensors[argument] = tensor;
      return success();
    }
  }
  Cell cell{Value(),
            {},
            cast<ArrayType>(argument.getType()).getElementType(),
            op.getLoc()};
  for (auto [axis, along] : llvm::enumerate(tensor.axes)) {
    if (!along.isKnown())
      return refuse(op, diag::task_extent,
                    "the extent of axis " + Twine(axis) + " of " + name +
                        " is known only at run time; a tile is a block: cut "
                        "the tensor along it");
    cell.extents.push_back(along.extent);
  }
  cell.isPiece = true;
  if (tensor.condition && variant.mayRead(index))
    return refuse(op, diag::task_lowering,
                  name + " is a piece under a condition, and task @" +
                      variant.getTask() +
                      " reads it; such a piece can be written or reduced");
  if (variant.getReduction(index) && !variant.getLeaf())
    return refuse(op, diag::task_lowering,
                  name +
                      " is reduced, and lies in global memory until a leaf "
                      "adds to it; give the inner instance @" +
                      instance.op.getSym() + " the memory global, or none");
  if (variant.mayRead(index)) {
    here = op.getLoc();
    SmallVector<Value> offsets;
    for (const Axis &along : tensor.axes)
      offsets.push_back(along.offset ? along.offset : constant(0));
    cell.value = tile::LoadOp::create(
        builder, op.getLoc(), tile::getTileType(cell.extents, cell.elementType),
        tensor.view, offsets);
  }
  if (memory == Memory::Shared && !variant.mayRead(index))
    return refuse(instance.op, diag::task_pin,
                  name + " is computed here, and that it lies in shared memory "
                         "cannot be pinned yet; say register or nothing");
  if (variant.mayRead(index)) {
    cell.source = cast<BlockArgument>(tensor.view).getArgNumber();
    if (failed(pinHome(instance, index, memory, cell.source)))
      return failure();
  }
  cells.push_back(std::move(cell));
  Tensor copy;
  copy.cell = &cells.back();
  for (const Axis &along : tensor.axes)
    copy.axes.push_back({along.extent, Value(), along.fold});
  callee.tensors[argument] = copy;
  return success();
}

/// What went down as a tile and was written goes back up.
LogicalResult Lowering::returnTensor(Frame &frame, LaunchOp op, unsigned index,
                                     Frame &callee) {
  VariantOp variant = callee.instance->variant;
  const Tensor &tensor = frame.tensors.find(op.getArguments()[index])->second;
  const Tensor &below =
      callee.tensors.find(variant.getEntry().getArgument(index))->second;
  int64_t reduction = variant.getReduction(index);
  if (!tensor.isGlobal() || below.isGlobal() ||
      (!variant.mayWrite(index) && !reduction))
    return success();
  if (!below.cell->value)
    return refuse(op, diag::task_undefined,
                  "nothing is written to '" + variant.getArgName(index) +
                      "' by instance @" + callee.instance->op.getSym());
  here = op.getLoc();
  SmallVector<Value> offsets;
  for (const Axis &along : tensor.axes)
    offsets.push_back(along.offset ? along.offset : constant(0));
  OpBuilder::InsertionGuard guard(builder);
  if (tensor.condition) {
    auto only = scf::IfOp::create(builder, here, tensor.condition,
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&only.getThenRegion().front());
  }
  if (!reduction) {
    tile::StoreOp::create(builder, here, below.cell->value, tensor.view,
                          offsets);
    return success();
  }
  bool isFloat = isa<FloatType>(below.cell->elementType);
  isReduced = true;
  isRounded |= isFloat && !pins.sumsInTurns();
  if (isFloat && reduction != kReducesAdd)
    return refuse(op, diag::task_lowering,
                  "'" + variant.getArgName(index) + "' is " +
                      spellPrivileges(reduction) +
                      " of floating-point numbers; blocks add them, and the "
                      "lesser or greater of two is of integers");
  tile::RmwKind kind = reduction == kReducesMin   ? tile::RmwKind::Min
                       : reduction == kReducesMax ? tile::RmwKind::Max
                       : isFloat                  ? tile::RmwKind::FAdd
                                                  : tile::RmwKind::Add;
  FailureOr<Value> added = below.cell->value;
  if (pins.sumsInTurns() || pins.clusterBlocks() > 1)
    added = byIndex(op, variant.getArgName(index), *added, tensor);
  if (failed(added))
    return failure();
  tile::ViewReduceOp::create(builder, here, kind, *added, tensor.view, offsets);
  return success();
}

LogicalResult Lowering::lowerLaunch(Frame &frame, LaunchOp op) {
  Instance &instance = *frame.instance->calls.lookup(op);
  VariantOp variant = instance.variant;
  if (instance.level >= Level::Warp)
    return refuse(instance.op, diag::task_lowering,
                  "level " + spelling(instance.level) +
                      ": heddle's layouts decide what is below a warp group, "
                      "and statements about it are not checked yet; end the "
                      "tree at warpgroup");
  if (!isOnHost && instance.level == Level::Host)
    return refuse(op, diag::task_lowering,
                  "instance @" + instance.op.getSym() +
                      " runs on the host, and is launched from an iteration "
                      "that is a thread block's");
  Frame callee(instance);
  stack.push_back({op, &instance});
  for (auto [index, value] : llvm::enumerate(op.getArguments())) {
    BlockArgument argument = variant.getEntry().getArgument(index);
    if (isa<ArrayType>(value.getType())) {
      if (failed(passTensor(frame, op, index, callee)))
        return failure();
    } else if (value.getType().isIndex()) {
      FailureOr<Number> number = numberOf(frame, value, op);
      if (failed(number))
        return failure();
      callee.numbers[argument] = *number;
    } else {
      callee.scalars[argument] = frame.scalars.lookup(value);
    }
  }
  LogicalResult result = variant.getLeaf() ? lowerLeaf(callee)
                         : isOnHost ? lowerHost(callee)
                                    : lowerBody(callee, variant.getEntry());
  if (failed(result))
    return failure();
  for (unsigned index = 0; index < op.getArguments().size(); ++index)
    if (isa<ArrayType>(op.getArguments()[index].getType()) &&
        failed(returnTensor(frame, op, index, callee)))
      return failure();
  stack.pop_back();
  return success();
}
