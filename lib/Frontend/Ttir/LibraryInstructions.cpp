//===- LibraryInstructions.cpp - libdevice's functions as instructions ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that name an instruction of the machine: arithmetic and conversions
// that round in a direction, which arith has no operation for, or that must not
// be joined with a neighbour (a product and a sum, rounded both), and the
// permutation of bytes. Each is that instruction.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"

#include "heddle/Dialect/Tile/Assembly.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

/// How a register of such an element is called in a constraint.
static StringRef letterOf(Type element) {
  if (element.isF32())
    return "f";
  if (element.isF64())
    return "d";
  return element.getIntOrFloatBitWidth() == 64 ? "l" : "r";
}

static Value write(Formula &f, StringRef instruction, Type to, ValueRange in) {
  std::string text = (instruction + " $0").str(),
              constraints = ("=" + letterOf(to)).str();
  for (auto [number, operand] : llvm::enumerate(in)) {
    text += ", $" + std::to_string(number + 1);
    constraints +=
        ("," + letterOf(getElementTypeOrSelf(operand.getType()))).str();
  }
  return f.assembly(text + ";", constraints, f.of(to), in);
}

/// As libdevice's names end and as PTX's instructions say it; of integers that
/// a float becomes, the latter differ.
static StringRef roundingOf(StringRef ending) {
  return llvm::StringSwitch<StringRef>(ending)
      .Case("rn", ".rn")
      .Case("rz", ".rz")
      .Case("rd", ".rm")
      .Case("ru", ".rp")
      .Default("");
}

/// The type in a name like `ull2float`, as PTX calls it.
static StringRef nameOf(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("int", ".s32")
      .Case("uint", ".u32")
      .Case("ll", ".s64")
      .Case("ull", ".u64")
      .Case("float", ".f32")
      .Case("double", ".f64")
      .Default("");
}

/// `dadd_rz`, `fmaf_ru`.
static Value writeArithmetic(Formula &f, StringRef name, StringRef rounding,
                             ValueRange in, Type type) {
  StringRef width = type.isF64() ? ".f64" : type.isF32() ? ".f32" : "";
  if (width.empty() || llvm::any_of(in, [&](Value operand) {
        return operand.getType() != f.of(type);
      }))
    return {};
  if (name == (type.isF64() ? "fma" : "fmaf"))
    return in.size() == 3 ? write(f, ("fma" + rounding + width).str(), type, in)
                          : Value();
  if (!name.consume_front(type.isF64() ? "d" : "f"))
    return {};
  size_t operands = llvm::StringSwitch<size_t>(name)
                        .Cases({"add", "sub", "mul", "div"}, 2)
                        .Cases({"rcp", "sqrt"}, 1)
                        .Default(0);
  if (in.size() != operands || operands == 0)
    return {};
  return write(f, (name + rounding + width).str(), type, in);
}

Value heddle::ttir::writeInstruction(Formula &f, StringRef name, ValueRange in,
                                     Type to) {
  Type from = getElementTypeOrSelf(in.front().getType());
  if (name == "rcp64h" && in.size() == 1 && to.isF64() && from == to)
    return write(f, "rcp.approx.ftz.f64", to, in);
  bool isOfWords = llvm::all_of(in, [&](Value operand) {
    return operand.getType() == f.of(to) && to.isInteger(32);
  });
  if (isOfWords && in.size() == 3) {
    if (name == "sad" || name == "usad")
      return write(f, name == "sad" ? "sad.s32" : "sad.u32", to, in);
    if (name == "byte_perm") {
      // The instruction's fourth bit of each place would spread a sign.
      Value places =
          f.make("arith.andi", f.of(to), {in[2], f.integer(f.of(to), 0x7777)});
      return write(f, "prmt.b32", to, {in[0], in[1], places});
    }
  }
  auto [words, ending] = name.rsplit('_');
  StringRef rounding = roundingOf(ending);
  if (rounding.empty())
    return {};
  if (Value made = writeArithmetic(f, words, rounding, in, to))
    return made;
  auto [source, target] = words.split('2');
  StringRef sourceName = nameOf(source), targetName = nameOf(target);
  bool isConversion = in.size() == 1 && isa<FloatType>(to) &&
                      !sourceName.empty() && !targetName.empty();
  if (!isConversion ||
      from.getIntOrFloatBitWidth() !=
          (sourceName.ends_with("64") ? 64u : 32u) ||
      isa<FloatType>(from) != sourceName.starts_with(".f") ||
      to.getIntOrFloatBitWidth() != (targetName.ends_with("64") ? 64u : 32u))
    return {};
  // Every integer of 32 bits is a number of f64.
  if (to.isF64() && sourceName.ends_with("32"))
    rounding = ".rn";
  if (to.isF64() && sourceName == ".f32")
    rounding = "";
  return write(f, ("cvt" + rounding + targetName + sourceName).str(), to, in);
}
