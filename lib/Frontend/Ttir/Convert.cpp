//===- Convert.cpp - The tile kernel around a Triton program ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of the grid is an instance of a tile.parallel. Its bounds are
// arguments of the kernel behind those of the function: grid_x, and grid_y and
// grid_z if the program asks for its place along them. The axis that Triton
// counts fastest, x, is the last one.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

static constexpr StringLiteral kAxisNames[] = {"x", "y", "z"};

RankedTensorType heddle::ttir::getBlock(TensorDescType descriptor) {
  RankedTensorType block = descriptor.getBlock();
  if (auto element = dyn_cast<IntegerType>(block.getElementType()))
    return block.clone(
        IntegerType::get(block.getContext(), element.getWidth()));
  return block;
}

bool heddle::ttir::isFlat(ArrayRef<int64_t> shape) {
  return int64_t(shape.size()) > kMostAxes;
}

Type heddle::ttir::inMemory(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isInteger(1))
    return type;
  Type byte = IntegerType::get(type.getContext(), 8);
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(byte) : byte;
}

Value Converter::fromByte(Location loc, Value byte) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  if (isa<RankedTensorType>(byte.getType()))
    zero = tile::SplatOp::create(builder, loc, byte.getType(), zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, byte,
                               zero);
}

Value Converter::asStored(Location loc, Value value) {
  Type type = inMemory(value.getType());
  return type == value.getType()
             ? value
             : arith::ExtUIOp::create(builder, loc, type, value).getResult();
}

Type heddle::ttir::convertType(Type type) {
  if (auto pointer = dyn_cast<ttir::PtrType>(type))
    return tile::PtrType::get(type.getContext(),
                              inMemory(pointer.getPointee()));
  if (auto descriptor = dyn_cast<TensorDescType>(type)) {
    RankedTensorType block = getBlock(descriptor);
    SmallVector<int64_t> shape(block.getRank(), ShapedType::kDynamic);
    return tile::ViewType::getRowMajor(shape, block.getElementType());
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Type element = convertType(tensor.getElementType());
  if (tensor.hasStaticShape() && isFlat(tensor.getShape()))
    return RankedTensorType::get(tensor.getNumElements(), element);
  return tensor.clone(element);
}

SmallVector<Value> Converter::get(ValueRange list) {
  return llvm::map_to_vector(list, [&](Value value) { return get(value); });
}

Value Converter::asIndex(Location loc, Value value) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}

SmallVector<Value> Converter::asIndices(Location loc, ValueRange list) {
  return llvm::map_to_vector(
      list, [&](Value value) { return asIndex(loc, get(value)); });
}

Value Converter::fromIndex(Location loc, Value index, Type type) {
  return arith::IndexCastOp::create(builder, loc, type, index);
}

LogicalResult Converter::refuse(Operation *op) {
  return report(op, diag::ttir_operation)
         << "'" << op->getName() << "' is not imported";
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

struct Converter::Signature {
  SmallVector<Type> types;
  SmallVector<std::string> names;
  /// Of each of the kernel's arguments, that of the function; null for the
  /// grid's.
  SmallVector<Value> sources;
  llvm::StringSet<> used;

  void add(Type type, std::string name, Value source) {
    std::string unique = name;
    for (unsigned number = 1; !used.insert(unique).second; ++number)
      unique = name + "_" + std::to_string(number);
    types.push_back(type);
    names.push_back(unique);
    sources.push_back(source);
  }
};

/// A descriptor's extents and strides follow it as arguments of their own; they
/// are the view's.
static FailureOr<unsigned> countDescriptorParts(FuncOp function,
                                                unsigned index) {
  auto type = cast<TensorDescType>(function.getArgumentTypes()[index]);
  unsigned rank = type.getBlock().getRank();
  ArrayRef<Type> parts = function.getArgumentTypes().drop_front(index + 1);
  auto is = [&](unsigned from, unsigned width) {
    return llvm::all_of(parts.slice(from, rank),
                        [&](Type part) { return part.isInteger(width); });
  };
  if (parts.size() < 2 * rank || !is(0, 32) || !is(rank, 64)) {
    report(function, diag::ttir_use)
        << "descriptor '" << function.getArgName(index) << "' of " << rank
        << " axes is not followed by " << rank << " extents and " << rank
        << " strides";
    return failure();
  }
  return 2 * rank;
}

LogicalResult Converter::makeSignature(Signature &signature) {
  Block &entry = function.getBody().front();
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    BlockArgument argument = entry.getArgument(i);
    signature.add(inMemory(convertType(argument.getType())),
                  function.getArgName(i), argument);
    if (!isa<TensorDescType>(argument.getType()))
      continue;
    FailureOr<unsigned> parts = countDescriptorParts(function, i);
    if (failed(parts))
      return failure();
    for (unsigned part = *parts / 2; part < *parts; ++part)
      if (!entry.getArgument(i + 1 + part).use_empty())
        return report(function, diag::ttir_use)
               << "the program reads a stride of descriptor '"
               << function.getArgName(i)
               << "', which its view does not tell; pass it on its own";
    i += *parts;
  }
  return success();
}

