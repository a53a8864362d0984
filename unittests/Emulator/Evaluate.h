//===- Evaluate.h - One instruction in one thread ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of an instruction and up to three operands. Out: the result
// register of one thread. A test of arithmetic is one line with it, because the
// kernel around the instruction is made here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_EVALUATE_H
#define HEDDLE_UNITTESTS_EMULATOR_EVALUATE_H

#include "TestKernel.h"

#include <bit>

namespace heddle::emulator::test {

/// Runs `instructions` in one thread with %r1, %r2, %r3 = a, b, c; %x1 = the
/// 64 bits of a and b. The result is %x0.
inline uint64_t evaluate(const std::string &instructions, uint32_t a,
                         uint32_t b = 0, uint32_t c = 0) {
  std::vector<uint64_t> out(1);
  TestKernel kernel("ld.param.b64 %d0, [p0]; ld.param.b32 %r1, [p1];\n"
                    "ld.param.b32 %r2, [p2]; ld.param.b32 %r3, [p3];\n"
                    "mov.b64 %x1, {%r1, %r2}; mov.b64 %x0, 0;\n"
                    "mov.b32 {%h1, %h2}, %r1; mov.b32 {%h3, %h4}, %r2;\n"
                    "mov.b32 %r0, 0;\n" +
                        instructions + "\nst.global.b64 [%d0], %x0;",
                    1);
  kernel.buffer(out).scalar(a).scalar(b).scalar(c);
  Result result = kernel.run();
  EXPECT_TRUE(result.ok) << instructions << "\n" << result.error;
  return out[0];
}

inline uint32_t evaluate32(const std::string &instruction, uint32_t a,
                           uint32_t b = 0, uint32_t c = 0) {
  return uint32_t(evaluate(instruction + " cvt.u64.u32 %x0, %r0;", a, b, c));
}

inline uint32_t predicate(const std::string &instruction, uint32_t a,
                          uint32_t b = 0) {
  return evaluate32(instruction + " selp.b32 %r0, 1, 0, %p0;", a, b);
}

inline uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

} // namespace heddle::emulator::test

#endif // HEDDLE_UNITTESTS_EMULATOR_EVALUATE_H
