//===- DenseKernel.cpp - Functions, control flow and scalars --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

static bool isTile(Type type) { return isa<RankedTensorType>(type); }

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Report DenseKernel::refuse(Operation &op) {
  return report(&op, diag::cpu_unsupported)
         << "'" << op.getName() << "' has no lowering to the CPU yet";
}

Value DenseKernel::number(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value DenseKernel::word(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}
Value DenseKernel::toI64(Value value) {
  return value.getType().isIndex()
             ? Value(arith::IndexCastOp::create(builder, loc,
                                                builder.getI64Type(), value))
             : value;
}
Value DenseKernel::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value DenseKernel::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value DenseKernel::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value DenseKernel::least(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value DenseKernel::most(Value a, Value b) {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}
Value DenseKernel::isLess(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
}
Value DenseKernel::ceilDivide(Value a, Value b) {
  Value more = sub(add(a, b), number(1));
  return arith::DivUIOp::create(builder, loc, more, b);
}
Value DenseKernel::gep(Type element, Value base, Value offset) {
  return LLVM::GEPOp::create(builder, loc, pointer(), element, base,
                             ValueRange{offset});
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult DenseKernel::check() {
  for (tile::ParallelOp op : kernel.getEntry().getOps<tile::ParallelOp>()) {
    if (parallel)
      return report(op, diag::cpu_unsupported)
             << "kernel @" << kernel.getSymName()
             << " has two sets of parallel instances";
    parallel = op;
  }
  if (!parallel)
    return report(kernel, diag::cpu_unsupported)
           << "kernel @" << kernel.getSymName() << " has no tile.parallel";
  Operation *open = nullptr;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<RankedTensorType>(result.getType()))
        if (!tile.hasStaticShape() || tile.getRank() == 0)
          open = op;
  });
  if (open)
    return report(open, diag::cpu_unsupported)
           << "'" << open->getName() << "' makes a "
           << open->getResult(0).getType()
           << "; on the CPU the extents of tiles are numbers";
  return success();
}

LogicalResult DenseKernel::run() {
  if (failed(check()))
    return failure();
  plan = placeTiles(kernel, processor);
  if (plan.bytes > kMostTileBytes)
    return report(kernel, diag::cpu_tiles)
           << "kernel @" << kernel.getSymName() << " has tiles of "
           << plan.bytes << " bytes, and a worker has room for "
           << kMostTileBytes << "; take smaller tiles by --set";
  if (failed(writeBody()) || failed(writeShape()))
    return failure();
  writeEntry(builder, kernel);
  return success();
}

void DenseKernel::bindArguments(ValueRange values) {
  scalars.clear();
  views.clear();
  for (BlockArgument argument : kernel.getEntry().getArguments()) {
    size_t count = typesOfArgument(argument.getType()).size();
    if (auto view = dyn_cast<tile::ViewType>(argument.getType())) {
      size_t rank = size_t(view.getRank());
      ViewValue made;
      made.address = values[0];
      made.extents = values.slice(1, rank);
      made.strides = values.slice(1 + rank, rank);
      views[argument] = made;
    } else {
      scalars.map(argument, values[0]);
    }
    values = values.drop_front(count);
  }
}

/// The kernel's operations before its instances. The bytes of scratch memory,
/// which is carved out of `scratch`, or only measured if that is null.
FailureOr<Value> DenseKernel::convertPrologue(Value scratch) {
  Value used = number(0);
  for (Operation &op : kernel.getEntry()) {
    if (&op == parallel)
      break;
    loc = op.getLoc();
    auto memory = dyn_cast<tile::ScratchOp>(op);
    if (!memory) {
      if (!isa<tile::AssertOp>(op) && failed(convertOp(op)))
        return failure();
      continue;
    }
    Type element = inMemory(elementType(memory.getType().getElementType()));
    Value bytes = mul(scalars.lookup(memory.getCount()),
                      number((element.getIntOrFloatBitWidth() + 7) / 8));
    Value lines = mul(ceilDivide(bytes, number(64)), number(64));
    if (scratch)
      scalars.map(memory.getResult(),
                  gep(builder.getI8Type(), scratch, toI64(used)));
    else
      scalars.map(memory.getResult(),
                  Value(LLVM::ZeroOp::create(builder, loc, pointer())));
    used = add(used, lines);
  }
  loc = kernel.getLoc();
  return used;
}