std::array<bool, 3> Converter::findGridAxes() {
  std::array<bool, 3> used = {true, false, false};
  function.walk([&](Operation *op) {
    if (isa<GetProgramIdOp, GetNumProgramsOp>(op))
      for (int axis = 0; axis < 3; ++axis)
        used[axis] |= cast<StringAttr>(op->getAttr("axis")).getValue() ==
                      kAxisNames[axis];
  });
  return used;
}

/// What heddle's pointers and tiles can hold.
static LogicalResult checkType(Location loc, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto pointer = dyn_cast<ttir::PtrType>(element)) {
    if (pointer.getPointee().isIntOrFloat())
      return success();
    return report(loc, diag::ttir_use)
           << "a pointer to " << pointer.getPointee()
           << " is not imported; pass an address "
              "as i64 and cast it";
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  // More would not be counted right; the tile rung's verifier takes 2^20.
  int64_t count = 1;
  for (int64_t extent : tensor.getShape())
    if (extent > 0 && llvm::MulOverflow(count, extent, count))
      return report(loc, diag::ttir_use)
             << "tiles have at most 2^20 elements, unlike " << tensor;
  if (tensor.hasStaticShape() && !tensor.getEncoding())
    return success();
  return report(loc, diag::ttir_use)
         << "tiles have known extents and no layout, unlike " << tensor;
}

static LogicalResult checkTypes(FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(checkType(argument.getLoc(), argument.getType())))
          return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (failed(checkType(op->getLoc(), type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Converter::run() {
  Location loc = function.getLoc();
  if (function.isExternal())
    return report(function, diag::ttir_use)
           << "'" << function.getSymName() << "' has no body";
  if (failed(inlineMaps(function)) || failed(checkTypes(function)))
    return failure();
  Signature signature;
  if (failed(makeSignature(signature)))
    return failure();
  std::array<bool, 3> axes = findGridAxes();
  size_t arguments = signature.types.size();
  for (int axis = 0; axis < 3; ++axis)
    if (axes[axis])
      signature.add(builder.getI32Type(), ("grid_" + kAxisNames[axis]).str(),
                    {});

  builder.setInsertionPoint(function);
  SmallVector<StringRef> names(signature.names.begin(), signature.names.end());
  auto kernel =
      tile::KernelOp::create(builder, loc, function.getSymName(),
                             builder.getFunctionType(signature.types, {}),
                             builder.getStrArrayAttr(names));
  Block &body = kernel.getBody().emplaceBlock();
  for (auto [type, source] : llvm::zip(signature.types, signature.sources)) {
    Value made = body.addArgument(type, source ? source.getLoc() : loc);
    if (source)
      bind(source, made);
  }
  builder.setInsertionPointToStart(&body);
  Block &entry = function.getBody().front();
  for (BlockArgument argument : entry.getArguments()) {
    if (argument.getType().isInteger(1))
      bind(argument, fromByte(loc, get(argument)));
    if (!isa<TensorDescType>(argument.getType()))
      continue;
    int64_t rank =
        cast<TensorDescType>(argument.getType()).getBlock().getRank();
    for (int64_t axis = 0; axis < rank; ++axis) {
      BlockArgument part =
          entry.getArgument(argument.getArgNumber() + 1 + axis);
      if (part.use_empty())
        continue;
      Value extent = tile::DimOp::create(builder, loc, builder.getIndexType(),
                                         get(argument), axis);
      bind(part, fromIndex(loc, extent, part.getType()));
    }
  }

  SmallVector<Value> bounds;
  size_t next = arguments;
  for (int axis = 0; axis < 3; ++axis)
    if (axes[axis]) {
      grid[axis] = body.getArgument(next++);
      bounds.insert(bounds.begin(), asIndex(loc, grid[axis]));
    }
  auto parallel = tile::ParallelOp::create(builder, loc, bounds);
  Block &instance = parallel.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&instance);
  for (int axis = 2; axis >= 0; --axis)
    if (axes[axis])
      programs[axis] =
          fromIndex(loc, instance.addArgument(builder.getIndexType(), loc),
                    builder.getI32Type());
  return convertFunctionBlock(entry);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(convertOp(&op)))
      return failure();
  return success();
}

/// arith and math are the same on both sides, but for functions of f64, which
/// no unit knows.
LogicalResult Converter::convertArith(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()) &&
      getElementTypeOrSelf(op->getResult(0)).isF64())
    if (Value made =
            writeDouble(builder, op->getLoc(), op->getName().getStringRef(),
                        get(op->getOperands()))) {
      bind(op->getResult(0), made);
      return success();
    }
  Operation *copy = builder.clone(*op, values);
  for (OpResult result : copy->getResults())
    result.setType(convertType(result.getType()));
  return success();
}

