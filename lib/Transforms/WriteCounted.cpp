//===- WriteCounted.cpp - Numbers that loops count on beside their own --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: loops that carry numbers to which each iteration adds the same: a row to
// load from, the tile that a persistent program stores. Out: these written with
// the loop's own number, so that equal places look equal, whoever counted them:
// two loops can be joined, and nothing is handed on from iteration to
// iteration. Tiles that iterations move by numbers of their own are written
// with the sum of these first.
//
//===----------------------------------------------------------------------===//

#include "LaunchValues.h"
#include "MovedTiles.h"

#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_WRITECOUNTED
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class Writer {
public:
  Writer(tile::KernelOp kernel, tile::ParallelOp parallel)
      : parallel(parallel), forms(kernel), values(kernel, parallel, forms) {}

  void run() {
    parallel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      for (BlockArgument argument : loop.getRegionIterArgs())
        // Of 32 bits: sums wrap alike there, whatever they are made of.
        if (argument.getType().isInteger(32))
          write(loop, argument);
    });
  }

private:
  void write(scf::ForOp loop, BlockArgument argument);

  tile::ParallelOp parallel;
  AddressForms forms;
  LaunchValues values;
};

} // namespace

void Writer::write(scf::ForOp loop, BlockArgument argument) {
  Polynomial number = forms.scalar(argument);
  for (const auto &[product, coefficient] : number.terms())
    for (unsigned unknown : product)
      if (forms.valueOf(unknown) == argument)
        return;
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  auto cast = [&](Value index) -> Value {
    return arith::IndexCastOp::create(builder, loc, argument.getType(), index);
  };
  // Counted on before it is read, as by `tile += PROGRAMS`, it may be the
  // loop's own number: quotients of the two are seen to be equal then.
  for (Operation *user : llvm::to_vector(argument.getUsers()))
    if (isa<arith::AddIOp>(user) && forms.scalar(user->getResult(0)) ==
                                        forms.scalar(loop.getInductionVar()))
      user->replaceAllUsesWith(ValueRange(cast(loop.getInductionVar())));
  argument.replaceAllUsesWith(
      cast(values.build(builder, loc, number, /*isAtLaunch=*/false)));
}

namespace {

struct WriteCountedPass : heddle::impl::WriteCountedBase<WriteCountedPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    llvm::for_each(loops, sumMoves);
    getOperation().walk([](tile::KernelOp kernel) {
      auto parallels = kernel.getOps<tile::ParallelOp>();
      if (llvm::hasSingleElement(parallels))
        Writer(kernel, *parallels.begin()).run();
    });
  }
};

} // namespace
