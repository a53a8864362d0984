//===- MmaTest.cpp - mma.sync in its shapes and types ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of a fragment are is written out here as the PTX ISA has
// it ("Matrix Fragments for mma"), for lane = 4 * group + t.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <bit>
#include <cmath>
#include <functional>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
struct Place {
  int row, column;
};
/// Element `i` of the fragment that the lane of `group` and `t` holds.
using Layout = std::function<Place(int group, int t, int i)>;

struct Shape {
  std::string name; ///< behind "mma.sync.aligned."
  int m, k;
  int bits;                            ///< of an element of A and B
  int sumBits;                         ///< of C and D
  Layout a, b, c;                      ///< B: row is k
  std::function<uint64_t(int)> encode; ///< of a small integer
  std::function<double(uint64_t)> decodeSum;
  std::function<uint64_t(int)> encodeSum;
};

uint64_t float16(int value) {
  if (!value)
    return 0;
  int exponent = 31 - std::countl_zero(unsigned(std::abs(value)));
  return uint64_t(value < 0) << 15 | uint64_t(exponent + 15) << 10 |
         (uint64_t(std::abs(value)) << (10 - exponent) & 0x3FF);
}
uint64_t float32(int value) { return std::bit_cast<uint32_t>(float(value)); }
uint64_t bfloat(int value) { return float32(value) >> 16; }
uint64_t float64(int value) { return std::bit_cast<uint64_t>(double(value)); }
uint64_t e4m3(int value) {
  // 4 bits of exponent with a bias of 7; 0 to 3 suffice.
  static constexpr uint64_t magnitudes[] = {0x00, 0x38, 0x40, 0x44};
  return magnitudes[std::abs(value)] | uint64_t(value < 0) << 7;
}
uint64_t integer8(int value) { return uint8_t(value); }
double fromFloat32(uint64_t bits) {
  return std::bit_cast<float>(uint32_t(bits));
}
double fromFloat64(uint64_t bits) { return std::bit_cast<double>(bits); }
double fromInteger32(uint64_t bits) { return int32_t(bits); }
uint64_t integer32(int value) { return uint32_t(value); }
double fromFloat16(uint64_t bits) {
  if (!(bits & 0x7FFF))
    return 0;
  double value =
      std::ldexp(1024 + double(bits & 0x3FF), int(bits >> 10 & 31) - 25);
  return bits >> 15 & 1 ? -value : value;
}