LogicalResult DenseKernel::writeBody() {
  SmallVector<Type> types;
  for (Type type : kernel.getEntry().getArgumentTypes())
    llvm::append_range(types, typesOfArgument(type));
  size_t own = types.size();
  types.append(
      {builder.getIndexType(), builder.getIndexType(), pointer(), pointer()});
  func::FuncOp function =
      makeFunction(builder, loc, kernel.getSymName().str() + "_body", types,
                   true, {pointer()});
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  memory = entry.getArgument(own + 3);
  // Nobody else knows this memory.
  function.setArgAttr(own + 3, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  bindArguments(entry.getArguments().take_front(own));
  if (failed(convertPrologue(entry.getArgument(own + 2))))
    return failure();
  auto loop = scf::ForOp::create(builder, loc, entry.getArgument(own),
                                 entry.getArgument(own + 1), number(1));
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  if (failed(convertInstance(loop.getInductionVar())))
    return failure();
  builder.setInsertionPointToEnd(&entry);
  returnWell(builder, loc);
  return success();
}

/// Instances are numbered in row-major order.
LogicalResult DenseKernel::convertInstance(Value number_) {
  Block &body = parallel.getBody().front();
  Value rest = number_;
  for (int64_t axis = int64_t(body.getNumArguments()) - 1; axis > 0; --axis) {
    Value bound = scalars.lookup(parallel.getBounds()[axis]);
    scalars.map(body.getArgument(axis),
                arith::RemUIOp::create(builder, loc, rest, bound).getResult());
    rest = arith::DivUIOp::create(builder, loc, rest, bound);
  }
  if (body.getNumArguments())
    scalars.map(body.getArgument(0), rest);
  return convertBlock(body);
}

/// The text of the first assertion that does not hold, behind those before it.
Value DenseKernel::checkAssertion(tile::AssertOp op, Value failed_) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  Value at = addressOfText(
      builder, op.getLoc(), module,
      (kernel.getSymName() + "_assertion_" + Twine(assertions++)).str(),
      op.getMessage());
  Value none = LLVM::ZeroOp::create(builder, op.getLoc(), pointer());
  Value one = arith::SelectOp::create(
      builder, op.getLoc(), scalars.lookup(op.getCondition()), none, at);
  if (!failed_)
    return one;
  Value isFirst = LLVM::ICmpOp::create(builder, op.getLoc(),
                                       LLVM::ICmpPredicate::eq, failed_, none);
  return arith::SelectOp::create(builder, op.getLoc(), isFirst, one, failed_);
}

LogicalResult DenseKernel::writeShape() {
  func::FuncOp function =
      makeFunction(builder, loc, kernel.getSymName().str() + "_shape",
                   {pointer(), pointer()}, false);
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  bindArguments(unpackArguments(builder, kernel, entry.getArgument(0)));
  FailureOr<Value> scratch = convertPrologue({});
  if (failed(scratch))
    return failure();
  Value instances = number(1), failed_;
  for (Value bound : parallel.getBounds())
    instances = mul(instances, scalars.lookup(bound));
  for (auto assertion : kernel.getEntry().getOps<tile::AssertOp>()) {
    if (isTile(assertion.getCondition().getType()))
      return refuse(*assertion) << " on a tile";
    failed_ = checkAssertion(assertion, failed_);
  }
  int64_t chunk = 1;
  if (auto attribute = parallel->getAttrOfType<IntegerAttr>("chunk"))
    chunk = attribute.getInt();
  Value out = entry.getArgument(1);
  writeShapeSlot(builder, loc, out, ShapeSlot::Instances, instances);
  writeShapeSlot(builder, loc, out, ShapeSlot::ScratchBytes, *scratch);
  writeShapeSlot(builder, loc, out, ShapeSlot::Chunk, number(chunk));
  writeShapeSlot(builder, loc, out, ShapeSlot::TileBytes, number(plan.bytes));
  if (failed_)
    writeShapeSlot(builder, loc, out, ShapeSlot::Failed, failed_);
  func::ReturnOp::create(builder, loc);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult DenseKernel::convertBlock(Block &block) {
  for (Operation &op : block) {
    loc = op.getLoc();
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(convertOp(op)))
      return failure();
  }
  return success();
}

