//===- TensorMaps.cpp - What a tensor map must satisfy --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"

using namespace heddle;

bool heddle::emulator::checkTensorMap(const manifest::TensorMap &map,
                                      std::string &error) {
  auto fail = [&](const std::string &message) {
    error = "tensor map: " + message;
    return false;
  };
  size_t rank = map.dims.size();
  if (rank < 1 || rank > 5 || map.box.size() != rank ||
      map.stridesBytes.size() != rank)
    return fail("rank " + std::to_string(rank) + " with " +
                std::to_string(map.box.size()) + " box extents and " +
                std::to_string(map.stridesBytes.size()) + " strides");
  if (map.address % 16)
    return fail("the base address is not aligned to 16 bytes");
  int64_t elementBytes = manifest::elementBytes(map.element);
  for (size_t axis = 0; axis < rank; ++axis) {
    std::string name = "axis " + std::to_string(axis);
    if (map.dims[axis] < 1 || map.dims[axis] > int64_t(1) << 32)
      return fail(name + " has extent " + std::to_string(map.dims[axis]));
    if (map.box[axis] < 1 || map.box[axis] > 256)
      return fail(name + " has a box of " + std::to_string(map.box[axis]) +
                  "; 1 to 256 are possible");
    if (axis && (map.stridesBytes[axis] % 16 || map.stridesBytes[axis] < 0 ||
                 map.stridesBytes[axis] >= int64_t(1) << 40))
      return fail(name + " has a stride of " +
                  std::to_string(map.stridesBytes[axis]) +
                  " bytes; it must be a multiple of 16 below 2^40");
  }
  int64_t rowBytes = map.box[0] * elementBytes;
  if (map.swizzleBytes != 0 && map.swizzleBytes != 32 &&
      map.swizzleBytes != 64 && map.swizzleBytes != 128)
    return fail("a swizzle of " + std::to_string(map.swizzleBytes) + " bytes");
  if (rowBytes % 16)
    return fail("a box row of " + std::to_string(rowBytes) +
                " bytes; it must be a multiple of 16");
  if (map.swizzleBytes && rowBytes > map.swizzleBytes)
    return fail("a box row of " + std::to_string(rowBytes) +
                " bytes does not fit the swizzle of " +
                std::to_string(map.swizzleBytes));
  return true;
}
