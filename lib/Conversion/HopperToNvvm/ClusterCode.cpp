//===- ClusterCode.cpp - Instructions of blocks that run together ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters lie along the x axis of the grid, as the numbers of blocks do.
//
//===----------------------------------------------------------------------===//

#include "ClusterCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace heddle::tonvvm {

static constexpr unsigned kSharedCluster = 7;

void setCluster(Operation *function, int64_t blocks) {
  OpBuilder builder(function);
  function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    builder.getDenseI32ArrayAttr({int32_t(blocks), 1, 1}));
}

Value clusterRank(Code &code) {
  return code.intrinsic("llvm.nvvm.read.ptx.sreg.cluster.ctarank",
                        code.builder.getI32Type(), {});
}

// Arrivals release and waits acquire, unless they say otherwise.
void meetCluster(Code &code) {
  for (StringRef name : {"llvm.nvvm.barrier.cluster.arrive.aligned",
                         "llvm.nvvm.barrier.cluster.wait.aligned"})
    LLVM::CallIntrinsicOp::create(
        code.builder, code.loc, code.builder.getStringAttr(name), ValueRange());
}

Value inBlock(Code &code, Value pointer, int64_t rank) {
  Type type =
      LLVM::LLVMPointerType::get(code.builder.getContext(), kSharedCluster);
  return NVVM::MapaOp::create(code.builder, code.loc, type, pointer,
                              code.i32(rank));
}

} // namespace heddle::tonvvm
