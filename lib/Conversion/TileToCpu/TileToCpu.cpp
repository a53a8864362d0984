//===- TileToCpu.cpp - Tile programs become functions of the CPU ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile becomes a vector, an access by consecutive addresses a vector load or
// store, one by others a gather or scatter; arithmetic and loops are copied.
// What has no such counterpart is refused by name.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/TileToCpu.h"

#include "DenseKernel.h"
#include "KernelFunctions.h"
#include "ReadAhead.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;

namespace {

/// A tile of addresses: one address and the distances of the lanes from it, in
/// elements.
struct Addresses {
  Value base;
  Value offsets;      ///< vector of i64; null if all are the base
  bool isRun = false; ///< base, base + 1, ...
};

class KernelLowering {
public:
  KernelLowering(tile::KernelOp kernel, OpBuilder &builder)
      : kernel(kernel), builder(builder), loc(kernel.getLoc()) {}

  LogicalResult run() {
    for (tile::ParallelOp op : kernel.getEntry().getOps<tile::ParallelOp>()) {
      if (parallel)
        return report(op, diag::cpu_unsupported)
               << "kernel @" << kernel.getSymName()
               << " has two sets of parallel instances";
      parallel = op;
    }
    if (!parallel || parallel.getBounds().size() != 1)
      return report(kernel, diag::cpu_unsupported)
             << "kernel @" << kernel.getSymName()
             << " does not have one tile.parallel of one axis";
    for (Type type : kernel.getEntry().getArgumentTypes())
      if (!isa<tile::PtrType, IndexType>(type))
        return report(kernel, diag::cpu_unsupported)
               << "kernel @" << kernel.getSymName() << " takes a " << type
               << "; on the CPU kernels take pointers and numbers of type "
                  "index";
    if (failed(writeBody()) || failed(writeShape()))
      return failure();
    writeEntry(builder, kernel);
    return success();
  }

private:
  Type pointer() { return LLVM::LLVMPointerType::get(builder.getContext()); }
  std::string name(StringRef suffix) {
    return (kernel.getSymName() + suffix).str();
  }

  /// Null for a type that has no counterpart.
  Type convert(Type type) {
    if (isa<tile::PtrType>(type))
      return pointer();
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      if (!tile.hasStaticShape() || isa<tile::PtrType>(tile.getElementType()))
        return {};
      return VectorType::get(tile.getShape(), tile.getElementType());
    }
    return type.isIntOrIndexOrFloat() ? type : Type();
  }

  int64_t bytesOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value word(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value toI64(Value value) {
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                        value);
    return value;
  }
  Value gep(Type element, Value base, Value offset) {
    return LLVM::GEPOp::create(builder, loc, pointer(), element, base,
                               ValueRange{offset});
  }

