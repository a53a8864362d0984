//===- Numbers.cpp - Scalars of the hopper rung -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of one to 64 bits is the number that its bits are with a sign; index
// has 64. Wider ones are no numbers here: nothing is known of what is made of
// them. What is the same in all processes is known by the SSA value that it
// comes from; its name is for messages.
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "heddle/Check/Extract.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace heddle::check {

Value Extractor::define(Definition definition) {
  process.values.push_back(std::move(definition));
  return Value(process.values.size()) - 1;
}

int bitsOf(Type type) {
  if (auto tile = dyn_cast<RankedTensorType>(type)) {
    if (!tile.hasStaticShape() || tile.getNumElements() != 1)
      return 0;
    type = tile.getElementType();
  }
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() >= 1 && integer.getWidth() <= 64
             ? int(integer.getWidth())
             : 0;
}

bool isNumber(Type type) { return bitsOf(type) != 0; }

/// A value of which nothing but its width is known.
static Definition definitionOf(Type type) {
  Definition definition;
  if (int bits = bitsOf(type))
    definition.bits = bits;
  return definition;
}

/// A tile in shared memory that a loop carries is its slot's index here.
static bool isTracked(Type type) {
  return isNumber(type) || isa<hopper::FlightType, hopper::SmemType>(type);
}

Value Extractor::data(Type type) { return define(definitionOf(type)); }

Value Extractor::carry(mlir::Value value) {
  if (!isTracked(value.getType()))
    return kNoValue;
  Definition definition = definitionOf(value.getType());
  definition.kind = Definition::Carried;
  return known[value] = define(definition);
}

std::vector<Value> Extractor::numbers(ValueRange values) {
  std::vector<Value> result;
  for (mlir::Value value : values)
    result.push_back(isTracked(value.getType()) ? number(value) : kNoValue);
  return result;
}

static std::optional<Arith> arithOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return Arith::Equal;
  case P::ne:
    return Arith::NotEqual;
  case P::slt:
    return Arith::Less;
  case P::sle:
    return Arith::LessEqual;
  case P::sgt:
    return Arith::Greater;
  case P::sge:
    return Arith::GreaterEqual;
  case P::ult:
    return Arith::LessU;
  case P::ule:
    return Arith::LessEqualU;
  case P::ugt:
    return Arith::GreaterU;
  case P::uge:
    return Arith::GreaterEqualU;
  }
  return std::nullopt;
}

std::optional<Arith> arithOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Arith>>(op)
      .Case([](arith::AddIOp) { return Arith::Add; })
      .Case([](arith::SubIOp) { return Arith::Sub; })
      .Case([](arith::MulIOp) { return Arith::Mul; })
      .Case([](arith::DivSIOp) { return Arith::Div; })
      .Case([](arith::DivUIOp) { return Arith::DivU; })
      .Case([](arith::RemSIOp) { return Arith::Rem; })
      .Case([](arith::RemUIOp) { return Arith::RemU; })
      .Case([](arith::CeilDivSIOp) { return Arith::CeilDiv; })
      .Case([](arith::CeilDivUIOp) { return Arith::CeilDivU; })
      .Case([](arith::FloorDivSIOp) { return Arith::FloorDiv; })
      .Case([](arith::MinSIOp) { return Arith::Min; })
      .Case([](arith::MinUIOp) { return Arith::MinU; })
      .Case([](arith::MaxSIOp) { return Arith::Max; })
      .Case([](arith::MaxUIOp) { return Arith::MaxU; })
      .Case([](arith::ShLIOp) { return Arith::Shl; })
      .Case([](arith::ShRSIOp) { return Arith::ShrS; })
      .Case([](arith::ShRUIOp) { return Arith::ShrU; })
      .Case([](arith::XOrIOp) { return Arith::Xor; })
      .Case([](arith::AndIOp) { return Arith::And; })
      .Case([](arith::OrIOp) { return Arith::Or; })
      .Case([](arith::SelectOp) { return Arith::Select; })
      .Case([](arith::CmpIOp op) { return arithOf(op.getPredicate()); })
      .Case([](arith::TruncIOp) { return Arith::Truncate; })
      .Case([](arith::ExtUIOp) { return Arith::Widen; })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// What all processes know
//===----------------------------------------------------------------------===//

namespace {
/// What a number of a kernel's argument is: numbers that tell symbols apart.
enum class Part { Scalar, Element, FirstExtent };
} // namespace

static int64_t identityOf(BlockArgument argument, Part part, int64_t axis = 0) {
  constexpr int64_t kParts = 1 << 16;
  return argument.getArgNumber() * kParts + int64_t(part) + axis;
}

static Definition symbol(int64_t number, std::string name, Type type) {
  Definition definition = definitionOf(type);
  definition.kind = Definition::Symbol;
  definition.number = number;
  definition.name = std::move(name);
  return definition;
}

