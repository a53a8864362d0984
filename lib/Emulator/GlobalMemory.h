//===- GlobalMemory.h - The host memory a kernel may touch -------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the address range of an access. Out: whether the launch gave the kernel
// this memory, and in words why not. Global addresses are those of the host, so
// an access that is not checked would corrupt the emulator's own process.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_GLOBALMEMORY_H
#define HEDDLE_LIB_EMULATOR_GLOBALMEMORY_H

#include "heddle/Emulator/Emulator.h"

namespace heddle::emulator {

class GlobalMemory {
public:
  explicit GlobalMemory(std::vector<MemoryRange> ranges);

  bool allows(uint64_t address, uint64_t bytes, bool isWrite) {
    const MemoryRange &range = ranges[last];
    if (address - range.base < range.sizeBytes &&
        bytes <= range.sizeBytes - (address - range.base))
      return range.writable || !isWrite;
    return search(address, bytes, isWrite);
  }

  /// Whether anybody may write what `allows` was last asked for. What nobody
  /// may write has no races.
  bool isWritable() const { return ranges[last].writable; }

  /// Where the address lies: "0x7f00 ('c' + 16)".
  std::string name(uint64_t address) const;

  /// Why the access is not allowed: "16 bytes behind the end of 'a' ...".
  std::string explain(uint64_t address, uint64_t bytes, bool isWrite) const;

private:
  bool search(uint64_t address, uint64_t bytes, bool isWrite);

  std::vector<MemoryRange> ranges; ///< by base; the first one is empty
  size_t last = 0;                 ///< accesses come in runs
};

std::string hexadecimal(uint64_t value);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_GLOBALMEMORY_H