Place sums(int group, int t, int i) {
  return {i < 2 ? group : group + 8, t * 2 + (i & 1)};
}

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> list = {
      {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, 32,
       [](int g, int t, int i) -> Place {
         return {i < 2 || (i >= 4 && i < 6) ? g : g + 8,
                 i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
       },
       [](int g, int t, int i) -> Place {
         return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
       },
       sums, float16, fromFloat32, float32},
      {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 16, 16,
       [](int g, int t, int i) -> Place {
         return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
       },
       [](int g, int t, int i) -> Place { return {t * 2 + i, g}; }, sums,
       float16, fromFloat16, float16},
      {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, 32,
       [](int g, int t, int i) -> Place {
         return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
       },
       [](int g, int t, int i) -> Place { return {t * 2 + i, g}; }, sums,
       bfloat, fromFloat32, float32},
      {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, 32,
       [](int g, int t, int i) -> Place { return {i == 0 ? g : g + 8, t}; },
       [](int g, int t, int) -> Place { return {t, g}; }, sums, float32,
       fromFloat32, float32},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, 32,
       [](int g, int t, int i) -> Place {
         return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
       },
       [](int g, int t, int i) -> Place { return {i == 0 ? t : t + 4, g}; },
       sums, float32, fromFloat32, float32},
      {"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, 8, 32,
       [](int g, int t, int i) -> Place {
         return {i < 4 || (i >= 8 && i < 12) ? g : g + 8,
                 i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
       },
       [](int g, int t, int i) -> Place {
         return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
       },
       sums, integer8, fromInteger32, integer32},
      {"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 8, 32,
       [](int g, int t, int i) -> Place { return {g, t * 4 + i}; },
       [](int g, int t, int i) -> Place { return {t * 4 + i, g}; }, sums,
       integer8, fromInteger32, integer32},
      {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, 32,
       [](int g, int t, int i) -> Place {
         return {i < 4 || (i >= 8 && i < 12) ? g : g + 8,
                 i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
       },
       [](int g, int t, int i) -> Place {
         return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
       },
       sums, e4m3, fromFloat32, float32},
      {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, 64, 64,
       [](int g, int t, int) -> Place { return {g, t}; },
       [](int g, int t, int) -> Place { return {t, g}; }, sums, float64,
       fromFloat64, float64},
      {"m16n8k4.row.col.f64.f64.f64.f64", 16, 4, 64, 64,
       [](int g, int t, int i) -> Place { return {i == 0 ? g : g + 8, t}; },
       [](int g, int t, int) -> Place { return {t, g}; }, sums, float64,
       fromFloat64, float64},
      {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 64, 64,
       [](int g, int t, int i) -> Place {
         return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
       },
       [](int g, int t, int i) -> Place { return {i == 0 ? t : t + 4, g}; },
       sums, float64, fromFloat64, float64},
      {"m16n8k16.row.col.f64.f64.f64.f64", 16, 16, 64, 64,
       [](int g, int t, int i) -> Place {
         return {i % 2 == 0 ? g : g + 8,
                 i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
       },
       [](int g, int t, int i) -> Place { return {i * 4 + t, g}; }, sums,
       float64, fromFloat64, float64},
  };
  return list;
}

/// Small integers that no two neighbours share.
int valueOfA(int row, int k) { return (row * 5 + k * 3) % 7 - 3; }
int valueOfB(int k, int column) { return (k * 2 + column * 5 + 1) % 7 - 3; }
int valueOfC(int row, int column) { return row * 8 + column - 60; }

/// Registers of a lane, 64 bits each, from the elements of its fragment.
std::vector<uint64_t> pack(const Layout &layout, int lane, int elements,
                           int bits,
                           const std::function<uint64_t(Place)> &value) {
  int each = bits == 64 ? 1 : 32 / bits;
  std::vector<uint64_t> registers(size_t((elements + each - 1) / each));
  for (int i = 0; i < elements; ++i)
    registers[size_t(i / each)] |= value(layout(lane / 4, lane % 4, i))
                                   << (i % each * bits);
  return registers;
}

class MmaKernel {
public:
  explicit MmaKernel(const Shape &shape) : shape(shape) {}

  /// D's registers of all lanes, 16 slots each.
  Result run(std::vector<uint64_t> &out) {
    std::vector<uint64_t> in(32 * kSlots);
    int nextSlot = 0, registersC = 0;
    std::string lists;
    auto add = [&](const Layout &layout, int elements, int bits,
                   const std::function<uint64_t(Place)> &value) {
      int count = 0;
      for (int lane = 0; lane < 32; ++lane) {
        auto registers = pack(layout, lane, elements, bits, value);
        count = int(registers.size());
        std::copy(registers.begin(), registers.end(),
                  in.begin() + lane * kSlots + nextSlot);
      }
      lists += ", " + list(nextSlot, count, bits);
      nextSlot += count;
      return count;
    };
    add(shape.a, shape.m * shape.k / 32, shape.bits, [&](Place place) {
      return shape.encode(valueOfA(place.row, place.column));
    });
    add(shape.b, shape.k * 8 / 32, shape.bits, [&](Place place) {
      return shape.encode(valueOfB(place.row, place.column));
    });
    registersC =
        add(shape.c, shape.m * 8 / 32, shape.sumBits, [&](Place place) {
          return shape.encodeSum(valueOfC(place.row, place.column));
        });
    std::string body = "mov.u32 %r63, %laneid; ld.param.b64 %d0, [p0];\n"
                       "ld.param.b64 %d1, [p1]; mul.wide.u32 %d2, %r63, " +
                       std::to_string(kSlots * 8) +
                       ";\nadd.s64 %d0, %d0, %d2; add.s64 %d1, %d1, %d2;\n";
    for (int slot = 0; slot < nextSlot; ++slot) {
      std::string s = std::to_string(slot);
      body += "ld.global.b64 %x" + s + ", [%d0+" + std::to_string(slot * 8) +
              "]; cvt.u32.u64 %r" + s + ", %x" + s + ";\n";
    }
    std::string results = list(0, registersC, shape.sumBits);
    body += "mma.sync.aligned." + shape.name + " " + results + lists + ";\n";
    for (int slot = 0; slot < registersC; ++slot) {
      std::string s = std::to_string(slot);
      if (shape.sumBits != 64)
        body += "cvt.u64.u32 %x" + s + ", %r" + s + ";\n";
      body += "st.global.b64 [%d1+" + std::to_string(slot * 8) + "], %x" + s +
              ";\n";
    }
    out.assign(32 * kSlots, 0);
    TestKernel kernel(body);
    kernel.buffer(in).buffer(out);
    return kernel.run();
  }

  static constexpr int kSlots = 32;

private:
  static std::string list(int first, int count, int bits) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += (i ? ", " : "{") + std::string(bits == 64 ? "%x" : "%r") +
              std::to_string(first + i);
    return text + "}";
  }

  const Shape &shape;
};
} // namespace

