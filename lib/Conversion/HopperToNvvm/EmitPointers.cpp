//===- EmitPointers.cpp - Addresses, gathers, scatters and atomics ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Register by register, each access under its own mask, or several neighbours
// at once, as the op says, by the address and the mask of the first. A layout
// may hold an element in several registers, lanes or warps: all of them read
// it, one writes it.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "GlobalTile.h"
#include "Replicas.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace heddle::tonvvm {

/// Bytes between neighbours that a pointer type addresses; 0 if it has none.
static int64_t pointeeBytes(Type type) {
  Type element =
      cast<tile::PtrType>(getElementTypeOrSelf(type)).getElementType();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() / 8 : 0;
}

static LogicalResult verifyPointee(Operation *op, Type pointer) {
  if (pointeeBytes(pointer))
    return success();
  return reportOp(op, diag::no_expansion)
         << "has addresses of "
         << cast<tile::PtrType>(getElementTypeOrSelf(pointer)).getElementType()
         << ", which is no whole number of bytes";
}

/// Register `index` of a tile, or the scalar that all threads have.
static Value pick(const Registers &registers, size_t index) {
  return registers.size() == 1 ? registers.front() : registers[index];
}

LogicalResult Emitter::emitPtrAdd(tile::PtrAddOp op) {
  if (failed(verifyPointee(op, op.getPtr().getType())))
    return failure();
  Code code(builder, op.getLoc());
  const Registers &pointers = registers(op.getPtr());
  const Registers &offsets = registers(op.getOffset());
  Registers results;
  for (size_t i = 0; i < pointers.size(); ++i) {
    Value offset = offsets[i];
    if (offset.getType().getIntOrFloatBitWidth() < 64)
      offset = arith::ExtSIOp::create(builder, op.getLoc(),
                                      builder.getI64Type(), offset);
    results.push_back(code.advance(
        pointers[i], code.mul(offset, pointeeBytes(op.getPtr().getType()))));
  }
  bind(op.getResult(), results);
  return success();
}

LogicalResult Emitter::emitPtrConversion(Operation *op) {
  Code code(builder, op->getLoc());
  Registers results;
  for (Value value : registers(op->getOperand(0))) {
    if (isa<tile::IntToPtrOp>(op))
      value = code.intToPointer(value);
    else if (isa<tile::PtrToIntOp>(op))
      value = code.pointerToInt(value);
    results.push_back(value);
  }
  bind(op->getResult(0), results);
  return success();
}

LogicalResult Emitter::emitGather(tile::GatherOp op) {
  if (failed(verifyPointee(op, op.getPtr().getType())))
    return failure();
  Code code(builder, op.getLoc());
  Type element = registerType(getElementTypeOrSelf(op.getResult().getType()));
  ArrayRef<Value> pointers = registers(op.getPtr());
  hopper::Neighbours run = hopper::neighboursOf(op);
  Registers loaded;
  for (size_t i = 0; i < pointers.size(); i += run.vector * run.repeats) {
    Value mask =
        op.getMask() ? pick(registers(op.getMask()), i) : code.i1(true);
    for (Value one :
         code.loadGlobalRunIf(mask, element, run.vector, pointers[i]))
      loaded.append(run.repeats, one);
  }
  if (op.getOther())
    for (auto [i, value] : llvm::enumerate(loaded))
      if (op.getMask())
        value = code.select(pick(registers(op.getMask()), i), value,
                            pick(registers(op.getOther()), i));
  bind(op.getResult(), loaded);
  return success();
}

/// Calls `body` for each element that this thread is the one to write, with the
/// condition under which it does.
void Emitter::forEachOwned(Code &code, Value tile, Value mask,
                           llvm::function_ref<void(size_t, Value)> body) {
  std::optional<machine::Layout> layout = hopper::getLayout(tile.getType());
  Value acts = layout ? emitActs(code, *layout, threads) : threads.first;
  for (int i : layout ? firstReplicas(*layout) : std::vector<int>{0}) {
    Value condition = mask ? pick(registers(mask), i) : Value();
    if (acts)
      condition = condition ? code.bitAnd(acts, condition) : acts;
    body(i, condition ? condition : code.i1(true));
  }
}

