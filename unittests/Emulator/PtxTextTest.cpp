//===- PtxTextTest.cpp - Text that is not PTX -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Malformed PTX: comments and strings without an end, absurd numbers in
// directives, sizes and labels that do not exist. The emulator reads files from
// outside, so each case must end in an error with its line.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// What parsing says of an entry with these directives and this body.
static std::string errorOf(const std::string &directives,
                           const std::string &body = "ret;") {
  std::string error;
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry k()\n" +
                     directives + "\n{\n.reg .b32 %r<4>;\n" + body + "\n}\n";
  auto program = Program::parse(text, error);
  EXPECT_EQ(program == nullptr, !error.empty());
  return error;
}

TEST(EmulatorText, CommentsAndStringsEnd) {
  EXPECT_EQ(errorOf("/* a * comment **/"), "");
  EXPECT_EQ(errorOf("", "ret; /* no end\n\n"),
            "ptx:8: a comment that begins here has no end");
  EXPECT_EQ(errorOf("", "/*/ ret;"),
            "ptx:8: a comment that begins here has no end");
  EXPECT_EQ(errorOf(".pragma \"no end;"), "ptx:5: unterminated string");
}

TEST(EmulatorText, DirectivesHaveSensibleNumbers) {
  EXPECT_EQ(errorOf(".maxntid 128, 2, 1\n.minnctapersm 1\n.maxnreg 64"), "");
  EXPECT_EQ(errorOf(".reqntid 1024\n.maxclusterrank 8"), "");
  for (const char *directive : {".reqntid", ".maxntid"}) {
    std::string name = directive;
    for (const char *extents :
         {"0", "-1", "128, 0", "1025", "128, 16", "64, 1, 65", "4294967297",
          "2147483647, 2147483647"})
      EXPECT_NE(errorOf(name + " " + extents)
                    .find("; a CTA has 1 to 1024 threads, 64 of them along z"),
                std::string::npos)
          << name << " " << extents << ": " << errorOf(name + " " + extents);
    EXPECT_NE(errorOf(name + " 2, 2, 2, 2"), "");
  }
  EXPECT_EQ(errorOf(".maxntid 0"), "ptx:5: .maxntid 0; a CTA has 1 to 1024 "
                                   "threads, 64 of them along z at most");
  EXPECT_EQ(errorOf(".maxnreg 0"), "ptx:5: .maxnreg 0; 1 to 256 are possible");
  EXPECT_EQ(errorOf(".maxnreg 257"),
            "ptx:5: .maxnreg 257; 1 to 256 are possible");
  EXPECT_EQ(errorOf(".minnctapersm -2"),
            "ptx:5: .minnctapersm -2; 1 to 32 are possible");
  EXPECT_EQ(errorOf(".maxclusterrank 0"),
            "ptx:5: .maxclusterrank 0; 1 to 16 are possible");
  EXPECT_EQ(errorOf(".reqnctapercluster 0"),
            "ptx:5: a cluster has 1 to 16 CTAs along an axis");
  // One number is one number.
  EXPECT_NE(errorOf(".maxnreg 64, 2"), "");
}

TEST(EmulatorText, VariablesHaveSensibleSizes) {
  EXPECT_EQ(errorOf("", ".reg .b32 %q<-3>; ret;"),
            "ptx:8: -3 registers; there must be 1 at least");
  EXPECT_EQ(errorOf("", ".reg .b32 %q<0>; ret;"),
            "ptx:8: 0 registers; there must be 1 at least");
  EXPECT_EQ(errorOf("", ".local .b8 x[-1]; ret;"),
            "ptx:8: variable 'x' has -1 elements; there must be 1 at least");
  EXPECT_EQ(errorOf("", ".shared .b8 x[0]; ret;"),
            "ptx:8: variable 'x' has 0 elements; there must be 1 at least");
  EXPECT_EQ(errorOf("", ".local .align 0 .b8 x[4]; ret;"),
            "ptx:8: an alignment of 0; powers of two to 65536 are possible");
}

TEST(EmulatorText, TablesNameLabelsThatExist) {
  EXPECT_EQ(errorOf("", "T: .branchtargets A, B;\n"
                        "A: brx.idx %r0, T; ret;"),
            "ptx:9: unknown name 'B'");
  EXPECT_NE(errorOf("", "A: brx.idx %r0, A; ret;"), "");
}

TEST(EmulatorText, LaunchesFitTheLimits) {
  std::string error;
  auto program = Program::parse(".version 8.6\n.visible .entry k()\n"
                                ".maxntid 64\n{ ret; }\n",
                                error);
  ASSERT_TRUE(program) << error;
  RawLaunch launch;
  launch.entry = "k";
  launch.block = {64, 1, 1};
  expectOk(run(*program, launch, {}));
  launch.block = {96, 1, 1};
  Result result = run(*program, launch, {});
  EXPECT_TRUE(result.refused);
  expectError(result, "the PTX allows 64 threads, the launch has 96");
}