LogicalResult DenseKernel::convertOp(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return convertFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return convertIf(branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return convertWhile(loop);
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return convertDot(dot);
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return convertReduce(reduce);
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return convertStore(store);
  if (isa<tile::MakeViewOp, tile::WindowOp, tile::MergeOp>(op)) {
    convertView(op);
    return success();
  }
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    scalars.map(dim.getResult(),
                views.at(dim.getView()).extents[dim.getAxis()]);
    return success();
  }
  if (auto assertion = dyn_cast<tile::AssertOp>(op)) {
    if (isTile(assertion.getCondition().getType()))
      return refuse(op) << " on a tile";
    cf::AssertOp::create(builder, loc, scalars.lookup(assertion.getCondition()),
                         assertion.getMessage());
    return success();
  }
  if (auto scatter = dyn_cast<tile::ScatterOp>(op);
      scatter && isTile(scatter.getValue().getType()))
    return convertScatter(scatter);
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op);
      reshape && plan.find(reshape.getResult()))
    return fillReshaped(reshape);
  if (auto only = dyn_cast<tile::UnsplatOp>(op)) {
    auto type = cast<RankedTensorType>(only.getValue().getType());
    SmallVector<Value> at(size_t(type.getRank()), number(0));
    Value value = lanes(only.getValue(), at, 1, RowContext());
    if (!value)
      return failure();
    scalars.map(only.getResult(), value);
    return success();
  }
  bool makesTile = op.getNumResults() == 1 && isTile(op.getResult(0).getType());
  if (!makesTile)
    return convertScalar(op);
  // Computed where it is used, unless it has a place.
  return plan.find(op.getResult(0)) ? materialize(op.getResult(0)) : success();
}

void DenseKernel::convertView(Operation &op) {
  ViewValue made;
  if (auto base = dyn_cast<tile::MakeViewOp>(op)) {
    made.address = scalars.lookup(base.getPtr());
    for (Value extent : base.getExtents())
      made.extents.push_back(scalars.lookup(extent));
    for (Value stride : base.getStrides())
      made.strides.push_back(scalars.lookup(stride));
  } else if (auto window = dyn_cast<tile::WindowOp>(op)) {
    made.extents = views.at(window.getView()).extents;
    made.extents[window.getAxis() - (window.getWindow() < window.getAxis())] =
        scalars.lookup(window.getExtent());
    made.extents.insert(made.extents.begin() + int64_t(window.getWindow()),
                        scalars.lookup(window.getWindowExtent()));
  } else {
    auto merge = cast<tile::MergeOp>(op);
    const ViewValue &from = views.at(merge.getView());
    int64_t first = merge.getFirst(), last = merge.getLast();
    for (auto [axis, extent] : llvm::enumerate(from.extents)) {
      if (int64_t(axis) > first && int64_t(axis) <= last)
        made.extents.back() = mul(made.extents.back(), extent);
      else
        made.extents.push_back(extent);
    }
  }
  views[op.getResult(0)] = made;
}

LogicalResult DenseKernel::convertPointerOp(Operation &op) {
  if (auto move = dyn_cast<tile::PtrAddOp>(op)) {
    auto type = cast<tile::PtrType>(move.getPtr().getType());
    Value offset = toI64(scalars.lookup(move.getOffset()));
    if (!offset.getType().isInteger(64))
      offset =
          arith::ExtSIOp::create(builder, loc, builder.getI64Type(), offset);
    scalars.map(move.getResult(),
                gep(inMemory(elementType(type.getElementType())),
                    scalars.lookup(move.getPtr()), offset));
    return success();
  }
  if (auto cast = dyn_cast<tile::PtrCastOp>(op)) {
    scalars.map(op.getResult(0), scalars.lookup(op.getOperand(0)));
    return success();
  }
  if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    if (gather.getMask())
      return refuse(op) << " with a mask on one element";
    scalars.map(gather.getResult(), load(elementType(gather.getType()),
                                         scalars.lookup(gather.getPtr()), 1));
    return success();
  }
  auto scatter = cast<tile::ScatterOp>(op);
  if (scatter.getMask())
    return refuse(op) << " with a mask on one element";
  store(scalars.lookup(scatter.getValue()), scalars.lookup(scatter.getPtr()));
  return success();
}

