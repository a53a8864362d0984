//===- Lookup.h - Arguments by name -----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels have a handful of arguments: a scan is both simpler and faster than a
// map.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_LOOKUP_H
#define HEDDLE_LIB_MANIFEST_LOOKUP_H

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {

/// The position of the argument called `name`, -1 if there is none.
inline int argumentIndex(const Manifest &manifest, const std::string &name) {
  for (size_t i = 0; i < manifest.arguments.size(); ++i)
    if (manifest.arguments[i].name == name)
      return static_cast<int>(i);
  return -1;
}

inline bool isInteger(ElementType type) {
  return type == ElementType::I8 || type == ElementType::I16 ||
         type == ElementType::I32 || type == ElementType::I64;
}

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_LOOKUP_H