LogicalResult Emitter::emitScatter(tile::ScatterOp op) {
  if (failed(verifyPointee(op, op.getPtr().getType())))
    return failure();
  Code code(builder, op.getLoc());
  ArrayRef<Value> values = registers(op.getValue());
  size_t run = hopper::neighboursOf(op).vector;
  forEachOwned(code, op.getPtr(), op.getMask(), [&](size_t i, Value condition) {
    if (i % run == 0)
      code.storeGlobalRunIf(condition, values.slice(i, run),
                            registers(op.getPtr())[i]);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// "add.s32" and the like; "" if sm_90 has no such instruction.
static std::string atomicName(tile::RmwKind kind, Type element) {
  int64_t width = element.getIntOrFloatBitWidth();
  std::string bits = std::to_string(width);
  using Kind = tile::RmwKind;
  if (kind == Kind::FAdd) {
    if (element.isF16() || element.isBF16())
      return element.isF16() ? "add.noftz.f16" : "add.noftz.bf16";
    return element.isF32() || element.isF64() ? "add.f" + bits : "";
  }
  bool isFloat = isa<FloatType>(element) && kind != Kind::Exchange;
  if ((width != 32 && width != 64) || isFloat)
    return "";
  switch (kind) {
  case Kind::Add:
    return "add.u" + bits;
  case Kind::Min:
    return "min.s" + bits;
  case Kind::Max:
    return "max.s" + bits;
  case Kind::UMin:
    return "min.u" + bits;
  case Kind::UMax:
    return "max.u" + bits;
  case Kind::And:
    return "and.b" + bits;
  case Kind::Or:
    return "or.b" + bits;
  case Kind::Xor:
    return "xor.b" + bits;
  default:
    return "exch.b" + bits;
  }
}

/// ".relaxed.gpu" and the like.
static std::string atomicOrder(tile::MemoryOrder order, tile::Scope scope) {
  std::string name = scope == tile::Scope::System ? "sys"
                     : scope == tile::Scope::Gpu  ? "gpu"
                                                  : "cta";
  return "." + tile::stringifyMemoryOrder(order).str() + "." + name +
         ".global.";
}

static LogicalResult noSuchAtomic(Operation *op, StringRef kind, Type element) {
  return reportOp(op, diag::no_expansion)
         << "updates elements of " << element << " by " << kind
         << ", for which sm_90a has no atomic instruction; use "
         << (isa<FloatType>(element)
                 ? "add or exchange, or integers of 32 or 64 bits"
                 : "integers of 32 or 64 bits");
}

/// The old values are known where the update was made; other lanes ask there.
LogicalResult Emitter::bindOld(Operation *op, Registers old) {
  Value result = op->getResult(0);
  std::optional<machine::Layout> layout = hopper::getLayout(result.getType());
  int64_t warps = threads.process.getWarps();
  if (!layout || hasWarpReplicas(*layout, warps))
    return reportOp(op, diag::no_expansion)
           << "gives old values that every warp of process '"
           << threads.process.getSym() << "' reads, but only one warp of "
           << warps << " has them; leave the result unused, or update at least "
           << 32 * warps << " elements";
  Code code(builder, op->getLoc());
  spreadReplicas(code, *layout, threads, old);
  bind(result, old);
  return success();
}

LogicalResult Emitter::emitAtomicRmw(tile::AtomicRmwOp op) {
  Type element = getElementTypeOrSelf(op.getValue().getType());
  std::string name = atomicName(op.getKind(), element);
  if (name.empty())
    return noSuchAtomic(op, tile::stringifyRmwKind(op.getKind()), element);
  Code code(builder, op.getLoc());
  std::string order = atomicOrder(op.getOrder(), op.getScope());
  Registers old(registers(op.getPtr()).size());
  forEachOwned(code, op.getPtr(), op.getMask(), [&](size_t i, Value condition) {
    old[i] = code.atomicIf(condition, order + name, registers(op.getPtr()) [i],
                           { pick(registers(op.getValue()), i) });
  });
  return op.getResult().use_empty() ? success() : bindOld(op, old);
}

LogicalResult Emitter::emitAtomicCas(tile::AtomicCasOp op) {
  Type element = getElementTypeOrSelf(op.getValue().getType());
  int64_t width = element.getIntOrFloatBitWidth();
  if (width < 16)
    return noSuchAtomic(op, "compare and exchange", element);
  Code code(builder, op.getLoc());
  std::string name = atomicOrder(op.getOrder(), op.getScope()) + "cas.b" +
                     std::to_string(width);
  Registers old(registers(op.getPtr()).size());
  forEachOwned(code, op.getPtr(), op.getMask(), [&](size_t i, Value condition) {
    old[i] = code.atomicIf(condition, name, registers(op.getPtr()) [i], {
      pick(registers(op.getExpected()), i), pick(registers(op.getValue()), i)
    });
  });
  return op.getResult().use_empty() ? success() : bindOld(op, old);
}

/// Stops the kernel; the message is for who reads the program.
LogicalResult Emitter::emitAssert(tile::AssertOp op) {
  Code code(builder, op.getLoc());
  Value all;
  for (Value condition : registers(op.getCondition()))
    all = all ? code.bitAnd(all, condition) : condition;
  code.trapIf(code.logicalNot(all));
  return success();
}

LogicalResult Emitter::emitViewReduce(tile::ViewReduceOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  std::string name = atomicName(op.getKind(), type.getElementType());
  if (name.empty())
    return noSuchAtomic(op, tile::stringifyRmwKind(op.getKind()),
                        type.getElementType());
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(type);
  // Such an op stands in loops with sums, where a thread's columns would take
  // a register each all along.
  llvm::SaveAndRestore lane(threads.lane,
                            code.bitAnd(code.threadIndexHere(), 31));
  GlobalAccess access =
      globalAccess(code, op.getView(), layout, op.getOffsets());
  forEachOwned(code, op.getValue(), Value(), [&](size_t i, Value condition) {
    machine::Coord coord = layout.registerCoordinate(int(i));
    code.atomicIf(code.bitAnd(condition, access.isInside(coord)),
                  ".relaxed.gpu.global." + name, access.pointer(coord),
                  {registers(op.getValue())[i]});
  });
  return success();
}

} // namespace heddle::tonvvm