LogicalResult DenseKernel::convertScalar(Operation &op) {
  if (isa<tile::PtrAddOp, tile::PtrCastOp, tile::GatherOp, tile::ScatterOp>(op))
    return convertPointerOp(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    scalars.map(constant.getResult(), builder.clone(op)->getResult(0));
    return success();
  }
  if (op.getNumRegions() || op.getNumResults() != 1 || !goesByElement(&op))
    return refuse(op);
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    if (isTile(operand.getType()))
      return refuse(op) << " of a tile into a scalar";
    operands.push_back(scalars.lookup(operand));
  }
  Value value = makeElementwise(&op, operands, 1);
  if (!value)
    return failure();
  scalars.map(op.getResult(0), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Might a next point of the loop be beyond 64 bits? Of an index that is no
/// constant it is taken that it is not near that end.
static bool isNearTheEnd(scf::ForOp loop) {
  if (loop.getInductionVar().getType().isInteger(64) || loop.getUnsignedCmp())
    return true;
  for (Value value :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)) && !number.isSignedIntN(63))
      return true;
  }
  return false;
}

/// A loop counts in exact integers: narrow ones in 64 bits, where no next point
/// wraps, and wide ones count iterations where one might.
std::pair<scf::ForOp, Value> DenseKernel::makeLoop(scf::ForOp from,
                                                   ValueRange starts) {
  Value lower = scalars.lookup(from.getLowerBound()),
        upper = scalars.lookup(from.getUpperBound()),
        step = scalars.lookup(from.getStep());
  bool isUnsigned = from.getUnsignedCmp();
  auto make = [&](Value first, Value end, Value by, bool byUnsigned) {
    return scf::ForOp::create(builder, loc, first, end, by, starts, nullptr,
                              byUnsigned);
  };
  auto atStart = [&](scf::ForOp loop, auto point) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    return std::pair(loop, point(loop.getInductionVar()));
  };
  Type type = lower.getType();
  if (auto narrow = dyn_cast<IntegerType>(type);
      narrow && narrow.getWidth() < 64) {
    Type wide = builder.getI64Type();
    auto widen = [&](Value value) -> Value {
      if (isUnsigned)
        return arith::ExtUIOp::create(builder, loc, wide, value);
      return arith::ExtSIOp::create(builder, loc, wide, value);
    };
    return atStart(make(widen(lower), widen(upper), widen(step), false),
                   [&](Value number) -> Value {
                     return arith::TruncIOp::create(builder, loc, type, number);
                   });
  }
  if (!isNearTheEnd(from)) {
    scf::ForOp loop = make(lower, upper, step, false);
    return {loop, loop.getInductionVar()};
  }
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, number));
  };
  Value zero = constant(0), one = constant(1);
  Value any = arith::CmpIOp::create(builder, loc,
                                    isUnsigned ? arith::CmpIPredicate::ult
                                               : arith::CmpIPredicate::slt,
                                    lower, upper);
  Value span = arith::SubIOp::create(builder, loc, upper, lower);
  Value rest = arith::SubIOp::create(builder, loc, span, one);
  Value more = arith::DivUIOp::create(builder, loc, rest, step);
  Value trips = arith::AddIOp::create(builder, loc, more, one);
  trips = arith::SelectOp::create(builder, loc, any, trips, zero);
  return atStart(make(zero, trips, one, true), [&](Value number) -> Value {
    Value distance = arith::MulIOp::create(builder, loc, number, step);
    return arith::AddIOp::create(builder, loc, lower, distance);
  });
}

