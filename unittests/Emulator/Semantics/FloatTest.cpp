//===- FloatTest.cpp - Floating-point arithmetic against a model ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every form of the tables on all combinations of the format's special values
// and some random ones, against exact arithmetic (FloatModel.h).
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "FloatModel.h"

#include "gtest/gtest.h"

using namespace heddle::emulator;
using namespace heddle::emulator::model;
using namespace heddle::emulator::test;

static int registerBits(const std::string &type) {
  return type.ends_with("x2") ? 32 : formatNamed(type).width;
}

/// Rows for elements; a packed register gets two neighbours of them.
static std::vector<Operands> rowsFor(const std::string &type, int sources,
                                     size_t extra) {
  const Format &format = formatNamed(type);
  std::vector<uint64_t> values = specialValues(format);
  if (sources == 3) {
    // All would be 125 000: every third, and a random choice of triples.
    std::vector<uint64_t> fewer;
    for (size_t i = 0; i < values.size(); i += 3)
      fewer.push_back(values[i]);
    values = fewer;
  }
  auto rows = combinations(values, sources, format.width, extra);
  if (!type.ends_with("x2"))
    return rows;
  std::vector<Operands> packed;
  for (size_t i = 0; i < rows.size(); i += 2) {
    const Operands &high = rows[std::min(i + 1, rows.size() - 1)];
    packed.push_back(rows[i]);
    for (size_t source = 0; source < 3; ++source)
      packed.back()[source] |= high[source] << 16;
  }
  return packed;
}

static bool isSame(const std::string &type, uint64_t a, uint64_t b,
                   bool nanIsCanonical) {
  const Format &format = formatNamed(type);
  if (!type.ends_with("x2"))
    return isSameFloat(a, b, format, nanIsCanonical);
  return isSameFloat(a & 0xFFFF, b & 0xFFFF, format, nanIsCanonical) &&
         isSameFloat(a >> 16, b >> 16, format, nanIsCanonical);
}

/// Runs one opcode and compares; reports the first few rows that differ.
static void check(const Opcode &opcode, int sources,
                  const std::vector<Operands> &rows) {
  const std::string &type = opcode.type();
  int bits = registerBits(type);
  static const char *operands[] = {"%a", "%a, %b", "%a, %b, %c"};
  Batch batch{opcode.text + " %r, " + operands[sources - 1] + ";",
              bits,
              {bits, bits, bits}};
  std::vector<uint64_t> results = runBatch(batch, rows);
  // PTX names the NaN of arithmetic in all formats but f64, and of abs, neg
  // and copysign in none.
  bool isSign = opcode.name() == "abs" || opcode.name() == "neg" ||
                opcode.name() == "copysign";
  int reported = 0;
  for (size_t i = 0; i < results.size() && reported < 3; ++i) {
    uint64_t expected = evaluateFloatRegister(opcode, rows[i]);
    if (isSame(type, results[i], expected, type != "f64" && !isSign))
      continue;
    ++reported;
    ADD_FAILURE() << opcode.text << " of " << describe(rows[i], sources)
                  << " is " << describe({results[i]}, 1) << ", by the model "
                  << describe({expected}, 1);
  }
}

static void checkTable(std::initializer_list<const char *> patterns,
                       int sources, size_t extra) {
  for (const std::string &text : expandAll(patterns)) {
    Opcode opcode(text);
    check(opcode, sources, rowsFor(opcode.type(), sources, extra));
  }
}

TEST(EmulatorSemantics, FloatSums) {
  checkTable({"{add,sub}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32",
              "{add,sub}{,.rn,.rz,.rm,.rp}.f64",
              "{add,sub}{,.rn}{,.ftz}{,.sat}.{f16,f16x2}",
              "{add,sub}{,.rn}.{bf16,bf16x2}"},
             2, 500);
}

TEST(EmulatorSemantics, FloatProducts) {
  checkTable({"mul{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32",
              "mul{,.rn,.rz,.rm,.rp}.f64",
              "mul{,.rn}{,.ftz}{,.sat}.{f16,f16x2}", "mul{,.rn}.{bf16,bf16x2}"},
             2, 500);
}

TEST(EmulatorSemantics, FloatQuotientsAndRoots) {
  checkTable({"div.{rn,rz,rm,rp}{,.ftz}.f32", "div.{rn,rz,rm,rp}.f64"}, 2, 500);
  checkTable(
      {"{rcp,sqrt}.{rn,rz,rm,rp}{,.ftz}.f32", "{rcp,sqrt}.{rn,rz,rm,rp}.f64"},
      1, 2000);
}

TEST(EmulatorSemantics, FusedProducts) {
  checkTable({"fma.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32", "fma.{rn,rz,rm,rp}.f64",
              "fma.rn{,.ftz}{,.sat}.{f16,f16x2}",
              "fma.rn{,.ftz}.relu.{f16,f16x2}", "fma.rn{,.relu}.{bf16,bf16x2}"},
             3, 1500);
}

TEST(EmulatorSemantics, FloatExtrema) {
  checkTable({"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32", "{min,max}.f64",
              "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f16,f16x2}",
              "{min,max}{,.NaN}{,.xorsign.abs}.{bf16,bf16x2}"},
             2, 300);
}

TEST(EmulatorSemantics, FloatSigns) {
  checkTable({"{abs,neg}{,.ftz}.f32", "{abs,neg}.f64",
              "{abs,neg}{,.ftz}.{f16,f16x2}", "{abs,neg}.{bf16,bf16x2}"},
             1, 500);
  checkTable({"copysign.{f32,f64}"}, 2, 300);
}
