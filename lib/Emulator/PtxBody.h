//===- PtxBody.h - Parses the body of an entry -------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the parser for the braces of an entry. Module scope has one table
// of names. A body has a chain of scopes, because inline asm brings registers
// and labels of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PTXBODY_H
#define HEDDLE_LIB_EMULATOR_PTXBODY_H

#include "PtxCursor.h"
#include "PtxSyntax.h"

namespace heddle::emulator {

/// Parses `{ ... }` into `entry`, whose symbols already hold the module's
/// variables and the parameters. False after reporting to `cursor`.
bool parseBody(PtxCursor &cursor, ParsedEntry &entry);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PTXBODY_H
