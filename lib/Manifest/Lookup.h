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

/// The position of the argument called `name`, or that of a view made of them
/// among those, behind the arguments; -1 if there is none.
inline int argumentIndex(const Manifest &manifest, const std::string &name) {
  size_t passed = manifest.arguments.size();
  for (size_t i = 0; i < passed; ++i)
    if (manifest.arguments[i].name == name)
      return static_cast<int>(i);
  for (size_t i = 0; i < manifest.madeViews.size(); ++i)
    if (manifest.madeViews[i].view.name == name)
      return static_cast<int>(passed + i);
  return -1;
}

/// What is at a position that argumentIndex gave.
inline const Argument &argumentAt(const Manifest &manifest, size_t index) {
  size_t passed = manifest.arguments.size();
  return index < passed ? manifest.arguments[index]
                        : manifest.madeViews[index - passed].view;
}

inline bool isInteger(ElementType type) {
  return type == ElementType::I8 || type == ElementType::I16 ||
         type == ElementType::I32 || type == ElementType::I64;
}

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_LOOKUP_H
