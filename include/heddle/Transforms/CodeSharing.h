//===- CodeSharing.h - One code for several processes -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option of hopper-to-nvvm that several headers name. It stands apart from
// Passes.h, because the pipeline's options and the emitter need the enumeration
// and none of the declarations of passes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_CODESHARING_H
#define HEDDLE_TRANSFORMS_CODESHARING_H

namespace heddle {

/// Whether processes that differ in numbers only get one code, and whether a
/// remark says what keeps two apart.
enum class CodeSharing { Never, Tried, Reported };

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_CODESHARING_H
