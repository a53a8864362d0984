//===- PtxCheckTest.cpp - Manifests that do not fit their PTX -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each check, by damage to one of two texts that fit.
//
//===----------------------------------------------------------------------===//

#include "heddle/Manifest/PtxCheck.h"
#include "SamplePtx.h"
#include "gtest/gtest.h"

#include <random>

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

std::string errorOf(const Manifest &manifest, const std::string &ptx) {
  std::string error;
  EXPECT_TRUE(verify(manifest, error)) << error; // damage that it cannot see
  error.clear();
  EXPECT_EQ(checkPtx(manifest, ptx, error), error.empty());
  return error;
}

/// The manifest changed, the PTX as it was.
template <class Edit> std::string withManifest(Edit edit) {
  Manifest manifest = gemm();
  std::string ptx = ptxOf(manifest);
  edit(manifest, manifest.variants[0]);
  return errorOf(manifest, ptx);
}

/// The PTX changed: every `from` becomes `to`.
std::string withPtx(const std::string &from, const std::string &to) {
  std::string ptx = ptxOf(gemm());
  size_t count = 0;
  for (size_t at = ptx.find(from); at != ptx.npos;
       at = ptx.find(from, at + to.size()), ++count)
    ptx.replace(at, from.size(), to);
  EXPECT_GT(count, 0u) << from;
  return errorOf(gemm(), ptx);
}

TEST(PtxCheck, WhatBelongsTogetherPasses) {
  EXPECT_EQ(errorOf(gemm(), ptxOf(gemm())), "");
  EXPECT_EQ(errorOf(madeViewKernel(), ptxOf(madeViewKernel())), "");
  EXPECT_EQ(withPtx("// .globl\tx", "// .entry gemm_tma("), "");
  EXPECT_EQ(withPtx("\n)", " /* ( , */ // ,\n)"), "");
  EXPECT_EQ(withPtx(".reqntid 384, 1, 1", ".maxntid 512"), "");
}

TEST(PtxCheck, BinariesAreNotRead) {
  EXPECT_EQ(errorOf(gemm(), std::string("\x7f"
                                        "ELF\0\0\0",
                                        7)),
            "");
}

TEST(PtxCheck, Entries) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) { v.entry = "gemm"; }),
            "variants[0].entry: the PTX has no entry 'gemm'; PTX and manifest "
            "do not belong together");
  EXPECT_EQ(errorOf(gemm(), ""),
            "variants[0].entry: the PTX has no entry 'gemm_tma'; PTX and "
            "manifest do not belong together");
  EXPECT_EQ(withManifest([](Manifest &m, Variant &) { m.target = "sm_100a"; }),
            "target: is 'sm_100a', but the PTX is for 'sm_90a'");
  EXPECT_EQ(withPtx(".align 64 .b8 gemm_tma_param_0[128]", ".u31 x"),
            "PTX line 8: entry 'gemm_tma' has a parameter that is not written "
            "as PTX has them");
}

TEST(PtxCheck, Parameters) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.params.erase(v.params.begin() + 2);
            }),
            "variants[0].params: has 6 parameters, but entry 'gemm_tma' of the "
            "PTX takes 7");
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.params[2].kind = Param::Kind::Stride;
            }),
            "variants[0].params[2]: is a stride of 8 bytes, but parameter "
            "'gemm_tma_param_2' of the PTX has 4");
  EXPECT_EQ(withPtx(".align 64 .b8 gemm_tma_param_1[128]",
                    ".align 32 .b8 gemm_tma_param_1[128]"),
            "variants[0].params[1]: is a tensor map of 128 bytes, but "
            "parameter 'gemm_tma_param_1' of the PTX is aligned to 32, not 64");
  EXPECT_EQ(
      withPtx(".param .u32 gemm_tma_param_2", ".param .f32 gemm_tma_param_2"),
      "variants[0].params[2]: is an extent of 4 bytes, but parameter "
      "'gemm_tma_param_2' of the PTX has type .f32");
  EXPECT_EQ(withPtx("gemm_tma_param_1[128]", "gemm_tma_param_1[64]"),
            "variants[0].params[1]: is a tensor map of 128 bytes, but "
            "parameter 'gemm_tma_param_1' of the PTX has 64");
}