static Definition constant(int64_t number) {
  Definition definition;
  definition.kind = Definition::Constant;
  definition.number = number;
  return definition;
}

/// Of a number of blocks or along an axis; each launch checks it.
static constexpr int64_t kMost = INT32_MAX;

BlockArgument argumentOf(mlir::Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<hopper::KernelOp>(argument.getOwner()->getParentOp())
             ? argument
             : BlockArgument();
}

static std::string nameOf(BlockArgument argument) {
  return cast<hopper::KernelOp>(argument.getOwner()->getParentOp())
      .getArgName(argument.getArgNumber());
}

static Definition extentOf(BlockArgument view, int64_t axis) {
  int64_t extent = cast<tile::ViewType>(view.getType()).getShape()[axis];
  if (!ShapedType::isDynamic(extent))
    return constant(extent);
  Definition dim =
      symbol(identityOf(view, Part::FirstExtent, axis),
             "dim(" + nameOf(view) + ", " + std::to_string(axis) + ")",
             IndexType::get(view.getContext()));
  dim.low = 0;
  dim.high = kMost;
  return dim;
}

/// Does the kernel only read this view?
static bool isOnlyRead(BlockArgument view) {
  return llvm::all_of(view.getUsers(), [](Operation *user) {
    return isa<tile::DimOp, hopper::GlobalLoadOp, hopper::CopyOp,
               hopper::TmaLoadOp>(user);
  });
}

/// The number that a load finds; data where no launch can choose it.
Value Extractor::element(mlir::Value from, ValueRange offsets, Type type) {
  Definition element = definitionOf(type);
  BlockArgument view = argumentOf(from);
  auto viewType = cast<tile::ViewType>(from.getType());
  if (!view || !isOnlyRead(view) ||
      int64_t(offsets.size()) != viewType.getRank() ||
      !(viewType.getElementType().isInteger(32) ||
        viewType.getElementType().isInteger(64)))
    return define(element);
  element.kind = Definition::Element;
  element.number = identityOf(view, Part::Element);
  element.name = "each element of " + nameOf(view);
  for (auto [axis, offset] : llvm::enumerate(offsets)) {
    element.operands.push_back(number(offset));
    element.operands.push_back(define(extentOf(view, axis)));
  }
  return define(std::move(element));
}

//===----------------------------------------------------------------------===//
// Numbers behind pointers
//===----------------------------------------------------------------------===//

/// Does the kernel only read through this pointer? Not known where it is
/// carried, cast or handed on in another way.
static bool isOnlyReadFrom(mlir::Value pointer) {
  return llvm::all_of(pointer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tile::PtrAddOp>(user))
      return isOnlyReadFrom(user->getResult(0));
    if (auto view = dyn_cast<tile::MakeViewOp>(user))
      return llvm::all_of(view.getResult().getUsers(), [](Operation *reader) {
        return isa<tile::DimOp, hopper::GlobalLoadOp, hopper::CopyOp>(reader);
      });
    return isa<tile::GatherOp>(user);
  });
}

