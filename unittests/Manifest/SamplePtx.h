//===- SamplePtx.h - PTX that fits a manifest, for tests --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines that a manifest is compared with, as the compiler writes them:
// signatures, bounds, mbarriers, and one load of all tensor maps into a slot.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_MANIFEST_SAMPLEPTX_H
#define HEDDLE_UNITTESTS_MANIFEST_SAMPLEPTX_H

#include "Sample.h"

namespace heddle::manifest::sample {

inline const Argument &argumentNamed(const Manifest &manifest,
                                     const std::string &name) {
  for (const Argument &argument : manifest.arguments)
    if (argument.name == name)
      return argument;
  for (const MadeView &made : manifest.madeViews)
    if (made.view.name == name)
      return made.view;
  static const Argument none;
  return none;
}

inline std::string ptxParam(const Manifest &manifest, const Param &param,
                            const std::string &name) {
  if (param.kind == Param::Kind::TensorMap)
    return ".param .align 64 .b8 " + name + "[128]";
  if (param.kind == Param::Kind::Dim)
    return ".param .u32 " + name;
  if (param.kind == Param::Kind::Scalar)
    return ".param .b" +
           std::to_string(
               8 *
               elementBytes(argumentNamed(manifest, param.argument).element)) +
           " " + name;
  if (param.kind == Param::Kind::Pointer)
    return ".param .u64 .ptr .global .align 1 " + name;
  return ".param .u64 " + name;
}

inline std::string ptxBody(const Manifest &manifest, const Variant &variant) {
  std::string text;
  int registers = 1000;
  for (const Ring &ring : variant.rings)
    for (int slot = 0; slot < ring.depth; ++slot)
      for (auto [barrier, arrivals] :
           {std::pair(ring.fullBarrier, ring.fullArrivals),
            std::pair(ring.emptyBarrier, ring.emptyArrivals)}) {
        std::string count = "%r" + std::to_string(registers++);
        text += "\tmov.b32 \t" + count + ", " + std::to_string(arrivals) +
                ";\n\tmbarrier.init.shared.b64 \t[heddle_shared+" +
                std::to_string(barrier + 8 * slot) + "], " + count + ";\n";
      }
  std::string loads;
  int64_t bytes = 0;
  for (size_t i = 0; i < variant.params.size(); ++i) {
    const Param &param = variant.params[i];
    if (param.kind != Param::Kind::TensorMap || variant.rings.empty())
      continue;
    int64_t box = elementBytes(argumentNamed(manifest, param.argument).element);
    for (int extent : param.tensorMap.box)
      box *= extent;
    bytes += box;
    std::string number = std::to_string(100 + 2 * i);
    std::string address = std::to_string(101 + 2 * i);
    text += "\tmov.b64 \t%rd" + number + ", " + variant.entry + "_param_" +
            std::to_string(i) + ";\n\tcvta.param.u64 \t%rd" + address +
            ", %rd" + number + ";\n";
    loads += "\tcp.async.bulk.tensor." +
             std::to_string(param.tensorMap.box.size()) +
             "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
             "[%rd1], [%rd" +
             address + ", {%r1, %r2}], [%rd7+" +
             std::to_string(variant.rings[0].fullBarrier) + "];\n";
  }
  if (loads.empty())
    return text;
  return text + "$L__BB0_1:\n\tmov.b32 \t%r99, " + std::to_string(bytes) +
         ";\n\tmbarrier.arrive.expect_tx.shared.b64 %rd60, [%rd7+" +
         std::to_string(variant.rings[0].fullBarrier) + "], %r99;\n" + loads;
}

inline std::string ptxOf(const Manifest &manifest) {
  std::string text = ".version 8.6\n.target " + manifest.target +
                     "\n.address_size 64\n\n\t// .globl\tx\n"
                     ".extern .shared .align 1024 .b8 heddle_shared[];\n\n";
  for (const Variant &variant : manifest.variants) {
    text += ".visible .entry " + variant.entry + "(\n";
    for (size_t i = 0; i < variant.params.size(); ++i)
      text += (i ? ",\n\t" : "\t") +
              ptxParam(manifest, variant.params[i],
                       variant.entry + "_param_" + std::to_string(i));
    text += "\n)\n.reqntid " + std::to_string(variant.threads) +
            ", 1, 1\n.minnctapersm 1\n";
    if (variant.cluster != std::array<int, 3>{1, 1, 1})
      text += ".reqnctapercluster " + std::to_string(variant.cluster[0]) +
              ", " + std::to_string(variant.cluster[1]) + ", " +
              std::to_string(variant.cluster[2]) + "\n";
    text += "{\n" + ptxBody(manifest, variant) + "\tret;\n}\n";
  }
  return text;
}

} // namespace heddle::manifest::sample

#endif // HEDDLE_UNITTESTS_MANIFEST_SAMPLEPTX_H
