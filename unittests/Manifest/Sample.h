//===- Sample.h - A GEMM's manifest for tests --------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[M,N] = A[M,K] * B[N,K]^T with a TMA variant and a plain one, which uses
// every kind of expression, precondition and parameter.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_MANIFEST_SAMPLE_H
#define HEDDLE_UNITTESTS_MANIFEST_SAMPLE_H

#include "heddle/Manifest/LaunchPlan.h"

namespace heddle::manifest::sample {

inline Expr constant(int64_t value) {
  Expr expr;
  expr.constant = value;
  return expr;
}

inline Expr dim(const std::string &name, int axis) {
  Expr expr;
  expr.op = Expr::Op::Dim;
  expr.argument = name;
  expr.axis = axis;
  return expr;
}

inline Expr scalar(const std::string &name) {
  Expr expr;
  expr.op = Expr::Op::Scalar;
  expr.argument = name;
  return expr;
}

inline Expr smCount() {
  Expr expr;
  expr.op = Expr::Op::SmCount;
  return expr;
}

inline Expr operation(Expr::Op op, std::vector<Expr> operands) {
  Expr expr;
  expr.op = op;
  expr.operands = std::move(operands);
  return expr;
}

inline Argument view(const std::string &name, bool written = false,
                     std::vector<int> order = {1, 0}) {
  Argument argument;
  argument.name = name;
  argument.rank = static_cast<int>(order.size());
  argument.order = std::move(order);
  argument.written = written;
  return argument;
}

inline Param tensorMap(const std::string &name, std::vector<int> box) {
  Param param;
  param.kind = Param::Kind::TensorMap;
  param.argument = name;
  param.tensorMap.view = name;
  param.tensorMap.box = std::move(box);
  return param;
}

inline Param param(Param::Kind kind, const std::string &name, int axis = 0) {
  Param param;
  param.kind = kind;
  param.argument = name;
  param.axis = axis;
  return param;
}

inline Precondition precondition(Precondition::Kind kind,
                                 const std::string &view, int64_t bytes = 0) {
  Precondition condition;
  condition.kind = kind;
  condition.view = view;
  condition.bytes = bytes;
  return condition;
}

inline Variant tmaVariant() {
  using Op = Expr::Op;
  Variant variant;
  variant.entry = "gemm_tma";
  variant.requires_ = {precondition(Precondition::Kind::Tma, "a"),
                       precondition(Precondition::Kind::Tma, "b"),
                       precondition(Precondition::Kind::Aligned, "c", 16),
                       precondition(Precondition::Kind::AtLeast, "")};
  variant.requires_[3].expr = dim("a", 1);
  variant.requires_[3].bytes = 8;
  variant.threads = 384;
  variant.sharedBytes = 197120;
  Expr tiles = operation(
      Op::Mul, {operation(Op::CeilDiv, {dim("c", 0), constant(128)}),
                operation(Op::CeilDiv, {dim("c", 1), constant(256)})});
  variant.grid = {operation(Op::Min, {tiles, smCount()}), constant(1),
                  constant(1)};
  variant.params = {
      tensorMap("a", {64, 128}),         tensorMap("b", {64, 256}),
      param(Param::Kind::Dim, "a", 1),   param(Param::Kind::Pointer, "c"),
      param(Param::Kind::Dim, "c", 0),   param(Param::Kind::Dim, "c", 1),
      param(Param::Kind::Stride, "c", 0)};
  variant.processes = {{"load", 0, 4, 40}, {"mma", 4, 8, 232}};
  Ring ring;
  ring.name = "ab";
  ring.depth = 4;
  ring.slotBytes = 49152;
  ring.fullBarrier = 196608;
  ring.emptyBarrier = 196640;
  ring.fullArrivals = 1;
  ring.emptyArrivals = 2;
  ring.producers = {"load"};
  ring.consumers = {"mma"};
  variant.rings = {ring};
  variant.namedBarriers = {{1, 256, "epilogue"}};
  variant.stamps = {{"mma", "get", {"ab"}}, {"mma", "work", {}}};
  return variant;
}

inline Variant plainVariant() {
  using Op = Expr::Op;
  Variant variant;
  variant.entry = "gemm_plain";
  variant.threads = 256;
  variant.grid = {operation(Op::CeilDiv, {dim("c", 1), constant(64)}),
                  operation(Op::CeilDiv, {dim("c", 0), constant(64)}),
                  constant(1)};
  for (const char *name : {"a", "b", "c"}) {
    variant.params.push_back(param(Param::Kind::Pointer, name));
    for (Param::Kind kind : {Param::Kind::Dim, Param::Kind::Stride})
      for (int axis : {0, 1})
        variant.params.push_back(param(kind, name, axis));
  }
  return variant;
}

/// Of a pointer p and scalars n and stride, 16 elements behind p.
inline MadeView madeView() {
  MadeView made;
  made.view = view("p.view");
  made.pointer = "p";
  made.offset = constant(16);
  made.extents = {operation(Expr::Op::Sub, {scalar("n"), constant(1)}),
                  scalar("n")};
  made.strides = {scalar("stride"), constant(1)};
  return made;
}

inline Manifest gemm() {
  Manifest manifest;
  manifest.kernel = "gemm";
  manifest.target = "sm_90a";
  manifest.source = "gemm.mlir";
  manifest.arguments = {view("a"), view("b"), view("c", true)};
  manifest.variants = {tmaVariant(), plainVariant()};
  return manifest;
}

/// One variant with a tensor map of madeView(), one that takes any.
inline Manifest madeViewKernel() {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.target = "sm_90a";
  manifest.source = "k.ttir";
  Argument p, n;
  p.kind = Argument::Kind::Pointer;
  p.name = "p";
  n.kind = Argument::Kind::Scalar;
  n.name = "n";
  n.element = ElementType::I32;
  manifest.arguments = {p, n, n};
  manifest.arguments[2].name = "stride";
  manifest.madeViews = {madeView()};
  Variant tma, plain;
  tma.entry = "k";
  tma.grid = plain.grid = {constant(1), constant(1), constant(1)};
  tma.params = {tensorMap("p.view", {64, 32})};
  plain.entry = "k_general";
  plain.params = {param(Param::Kind::Pointer, "p.view"),
                  param(Param::Kind::Dim, "p.view", 0),
                  param(Param::Kind::Stride, "p.view", 0)};
  manifest.variants = {tma, plain};
  return manifest;
}

/// What a caller passes to it.
inline std::vector<ArgumentValue> madeViewArguments(uint64_t address, int64_t n,
                                                    int64_t stride) {
  std::vector<ArgumentValue> arguments(3);
  arguments[0].address = address;
  for (int i : {1, 2}) {
    arguments[i].element = ElementType::I32;
    arguments[i].scalarBits = static_cast<uint64_t>(i == 1 ? n : stride);
  }
  return arguments;
}

/// gemm() with a first choice of two steps: sums of four parts of k go to a
/// workspace, and a second launch reads them.
inline Manifest twoSteps() {
  using Op = Expr::Op;
  Manifest manifest = gemm();
  MadeView parts;
  parts.view = view("parts", true);
  parts.view.element = ElementType::F32;
  parts.view.rank = 3;
  parts.view.order = {2, 1, 0};
  parts.extents = {constant(4), dim("c", 0), dim("c", 1)};
  manifest.madeViews = {parts};
  Variant first, second;
  first.entry = "gemm_parts";
  first.requires_ = {precondition(Precondition::Kind::AtLeast, "")};
  first.requires_[0].expr = dim("a", 1);
  first.requires_[0].bytes = 4096;
  first.grid = {operation(Op::Mul, {dim("parts", 0), constant(2)}), constant(1),
                constant(1)};
  first.params = {
      tensorMap("parts", {32, 64, 1}), param(Param::Kind::Dim, "parts", 0),
      param(Param::Kind::Dim, "parts", 1), param(Param::Kind::Dim, "parts", 2)};
  first.then = "whole";
  second.entry = "gemm_whole";
  second.grid = {dim("c", 0), constant(1), constant(1)};
  second.params = {param(Param::Kind::Pointer, "c"),
                   param(Param::Kind::Stride, "c", 0),
                   param(Param::Kind::Pointer, "parts"),
                   param(Param::Kind::Stride, "parts", 0),
                   param(Param::Kind::Stride, "parts", 1)};
  second.step = "whole";
  manifest.variants.insert(manifest.variants.begin(), first);
  manifest.variants.push_back(second);
  return manifest;
}

inline ArgumentValue matrix(uint64_t address, int64_t rows, int64_t columns) {
  ArgumentValue value;
  value.address = address;
  value.shape = {rows, columns};
  value.strides = {columns, 1};
  return value;
}

inline std::vector<ArgumentValue> gemmArguments(int64_t m, int64_t n,
                                                int64_t k) {
  return {matrix(0x10000, m, k), matrix(0x20000, n, k), matrix(0x30000, m, n)};
}

} // namespace heddle::manifest::sample

#endif // HEDDLE_UNITTESTS_MANIFEST_SAMPLE_H
