//===- EmitTma.cpp - Boxes between global and shared memory -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread issues a copy for each box of a tile, because a tile may be larger
// than the hardware's box. The tensor map that it names follows from view and
// tile: KernelSignature.h numbers the maps here and in the manifest, which the
// launcher makes them from.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "NumberWidths.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace heddle::tonvvm {

/// The coordinates of a part in the view, fastest axis first, as TMA takes
/// them.
static SmallVector<Value> partCoordinates(Code &code, ArrayRef<Value> offsets,
                                          const TmaBoxes::Part &part,
                                          ArrayRef<int64_t> order) {
  SmallVector<Value> coordinates;
  for (int64_t axis : order)
    coordinates.push_back(code.add(offsets[axis], part.offset[axis]));
  return coordinates;
}

/// Is none of them negative?
static Value areInView(Code &code, ArrayRef<Value> offsets) {
  Value signs = offsets[0];
  for (Value offset : offsets.drop_front())
    signs = arith::OrIOp::create(code.builder, code.loc, signs, offset);
  return arith::CmpIOp::create(code.builder, code.loc,
                               arith::CmpIPredicate::sge, signs,
                               code.zero(signs.getType()));
}

LogicalResult Emitter::emitTmaLoad(hopper::TmaLoadOp op) {
  Code code(builder, op.getLoc());
  hopper::SmemType tile = op.getTile().getType();
  tile::ViewType view = op.getView().getType();
  int map = signature.findTensorMap(kernel, op);
  Value barrier =
      barrierAddress(code, op, op.getRing(), "full", scalar(op.getSlot()));
  Registers offsets = flatten(op.getOffsets());
  Registers run = flatten(op.getRun());
  TmaBoxes boxes = getTmaBoxes(view, tile);
  if (!run.empty())
    boxes = getRunBoxes(view, tile);
  auto issue = [&] {
    for (const TmaBoxes::Part &part : boxes.parts)
      code.tmaLoad(code.advance(scalar(op.getTile()), part.byteOffset),
                   entry->getArgument(map), barrier,
                   partCoordinates(code, offsets, part, view.getOrder()), run);
  };
  if (threads.isSingle())
    issue();
  else
    code.ifThen(threads.first, issue);
  return success();
}

LogicalResult Emitter::emitTmaStore(hopper::TmaStoreOp op) {
  Code code(builder, op.getLoc());
  hopper::SmemType tile = op.getTile().getType();
  tile::ViewType view = op.getView().getType();
  int map = signature.findTensorMap(kernel, op);
  Registers offsets = flatten(op.getOffsets());
  auto issueAll = [&] {
    for (const TmaBoxes::Part &part : getTmaBoxes(view, tile).parts)
      code.tmaStore(entry->getArgument(map),
                    code.advance(scalar(op.getTile()), part.byteOffset),
                    partCoordinates(code, offsets, part, view.getOrder()),
                    op.getAdd());
  };
  // A group that waits count, though nothing may be in it.
  auto issue = [&] {
    if (op->hasAttr(kInViewOnlyAttr))
      code.ifThen(areInView(code, offsets), issueAll);
    else
      issueAll();
    code.tmaCommit();
  };
  if (threads.isSingle())
    issue();
  else
    code.ifThen(threads.first, issue);
  return success();
}

LogicalResult Emitter::emitTmaStoreWait(hopper::TmaStoreWaitOp op) {
  Code code(builder, op.getLoc());
  auto wait = [&] {
    code.tmaStoreWait(op.getPending(), /*onlyRead=*/!op.getComplete());
  };
  if (threads.isSingle())
    wait();
  else
    code.ifThen(threads.first, wait);
  return success();
}

} // namespace heddle::tonvvm
