//===- EmitWgmma.cpp - Matrix products in flight ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hopper.wgmma becomes one inline asm: a fence, the steps of 32 bytes along
// K, commit. Nothing can come between them, and the accumulators are tied
// operands of the whole, so they stay in registers from the first step to the
// wait.
//
// Accumulators in flight need no fence, but ptxas puts one there (C7519), and
// where it takes the way there for divergent, serialises all (C7520). Written
// here, it is the same code without either.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "heddle/Conversion/ProductCalls.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Machine/WarpProduct.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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
  std::vector<int64_t> steps; ///< offset of each step along K
};
} // namespace

/// What one instruction takes along the contraction.
static constexpr int64_t kStepBytes = 32;

StringRef productWord(Type type) {
  if (type.isF32())
    return "tf32";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isInteger(8))
    return "s8";
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  return isa<Float8E5M2Type>(type) ? "e5m2" : "";
}

/// `contraction` is the axis of the tile that k runs along.
static FailureOr<OperandWalk> planOperand(Operation *op, hopper::SmemType type,
                                          int contraction) {
  machine::SharedLayout layout = hopper::getSharedLayout(type);
  if (layout.swizzle == 0)
    return reportOp(op, diag::wgmma_form)
           << "needs operands in shared memory with a swizzle of "
              "32, 64 or 128 bytes";
  if (productWord(type.getElementType()).empty())
    return reportOp(op, diag::dot_type)
           << "multiplies f16, bf16, 8-bit numbers or f32 as tf32, not "
           << type.getElementType();
  OperandWalk walk;
  walk.transposed = layout.fastest() != contraction;
  if (walk.transposed && layout.elementBytes != 2)
    return reportOp(op, diag::dot_operand)
           << "reads " << layout.elementBytes * 8
           << "-bit elements only with stride 1 along K, axis " << contraction;
  walk.swizzle = layout.swizzle;
  walk.strideBytes = 8 * layout.rowBytes();
  if (walk.transposed)
    walk.leadingBytes = layout.boxBytes();
  for (int64_t k = 0; k < layout.shape[contraction];
       k += kStepBytes / layout.elementBytes) {
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

// PTX ISA, "Matrix descriptor": address and leading offset in the low word,
// stride offset and swizzle mode in the high one, all in units of 16 bytes.
// Tiles start where the base offset is 0. A step moves the address, which stays
// below 2^18, so only the low word differs between steps and slots: one 32-bit
// addition each in the asm, where 64-bit ones kept two registers a step alive
// over the loop and copied both to uniform registers.
static Value emitDescriptorLow(Code &code, Value tile, const OperandWalk &walk,
                               Value base) {
  Value offset = code.sharedDistance(tile, code.sharedBase());
  Value address =
      code.add(code.shiftRight(offset, 4), base ? base : code.descriptorBase());
  return code.bitOr(address, (walk.leadingBytes / 16) << 16);
}

static uint32_t descriptorHigh(const OperandWalk &walk) {
  uint32_t mode = walk.swizzle == 128 ? 1 : walk.swizzle == 64 ? 2 : 3;
  return uint32_t(walk.strideBytes / 16) | mode << 30;
}

/// The fragments of a register operand: four registers a step, each full of
/// elements.
static FailureOr<SmallVector<Value>>
packFragments(Code &code, hopper::WgmmaOp op, ArrayRef<Value> registers) {
  auto tensor = cast<RankedTensorType>(op.getA().getType());
  int64_t bits = tensor.getElementTypeBitWidth();
  Type b = op.getB().getType().getElementType();
  if (productWord(tensor.getElementType()).empty() || bits > 16 ||
      bits != b.getIntOrFloatBitWidth())
    return reportOp(op, diag::dot_type)
           << "multiplies f16, bf16 or 8-bit numbers of registers, and those "
              "of shared memory alike, not "
           << tensor.getElementType() << " by " << b;
  std::optional<machine::Layout> layout = hopper::getLayout(tensor);
  machine::Layout wanted = machine::makeWgmmaOperandA(
      tensor.getDimSize(0), tensor.getDimSize(1), bits);
  if (!layout ||
      classifyConversion(*layout, wanted) != machine::Conversion::Same)
    return reportOp(op, diag::hopper_layout_use)
           << "needs its register operand in the layout of wgmma's A fragments";
  SmallVector<Value> fragments;
  size_t each = 32 / bits;
  for (size_t i = 0; i < registers.size(); i += each)
    fragments.push_back(code.packInt(registers.slice(i, each)));
  return fragments;
}

namespace {
/// Writes the text of the asm; operand numbers follow its constraints.
struct WgmmaText {
  int64_t columns = 0;
  Type aElement, bElement;
  size_t accumulators = 0;
  size_t firstInput = 0; ///< operand number of A's first fragment or descriptor
  std::optional<OperandWalk> a; ///< none: fragments, four registers a step
  OperandWalk b;
  bool fromZero = false;

  std::string write() const {
    std::string text =
        "{\n\t.reg .pred keep;\n\t.reg .b32 low, high_a, high_b;\n\t"
        ".reg .b64 a, b;\n\tsetp.ne.b32 keep, " +
        std::string(fromZero ? "0" : "1") + ", 0;\n\t";
    if (a)
      text += "mov.b32 high_a, " + std::to_string(descriptorHigh(*a)) + ";\n\t";
    text += "mov.b32 high_b, " + std::to_string(descriptorHigh(b)) + ";\n\t";
    text += "wgmma.fence.sync.aligned;\n\t";
    for (size_t step = 0; step < b.steps.size(); ++step) {
      if (fromZero && step == 1)
        text += "setp.ne.b32 keep, 1, 0;\n\t";
      if (a)
        text += writeDescriptor("a", firstInput, *a, step);
      text += writeDescriptor("b", firstInput + aInputs(), b, step);
      text +=
          "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) + "k" +
          std::to_string(kStepBytes * 8 / bElement.getIntOrFloatBitWidth()) +
          (isInteger() ? ".s32." : ".f32.") + productWord(aElement).str() +
          "." + productWord(bElement).str() + " " + writeList(0, accumulators) +
          ", " + (a ? "a" : writeList(firstInput + 4 * step, 4)) + ", b, keep" +
          (isInteger() ? "" : ", 1, 1") +
          (bElement.getIntOrFloatBitWidth() == 16 ? writeTransposes() : "") +
          ";\n\t";
    }
    return text + "wgmma.commit_group.sync.aligned;\n\t}";
  }

private:
  /// Integers have neither signs nor orders to choose.
  bool isInteger() const { return bElement.isInteger(8); }
  size_t aInputs() const { return a ? 1 : 4 * b.steps.size(); }

  static std::string writeDescriptor(const std::string &name, size_t input,
                                     const OperandWalk &walk, size_t step) {
    return "add.u32 low, $" + std::to_string(input) + ", " +
           std::to_string(walk.steps[step] / 16) + ";\n\tmov.b64 " + name +
           ", {low, high_" + name + "};\n\t";
  }
  static std::string writeList(size_t first, size_t count) {
    std::string list = "{";
    for (size_t i = 0; i < count; ++i)
      list += (i ? ", $" : "$") + std::to_string(first + i);
    return list + "}";
  }
  std::string writeTransposes() const {
    auto write = [](bool transposed) {
      return std::string(transposed ? ", 1" : ", 0");
    };
    return (a ? write(a->transposed) : "") + write(b.transposed);
  }
};
} // namespace

/// The inline assembly that `result` comes from, alone or in a struct.
static Operation *callOf(Value result) {
  auto part = result.getDefiningOp<LLVM::ExtractValueOp>();
  return (part ? part.getContainer() : result).getDefiningOp();
}

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
  Type sum = value.getElementType();
  if (!(bType.getElementType().isInteger(8) ? sum.isInteger(32) : sum.isF32()))
    return reportOp(op, diag::dot_type)
           << "accumulates in f32, or i32 of integers, not " << sum;

  FailureOr<OperandWalk> b = planOperand(op, bType, 0);
  if (failed(b))
    return failure();
  WgmmaText text;
  text.bElement = bType.getElementType();
  SmallVector<Value> inputs;
  if (auto aType = dyn_cast<hopper::SmemType>(op.getA().getType())) {
    FailureOr<OperandWalk> a = planOperand(op, aType, 1);
    if (failed(a))
      return failure();
    inputs = {emitDescriptorLow(code, scalar(op.getA()), *a, descriptorBase)};
    text.a = *a;
    text.aElement = aType.getElementType();
  } else {
    FailureOr<SmallVector<Value>> a =
        packFragments(code, op, registers(op.getA()));
    if (failed(a))
      return failure();
    inputs = *a;
    text.aElement =
        cast<RankedTensorType>(op.getA().getType()).getElementType();
  }
  inputs.push_back(
      emitDescriptorLow(code, scalar(op.getB()), *b, descriptorBase));
  text.b = *b;
  text.columns = value.getDimSize(1);
  text.accumulators = layout->registerCount();
  text.fromZero = !op.getAcc();
  text.firstInput = text.accumulators * (text.fromZero ? 1 : 2);

  SmallVector<Type> types(text.accumulators, sum);
  SmallVector<Value> started =
      text.fromZero
          ? code.freshAsm(text.write(), types, inputs)
          : code.tiedAsm(text.write(), registers(op.getAcc()), inputs);
  callOf(started.front())->setAttr(kProductCall, builder.getUnitAttr());
  bind(op.getFlight(), started);
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
    SmallVector<Value> landed =
        code.tiedAsm(text, registers(op.getFlight()), {});
    if (waits)
      callOf(landed.front())->setAttr(kProductWait, builder.getUnitAttr());
    bind(op.getValue(), landed);
    return success();
  }
  if (waits)
    code.plainAsm(text);
  bind(op.getValue(), registers(op.getFlight()));
  return success();
}

} // namespace heddle::tonvvm