TEST(EmulatorMma, MultipliesFragments) {
  for (const Shape &shape : shapes()) {
    std::vector<uint64_t> out;
    Result result = MmaKernel(shape).run(out);
    ASSERT_TRUE(result.ok) << shape.name << ": " << result.error;
    int each = shape.sumBits == 64 ? 1 : 32 / shape.sumBits;
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < shape.m / 4; ++i) {
        Place place = shape.c(lane / 4, lane % 4, i);
        int expected = valueOfC(place.row, place.column);
        for (int k = 0; k < shape.k; ++k)
          expected += valueOfA(place.row, k) * valueOfB(k, place.column);
        uint64_t word = out[size_t(lane * MmaKernel::kSlots + i / each)];
        uint64_t element =
            word >> (i % each * 16) & (each == 2 ? 0xFFFF : ~uint64_t(0));
        ASSERT_EQ(shape.decodeSum(element), expected)
            << shape.name << " lane " << lane << " element " << i;
      }
  }
}

TEST(EmulatorMma, RefusesWhatThereIsNot) {
  for (const char *name :
       {"m16n8k16.row.col.f32.tf32.tf32.f32", "m8n8k4.row.col.f32.f16.f16.f32",
        "m16n8k16.col.col.f32.f16.f16.f32", "m16n8k32.row.col.s32.s8.s8.f32",
        "m16n8k16.row.col.f64.f64.f64.f32"}) {
    TestKernel kernel("mma.sync.aligned." + std::string(name) +
                      " {%r0}, {%r0}, {%r0}, {%r0};");
    std::string error;
    EXPECT_FALSE(Program::parse(kernel.text(), error)) << name;
  }
}

TEST(EmulatorMma, SaturatesIntegersWhenAsked) {
  // 127 * 127 * 32 on top of the largest integer.
  for (bool saturates : {false, true}) {
    std::vector<uint32_t> out(32);
    TestKernel kernel(
        "mov.b32 %r1, 0x7F7F7F7F; mov.b32 %r2, 0x7FFFFFFF;\n"
        "mma.sync.aligned.m16n8k32.row.col" +
        std::string(saturates ? ".satfinite" : "") +
        ".s32.s8.s8.s32 {%r3, %r4, %r5, %r6}, {%r1, %r1, %r1, %r1},"
        " {%r1, %r1}, {%r2, %r2, %r2, %r2};\n"
        "mov.u32 %r0, %laneid; ld.param.b64 %d0, [p0];\n"
        "mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1;\n"
        "st.global.b32 [%d0], %r6;");
    kernel.buffer(out);
    expectOk(kernel.run());
    EXPECT_EQ(out[5], saturates ? 0x7FFFFFFFu : 0x80000000u + 516127);
  }
}

TEST(EmulatorMma, TransposesMatrices) {
  // Lane 4r + c holds elements 2c and 2c + 1 of row r.
  std::vector<uint32_t> out(32);
  TestKernel kernel("mov.u32 %r0, %laneid; shl.b32 %r1, %r0, 1;\n"
                    "add.s32 %r2, %r1, 1; shl.b32 %r2, %r2, 16;\n"
                    "or.b32 %r1, %r1, %r2;\n"
                    "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1;\n"
                    "ld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r0, 4;\n"
                    "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r3;");
  kernel.buffer(out);
  expectOk(kernel.run());
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t column = 0; column < 8; ++column)
      EXPECT_EQ(out[row * 4 + column / 2] >> (column % 2 * 16) & 0xFFFF,
                column * 8 + row);
}