LogicalResult DenseKernel::convertFor(scf::ForOp from) {
  Operation *op = from;
  SmallVector<Value> starts;
  auto forEachTile = [&](auto body) -> LogicalResult {
    for (auto [init, argument] :
         llvm::zip(from.getInitArgs(), from.getRegionIterArgs()))
      if (isTile(init.getType()) && failed(body(init, argument)))
        return failure();
    return success();
  };
  LogicalResult begun = forEachTile([&](Value init, Value argument) {
    if (plan.shareAPlace(init, argument))
      return success();
    return fill(init, *findAccess(argument), limitsOf(argument, op));
  });
  if (failed(begun))
    return failure();
  for (Value init : from.getInitArgs())
    if (!isTile(init.getType()))
      starts.push_back(scalars.lookup(init));
  auto [made, point] = makeLoop(from, starts);
  scalars.map(from.getInductionVar(), point);
  size_t next = 0;
  for (BlockArgument argument : from.getRegionIterArgs())
    if (!isTile(argument.getType()))
      scalars.map(argument, made.getRegionIterArg(next++));
  {
    OpBuilder::InsertionGuard guard(builder);
    if (starts.empty())
      builder.setInsertionPoint(made.getBody()->getTerminator());
    else
      builder.setInsertionPointToEnd(made.getBody());
    if (failed(convertBlock(*from.getBody())))
      return failure();
    auto yield = cast<scf::YieldOp>(from.getBody()->getTerminator());
    // What other numbers of the loop take over is read before they do.
    for (OpOperand &operand : yield->getOpOperands())
      if (auto copy = plan.copies.find(&operand); copy != plan.copies.end())
        if (failed(fill(
                operand.get(),
                accessPlace(copy->second, elementType(operand.get().getType())),
                limitsOf(operand.get(), yield))))
          return failure();
    SmallVector<Value> scalarsOut;
    for (OpOperand &operand : yield->getOpOperands()) {
      Value value = operand.get();
      if (!isTile(value.getType())) {
        scalarsOut.push_back(scalars.lookup(value));
        continue;
      }
      Value argument = from.getRegionIterArg(operand.getOperandNumber());
      if (plan.shareAPlace(value, argument))
        continue;
      SmallVector<Value> limits = limitsOf(value, yield);
      Access to = *findAccess(argument);
      auto copy = plan.copies.find(&operand);
      LogicalResult handedOn =
          copy == plan.copies.end()
              ? fill(value, to, limits)
              : copyTile(accessPlace(copy->second, to.element), to, value,
                         limits);
      if (failed(handedOn))
        return failure();
    }
    if (!starts.empty())
      scf::YieldOp::create(builder, loc, scalarsOut);
  }
  next = 0;
  for (Value result : from.getResults())
    if (!isTile(result.getType()))
      scalars.map(result, made.getResult(next++));
  return success();
}

LogicalResult DenseKernel::convertIf(scf::IfOp from) {
  SmallVector<Type> types;
  for (Type type : from.getResultTypes())
    if (!isTile(type))
      types.push_back(elementType(type));
  auto made = scf::IfOp::create(builder, loc, types,
                                scalars.lookup(from.getCondition()),
                                !from.getElseRegion().empty());
  for (auto [region, to] : llvm::zip(from->getRegions(), made->getRegions())) {
    if (region.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to.front();
    if (types.empty())
      builder.setInsertionPoint(block.getTerminator());
    else
      builder.setInsertionPointToEnd(&block);
    if (failed(convertBlock(region.front())))
      return failure();
    Operation *yield = region.front().getTerminator();
    SmallVector<Value> scalarsOut;
    for (auto [value, result] :
         llvm::zip(yield->getOperands(), from.getResults())) {
      if (!isTile(value.getType()))
        scalarsOut.push_back(scalars.lookup(value));
      else if (failed(fill(value, *findAccess(result), limitsOf(value, yield))))
        return failure();
    }
    if (!types.empty())
      scf::YieldOp::create(builder, loc, scalarsOut);
  }
  size_t next = 0;
  for (Value result : from.getResults())
    if (!isTile(result.getType()))
      scalars.map(result, made.getResult(next++));
  return success();
}

LogicalResult DenseKernel::convertWhile(scf::WhileOp from) {
  SmallVector<Value> starts;
  SmallVector<Type> types;
  for (Value init : from.getInits()) {
    if (isTile(init.getType()))
      return refuse(*from) << " that carries a tile";
    starts.push_back(scalars.lookup(init));
  }
  for (Type type : from.getResultTypes()) {
    if (isTile(type))
      return refuse(*from) << " that carries a tile";
    types.push_back(elementType(type));
  }
  auto made = scf::WhileOp::create(builder, loc, types, starts);
  for (auto [region, to] : llvm::zip(from->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to.emplaceBlock();
    for (BlockArgument argument : region.front().getArguments())
      scalars.map(argument, block.addArgument(elementType(argument.getType()),
                                              argument.getLoc()));
    builder.setInsertionPointToEnd(&block);
    if (failed(convertBlock(region.front())))
      return failure();
    Operation *end = region.front().getTerminator();
    SmallVector<Value> operands;
    for (Value operand : end->getOperands())
      operands.push_back(scalars.lookup(operand));
    if (isa<scf::ConditionOp>(end))
      scf::ConditionOp::create(builder, loc, operands[0],
                               ArrayRef<Value>(operands).drop_front());
    else
      scf::YieldOp::create(builder, loc, operands);
  }
  scalars.map(from.getResults(), made.getResults());
  return success();
}
