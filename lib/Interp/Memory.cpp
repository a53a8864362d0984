//===- Memory.cpp - The memory that a kernel's arguments give it ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "heddle/Support/CheckedMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace heddle::interp;

void Memory::addRange(int64_t begin, int64_t end) {
  if (begin < end)
    ranges.push_back({begin, end});
}

void Memory::addArray(int64_t base, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> strides, int64_t elementBytes) {
  int64_t lowest = 0, highest = 0;
  if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    int64_t &side = stride < 0 ? lowest : highest;
    side = satAdd(side, satMul(extent - 1, stride));
  }
  addRange(satAdd(base, satMul(lowest, elementBytes)),
           satAdd(base, satMul(satAdd(highest, 1), elementBytes)));
}

void Memory::append(int64_t address, int64_t sizeBytes) const {
  constexpr int64_t kPage = 4096;
  int64_t first = 0;
  for (const Range &range : ranges) {
    if (range.begin <= address && address < range.end) {
      int64_t place = first + (address - range.begin);
      if (!trace->empty() &&
          trace->back().address + trace->back().bytes == place)
        trace->back().bytes += sizeBytes;
      else
        trace->push_back({place, sizeBytes});
      return;
    }
    first += (range.end - range.begin + kPage - 1) / kPage * kPage;
  }
}

bool Memory::contains(int64_t address, int64_t sizeBytes) const {
  return llvm::any_of(ranges, [&](const Range &range) {
    return range.begin <= address && address <= range.end - sizeBytes;
  });
}
