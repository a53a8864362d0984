//===- RawArguments.h - Parameters of PTX without a manifest ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line gives them in the order of the PTX:
//
//   x=512x256xf16                         a pointer to a buffer
//   n=i32:1000, eps=f32:1e-5              a number
//   p=x, p=x+4096, p=null                 an address inside another buffer
//   d=map:x,box=64x64,swizzle=128         a tensor map of a buffer
//
// Axes stand slowest first, as in a buffer's shape.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_RAWARGUMENTS_H
#define HEDDLE_TOOLS_HEDDLE_RAWARGUMENTS_H

#include "heddle/Run/ArgumentData.h"

#include "heddle/Emulator/Emulator.h"
#include "heddle/Emulator/TensorMap.h"

namespace heddle::tool {

/// `--arg` or `--buffer` of the command line, in parts.
struct RawSpec {
  enum class Kind { Buffer, Number, Address, Map } kind = Kind::Buffer;
  std::string text; ///< all of it, for messages
  std::string name;
  ViewSpec buffer;            ///< Buffer
  std::vector<uint8_t> bytes; ///< Number
  std::string base;           ///< Address, Map: a buffer; "null"
  uint64_t offset = 0;        ///< Address, Map: bytes
  emulator::TensorMap map;    ///< Map: what is given; 0 for what is not
  bool hasFormat = false;     ///< Map
};

llvm::Expected<RawSpec> parseRawSpec(llvm::StringRef text);

/// The buffers that the specs ask for, with zeros in them.
llvm::Expected<std::vector<ArgumentData>>
makeBuffers(llvm::ArrayRef<RawSpec> arguments,
            llvm::ArrayRef<RawSpec> otherBuffers);

/// The bytes of each parameter.
llvm::Expected<std::vector<std::vector<uint8_t>>>
packRawArguments(llvm::ArrayRef<RawSpec> arguments,
                 llvm::ArrayRef<ArgumentData> buffers);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_RAWARGUMENTS_H