TEST(PtxCheck, ScalarsHaveTheirType) {
  Manifest manifest = madeViewKernel();
  manifest.variants[1].params.insert(manifest.variants[1].params.begin(),
                                     param(Param::Kind::Scalar, "n"));
  std::string ptx = ptxOf(manifest);
  size_t at = ptx.find(".b32 k_general_param_0");
  ASSERT_NE(at, ptx.npos);
  ptx.replace(at, 4, ".u32");
  EXPECT_EQ(errorOf(manifest, ptx), "");
  ptx.replace(at, 4, ".f32");
  EXPECT_EQ(errorOf(manifest, ptx),
            "variants[1].params[0]: is a scalar of 4 bytes, but parameter "
            "'k_general_param_0' of the PTX has type .f32");
}

TEST(PtxCheck, Threads) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) { v.threads = 512; }),
            "variants[0].threads: is 512, but entry 'gemm_tma' requires "
            "384x1x1 (.reqntid)");
  EXPECT_EQ(withPtx(".reqntid 384, 1, 1", ".maxntid 256, 1, 1"),
            "variants[0].threads: is 384, but entry 'gemm_tma' takes at most "
            "256x1x1 (.maxntid)");
  EXPECT_EQ(
      withPtx(".reqntid 384, 1, 1", ".reqntid 384\n.reqnctapercluster 2, 1, 1"),
      "variants[0].cluster: is 1x1x1, but entry 'gemm_tma' requires "
      "2x1x1 (.reqnctapercluster)");
}

TEST(PtxCheck, SharedMemory) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.rings.clear();
              v.stamps.clear();
              v.sharedBytes = 4096;
            }),
            "variants[0].shared_bytes: is 4096, but the PTX accesses byte "
            "196664 of dynamic shared memory");
}

TEST(PtxCheck, Boxes) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.params[0].tensorMap.box = {64, 256};
            }),
            "variants[0].params[0].box: the boxes loaded to one slot have "
            "65536 bytes, but the PTX expects 49152");
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.params[0].tensorMap.box = {64, 64};
            }),
            "variants[0].params[1].box: the boxes loaded to one slot have "
            "40960 bytes, but the PTX expects 49152");
  EXPECT_EQ(withPtx("%r99, 49152", "%r99, 16384"),
            "variants[0].params[1].box: a box has 32768 bytes, but the PTX "
            "expects 16384 in the slot that it is loaded to");
  EXPECT_EQ(withPtx("bulk.tensor.2d", "bulk.tensor.3d"),
            "variants[0].params[0].box: has 2 axes, but the PTX loads boxes of "
            "3");
  // What a branch separates need not be one load.
  EXPECT_EQ(withPtx("%r99;\n", "%r99;\n\t@%p1 bra \t$L__BB0_2;\n"), "");
}

TEST(PtxCheck, Slots) {
  EXPECT_EQ(withManifest(
                [](Manifest &, Variant &v) { v.rings[0].slotBytes = 32768; }),
            "variants[0].rings: the PTX loads 49152 bytes to a slot, but no "
            "ring has slots of that size at multiples of 1024 bytes, as the "
            "swizzle asks");
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.rings[0].offset = 512;
              v.rings[0].depth = 3;
            }),
            "variants[0].rings: the PTX loads 49152 bytes to a slot, but no "
            "ring has slots of that size at multiples of 1024 bytes, as the "
            "swizzle asks");
}

TEST(PtxCheck, Barriers) {
  EXPECT_EQ(withManifest([](Manifest &, Variant &v) {
              v.rings[0].fullBarrier = 196736;
            }),
            "variants[0].rings[0].full_barrier: the PTX initialises no "
            "mbarrier at byte 196736, slot 0");
  EXPECT_EQ(withManifest(
                [](Manifest &, Variant &v) { v.rings[0].emptyArrivals = 3; }),
            "variants[0].rings[0].empty_arrivals: is 3, but the PTX "
            "initialises the mbarrier at byte 196640 for 2");
}

TEST(PtxCheck, TensorMapsThatAreNone) {
  EXPECT_EQ(withPtx("%rd100, gemm_tma_param_0", "%rd100, gemm_tma_param_3"),
            "variants[0].params[3]: is a pointer, but the PTX loads by it as a "
            "tensor map");
}