LogicalResult Converter::convertOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp, arith::CmpIOp, scf::ForOp, scf::IfOp,
            scf::WhileOp, GetProgramIdOp, GetNumProgramsOp, MakeRangeOp, DotOp,
            DotScaledOp, ReduceOp, ScanOp, BroadcastOp, TransOp, GatherOp,
            JoinOp, SplitOp, ClampFOp, FpToFpOp, ExternElementwiseOp,
            InlineAsmOp, LoadOp, StoreOp, AtomicRmwOp, AtomicCasOp, BitcastOp,
            MakeTensorDescOp>([&](auto op) { return convert(op); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto op) {
        if (op->hasAttr("roundingmode"))
          return convertArith(op);
        return make<tile::CastOp>(op, get(op.getIn()));
      })
      .Case<SplatOp, ExpandDimsOp, ReshapeOp, UnsplatOp, CatOp, HistogramOp,
            AddPtrOp, IntToPtrOp, PtrToIntOp>(
          [&](Operation *op) { return convertShape(op); })
      .Case<PreciseSqrtOp, PreciseDivFOp, MulhiUIOp>(
          [&](Operation *op) { return convertScalarMath(op); })
      .Case<DescriptorLoadOp, DescriptorStoreOp, DescriptorReduceOp,
            DescriptorGatherOp, DescriptorScatterOp>(
          [&](Operation *op) { return convertDescriptorAccess(op); })
      .Case<AssertOp, PrintOp>(
          [&](Operation *op) { return convertMessage(op); })
      .Default([&](Operation *op) -> LogicalResult {
        StringRef name = op->getName().getStringRef();
        // Accesses are in the program's order, whatever stands between them.
        if (name == "llvm.intr.assume" || name == "gpu.barrier" ||
            name == "ttg.barrier")
          return success();
        if (name == "ub.poison") {
          // Whatever reads it is free.
          Type type = convertType(op->getResult(0).getType());
          Type element = getElementTypeOrSelf(type);
          if (!element.isIntOrIndexOrFloat())
            return refuse(op);
          Value zero = arith::ConstantOp::create(builder, op->getLoc(),
                                                 builder.getZeroAttr(element));
          if (type != element)
            zero = tile::SplatOp::create(builder, op->getLoc(), type, zero);
          bind(op->getResult(0), zero);
          return success();
        }
        if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          return convertArith(op);
        return refuse(op);
      });
}