/// An address that is a number, or was read, may lie in any argument.
static bool hasLooseAddresses(hopper::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        bool isLoose =
            isa<tile::IntToPtrOp>(op) ||
            (isa<tile::GatherOp, hopper::GlobalLoadOp>(op) &&
             isa<tile::PtrType>(getElementTypeOrSelf(op->getResult(0))));
        return isLoose ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isInput(BlockArgument pointer) {
  auto kernel = cast<hopper::KernelOp>(pointer.getOwner()->getParentOp());
  return isOnlyReadFrom(pointer) && !hasLooseAddresses(kernel);
}

/// What is read through an argument that nobody writes is a function of how far
/// the address is from the argument: all who add the same find the same.
std::optional<Value> Extractor::behindPointer(tile::GatherOp gather) {
  mlir::Value pointer = gather.getPtr();
  if (isa<TensorType>(pointer.getType()))
    return std::nullopt;
  std::vector<mlir::Value> operands;
  if (gather.getMask()) {
    if (!gather.getOther())
      return std::nullopt;
    operands = {gather.getMask(), gather.getOther()};
  }
  std::string name = operands.empty() ? "element" : "element under a mask";
  while (auto moved = pointer.getDefiningOp<tile::PtrAddOp>()) {
    operands.push_back(moved.getOffset());
    pointer = moved.getPtr();
  }
  BlockArgument argument = argumentOf(pointer);
  if (!argument || !isInput(argument) ||
      !llvm::all_of(ValueRange(operands).getTypes(), isNumber))
    return std::nullopt;
  name += " of argument " + std::to_string(argument.getArgNumber()) + " at";
  for (mlir::Value operand : operands)
    name += " " + std::to_string(bitsOf(operand.getType()));
  return apply(gather->getOpResult(0), Arith::Other, std::move(name), operands);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The same number in another type, or as a tile of one element.
static bool isSameNumber(Operation *op) {
  if (op->getNumOperands() != 1)
    return false;
  int from = bitsOf(op->getOperand(0).getType()),
      to = bitsOf(op->getResult(0).getType());
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return from && from <= to;
  if (isa<arith::IndexCastUIOp>(op))
    return from && from == to;
  return from && from == to &&
         isa<tile::SplatOp, tile::UnsplatOp, tile::ReshapeOp,
             tile::ExpandDimsOp, tile::BroadcastOp, hopper::ConvertLayoutOp>(
             op);
}

/// A function of `operands`, which executes in a statement.
Value Extractor::apply(OpResult result, Arith arith, std::string name,
                       ValueRange operands) {
  Operation *op = result.getOwner();
  Definition definition = definitionOf(result.getType());
  definition.kind = Definition::Compute;
  definition.arith = arith;
  definition.name = std::move(name);
  for (mlir::Value operand : operands)
    definition.operands.push_back(number(operand));
  if (!operands.empty())
    definition.from = bitsOf(operands.back().getType());
  Value value = define(std::move(definition));
  Statement statement;
  statement.place = placeOf(op->getLoc());
  statement.value = value;
  bool isInside = op->getParentOfType<hopper::ProcessOp>() != nullptr;
  (isInside ? *current : prologue).push_back(std::move(statement));
  return value;
}

/// A function that only its name and the types tell from others.
static std::string nameOfOther(Operation *op) {
  std::string name;
  llvm::raw_string_ostream(name)
      << op->getName() << ": " << op->getOperandTypes() << " to "
      << op->getResultTypes();
  return name;
}

/// The value of an operation with one result, a number.
Value Extractor::compute(Operation *op) {
  Type type = op->getResult(0).getType();
  if (auto dim = dyn_cast<tile::DimOp>(op))
    if (BlockArgument view = argumentOf(dim->getOperand(0)))
      return define(extentOf(view, dim.getAxis()));
  if (isa<tile::WorkerIdOp>(op)) {
    Definition worker = symbol(kWorkerId, "worker id", type);
    worker.low = 0;
    worker.high = kMost - 1;
    return define(worker);
  }
  if (isa<tile::WorkerCountOp>(op)) {
    Definition workers = symbol(kWorkerCount, "worker count", type);
    workers.low = 1;
    workers.high = kMost;
    return define(workers);
  }
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
    return element(load.getView(), load.getOffsets(), type);
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    if (std::optional<Value> behind = behindPointer(gather))
      return *behind;
  if (isSameNumber(op))
    return number(op->getOperand(0));
  bool isFunction = op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
                    llvm::all_of(op->getOperandTypes(), isNumber) &&
                    isMemoryEffectFree(op);
  if (!isFunction)
    return data(type);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return apply(op->getOpResult(0),
                 bitsOf(type) < bitsOf(op->getOperand(0).getType())
                     ? Arith::Truncate
                     : Arith::Widen,
                 "", op->getOperands());
  if (auto arith = arithOf(op))
    return apply(op->getOpResult(0), *arith, "", op->getOperands());
  // What attributes say would be part of the function.
  if (op->getAttrs().empty())
    return apply(op->getOpResult(0), Arith::Other, nameOfOther(op),
                 op->getOperands());
  return data(type);
}

Value Extractor::number(mlir::Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Value result = kNoValue;
  IntegerAttr attribute;
  Operation *op = value.getDefiningOp();
  bool isKnown = isNumber(value.getType());
  if (isKnown && matchPattern(value, m_Constant(&attribute))) {
    Definition definition = constant(attribute.getValue().getSExtValue());
    definition.bits = bitsOf(value.getType());
    result = define(definition);
  } else if (auto slot = value.getDefiningOp<hopper::SlotOp>()) {
    result = number(slot.getSlot());
  } else if (auto trans = value.getDefiningOp<hopper::SharedTransOp>()) {
    result = number(trans.getTile());
  } else if (BlockArgument argument = argumentOf(value); argument && isKnown) {
    Definition scalar = symbol(identityOf(argument, Part::Scalar),
                               nameOf(argument), argument.getType());
    // Callers pass 32 bits of an index, with a sign.
    if (argument.getType().isIndex()) {
      scalar.low = INT32_MIN;
      scalar.high = INT32_MAX;
    }
    result = define(std::move(scalar));
  } else if (op && op->getNumResults() == 1 && isKnown) {
    result = compute(op);
  } else {
    result = data(value.getType());
  }
  return known[value] = result;
}

} // namespace heddle::check
