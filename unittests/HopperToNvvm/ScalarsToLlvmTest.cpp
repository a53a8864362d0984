//===- ScalarsToLlvmTest.cpp - The same as upstream's conversions ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's passes and heddle's conversion get the same text, and must write
// the same: each operation of the list with its flags and attributes, what
// folds, what would fold if something else had been folded before, branches.
// What is not on the list has to be known as such.
//
//===----------------------------------------------------------------------===//

#include "ScalarsToLlvm.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace heddle::tonvvm;
using namespace mlir;

namespace {

struct Program {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  /// A function of this body, with an argument of each kind.
  explicit Program(const std::string &body)
      : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                        LLVM::LLVMDialect, scf::SCFDialect>();
    context.allowUnregisteredDialects();
    module = parseSourceString<ModuleOp>(
        "llvm.func @f(%a: i32, %b: i32, %w: i64, %c: i1, %x: f32, %y: f32, "
        "%h: f16, %v: vector<2xf16>, %p: !llvm.ptr) {\n" +
            body + "\n}",
        &context);
    EXPECT_TRUE(module);
  }

  std::string text() {
    EXPECT_TRUE(succeeded(verify(*module)));
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }
};

std::string byUpstream(const std::string &body) {
  Program program(body);
  PassManager manager(&program.context, ModuleOp::getOperationName());
  manager.addPass(arith::createArithExpandOpsPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  EXPECT_TRUE(succeeded(manager.run(*program.module)));
  return program.text();
}

std::string byHeddle(const std::string &body) {
  Program program(body);
  EXPECT_TRUE(isPlainArithmetic(*program.module));
  expandArithmetic(*program.module);
  convertArithmetic(*program.module);
  EXPECT_TRUE(convertBranches(*program.module));
  return program.text();
}

bool isPlain(const std::string &body) {
  Program program(body);
  return isPlainArithmetic(*program.module);
}

/// Uses of `values`, so that nothing is dead.
std::string use(const std::string &values, const std::string &types) {
  return "\"test.use\"(" + values + ") : (" + types + ") -> ()\nllvm.return\n";
}

TEST(ScalarsToLlvm, Integers) {
  std::string body;
  std::string values, types;
  for (std::string op :
       {"addi",  "subi",  "muli",      "shli",      "divsi",
        "divui", "shrsi", "shrui",     "remsi",     "remui",
        "andi",  "ori",   "xori",      "maxsi",     "maxui",
        "minsi", "minui", "ceildivui", "ceildivsi", "floordivsi"}) {
    body += "%" + op + " = arith." + op + " %a, %b : i32\n";
    values += (values.empty() ? "%" : ", %") + op;
    types += types.empty() ? "i32" : ", i32";
  }
  body += use(values, types);
  EXPECT_EQ(byHeddle(body), byUpstream(body));
}

TEST(ScalarsToLlvm, Flags) {
  std::string body = R"(
    %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
    %1 = arith.shli %a, %b overflow<nsw> : i32
    %2 = arith.divui %a, %b exact : i32
    %3 = arith.shrsi %a, %b exact : i32
    %4 = arith.trunci %w overflow<nuw> : i64 to i32
    %5 = arith.addf %x, %y fastmath<contract> : f32
    %6 = arith.negf %x fastmath<fast> : f32
    %7 = arith.cmpf olt, %x, %y fastmath<nnan> : f32
    %8 = arith.muli %a, %b {kept = 1 : i32} : i32
  )" + use("%0, %1, %2, %3, %4, %5, %6, %7, %8",
           "i32, i32, i32, i32, i32, f32, f32, i1, i32");
  EXPECT_EQ(byHeddle(body), byUpstream(body));
}