  /// The bytes of a piece of scratch memory, in whole lines.
  Value scratchBytes(tile::ScratchOp op) {
    Value count = mapping.lookup(op.getCount());
    Value bytes = arith::MulIOp::create(
        builder, loc, count, number(bytesOf(op.getType().getElementType())));
    Value lines = arith::DivUIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, bytes, number(63)),
        number(64));
    return arith::MulIOp::create(builder, loc, lines, number(64));
  }

  /// The kernel's operations before its instances; scratch memory is carved
  /// out of `memory`, or only measured if that is null. The bytes it takes.
  FailureOr<Value> convertPrologue(Value memory) {
    Value used = number(0);
    for (Operation &op : kernel.getEntry()) {
      if (&op == parallel)
        break;
      if (auto scratch = dyn_cast<tile::ScratchOp>(op)) {
        Value bytes = scratchBytes(scratch);
        if (memory)
          mapping.map(scratch.getResult(),
                      gep(builder.getI8Type(), memory, toI64(used)));
        used = arith::AddIOp::create(builder, loc, used, bytes);
      } else if (failed(convertOp(op))) {
        return failure();
      }
    }
    return used;
  }

  LogicalResult writeBody() {
    SmallVector<Type> types;
    for (Type type : kernel.getEntry().getArgumentTypes())
      types.push_back(convert(type));
    types.append(
        {builder.getIndexType(), builder.getIndexType(), pointer(), pointer()});
    func::FuncOp function =
        makeFunction(builder, loc, name("_body"), types, true, {pointer()});
    OpBuilder::InsertionGuard guard(builder);
    Block &entry = function.getBody().front();
    builder.setInsertionPointToStart(&entry);
    for (auto [argument, made] :
         llvm::zip(kernel.getEntry().getArguments(), entry.getArguments())) {
      mapping.map(argument, made);
      // A kernel's arguments do not overlap where it writes (tile.md).
      if (isa<LLVM::LLVMPointerType>(made.getType()))
        function.setArgAttr(made.getArgNumber(),
                            LLVM::LLVMDialect::getNoAliasAttrName(),
                            builder.getUnitAttr());
    }
    unsigned last = entry.getNumArguments();
    if (failed(convertPrologue(entry.getArgument(last - 2))))
      return failure();
    auto loop = scf::ForOp::create(builder, loc, entry.getArgument(last - 4),
                                   entry.getArgument(last - 3), number(1));
    mapping.map(parallel.getBody().getArgument(0), loop.getInductionVar());
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    for (Operation &op : parallel.getBody().front())
      if (failed(convertOp(op)))
        return failure();
    builder.setInsertionPointToEnd(&entry);
    returnWell(builder, loc);
    return success();
  }

  LogicalResult writeShape() {
    func::FuncOp function = makeFunction(builder, loc, name("_shape"),
                                         {pointer(), pointer()}, false);
    OpBuilder::InsertionGuard guard(builder);
    Block &entry = function.getBody().front();
    builder.setInsertionPointToStart(&entry);
    mapping.clear();
    addresses.clear();
    mapping.map(kernel.getEntry().getArguments(),
                unpackArguments(builder, kernel, entry.getArgument(0)));
    FailureOr<Value> bytes = convertPrologue({});
    if (failed(bytes))
      return failure();
    int64_t chunk = 1;
    if (auto attribute = parallel->getAttrOfType<IntegerAttr>("chunk"))
      chunk = attribute.getInt();
    Value out = entry.getArgument(1);
    writeShapeSlot(builder, loc, out, ShapeSlot::Instances,
                   mapping.lookup(parallel.getBounds()[0]));
    writeShapeSlot(builder, loc, out, ShapeSlot::ScratchBytes, *bytes);
    writeShapeSlot(builder, loc, out, ShapeSlot::Chunk, number(chunk));
    func::ReturnOp::create(builder, loc);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  Report refuse(Operation &op) {
    return report(&op, diag::cpu_unsupported)
           << "'" << op.getName() << "' has no lowering to the CPU yet";
  }

  LogicalResult convertCast(tile::CastOp op) {
    Type type = convert(op.getType());
    auto isWide = [](Type of) {
      return getElementTypeOrSelf(of).getIntOrFloatBitWidth() >= 16;
    };
    if (!type || !isWide(type) || !isWide(op.getValue().getType()))
      return refuse(*op);
    mapping.map(op.getResult(),
                castFloat(builder, loc, mapping.lookup(op.getValue()), type));
    return success();
  }

  static bool isIota(Value value) {
    return value.getDefiningOp<tile::IotaOp>() != nullptr;
  }

  LogicalResult convertOp(Operation &op) {
    if (auto splat = dyn_cast<tile::SplatOp>(op))
      return convertSplat(splat);
    if (auto iota = dyn_cast<tile::IotaOp>(op))
      return convertIota(iota);
    if (auto add = dyn_cast<tile::PtrAddOp>(op))
      return convertPtrAdd(add);
    if (auto gather = dyn_cast<tile::GatherOp>(op))
      return convertGather(gather);
    if (auto scatter = dyn_cast<tile::ScatterOp>(op))
      return convertScatter(scatter);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      return convertReduce(reduce);
    if (auto cast = dyn_cast<tile::CastOp>(op))
      return convertCast(cast);
    if (isa_and_present<arith::ArithDialect, math::MathDialect,
                        scf::SCFDialect>(op.getDialect()))
      return copy(op);
    return refuse(op);
  }

  /// The same operation on vectors.
  LogicalResult copy(Operation &op) {
    OperationState state(op.getLoc(), op.getName());
    for (Value operand : op.getOperands()) {
      if (!mapping.contains(operand))
        return refuse(op) << ": it uses a tile of addresses";
      state.operands.push_back(mapping.lookup(operand));
    }
    for (Type type : op.getResultTypes()) {
      Type converted = convert(type);
      if (!converted)
        return refuse(op) << ": it makes a " << type;
      state.types.push_back(converted);
    }
    state.attributes = op.getAttrs();
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
        state.attributes.set(
            constant.getValueAttrName(),
            elements.isSplat()
                ? DenseElementsAttr::get(cast<ShapedType>(state.types[0]),
                                         elements.getSplatValue<Attribute>())
                : DenseElementsAttr::getFromRawBuffer(
                      cast<ShapedType>(state.types[0]), elements.getRawData()));
    for (Region &region : op.getRegions())
      if (failed(copyRegion(region, *state.addRegion())))
        return failure();
    Operation *made = builder.create(state);
    mapping.map(op.getResults(), made->getResults());
    return success();
  }

  LogicalResult copyRegion(Region &from, Region &to) {
    OpBuilder::InsertionGuard guard(builder);
    for (Block &block : from) {
      Block &made = to.emplaceBlock();
      for (BlockArgument argument : block.getArguments()) {
        Type type = convert(argument.getType());
        if (!type)
          return refuse(*from.getParentOp())
                 << ": it carries a " << argument.getType();
        mapping.map(argument, made.addArgument(type, argument.getLoc()));
      }
      builder.setInsertionPointToStart(&made);
      for (Operation &op : block)
        if (failed(convertOp(op)))
          return failure();
    }
    return success();
  }

  LogicalResult convertSplat(tile::SplatOp op) {
    Value scalar = mapping.lookup(op.getValue());
    if (isa<tile::PtrType>(op.getValue().getType())) {
      addresses[op.getResult()] = {scalar, {}, false};
      return success();
    }
    Type type = convert(op.getType());
    if (!type)
      return refuse(*op);
    auto lanes = dyn_cast<VectorType>(type);
    if (!lanes || lanes.getRank() != 1 ||
        !lanes.getElementType().isIntOrFloat())
      return refuse(*op) << " to a " << op.getType();
    Value first = LLVM::InsertElementOp::create(
        builder, op.getLoc(),
        LLVM::PoisonOp::create(builder, op.getLoc(), type), scalar, word(0));
    SmallVector<int32_t> zeros(size_t(lanes.getDimSize(0)), 0);
    mapping.map(op.getResult(),
                Value(LLVM::ShuffleVectorOp::create(builder, op.getLoc(), first,
                                                    first, zeros)));
    return success();
  }

  LogicalResult convertIota(tile::IotaOp op) {
    auto type = dyn_cast_if_present<VectorType>(convert(op.getType()));
    if (!type || !type.getElementType().isInteger())
      return refuse(*op);
    SmallVector<Attribute> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      values.push_back(builder.getIntegerAttr(type.getElementType(), i));
    mapping.map(op.getResult(), Value(arith::ConstantOp::create(
                                    builder, op.getLoc(),
                                    DenseElementsAttr::get(type, values))));
    return success();
  }

  LogicalResult convertPtrAdd(tile::PtrAddOp op) {
    if (auto type = dyn_cast<tile::PtrType>(op.getPtr().getType())) {
      Value offset = toI64(mapping.lookup(op.getOffset()));
      if (!offset.getType().isInteger(64))
        offset =
            arith::ExtSIOp::create(builder, loc, builder.getI64Type(), offset);
      mapping.map(op.getResult(), gep(type.getElementType(),
                                      mapping.lookup(op.getPtr()), offset));
      return success();
    }
    Addresses made = addresses.at(op.getPtr());
    auto type = cast<RankedTensorType>(op.getOffset().getType());
    if (type.getRank() != 1)
      return refuse(*op);
    if (!made.offsets && !made.isRun && isIota(op.getOffset())) {
      made.isRun = true;
    } else {
      if (made.isRun)
        return refuse(*op) << ": it moves a run of addresses";
      Value offset = mapping.lookup(op.getOffset());
      auto wide = VectorType::get(type.getShape(), builder.getI64Type());
      if (offset.getType() != wide)
        offset = arith::ExtSIOp::create(builder, loc, wide, offset);
      made.offsets =
          made.offsets
              ? Value(arith::AddIOp::create(builder, loc, made.offsets, offset))
              : offset;
    }
    addresses[op.getResult()] = made;
    return success();
  }

  Value pointersOf(const Addresses &at, Type element, int64_t lanes) {
    auto type = VectorType::get({lanes}, pointer());
    Value offsets = at.offsets;
    if (!offsets)
      offsets = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(VectorType::get({lanes}, builder.getI64Type()),
                                 int64_t(0)));
    return LLVM::GEPOp::create(builder, loc, type, element, at.base,
                               ValueRange{offsets});
  }

  Value allLanes(int64_t lanes) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(VectorType::get({lanes}, builder.getI1Type()),
                               true));
  }

  /// What is moved in the place of vectors of `type`: LLVM splits masked
  /// accesses of bf16 into lanes, and those of as many bits not.
  VectorType movedAs(VectorType type) {
    return type.getElementType().isBF16() ? type.clone(builder.getI16Type())
                                          : type;
  }

  Value bitcast(Type type, Value value) {
    return value.getType() == type
               ? value
               : Value(arith::BitcastOp::create(builder, loc, type, value));
  }

  LogicalResult convertGather(tile::GatherOp op) {
    loc = op.getLoc();
    Value mask = op.getMask() ? mapping.lookup(op.getMask()) : Value();
    if (auto type = dyn_cast<tile::PtrType>(op.getPtr().getType())) {
      if (mask)
        return refuse(*op) << " with a mask on one element";
      mapping.map(
          op.getResult(),
          Value(LLVM::LoadOp::create(
              builder, loc, type.getElementType(), mapping.lookup(op.getPtr()),
              unsigned(bytesOf(type.getElementType())))));
      return success();
    }
    const Addresses &at = addresses.at(op.getPtr());
    auto type = cast<VectorType>(convert(op.getType()));
    if (type.getRank() != 1)
      return refuse(*op) << " of two axes";
    auto alignment = unsigned(bytesOf(type.getElementType()));
    Value other = op.getOther() ? mapping.lookup(op.getOther()) : Value();
    if (!other)
      other =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    VectorType moved = movedAs(type);
    other = bitcast(moved, other);
    Value result;
    if (at.isRun && !mask)
      result = LLVM::LoadOp::create(builder, loc, moved, at.base, alignment);
    else if (at.isRun)
      result = LLVM::MaskedLoadOp::create(builder, loc, moved, at.base, mask,
                                          other, alignment);
    else
      result = LLVM::masked_gather::create(
          builder, loc, moved,
          pointersOf(at, type.getElementType(), type.getDimSize(0)),
          mask ? mask : allLanes(type.getDimSize(0)), ValueRange{other},
          alignment);
    mapping.map(op.getResult(), bitcast(type, result));
    return success();
  }

  LogicalResult convertScatter(tile::ScatterOp op) {
    loc = op.getLoc();
    Value mask = op.getMask() ? mapping.lookup(op.getMask()) : Value();
    Value value = mapping.lookup(op.getValue());
    if (auto type = dyn_cast<tile::PtrType>(op.getPtr().getType())) {
      if (mask)
        return refuse(*op) << " with a mask on one element";
      LLVM::StoreOp::create(builder, loc, value, mapping.lookup(op.getPtr()),
                            unsigned(bytesOf(type.getElementType())));
      return success();
    }
    const Addresses &at = addresses.at(op.getPtr());
    auto type = cast<VectorType>(value.getType());
    if (type.getRank() != 1)
      return refuse(*op) << " of two axes";
    auto alignment = unsigned(bytesOf(type.getElementType()));
    value = bitcast(movedAs(type), value);
    if (at.isRun && !mask)
      LLVM::StoreOp::create(builder, loc, value, at.base, alignment);
    else if (at.isRun)
      LLVM::MaskedStoreOp::create(builder, loc, value, at.base, mask,
                                  alignment);
    else
      LLVM::masked_scatter::create(
          builder, loc, value,
          pointersOf(at, type.getElementType(), type.getDimSize(0)),
          mask ? mask : allLanes(type.getDimSize(0)), alignment);
    return success();
  }

  /// Halves are combined until one element is left: the same tree always.
  LogicalResult convertReduce(tile::ReduceOp op) {
    loc = op.getLoc();
    if (op.getValues().size() != 1)
      return refuse(*op) << " of several tiles";
    Value value = mapping.lookup(op.getValues()[0]);
    auto type = cast<VectorType>(value.getType());
    int64_t lanes = type.getDimSize(0);
    if (type.getRank() != 1 || (lanes & (lanes - 1)) != 0)
      return refuse(*op) << " of " << op.getValues()[0].getType();
    Block &combiner = op.getCombiner().front();
    for (; lanes > 1; lanes /= 2) {
      auto half = [&](int64_t first) {
        SmallVector<int32_t> taken;
        for (int64_t lane = first; lane < first + lanes / 2; ++lane)
          taken.push_back(int32_t(lane));
        return LLVM::ShuffleVectorOp::create(builder, loc, value, value, taken);
      };
      IRMapping lane;
      lane.map(combiner.getArgument(0), half(0).getResult());
      lane.map(combiner.getArgument(1), half(lanes / 2).getResult());
      for (Operation &each : combiner.without_terminator()) {
        // The combiner's scalars stand for vectors here.
        OperationState state(each.getLoc(), each.getName());
        if (each.getNumRegions() ||
            !isa_and_present<arith::ArithDialect>(each.getDialect()))
          return refuse(each) << " in a combiner";
        for (Value operand : each.getOperands()) {
          if (!lane.contains(operand))
            return refuse(each) << " in a combiner";
          state.operands.push_back(lane.lookup(operand));
        }
        for (Type result : each.getResultTypes())
          state.types.push_back(VectorType::get({lanes / 2}, result));
        state.attributes = each.getAttrs();
        lane.map(each.getResults(), builder.create(state)->getResults());
      }
      value = lane.lookup(combiner.getTerminator()->getOperand(0));
    }
    mapping.map(op.getResult(0), Value(LLVM::ExtractElementOp::create(
                                     builder, loc, value, word(0))));
    return success();
  }

  tile::KernelOp kernel;
  OpBuilder &builder;
  Location loc;
  tile::ParallelOp parallel;
  IRMapping mapping;
  llvm::DenseMap<Value, Addresses> addresses;
};

} // namespace