TEST(PtxCheck, Stores) {
  std::string store =
      "\tcp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd101, "
      "{%r1, %r2}], [heddle_shared+";
  EXPECT_EQ(withPtx("$L__BB0_1:", store + "0];\n$L__BB0_1:"),
            "variants[0].params[0]: the PTX stores to view 'a', which the "
            "manifest does not say is written");
  Manifest manifest = gemm();
  manifest.arguments[0].written = true;
  std::string ptx = ptxOf(manifest);
  ptx.replace(ptx.find("$L__BB0_1:"), 10, store + "190000];\n$L__BB0_1:");
  EXPECT_EQ(errorOf(manifest, ptx),
            "variants[0].params[0].box: a box of 16384 bytes ends at byte "
            "206384, but the variant has 197120 bytes of shared memory");
  auto unwritten = [](const char *instruction) {
    Manifest manifest = gemm();
    std::string ptx = ptxOf(manifest);
    ptx.replace(ptx.find("\tret;"), 5, std::string("\t") + instruction);
    EXPECT_EQ(errorOf(manifest, ptx), "");
    manifest.arguments[2].written = false;
    return errorOf(manifest, ptx);
  };
  for (const char *instruction :
       {"st.global.b16 [%rd1], %rs1;", "@%p1 st.global.b16 [%rd1], %rs1;",
        "atom.relaxed.gpu.global.add.f32 %f1, [%rd1], %f2;"})
    EXPECT_EQ(unwritten(instruction),
              "variants[0].params: the PTX stores to memory, but no pointer "
              "among the parameters is that of an argument that is written");
}

TEST(PtxCheck, AtomicsOfSharedMemoryAreNoStores) {
  Manifest manifest = gemm();
  std::string ptx = ptxOf(manifest);
  ptx.replace(ptx.find("\tret;"), 5, "\tatom.shared.add.u32 %r1, [%rd1], %r2;");
  manifest.arguments[2].written = false;
  EXPECT_EQ(errorOf(manifest, ptx), "");
}

TEST(PtxCheck, WideAccesses) {
  std::string wide =
      "\tld.global.v4.b32 \t{%r1, %r2, %r3, %r4}, [%rd1];\n$L__BB0_1:";
  EXPECT_EQ(withPtx("$L__BB0_1:", wide), "");
  Manifest manifest = gemm();
  std::string ptx = ptxOf(manifest);
  ptx.replace(ptx.find("$L__BB0_1:"), 10, wide);
  manifest.variants[0].requires_[2].bytes = 8;
  EXPECT_EQ(errorOf(manifest, ptx),
            "variants[0].requires: the PTX accesses 16 bytes of memory at "
            "once, but no argument is required to have rows of whole such "
            "pieces");
  // A number that is a multiple says nothing of where memory begins.
  manifest.variants[0].requires_[2].bytes = 16;
  EXPECT_EQ(errorOf(manifest, ptx), "");
  Argument &count = manifest.arguments.emplace_back();
  count.kind = Argument::Kind::Scalar;
  count.name = "count";
  count.element = ElementType::I32;
  manifest.variants[0].requires_[2].view = "count";
  EXPECT_NE(errorOf(manifest, ptx), "");
}

// Registers that several lines set prove nothing.
TEST(PtxCheck, UnclearRegistersAreLeftAlone) {
  EXPECT_EQ(withPtx("%r99, 49152;", "%r99, 1;\n\tmov.b32 \t%r99, %r5;"), "");
  EXPECT_EQ(withPtx("%r99, 49152;", "%r99, 1;\n\t@%p1 add.s32 \t%r99, %r5, 1;"),
            "");
}

// The reader survives any text; what it says has one line.
TEST(PtxCheck, DamagedText) {
  std::mt19937 random(11);
  const std::string good = ptxOf(gemm());
  const char *pieces[] = {".entry",
                          "(",
                          ")",
                          "[",
                          "]",
                          "%r99",
                          "/*",
                          "//",
                          ",",
                          ";",
                          "{",
                          "}",
                          "\n",
                          ".param",
                          "@%p",
                          "mbarrier.init",
                          "99999999999999999999",
                          ".b8",
                          ".v9"};
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string ptx = good, error;
    for (int change = 0; change <= i % 4; ++change) {
      size_t at = random() % ptx.size(), size = random() % 40;
      switch (random() % 4) {
      case 0:
        ptx.erase(at, size);
        break;
      case 1:
        ptx.insert(at, pieces[random() % std::size(pieces)]);
        break;
      case 2:
        ptx[at] = static_cast<char>(1 + random() % 255);
        break;
      default:
        ptx.resize(at + 1);
      }
    }
    refused += !checkPtx(gemm(), ptx, error);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(refused, 1000);
}

} // namespace
