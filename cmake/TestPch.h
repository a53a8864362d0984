//===- TestPch.h - The precompiled header of tests --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GoogleTest, which brings most of the standard library, parsed once for the
// tests that do not include MLIR (HeddleTarget.cmake). No header of heddle is
// among them, because each edit of one would rebuild all of these tests.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>
