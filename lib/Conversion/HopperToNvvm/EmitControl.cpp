//===- EmitControl.cpp - Dispatch, blocks and structured control flow -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dispatch over the operations of the rung, the registers of a value, and
// structured control flow. A loop or branch carries a tile as one scalar for
// each register, so LLVM sees every register on its own, and elements of 8 bits
// by words, since it gives each scalar a register; instrumented kernels carry
// the place of the next stamp behind these.
//
//===----------------------------------------------------------------------===//

#include "ClusterCode.h"
#include "Emitter.h"
#include "NumberWidths.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using heddle::manifest::Param;

namespace heddle::tonvvm {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Type>> Emitter::registerTypes(Type type, Location loc) {
  auto held = [&](Type type) {
    return isa<tile::PtrType>(type) ? Code(builder, loc).globalPointer()
                                    : registerType(type);
  };
  Type tile = type;
  if (auto flight = dyn_cast<hopper::FlightType>(type))
    tile = flight.getValue();
  auto tensor = dyn_cast<RankedTensorType>(tile);
  if (!tensor)
    return SmallVector<Type>{held(type)};
  std::optional<machine::Layout> layout = hopper::getLayout(tensor);
  if (!layout) {
    report(loc, diag::hopper_layout_use)
        << "tile " << tensor << " has no register layout";
    return failure();
  }
  return SmallVector<Type>(layout->registerCount(),
                           held(tensor.getElementType()));
}

FailureOr<SmallVector<Type>>
Emitter::registerTypes(TypeRange types, Location loc,
                       llvm::function_ref<void(SmallVector<Type> &)> change) {
  SmallVector<Type> all;
  for (Type type : types) {
    FailureOr<SmallVector<Type>> some = registerTypes(type, loc);
    if (failed(some))
      return failure();
    if (change)
      change(*some);
    all.append(*some);
  }
  return all;
}

Registers Emitter::flatten(ValueRange list) {
  Registers flat;
  for (Value value : list)
    flat.append(registers(value));
  return flat;
}

static constexpr size_t kBytesOfWord = 4;

static bool isCarriedByWords(TypeRange registers) {
  return !registers.empty() && registers.size() % kBytesOfWord == 0 &&
         registers.front().isInteger(8);
}

FailureOr<SmallVector<Type>> Emitter::carriedTypes(TypeRange types,
                                                   Location loc) {
  FailureOr<SmallVector<Type>> all =
      registerTypes(types, loc, [&](SmallVector<Type> &some) {
        if (isCarriedByWords(some))
          some.assign(some.size() / kBytesOfWord, builder.getI32Type());
      });
  if (succeeded(all) && stampPlace)
    all->push_back(stampPlace.getType());
  return all;
}

Registers Emitter::flattenCarried(ValueRange list) {
  Registers flat;
  for (Value value : list) {
    ArrayRef<Value> held = registers(value);
    if (!isCarriedByWords(ValueRange(held).getTypes())) {
      flat.append(held.begin(), held.end());
      continue;
    }
    Code code(builder, value.getLoc());
    for (; !held.empty(); held = held.drop_front(kBytesOfWord))
      flat.push_back(code.packInt(held.take_front(kBytesOfWord)));
  }
  if (stampPlace)
    flat.push_back(stampPlace);
  return flat;
}

void Emitter::bindCarried(ValueRange list, ValueRange flat) {
  if (stampPlace) {
    stampPlace = flat.back();
    flat = flat.drop_back();
  }
  for (Value value : list) {
    SmallVector<Type> types = *registerTypes(value.getType(), value.getLoc());
    bool byWords = isCarriedByWords(types);
    size_t count = byWords ? types.size() / kBytesOfWord : types.size();
    Registers held(flat.take_front(count));
    flat = flat.drop_front(count);
    if (byWords) {
      Code code(builder, value.getLoc());
      for (Value word : std::exchange(held, {}))
        held.append(code.unpackInt(word, types.front(), kBytesOfWord));
    }
    bind(value, held);
  }
}

hopper::RingOp Emitter::findRing(StringRef name) {
  for (auto ring : kernel.getOps<hopper::RingOp>())
    if (ring.getSym() == name)
      return ring;
  return {};
}

std::string Emitter::viewName(Value view) {
  return kernel.getArgName(cast<BlockArgument>(view).getArgNumber());
}
Value Emitter::viewPointer(Value view) {
  if (auto made = view.getDefiningOp<tile::MakeViewOp>())
    return scalar(made.getPtr());
  return entry->getArgument(
      signature.find(Param::Kind::Pointer, viewName(view)));
}
Value Emitter::viewDim(Code &code, Value view, int axis) {
  int64_t extent = cast<tile::ViewType>(view.getType()).getShape()[axis];
  if (!ShapedType::isDynamic(extent))
    return code.i32(extent);
  if (auto made = view.getDefiningOp<tile::MakeViewOp>())
    return scalar(made.getExtents()[axis]);
  if (auto window = view.getDefiningOp<tile::WindowOp>()) {
    int position = int(window.getWindow());
    int source = axis < position ? axis : axis - 1;
    return axis == position ? scalar(window.getWindowExtent())
           : source == int(window.getAxis())
               ? scalar(window.getExtent())
               : viewDim(code, window.getView(), source);
  }
  if (auto merge = view.getDefiningOp<tile::MergeOp>()) {
    int first = int(merge.getFirst()), last = int(merge.getLast());
    if (axis != first)
      return viewDim(code, merge.getView(),
                     axis < first ? axis : axis + last - first);
    Value product = viewDim(code, merge.getView(), first);
    for (int part = first + 1; part <= last; ++part)
      product = code.mul(product, viewDim(code, merge.getView(), part));
    return product;
  }
  return entry->getArgument(
      signature.find(Param::Kind::Dim, viewName(view), axis));
}
Value Emitter::viewStride(Code &code, Value view, int axis) {
  if (auto made = view.getDefiningOp<tile::MakeViewOp>()) {
    Value stride = made.getStrides()[axis];
    // An index has only the lower half of what it was made of.
    if (Value whole = beforeCast(stride))
      return scalar(whole);
    return code.signExtend(scalar(stride));
  }
  return entry->getArgument(
      signature.find(Param::Kind::Stride, viewName(view), axis));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Which of all teams this is.
Value Emitter::workerId(Code &code) {
  int64_t teams = kernel.getTeams();
  if (teams == 1)
    return code.blockIndex();
  return code.add(code.mul(code.blockIndex(), teams), threads.team);
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emitOp(Operation *op) {
  Code code(builder, op->getLoc());
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp op) { return emitFor(op); })
      .Case([&](scf::IfOp op) { return emitIf(op); })
      .Case([&](scf::WhileOp op) { return emitWhile(op); })
      .Case([&](tile::DimOp op) { return emitDim(op); })
      .Case([&](tile::WorkerIdOp op) {
        return bind(op, {workerId(code)}), success();
      })
      .Case([&](tile::WorkerCountOp op) {
        return bind(op, {code.mul(code.gridSize(), kernel.getTeams())}),
               success();
      })
      .Case([&](tile::SplatOp op) { return emitSplat(op); })
      .Case([&](tile::IotaOp op) { return emitIota(op); })
      .Case([&](tile::ExpandDimsOp op) { return emitExpandDims(op); })
      .Case([&](tile::ReshapeOp op) { return emitReshape(op); })
      .Case([&](tile::UnsplatOp op) {
        return bind(op, {registers(op.getValue()).front()}), success();
      })
      .Case([&](tile::BroadcastOp op) {
        return emitRenaming(op, *hopper::getLayout(op.getValue().getType()),
                            {});
      })
      .Case([&](hopper::ConvertLayoutOp op) { return emitConvertLayout(op); })
      .Case([&](tile::DotOp op) { return emitProduct(op); })
      .Case([&](tile::TransOp op) { return emitTrans(op); })
      .Case([&](tile::JoinOp op) { return emitJoin(op); })
      .Case([&](tile::SplitOp op) { return emitSplit(op); })
      .Case([&](tile::CatOp op) { return emitCat(op); })
      .Case([&](hopper::ReduceOp op) { return emitReduce(op); })
      .Case([&](hopper::ScanOp op) { return emitScan(op); })
      .Case([&](hopper::LocalTakeOp op) { return emitLocalTake(op); })
      .Case([&](hopper::LocalUnfoldOp op) { return emitLocalUnfold(op); })
      .Case([&](hopper::LocalCountOp op) { return emitLocalCount(op); })
      .Case([&](hopper::SubtileOp op) {
        machine::Coord offset = {};
        llvm::copy(op.getOffsets(), offset.begin());
        return emitRenaming(op, *hopper::getLayout(op.getValue().getType()),
                            offset);
      })
      .Case([&](hopper::WaitOp op) { return emitWait(op); })
      .Case([&](hopper::ArriveOp op) { return emitArrive(op); })
      .Case([&](hopper::ExpectOp op) { return emitExpect(op); })
      .Case([&](hopper::SyncOp op) { return emitSync(op); })
      .Case([&](hopper::StampOp op) { return emitStamp(op); })
      .Case([&](hopper::FenceAsyncOp) { return code.fenceAsync(), success(); })
      .Case([&](hopper::SlotOp op) { return emitSlot(op); })
      .Case([&](hopper::SharedTransOp op) {
        bind(op.getResult(), {scalar(op.getTile())});
        return success();
      })
      .Case([&](hopper::BufferOp op) { return emitBuffer(op); })
      .Case([&](hopper::LocalStoreOp op) { return emitLocalStore(op); })
      .Case([&](hopper::LocalLoadOp op) { return emitLocalLoad(op); })
      .Case([&](hopper::TmaLoadOp op) { return emitTmaLoad(op); })
      .Case([&](hopper::TmaStoreOp op) { return emitTmaStore(op); })
      .Case([&](hopper::TmaStoreWaitOp op) { return emitTmaStoreWait(op); })
      .Case([&](hopper::AwaitTurnOp op) { return emitAwaitTurn(op); })
      .Case([&](hopper::PassTurnOp op) { return emitPassTurn(op); })
      .Case([&](hopper::ClusterRankOp op) {
        return bind(op, {clusterRank(code)}), success();
      })
      .Case([&](hopper::ClusterSyncOp) { return meetCluster(code), success(); })
      .Case([&](hopper::ClusterTileOp op) {
        Value own = code.advance(
            scalar(op.getTile()),
            code.mul(clusterRank(code), op.getTile().getType().getSizeBytes()));
        bind(op.getPeer(), {inBlock(code, own, int64_t(op.getFrom()))});
        return success();
      })
      .Case([&](hopper::GlobalLoadOp op) { return emitGlobalLoad(op); })
      .Case([&](hopper::GlobalStoreOp op) { return emitGlobalStore(op); })
      .Case([&](hopper::CopyOp op) { return emitCopy(op); })
      // Their users read their operands.
      .Case<tile::MakeViewOp, tile::WindowOp, tile::MergeOp>(
          [&](Operation *) { return success(); })
      .Case([&](tile::PtrAddOp op) { return emitPtrAdd(op); })
      .Case<tile::PtrCastOp, tile::IntToPtrOp, tile::PtrToIntOp>(
          [&](Operation *op) { return emitPtrConversion(op); })
      .Case([&](tile::GatherOp op) { return emitGather(op); })
      .Case([&](tile::ScatterOp op) { return emitScatter(op); })
      .Case([&](tile::AtomicRmwOp op) { return emitAtomicRmw(op); })
      .Case([&](tile::AtomicCasOp op) { return emitAtomicCas(op); })
      .Case([&](tile::ViewReduceOp op) { return emitViewReduce(op); })
      .Case([&](tile::AssertOp op) { return emitAssert(op); })
      .Case([&](hopper::WgmmaOp op) { return emitWgmma(op); })
      .Case([&](hopper::WgmmaWaitOp op) { return emitWgmmaWait(op); })
      .Default([&](Operation *op) { return emitElementwise(op); });
}

//===----------------------------------------------------------------------===//
// Structured control flow, carried values one to many
//===----------------------------------------------------------------------===//

/// Does an iteration leave the next one a flight that does not go on in the
/// registers of the one before?
static bool carriesFreshFlight(scf::ForOp loop) {
  return llvm::any_of(loop.getYieldedValues(), [](Value yielded) {
    auto wgmma = yielded.getDefiningOp<hopper::WgmmaOp>();
    return wgmma && (!wgmma.getAcc() ||
                     !isa<hopper::FlightType>(wgmma.getAcc().getType()));
  });
}

/// LLVM computes behind the loop's edge what several edges compute alike. What
/// was read of a flight's registers would then stay there while the next flight
/// is made, and flights would be copied: so no edge looks like another.
void Emitter::keepComputed(scf::ForOp loop) {
  if (!carriesFreshFlight(loop))
    return;
  Code code(builder, loop.getLoc());
  for (Value value : loop.getYieldedValues()) {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (!tile || !tile.getElementType().isF32() ||
        value.getParentBlock() != loop.getBody() ||
        isa_and_present<hopper::WgmmaWaitOp>(value.getDefiningOp()) ||
        !value.getDefiningOp())
      continue;
    bind(value, code.tiedAsm("", registers(value), {}));
  }
}

LogicalResult Emitter::emitFor(scf::ForOp op) {
  auto loop =
      scf::ForOp::create(builder, op.getLoc(), scalar(op.getLowerBound()),
                         scalar(op.getUpperBound()), scalar(op.getStep()),
                         flattenCarried(op.getInitArgs()));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = loop.getBody();
  if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
    body->back().erase();
  builder.setInsertionPointToEnd(body);
  bind(op.getInductionVar(), {loop.getInductionVar()});
  bindCarried(op.getRegionIterArgs(), loop.getRegionIterArgs());
  if (failed(emitBlock(*op.getBody())))
    return failure();
  keepComputed(op);
  Operation *yield = op.getBody()->getTerminator();
  scf::YieldOp::create(builder, yield->getLoc(),
                       flattenCarried(yield->getOperands()));
  builder.setInsertionPointAfter(loop);
  bindCarried(op.getResults(), loop.getResults());
  return success();
}

LogicalResult Emitter::emitIf(scf::IfOp op) {
  FailureOr<SmallVector<Type>> types =
      carriedTypes(op.getResultTypes(), op.getLoc());
  if (failed(types))
    return failure();
  Value before = stampPlace;
  bool hasElse = !op.getElseRegion().empty() || before;
  auto branch = scf::IfOp::create(builder, op.getLoc(), *types,
                                  scalar(op.getCondition()), hasElse);
  OpBuilder::InsertionGuard guard(builder);
  auto emitBranch = [&](Block *from, Block *to) -> LogicalResult {
    if (!to->empty())
      to->back().erase();
    builder.setInsertionPointToEnd(to);
    stampPlace = before;
    if (from && failed(emitBlock(*from)))
      return failure();
    scf::YieldOp::create(
        builder, op.getLoc(),
        flattenCarried(from ? from->getTerminator()->getOperands()
                            : ValueRange()));
    return success();
  };
  if (failed(emitBranch(op.thenBlock(), branch.thenBlock())))
    return failure();
  if (hasElse && failed(emitBranch(op.elseBlock(), branch.elseBlock())))
    return failure();
  builder.setInsertionPointAfter(branch);
  bindCarried(op.getResults(), branch.getResults());
  return success();
}

LogicalResult Emitter::emitWhile(scf::WhileOp op) {
  FailureOr<SmallVector<Type>> types =
      carriedTypes(op.getResultTypes(), op.getLoc());
  if (failed(types))
    return failure();
  Registers inits = flattenCarried(op.getInits());
  auto loop = scf::WhileOp::create(builder, op.getLoc(), *types, inits);
  OpBuilder::InsertionGuard guard(builder);
  auto addBlock = [&](Region &region, ValueRange like, ValueRange arguments) {
    Block *block = builder.createBlock(&region);
    for (Value value : like)
      block->addArgument(value.getType(), op.getLoc());
    bindCarried(arguments, block->getArguments());
  };
  addBlock(loop.getBefore(), inits, op.getBeforeArguments());
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  scf::ConditionOp::create(builder, condition.getLoc(),
                           scalar(condition.getCondition()),
                           flattenCarried(condition.getArgs()));
  addBlock(loop.getAfter(), loop.getResults(), op.getAfterArguments());
  if (failed(emitBlock(*op.getAfterBody())))
    return failure();
  scf::YieldOp yield = op.getYieldOp();
  scf::YieldOp::create(builder, yield.getLoc(),
                       flattenCarried(yield.getResults()));
  builder.setInsertionPointAfter(loop);
  bindCarried(op.getResults(), loop.getResults());
  return success();
}

} // namespace heddle::tonvvm
