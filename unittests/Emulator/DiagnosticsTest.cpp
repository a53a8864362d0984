//===- DiagnosticsTest.cpp - Accesses that must not happen ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that are outside of memory, misaligned, unwritten or read-only,
// launches beyond the limits, and some accesses that are right. The messages
// are compared, because an error is of use only with its thread, address, PTX
// line and source line.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

TEST(EmulatorDiagnostics, NamesEverythingAboutABadStore) {
  std::vector<uint32_t> out(32);
  TestKernel kernel("mov.u32 %r1, %tid.x; ld.param.b64 %d0, [p0];\n"
                    "mul.wide.u32 %d1, %r1, 4; add.s64 %d0, %d0, %d1;\n"
                    "st.global.b32 [%d0+8], %r1;");
  kernel.buffer(out);
  kernel.variant.processes = {{"store", 0, 1, 0}};
  Result result = kernel.run();
  expectError(result, "kernel 'k', CTA (0,0,0), warp 0 ('store'), thread 30: "
                      "writes 4 bytes at global address 0x");
  expectError(result, "right behind the end of 'arg0'");
  expectError(result, "PTX line 13 `st.global.b32 [%d0+8], %r1;`");
}

TEST(EmulatorDiagnostics, TooManyRegisters) {
  std::string error;
  EXPECT_FALSE(Program::parse(".version 8.6\n.visible .entry k()\n{\n"
                              ".reg .b64 %d<9223372036854775807>;\nret; }\n",
                              error));
  EXPECT_EQ(error, "ptx:4: more than 131072 registers");
}

TEST(EmulatorDiagnostics, NamesTheSourceLine) {
  std::string error;
  auto program = Program::parse(".version 8.6\n.visible .entry k()\n{\n"
                                ".reg .b64 %d<2>; .reg .b32 %r<2>;\n"
                                ".loc 1 17 3\n"
                                "mov.b64 %d0, 64; ld.global.b32 %r0, [%d0];\n"
                                "ret; }\n.section .debug_macinfo { .b8 0 }\n"
                                ".file 1 \"/src/gemm.mlir\"\n",
                                error);
  ASSERT_TRUE(program) << error;
  manifest::Manifest manifest;
  manifest.variants.resize(1);
  manifest.variants[0].entry = "k";
  manifest.variants[0].threads = 32;
  Result result = run(*program, manifest, {}, {});
  expectError(result, "(/src/gemm.mlir:17)");
}

TEST(EmulatorDiagnostics, ReadOnlyMemory) {
  std::vector<uint32_t> out(1);
  TestKernel kernel("ld.param.b64 %d0, [p0]; mov.b32 %r1, 0;\n"
                    "st.global.b32 [%d0], %r1;",
                    1);
  kernel.buffer(out, false);
  expectError(kernel.run(), "'arg0' is read-only");
}

TEST(EmulatorDiagnostics, Misaligned) {
  std::vector<uint32_t> out(4);
  TestKernel kernel("ld.param.b64 %d0, [p0];\n"
                    "ld.global.v2.b32 {%r1, %r2}, [%d0+4];",
                    1);
  kernel.buffer(out);
  // A vector of uint32_t is aligned to 16 bytes by every allocator in use.
  expectError(kernel.run(), "not aligned to 8 bytes");
}

TEST(EmulatorDiagnostics, OutsideSharedMemory) {
  TestKernel kernel("ld.shared.b32 %r1, [smem+64];", 1);
  kernel.shared(64);
  expectError(kernel.run(), "the CTA's shared memory ends at 0x440");
}

TEST(EmulatorDiagnostics, UnwrittenSharedMemory) {
  std::vector<uint32_t> out(1);
  TestKernel kernel("ld.param.b64 %d0, [p0]; ld.shared.b32 %r1, [smem];\n"
                    "st.global.b32 [%d0], %r1;",
                    1);
  kernel.buffer(out).shared(16);
  expectError(kernel.run(), "reads 4 bytes at shared address 0x400, which "
                            "nobody has written");
  // Where nobody checks it is NaN in every format.
  Options options;
  options.checkRaces = false;
  expectOk(kernel.run(options));
  EXPECT_EQ(out[0], ~0u);
}

TEST(EmulatorDiagnostics, RunsForever) {
  TestKernel kernel("L: bra L;", 1);
  Options options;
  options.maxStepsPerCta = 10000;
  expectError(kernel.run(options), "still running after");
}

TEST(EmulatorDiagnostics, ChecksTheLaunch) {
  TestKernel threads("mov.b32 %r0, 0;", 32);
  threads.shared(300000);
  expectError(threads.run(), "the hardware has 232448");
  TestKernel clusters("mov.b32 %r0, 0;", 32);
  clusters.variant.cluster = {2, 1, 1};
  expectError(clusters.run(), "do not divide a grid of 1x1x1");
}

TEST(EmulatorMemory, GenericAndLocalAddresses) {
  std::vector<uint32_t> out(32);
  TestKernel kernel(".local .align 4 .b8 depot[8];\n"
                    "mov.u32 %r1, %tid.x; mov.b64 %d2, depot;\n"
                    "cvta.local.u64 %d3, %d2; st.b32 [%d3+4], %r1;\n"
                    "ld.local.b32 %r2, [%d2+4];\n"
                    "cvta.shared.u64 %d4, %d5; mov.b64 %d5, smem;\n"
                    "cvta.shared.u64 %d4, %d5; mul.wide.u32 %d6, %r1, 4;\n"
                    "add.s64 %d4, %d4, %d6; st.b32 [%d4], %r2;\n"
                    "isspacep.shared %p0, %d4; selp.b32 %r3, 100, 0, %p0;\n"
                    "add.s32 %r2, %r2, %r3;\n"
                    "ld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r1, 4;\n"
                    "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r2;");
  kernel.buffer(out).shared(128);
  expectOk(kernel.run());
  EXPECT_EQ(out[9], 109u);
}

TEST(EmulatorMemory, Atomics) {
  std::vector<uint32_t> out(4, 0);
  TestKernel kernel("mov.u32 %r1, %tid.x; ld.param.b64 %d0, [p0];\n"
                    "atom.global.add.u32 %r2, [%d0], 1;\n"
                    "red.global.max.u32 [%d0+4], %r1;\n"
                    "red.relaxed.gpu.global.add.f32 [%d0+8], 0f3F800000;\n"
                    "atom.global.cas.b32 %r3, [%d0+12], 0, 7;",
                    64);
  kernel.buffer(out);
  expectOk(kernel.run());
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[1], 63u);
  EXPECT_EQ(out[2], 0x42800000u);
  EXPECT_EQ(out[3], 7u);
}

TEST(EmulatorMemory, ModuleVariables) {
  std::vector<uint32_t> out(1);
  std::string error;
  auto program = Program::parse(
      ".version 8.6\n.global .align 4 .u32 table[3] = {5, 6, 7};\n"
      ".visible .entry k(.param .u64 p0)\n{\n"
      ".reg .b64 %d<3>; .reg .b32 %r<2>;\n"
      "ld.param.b64 %d0, [p0]; ld.global.b32 %r0, [table+8];\n"
      "st.global.b32 [%d0], %r0; ret; }",
      error);
  ASSERT_TRUE(program) << error;
  manifest::Manifest manifest;
  manifest.variants.resize(1);
  manifest.variants[0].entry = "k";
  TestKernel arguments("", 1);
  arguments.buffer(out);
  expectOk(run(*program, manifest, arguments.plan, arguments.memory));
  EXPECT_EQ(out[0], 7u);
}
