//===- Lowering.cpp - The kernel around a program of tasks ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry becomes a kernel: its tensors are views in the order that the
// mapping gives them, its one prange or launch is the tile.parallel. A body on
// the host that does more is refused, since one launch is one kernel.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

LogicalResult Lowering::refuse(Operation *op, const diag::Kind &kind,
                               const Twine &message) {
  constexpr size_t kMostNotes = 5;
  Report error = report(op, kind) << message.str();
  for (auto [launch, instance] : llvm::ArrayRef(stack).take_back(kMostNotes))
    error.attachNote(launch.getLoc())
        << "in instance @" << instance->op.getSym() << ", launched here";
  return error;
}

LogicalResult Lowering::run() {
  if (failed(pins.read(mapping)))
    return failure();
  FailureOr<Frame> frame = makeKernel();
  if (failed(frame) || failed(lowerHost(*frame)))
    return failure();
  if (!parallel)
    return refuse(mapping.entry().variant, diag::task_lowering,
                  "the entry launches nothing, so that there is no kernel");
  if (failed(pins.checkSums(isReduced, isRounded)) || failed(checkTurns()))
    return failure();
  if (!pins.empty())
    kernel->setAttr(sched::kPins, pins.attribute(module.getContext()));
  return success();
}

/// Is `argument` read by elements alone? Then the kernel has its address.
static bool isList(BlockArgument argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(),
                      [](Operation *user) { return isa<ElementOp>(user); });
}

/// The entry's task gives the name, its arguments those of the kernel.
FailureOr<Lowering::Frame> Lowering::makeKernel() {
  Instance &entry = mapping.entry();
  VariantOp variant = entry.variant;
  here = variant.getLoc();
  builder.setInsertionPoint(*module.getOps<VariantOp>().begin());
  SmallVector<Type> types;
  for (BlockArgument argument : variant.getEntry().getArguments()) {
    unsigned index = argument.getArgNumber();
    auto tensor = dyn_cast<ArrayType>(argument.getType());
    if (!tensor) {
      types.push_back(argument.getType());
      continue;
    }
    if (std::optional<Memory> memory = entry.memories[index];
        memory && *memory != Memory::Global)
      return refuse(entry.op, diag::task_mapping,
                    "the entry has '" + variant.getArgName(index) +
                        "' in memory " + spelling(*memory) +
                        "; what a program passes is in global memory");
    if (isList(argument)) {
      types.push_back(
          tile::PtrType::get(module.getContext(), tensor.getElementType()));
      continue;
    }
    SmallVector<int64_t> shape(tensor.getRank(), ShapedType::kDynamic);
    auto row = tile::ViewType::getRowMajor(shape, tensor.getElementType());
    auto order = dyn_cast_or_null<tile::OrderAttr>(pins.orderOf(index));
    types.push_back(order ? tile::ViewType::get(module.getContext(), shape,
                                                tensor.getElementType(),
                                                order.getAxes())
                          : row);
  }
  StringRef name = variant.getTask();
  for (Operation &other : *module.getBody()) {
    auto symbol =
        other.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!symbol || symbol.getValue() != name ||
        isa<VariantOp, MappingOp>(other))
      continue;
    Report error = report(&other, diag::task_form)
                   << "the kernel is called @" << name
                   << ", as the task of the entry is, and so is this";
    error.attachNote(variant.getLoc()) << "the entry is here";
    return failure();
  }
  kernel = tile::KernelOp::create(builder, here, name,
                                  builder.getFunctionType(types, {}),
                                  variant.getArgNames());
  Block &body = kernel.getBody().emplaceBlock();
  Frame frame(entry);
  for (auto [type, argument] :
       llvm::zip(types, variant.getEntry().getArguments())) {
    Value made = body.addArgument(type, argument.getLoc());
    if (isList(argument)) {
      frame.scalars[argument] = made;
    } else if (auto tensor = dyn_cast<ArrayType>(argument.getType())) {
      Tensor whole;
      whole.view = made;
      whole.axes.resize(tensor.getRank());
      frame.tensors[argument] = whole;
    } else if (type.isIndex()) {
      frame.numbers[argument].value = made;
    } else {
      frame.scalars[argument] = made;
    }
  }
  builder.setInsertionPointToStart(&body);
  return frame;
}

LogicalResult Lowering::lowerHost(Frame &frame) {
  for (Operation &op : frame.instance->variant.getEntry()) {
    auto launch = dyn_cast<LaunchOp>(op);
    bool isInline =
        launch && frame.instance->calls.lookup(launch)->level == Level::Host;
    LogicalResult result =
        isa<PrangeOp>(op) || (launch && !isInline) ? lowerParallel(frame, &op)
        : isa<SrangeOp>(op)
            ? refuse(&op, diag::task_lowering,
                     "a srange on the host would be a kernel for each "
                     "iteration; heddle makes one kernel: move the loop into "
                     "an instance on block")
        : isa<MakeOp>(op)
            ? refuse(&op, diag::task_lowering,
                     "a tensor made on the host would lie in global memory, "
                     "beside the arguments; heddle makes none: pass it as an "
                     "argument")
            : lowerOp(frame, &op);
    if (failed(result))
      return failure();
  }
  return success();
}

/// A prange over instances on block, or one of these alone.
LogicalResult Lowering::lowerParallel(Frame &frame, Operation *op) {
  if (parallel) {
    Report error = report(op, diag::task_lowering)
                   << "the host launches a second time, which would be a "
                      "second kernel; heddle makes one kernel of a program";
    error.attachNote(parallel->getLoc()) << "the first time is here";
    return error;
  }
  parallel = op;
  auto range = dyn_cast<PrangeOp>(op);
  SmallVector<Value> bounds;
  if (range) {
    for (Value bound : range.getBounds()) {
      FailureOr<Number> number = numberOf(frame, bound, op);
      FailureOr<Value> value =
          failed(number) ? FailureOr<Value>(failure()) : asValue(*number, op);
      if (failed(value))
        return failure();
      bounds.push_back(*value);
    }
  } else {
    bounds.push_back(constant(1));
  }
  auto instances = tile::ParallelOp::create(builder, op->getLoc(), bounds);
  Block &body = instances.getBody().emplaceBlock();
  for (size_t axis = 0; axis < bounds.size(); ++axis)
    body.addArgument(builder.getIndexType(), op->getLoc());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  isOnHost = false;
  LogicalResult result = success();
  if (range) {
    for (auto [index, value] :
         llvm::zip(range.getBody().getArguments(), body.getArguments()))
      frame.numbers[index].value = value;
    result = lowerBody(frame, range.getBody().front());
  } else {
    result = lowerLaunch(frame, cast<LaunchOp>(op));
  }
  isOnHost = true;
  return result;
}
