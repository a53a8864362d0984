//===- TextHash.h - Short names of texts --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash of Fowler, Noll and Vo (FNV-1a) in 64 bits: the same on every
// machine, so that records can hold it. Not against somebody who wants two
// texts to have the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_TEXTHASH_H
#define HEDDLE_SUPPORT_TEXTHASH_H

#include "llvm/ADT/StringExtras.h"

#include <cstdint>
#include <string>

namespace heddle {

class TextHash {
public:
  void add(uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; }
  void add(llvm::StringRef text) {
    for (char c : text)
      add(uint8_t(c));
  }
  /// Sixteen, hexadecimal.
  std::string digits() const {
    return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
  }

private:
  uint64_t hash = 0xcbf29ce484222325;
};

} // namespace heddle

#endif // HEDDLE_SUPPORT_TEXTHASH_H
