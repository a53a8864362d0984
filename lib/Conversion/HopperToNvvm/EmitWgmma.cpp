//===- EmitWgmma.cpp - Matrix products in flight ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hopper.wgmma becomes one inline asm: a fence unless its accumulators are in
// flight, the k16 steps, commit. Nothing can come between them, and the
// accumulators are tied operands of the whole, so they stay in registers from
// the first step to the wait.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Hopper.h"

using namespace mlir;

namespace heddle::tonvvm {

namespace {
/// How wgmma walks an operand in shared memory; all in bytes.
struct OperandWalk {
  bool transposed = false; ///< the contraction is not the fastest axis
  int64_t leadingBytes =
      16; ///< between boxes along the other axis, when transposed
  int64_t strideBytes = 0; ///< between groups of eight rows of a box
  int64_t swizzle = 128;
  std::vector<int64_t> steps; ///< offset of each k16 step
};
} // namespace

/// `contraction` is the axis of the tile that k runs along.
static FailureOr<OperandWalk> planOperand(Operation *op, hopper::SmemType type,
                                          int contraction) {
  machine::SharedLayout layout = hopper::getSharedLayout(type);
  if (layout.swizzle == 0)
    return reportOp(op, diag::wgmma_form)
           << "needs operands in shared memory with a swizzle of "
              "32, 64 or 128 bytes";
  if (layout.elementBytes != 2)
    return reportOp(op, diag::dot_type)
           << "multiplies f16 or bf16, not " << type.getElementType();
  OperandWalk walk;
  walk.transposed = layout.fastest() != contraction;
  walk.swizzle = layout.swizzle;
  walk.strideBytes = 8 * layout.rowBytes();
  if (walk.transposed)
    walk.leadingBytes = layout.boxBytes();
  for (int64_t k = 0; k < layout.shape[contraction]; k += 16) {
    machine::Coord coord = {};
    coord[contraction] = k;
    // Rows in multiples of 16 leave the swizzle's phase alone; within a row the
    // hardware applies it to the sum.
    int64_t inRow =
        walk.transposed ? 0 : k % layout.boxWidth() * layout.elementBytes;
    coord[contraction] = walk.transposed ? k : k - k % layout.boxWidth();
    walk.steps.push_back(layout.fixedOffset(coord) + inRow);
  }
  return walk;
}

// PTX ISA, "Matrix descriptor": address, leading and stride offsets in units of
// 16 bytes, swizzle mode in the top two bits. Tiles start where the base offset
// is 0.
static SmallVector<Value> emitDescriptors(Code &code, Value tile,
                                          const OperandWalk &walk) {
  uint64_t mode = walk.swizzle == 128 ? 1 : walk.swizzle == 64 ? 2 : 3;
  uint64_t fields = uint64_t(walk.leadingBytes / 16) << 16 |
                    uint64_t(walk.strideBytes / 16) << 32 | mode << 62;
  Value address = code.shiftRight(code.sharedAddress(tile), 4);
  Value first = code.bitOr(code.zeroExtend(address), int64_t(fields));
  SmallVector<Value> descriptors;
  for (int64_t offset : walk.steps)
    descriptors.push_back(code.add(first, offset / 16));
  return descriptors;
}

/// The fragments of a register operand: four registers of two elements a step.
static FailureOr<SmallVector<Value>>
packFragments(Code &code, Operation *op, Type type, ArrayRef<Value> registers) {
  auto tensor = cast<RankedTensorType>(type);
  std::optional<machine::Layout> layout = hopper::getLayout(tensor);
  machine::Layout wanted =
      machine::makeWgmmaOperandA(tensor.getDimSize(0), tensor.getDimSize(1));
  if (!layout ||
      classifyConversion(*layout, wanted) != machine::Conversion::Same)
    return reportOp(op, diag::hopper_layout_use)
           << "needs its register operand in the layout of wgmma's A fragments";
  if (tensor.getElementTypeBitWidth() != 16)
    return reportOp(op, diag::dot_type)
           << "multiplies f16 or bf16, not " << tensor.getElementType();
  SmallVector<Value> fragments;
  for (size_t i = 0; i < registers.size(); i += 2)
    fragments.push_back(code.packInt({registers[i], registers[i + 1]}));
  return fragments;
}

namespace {
/// Writes the text of the asm; operand numbers follow its constraints.
struct WgmmaText {
  int64_t columns = 0;
  std::string element; ///< "f16" or "bf16"
  size_t accumulators = 0;
  size_t firstInput =
      0;               ///< operand number of the first A fragment or descriptor
  size_t aPerStep = 1; ///< 4 fragments or 1 descriptor
  size_t steps = 0;
  bool fromZero = false;
  bool fences = true;
  std::string transposes; ///< trailing immediates