/// Whether each tile of a kernel is one vector, of one axis and reached by
/// addresses, and nothing is asserted: then it needs no memory of its own.
static bool isOfVectors(tile::KernelOp kernel) {
  auto isVector = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return !isa<tile::ViewType>(type) && (!tile || tile.getRank() == 1);
  };
  if (!llvm::all_of(kernel.getEntry().getArgumentTypes(), [](Type type) {
        return isa<tile::PtrType, IndexType>(type);
      }))
    return false;
  return !kernel
              .walk([&](Operation *op) {
                bool isOne = llvm::all_of(op->getResultTypes(), isVector) &&
                             llvm::all_of(op->getOperandTypes(), isVector);
                auto parallel = dyn_cast<tile::ParallelOp>(op);
                isOne &= !parallel || parallel.getBounds().size() == 1;
                isOne &= !isa<tile::AssertOp>(op);
                return isOne ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// LLVM has no floats of fewer than 16 bits, not even to move them.
static LogicalResult refuseNarrowFloats(tile::KernelOp kernel) {
  auto narrowIn = [](TypeRange types) -> Type {
    for (Type type : types) {
      auto view = dyn_cast<tile::ViewType>(type);
      Type element = view ? view.getElementType() : getElementTypeOrSelf(type);
      if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 16)
        return element;
    }
    return {};
  };
  WalkResult result = kernel->walk([&](Operation *op) {
    Type found = narrowIn(op->getOperandTypes());
    if (!found)
      found = narrowIn(op->getResultTypes());
    if (!found)
      return WalkResult::advance();
    report(op, diag::cpu_unsupported)
        << "'" << op->getName()
        << "' has no lowering to the CPU yet on elements of type " << found;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

OwningOpRef<ModuleOp>
heddle::lowerTileToCpu(ModuleOp module, const machine::Processor &processor) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    scf::SCFDialect>();
  OwningOpRef<ModuleOp> made(ModuleOp::create(module.getLoc()));
  OpBuilder builder(made->getBodyRegion());
  for (auto kernel : module.getOps<tile::KernelOp>())
    // Behind it: what it declines says more.
    if (failed(isOfVectors(kernel)
                   ? KernelLowering(kernel, builder).run()
                   : dense::DenseKernel(kernel, builder, processor).run()) ||
        failed(refuseNarrowFloats(kernel)))
      return nullptr;
  readRowsAhead(*made, int64_t(processor.lineBytes));
  return made;
}
