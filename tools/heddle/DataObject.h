//===- DataObject.h - An object file that holds data ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named constants and zeroed variables go in; the bytes of an ELF object for
// the host come out, for the linker of the user's build. A library of kernels
// holds nothing but data, and a call of an assembler would make a host
// toolchain a dependency of `heddle compile`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_DATAOBJECT_H
#define HEDDLE_TOOLS_HEDDLE_DATAOBJECT_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::tool {

/// A symbol that the linker will find.
struct DataSymbol {
  std::string name;
  std::string bytes;      ///< constants
  uint64_t zeroBytes = 0; ///< or as many bytes to write to, zero at first
};

/// A relocatable ELF object for this machine. The same symbols give the same
/// bytes.
std::string makeDataObject(const std::vector<DataSymbol> &symbols);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_DATAOBJECT_H