  std::string write() const {
    std::string list = "{";
    for (size_t i = 0; i < accumulators; ++i)
      list += (i ? ", $" : "$") + std::to_string(i);
    list += "}";
    std::string text = "{\n\t.reg .pred keep;\n\tsetp.ne.b32 keep, " +
                       std::string(fromZero ? "0" : "1") + ", 0;\n\t" +
                       (fences ? "wgmma.fence.sync.aligned;\n\t" : "");
    for (size_t step = 0; step < steps; ++step) {
      if (fromZero && step == 1)
        text += "setp.ne.b32 keep, 1, 0;\n\t";
      text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
              "k16.f32." + element + "." + element + " " + list + ", " +
              writeA(step) + ", $" +
              std::to_string(firstInput + steps * aPerStep + step) +
              ", keep, 1, 1" + transposes + ";\n\t";
    }
    return text + "wgmma.commit_group.sync.aligned;\n\t}";
  }

  std::string writeA(size_t step) const {
    size_t first = firstInput + step * aPerStep;
    if (aPerStep == 1)
      return "$" + std::to_string(first);
    std::string list = "{";
    for (size_t i = 0; i < aPerStep; ++i)
      list += (i ? ", $" : "$") + std::to_string(first + i);
    return list + "}";
  }
};
} // namespace

LogicalResult Emitter::emitWgmma(hopper::WgmmaOp op) {
  Code code(builder, op.getLoc());
  RankedTensorType value = op.getFlight().getType().getValue();
  hopper::SmemType bType = op.getB().getType();
  std::optional<machine::Layout> layout = hopper::getLayout(value);
  machine::Layout wanted =
      machine::makeWgmmaAccumulator(value.getDimSize(0), value.getDimSize(1));
  if (!layout ||
      classifyConversion(*layout, wanted) != machine::Conversion::Same)
    return reportOp(op, diag::hopper_layout_use)
           << "needs accumulators in wgmma's layout";
  if (!value.getElementType().isF32())
    return reportOp(op, diag::dot_type)
           << "accumulates in f32, not " << value.getElementType();

  FailureOr<OperandWalk> b = planOperand(op, bType, 0);
  if (failed(b))
    return failure();
  WgmmaText text;
  SmallVector<Value> inputs;
  if (auto aType = dyn_cast<hopper::SmemType>(op.getA().getType())) {
    FailureOr<OperandWalk> a = planOperand(op, aType, 1);
    if (failed(a))
      return failure();
    inputs = emitDescriptors(code, scalar(op.getA()), *a);
    text.transposes = std::string(", ") + (a->transposed ? "1" : "0");
  } else {
    FailureOr<SmallVector<Value>> a =
        packFragments(code, op, op.getA().getType(), registers(op.getA()));
    if (failed(a))
      return failure();
    inputs = *a;
    text.aPerStep = 4;
  }
  text.steps = b->steps.size();
  llvm::append_range(inputs, emitDescriptors(code, scalar(op.getB()), *b));
  text.transposes += std::string(", ") + (b->transposed ? "1" : "0");
  text.columns = value.getDimSize(1);
  text.element = bType.getElementType().isBF16() ? "bf16" : "f16";
  text.accumulators = layout->registerCount();
  text.fromZero = !op.getAcc();
  // Accumulators in flight are nobody's to touch, so since the fence of the
  // product before nothing accessed a register of this one.
  text.fences = text.aPerStep != 1 || !op.getAcc() ||
                !isa<hopper::FlightType>(op.getAcc().getType());
  text.firstInput = text.accumulators * (text.fromZero ? 1 : 2);

  SmallVector<Type> types(text.accumulators, builder.getF32Type());
  bind(op.getFlight(),
       text.fromZero
           ? code.freshAsm(text.write(), types, inputs)
           : code.tiedAsm(text.write(), registers(op.getAcc()), inputs));
  return success();
}

/// A release names the value only to stand behind the wait.
static bool isRead(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return !isa<hopper::ArriveOp>(user);
  });
}

LogicalResult Emitter::emitWgmmaWait(hopper::WgmmaWaitOp op) {
  Code code(builder, op.getLoc());
  // Where nothing can be in flight, the value is tied to its place all the
  // same: an earlier wait has retired it, and no read may move above that.
  bool waits = needed.waits.contains(op);
  std::string text = waits ? "wgmma.wait_group.sync.aligned " +
                                 std::to_string(op.getPending()) + ";"
                           : "";
  if (isRead(op.getValue())) {
    bind(op.getValue(), code.tiedAsm(text, registers(op.getFlight()), {}));
    return success();
  }
  if (waits)
    code.plainAsm(text);
  bind(op.getValue(), registers(op.getFlight()));
  return success();
}

} // namespace heddle::tonvvm
