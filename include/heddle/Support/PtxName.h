//===- PtxName.h - What PTX takes for a name ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's name becomes the entry of its PTX. LLVM would end the process at
// some characters, and write others that the assembler refuses.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_PTXNAME_H
#define HEDDLE_SUPPORT_PTXNAME_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <string>

namespace heddle {

inline bool isPtxName(llvm::StringRef name) {
  auto follows = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$';
  };
  bool begins = !name.empty() && (llvm::isAlpha(name.front()) ||
                                  (name.size() > 1 && !llvm::isDigit(name[0])));
  // A constant of the language.
  return begins && llvm::all_of(name, follows) && name != "WARP_SZ";
}

/// What a message says of a kernel with another name.
inline std::string describeName(llvm::StringRef name) {
  std::string shown;
  for (char c : name)
    shown += (unsigned char)c < ' ' ? '?' : c;
  return "is called '" + shown +
         "'; a kernel's name is that of its PTX entry: a letter, then letters, "
         "digits, _ and $; or _ or $ and at least one of these";
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_PTXNAME_H
