//===- PtxPartsTest.cpp - An entry at a time ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which modules are parted, what becomes of the parts, and which texts are one
// again.
//
//===----------------------------------------------------------------------===//

#include "PtxParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace heddle;
using namespace mlir;

namespace {

const std::string kShared =
    "llvm.mlir.global external @shared() {addr_space = 3 : i32} : "
    "!llvm.array<0 x i8>\n";

std::string kernel(const std::string &name) {
  return "llvm.func @" + name + "() attributes {nvvm.kernel} { llvm.return }\n";
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// How many parts there are; uniting them must give the module again.
size_t countParts(const std::string &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  std::string before = print(*module);
  auto parts = separateKernels(*module);
  for (OwningOpRef<ModuleOp> &part : parts)
    EXPECT_EQ(
        llvm::count_if(part->getBody()->getOperations(),
                       [](Operation &op) { return op.hasAttr("nvvm.kernel"); }),
        1);
  size_t count = parts.size();
  uniteKernels(*module, std::move(parts));
  EXPECT_EQ(print(*module), before);
  return count;
}

TEST(PtxParts, KernelsThatShareNothing) {
  EXPECT_EQ(countParts(kShared + kernel("a") + kernel("b") + kernel("c")), 3u);
  EXPECT_EQ(countParts(kernel("a") + kernel("b")), 2u);
}

TEST(PtxParts, WhatStaysTogether) {
  EXPECT_EQ(countParts(""), 0u);
  EXPECT_EQ(countParts(kShared + kernel("a")), 0u);
  // A text that several kernels print, and functions that they call.
  EXPECT_EQ(countParts("llvm.mlir.global internal constant @text(\"hm\")\n" +
                       kernel("a") + kernel("b")),
            0u);
  EXPECT_EQ(countParts("llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32\n" +
                       kernel("a") + kernel("b")),
            0u);
  EXPECT_EQ(countParts("llvm.func @own() { llvm.return }\n" + kernel("a") +
                       kernel("b")),
            0u);
}

std::vector<size_t> sameKernels(const std::string &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  return findSameKernels(*module);
}

/// A kernel that multiplies by `factor`, as line `line` of a program says.
std::string product(const std::string &name, int factor, int line,
                    const std::string &attributes = "nvvm.kernel") {
  std::string place = " loc(\"a.mlir\":" + std::to_string(line) + ":1)\n";
  // Constants are nobody's line.
  std::string itself = " loc(\"" + name + ".mlir\":1:1)\n";
  return "llvm.func @" + name + "(%a: i32 loc(\"a.mlir\":1:1)) attributes {" +
         attributes + "} {\n  %f = llvm.mlir.constant(" +
         std::to_string(factor) + " : i32) : i32" + itself +
         "  %p = llvm.mul %a, %f : i32" + place + "  llvm.return" + place +
         "} loc(\"a.mlir\":1:1)\n";
}

TEST(PtxParts, KernelsOfOneCode) {
  using Places = std::vector<size_t>;
  EXPECT_EQ(sameKernels(product("a", 2, 5) + product("b", 2, 5) +
                        product("c", 3, 5) + product("d", 3, 5) +
                        product("e", 2, 5)),
            (Places{0, 0, 2, 2, 0}));
  // Lines go into the text, and attributes into the entry's directives.
  EXPECT_EQ(sameKernels(product("a", 2, 5) + product("b", 2, 6)),
            (Places{0, 1}));
  EXPECT_EQ(
      sameKernels(product("a", 2, 5) + product("b", 2, 5,
                                               "nvvm.kernel, nvvm.maxntid = "
                                               "array<i32: 128>")),
      (Places{0, 1}));
}

TEST(PtxParts, AnotherName) {
  EXPECT_EQ(renameEntry(".entry a(\n\t.param .u32 a_param_0\n)\n{\n\tld.param "
                        "%r1, [a_param_0];\n",
                        "a", "bc"),
            ".entry bc(\n\t.param .u32 bc_param_0\n)\n{\n\tld.param "
            "%r1, [bc_param_0];\n");
  // What only begins with the name, or has it within, is something else.
  for (std::string other :
       {"a_param_", "a_param_0x", "a_", "aa", "a.b", "$a", "ba_param_0", ""})
    EXPECT_EQ(renameEntry(other, "a", "bc"), other);
  // A kernel may be called like an instruction, or like a register.
  EXPECT_EQ(
      renameEntry("\t// .globl\tret\n.entry ret()\n{\n\tret;\n}\n", "ret", "b"),
      "\t// .globl\tb\n.entry b()\n{\n\tret;\n}\n");
  EXPECT_EQ(renameEntry(".entry r1(.param .u32 r1_param_0)\n{\n\tld.param "
                        "%r1, [r1_param_0];\n",
                        "r1", "b"),
            ".entry b(.param .u32 b_param_0)\n{\n\tld.param %r1, "
            "[b_param_0];\n");
}

std::string text(const std::string &name, const std::string &file = "a.mlir",
                 const std::string &declared = "") {
  return "//\n.version 8.6\n\n\t// .globl\t" + name + "\n" + declared +
         "\n.visible .entry " + name +
         "()\n{\n\t.loc\t1 2 3\n\tret;\n}\n\t.file\t1 \"" + file + "\"\n";
}

TEST(PtxParts, OneText) {
  const std::string shared = ".extern .shared .align 16 .b8 shared[];\n";
  EXPECT_EQ(joinPtx({text("a", "a.mlir", shared), text("b", "a.mlir", shared)}),
            "//\n.version 8.6\n\n" + shared +
                "\n.visible .entry a()\n{\n\t.loc\t1 2 3\n\tret;\n}\n"
                "\n.visible .entry b()\n{\n\t.loc\t1 2 3\n\tret;\n}\n"
                "\t.file\t1 \"a.mlir\"\n");
}

TEST(PtxParts, TextsThatDiffer) {
  // Number 1 would be another file, and memory declared by one alone.
  EXPECT_EQ(joinPtx({text("a"), text("b", "b.mlir")}), std::nullopt);
  EXPECT_EQ(joinPtx({text("a"), text("b", "a.mlir", ".global .b8 x[4];\n")}),
            std::nullopt);
  EXPECT_EQ(joinPtx({text("a"), text("b") + text("c")}), std::nullopt);
  EXPECT_EQ(joinPtx({text("a"), ""}), std::nullopt);
}

} // namespace