TEST(ScalarsToLlvm, FloatsAndCasts) {
  std::string body = R"(
    %0 = arith.subf %x, %y : f32
    %1 = arith.mulf %v, %v : vector<2xf16>
    %2 = arith.divf %x, %y : f32
    %3 = arith.extf %h : f16 to f32
    %4 = arith.truncf %x : f32 to bf16
    %5 = arith.extsi %a : i32 to i64
    %6 = arith.extui %a : i32 to i64
    %7 = arith.sitofp %a : i32 to f32
    %8 = arith.uitofp %a : i32 to f32
    %9 = arith.fptosi %x : f32 to i32
    %10 = arith.fptoui %x : f32 to i32
    %11 = arith.bitcast %x : f32 to i32
    %12 = arith.select %c, %p, %p : !llvm.ptr
    %13 = arith.select %c, %x, %y : f32
    %14 = arith.cmpi ult, %a, %b : i32
    %15 = arith.cmpf une, %x, %y : f32
    %16 = arith.constant dense<[1.0, 2.0]> : vector<2xf16>
    %17 = arith.constant 7 : i64
  )" + use("%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
           "%15, %16, %17",
           "f32, vector<2xf16>, f32, f32, bf16, i64, i64, f32, f32, i32, i32, "
           "i32, !llvm.ptr, f32, i1, i1, vector<2xf16>, i64");
  EXPECT_EQ(byHeddle(body), byUpstream(body));
}

TEST(ScalarsToLlvm, Folds) {
  std::string body = R"(
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    // A constant; one made of it, which is no constant yet; an operand.
    %sum = arith.addi %two, %three : i32
    %more = arith.addi %sum, %two : i32
    %same = arith.addi %a, %zero : i32
    %again = arith.addi %same, %zero : i32
    %product = arith.muli %again, %b : i32
    // Operands change places.
    %swapped = arith.addi %two, %a : i32
    %next = arith.addi %swapped, %three : i32
    %off = arith.subi %next, %two : i32
    %same_bits = arith.bitcast %off : i32 to i32
    %cond = arith.constant true
    %picked = arith.select %cond, %product, %more : i32
    // The larger of two, of which one is known, or both.
    %larger = arith.maxsi %sum, %off : i32
    %known = arith.minui %two, %three : i32
    %least = arith.maxui %a, %zero : i32
    %rounded = arith.ceildivui %sum, %two : i32
    %tiles = arith.ceildivui %a, %two : i32
    %floor = arith.floordivsi %off, %three : i32
    // What is no arithmetic.
    %pair = llvm.mlir.undef : !llvm.struct<(i32, i32)>
    %full = llvm.insertvalue %picked, %pair[0] : !llvm.struct<(i32, i32)>
    %part = llvm.extractvalue %full[0] : !llvm.struct<(i32, i32)>
    %last = arith.addi %part, %same_bits : i32
  )" + use("%last, %more, %larger, %known, %least, %rounded, %tiles, %floor",
           "i32, i32, i32, i32, i32, i32, i32, i32");
  EXPECT_EQ(byHeddle(body), byUpstream(body));
}

TEST(ScalarsToLlvm, Branches) {
  std::string body = R"(
    %one = arith.constant 1 : i32
    cf.br ^loop(%a, %p : i32, !llvm.ptr)
  ^loop(%i: i32, %q: !llvm.ptr):
    %next = arith.addi %i, %one : i32
    %more = arith.cmpi slt, %next, %b : i32
    cf.cond_br %more weights([3, 1]), ^loop(%next, %q : i32, !llvm.ptr), ^end {kept}
  ^end:
    llvm.return
  )";
  EXPECT_EQ(byHeddle(body), byUpstream(body));
}

TEST(ScalarsToLlvm, LeavesTheRest) {
  EXPECT_TRUE(isPlain("%0 = arith.addi %a, %b : i32\nllvm.return"));
  EXPECT_FALSE(isPlain("%0 = arith.maximumf %x, %y : f32\nllvm.return"));
  EXPECT_FALSE(isPlain("%0 = arith.index_cast %a : i32 to index\nllvm.return"));
  EXPECT_FALSE(isPlain("%0 = arith.constant 1 : index\nllvm.return"));
  EXPECT_FALSE(
      isPlain("%0 = arith.truncf %x upward : f32 to f16\nllvm.return"));
  Program program("cf.assert %c, \"no\"\ncf.br ^end\n^end:\nllvm.return");
  std::string before = program.text();
  EXPECT_FALSE(convertBranches(*program.module));
  EXPECT_EQ(program.text(), before);
}

} // namespace
