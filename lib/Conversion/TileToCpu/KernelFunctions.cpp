//===- KernelFunctions.cpp - The functions of a kernel on the CPU ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;

func::FuncOp heddle::makeFunction(OpBuilder &builder, Location loc,
                                  const std::string &name, ArrayRef<Type> types,
                                  bool isPrivate, ArrayRef<Type> results) {
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(types, results));
  if (isPrivate)
    function.setPrivate();
  function.addEntryBlock();
  return function;
}

SmallVector<Type> heddle::typesOfArgument(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<tile::PtrType>(type))
    return {LLVM::LLVMPointerType::get(context)};
  if (auto view = dyn_cast<tile::ViewType>(type)) {
    SmallVector<Type> types(2 * size_t(view.getRank()) + 1,
                            IndexType::get(context));
    types[0] = LLVM::LLVMPointerType::get(context);
    return types;
  }
  if (type.isIntOrIndexOrFloat())
    return {type};
  return {};
}

static Value slotAt(OpBuilder &builder, Location loc, Value slots, int number) {
  return LLVM::GEPOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI64Type(), slots, ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

SmallVector<Value> heddle::unpackArguments(OpBuilder &builder,
                                           tile::KernelOp kernel, Value slots) {
  Location loc = kernel.getLoc();
  SmallVector<Value> values;
  for (Type argument : kernel.getEntry().getArgumentTypes())
    for (Type type : typesOfArgument(argument)) {
      Value at = slotAt(builder, loc, slots, int(values.size()));
      Type stored = type.isIndex() ? Type(builder.getI64Type()) : type;
      Value value = LLVM::LoadOp::create(builder, loc, stored, at);
      if (type.isIndex())
        value = arith::IndexCastOp::create(builder, loc, type, value);
      values.push_back(value);
    }
  return values;
}

void heddle::writeEntry(OpBuilder &builder, tile::KernelOp kernel) {
  Location loc = kernel.getLoc();
  std::string name = kernel.getSymName().str();
  Type i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  func::FuncOp function =
      makeFunction(builder, loc, name + "_run",
                   {pointer, i64, i64, pointer, pointer}, false, {pointer});
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  SmallVector<Value> values =
      unpackArguments(builder, kernel, entry.getArgument(0));
  for (unsigned i : {1u, 2u})
    values.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), entry.getArgument(i)));
  values.push_back(entry.getArgument(3));
  values.push_back(entry.getArgument(4));
  auto call =
      func::CallOp::create(builder, loc, name + "_body", pointer, values);
  func::ReturnOp::create(builder, loc, call.getResults());
}

void heddle::returnWell(OpBuilder &builder, Location loc) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value none = LLVM::ZeroOp::create(builder, loc, pointer);
  func::ReturnOp::create(builder, loc, none);
}

Value heddle::addressOfText(OpBuilder &builder, Location loc, ModuleOp module,
                            const std::string &name, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  OpBuilder top(module.getBodyRegion());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name,
                                       top.getStringAttr(bytes));
  return LLVM::AddressOfOp::create(builder, loc, global);
}

void heddle::writeShapeSlot(OpBuilder &builder, Location loc, Value out,
                            ShapeSlot slot, Value value) {
  if (value.getType().isIndex())
    value =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
  LLVM::StoreOp::create(builder, loc, value,
                        slotAt(builder, loc, out, int(slot)));
}

Value heddle::castFloat(OpBuilder &builder, Location loc, Value value,
                        Type to) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned width = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (width > from)
    return arith::ExtFOp::create(builder, loc, to, value);
  if (width < from)
    return arith::TruncFOp::create(builder, loc, to, value);
  // f16 and bf16: both are numbers of f32.
  Type wide = builder.getF32Type();
  if (auto vector = dyn_cast<VectorType>(to))
    wide = VectorType::get(vector.getShape(), wide);
  return arith::TruncFOp::create(
      builder, loc, to, arith::ExtFOp::create(builder, loc, wide, value));
}
