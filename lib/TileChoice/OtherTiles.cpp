//===- OtherTiles.cpp - How somebody asks for tiles beside the program's ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/TileChoice/OtherTiles.h"

using namespace heddle::tilechoice;

std::optional<OtherTiles> OtherTiles::readAutomatic(llvm::StringRef text) {
  OtherTiles others;
  others.isAutomatic = true;
  if (text == "auto")
    return others;
  size_t count = 0;
  if (!text.consume_front("auto:") || text.getAsInteger(10, count) ||
      count < 1 || count > kMostCounted)
    return std::nullopt;
  others.most = count;
  return others;
}
