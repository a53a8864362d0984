//===- RegionProgram.cpp - Some statements as a program of their own ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program, the statements of one region and an order for each. Out: a
// program of these statements alone, which takes what others make and returns
// what others need, with its plan. So one region can be priced without the
// rest.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToFlow.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;

void heddle::setStreams(einsum::PlanOp plan, einsum::StatementOp op,
                        const sparse::RankedOrder &order, int64_t region,
                        StringRef because) {
  for (auto entry : llvm::make_early_inc_range(
           plan.getBody().front().getOps<einsum::StreamsOp>()))
    if (entry.getStatement() == op.getName())
      entry.erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  sparse::Statement statement = describeStatement(op);
  SmallVector<Attribute> names;
  for (int index : order.order)
    names.push_back(builder.getStringAttr(statement.indices[size_t(index)]));
  SmallVector<Attribute> copies;
  for (const std::string &name : order.copies)
    copies.push_back(builder.getStringAttr(name));
  SmallVector<Attribute> parallel;
  SmallVector<int64_t> by, chunks;
  for (const sparse::ParallelIndex &one : order.parallel) {
    parallel.push_back(
        builder.getStringAttr(statement.indices[size_t(one.index)]));
    by.push_back(one.copies);
    chunks.push_back(one.chunk);
  }
  bool isOneByOne = llvm::all_of(chunks, [](int64_t one) { return one == 1; });
  DictionaryAttr reasons;
  if (!because.empty())
    reasons = builder.getDictionaryAttr(
        builder.getNamedAttr("order", builder.getStringAttr(because)));
  einsum::StreamsOp::create(
      builder, op.getLoc(), op.getNameAttr(), builder.getArrayAttr(names),
      copies.empty() ? ArrayAttr() : builder.getArrayAttr(copies),
      parallel.empty() ? ArrayAttr() : builder.getArrayAttr(parallel),
      parallel.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(by),
      isOneByOne ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(chunks),
      builder.getI64IntegerAttr(region), reasons);
}

OwningOpRef<ModuleOp>
heddle::makeRegionProgram(ArrayRef<einsum::StatementOp> statements,
                          ArrayRef<sparse::RankedOrder> orders) {
  einsum::StatementOp first = statements.front();
  MLIRContext *context = first.getContext();
  auto isInside = [&](Operation *op) {
    return llvm::is_contained(statements,
                              dyn_cast_if_present<einsum::StatementOp>(op));
  };
  llvm::SetVector<Value> taken, given;
  for (einsum::StatementOp op : statements) {
    for (Value operand : op.getOperands())
      if (!isInside(operand.getDefiningOp()))
        taken.insert(operand);
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return !isInside(user); }))
      given.insert(op.getResult());
  }
  SmallVector<Attribute> names;
  for (Value value : taken)
    names.push_back(StringAttr::get(context, einsum::nameOf(value)));
  auto typesOf = [](ArrayRef<Value> values) {
    return llvm::to_vector(llvm::map_range(
        values, [](Value value) -> Type { return value.getType(); }));
  };
  OpBuilder builder(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(first.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  auto source = first->getParentOfType<einsum::ProgramOp>();
  auto program = einsum::ProgramOp::create(
      builder, source.getLoc(), source.getSymName(),
      builder.getFunctionType(typesOf(taken.getArrayRef()),
                              typesOf(given.getArrayRef())),
      builder.getArrayAttr(names));
  Block &block = program.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value value : taken)
    mapping.map(value, block.addArgument(value.getType(), value.getLoc()));
  auto plan =
      einsum::PlanOp::create(builder, source.getLoc(), source.getSymName());
  plan.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&block);
  for (auto [op, order] : llvm::zip_equal(statements, orders)) {
    auto copy = cast<einsum::StatementOp>(builder.clone(*op, mapping));
    setStreams(plan, copy, order, /*region=*/0);
  }
  SmallVector<Value> returned;
  for (Value value : given)
    returned.push_back(mapping.lookup(value));
  einsum::ReturnOp::create(builder, source.getLoc(), returned);
  return module;
}
