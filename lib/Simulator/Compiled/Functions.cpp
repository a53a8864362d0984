//===- Functions.cpp - Machine code of processes --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "BodyKey.h"
#include "MakeResumable.h"
#include "Words.h"

#include "heddle/Conversion/TileToCpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

static void declareCalls(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  for (StringRef name :
       {StringRef(kBegin), StringRef(kWait), StringRef(kFail)}) {
    SmallVector<Type> operands;
    if (name != kBegin)
      operands.push_back(builder.getI64Type());
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                             LLVM::LLVMFunctionType::get(nothing, operands));
  }
}

LogicalResult Functions::add(aref::ProcessOp process, const BodyKey &key,
                             ModuleOp module, ConsumerOf consumerOf,
                             ConsumerCount consumerCount, std::string &reason) {
  Known function;
  function.name = "process_" + std::to_string(known.size());
  auto code = writeProcess(process, module, function.name, consumerOf,
                           consumerCount, reason);
  if (failed(code)) {
    reason = ("process '" + process.getSym() + "': " + reason).str();
    return failure();
  }
  auto placeIn = [](const auto &list, const auto &one) {
    return size_t(llvm::find(list, one) - list.begin());
  };
  for (const ProcessInput &input : code->inputs)
    function.inputs.push_back({input.kind, placeIn(key.outside, input.value)});
  for (Operation *op : code->points)
    function.points.push_back(placeIn(key.inside, op));
  known[key.text] = std::move(function);
  return success();
}

FailureOr<std::vector<Functions::Compiled>>
Functions::compile(ArrayRef<aref::ProcessOp> processes, ConsumerOf consumerOf,
                   ConsumerCount consumerCount, cpu::Jit::Effort effort,
                   std::string &reason) {
  std::vector<Compiled> compiled;
  if (processes.empty())
    return compiled;
  MLIRContext *context = processes.front()->getContext();
  context->loadDialect<func::FuncDialect, LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module(ModuleOp::create(processes.front()->getLoc()));
  declareCalls(*module);
  std::vector<BodyKey> keys;
  std::vector<Known *> added;
  bool isFine = true;
  for (aref::ProcessOp process : processes) {
    BodyKey &key = keys.emplace_back(keyOf(process, consumerOf, consumerCount));
    key.text += effort == cpu::Jit::Effort::Full ? "full" : "quick";
    if (known.count(key.text))
      continue;
    isFine = succeeded(
        add(process, key, *module, consumerOf, consumerCount, reason));
    if (!isFine)
      break;
    added.push_back(&known[key.text]);
  }
  if (isFine && !added.empty())
    isFine = succeeded(translate(*module, added, effort, reason));
  if (!isFine) {
    // Nobody may find a function without code.
    std::erase_if(
        known, [](const auto &entry) { return !entry.second.function.call; });
    return failure();
  }
  for (const BodyKey &key : keys) {
    const Known &function = known.at(key.text);
    ProcessCode code;
    for (auto [kind, place] : function.inputs)
      code.inputs.push_back({kind, key.outside[place]});
    for (size_t place : function.points)
      code.points.push_back(key.inside[place]);
    compiled.push_back({std::move(code), function.function});
  }
  return compiled;
}

LogicalResult Functions::translate(ModuleOp module, ArrayRef<Known *> added,
                                   cpu::Jit::Effort effort,
                                   std::string &reason) {
  if (failed(lowerCpuToLlvm(module, /*sharesPlaces=*/false)))
    return failure();
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translateCpuModule(module, *context);
  if (!translated)
    return failure();
  for (Known *one : added)
    one->function.words =
        makeResumable(*translated->getFunction(one->name),
                      frame::Inputs + int64_t(one->inputs.size()));
  for (StringRef name : {StringRef(kBegin), StringRef(kWait), StringRef(kFail)})
    translated->getFunction(name)->eraseFromParent();
  auto code = cpu::Jit::compile(std::move(translated), std::move(context),
                                reason, effort);
  if (!code)
    return failure();
  for (Known *one : added) {
    void *address = code->find(one->name, reason);
    if (!address)
      return failure();
    one->function.call = reinterpret_cast<void (*)(int64_t *)>(address);
  }
  codes.push_back(std::move(code));
  return success();
}
