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
