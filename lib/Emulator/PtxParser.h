//===- PtxParser.h - Tokens to a parsed module -------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator's own reader of PTX, so that it runs the text that the driver
// gets and nothing derived from it. A directive that it does not know is an
// error. Skipping it could change what the kernel means.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PTXPARSER_H
#define HEDDLE_LIB_EMULATOR_PTXPARSER_H

#include "PtxSyntax.h"

namespace heddle::emulator {

/// Parses `text`, which must outlive `module`. False and "ptx:LINE: ..." on a
/// syntax error, an unknown name or a directive outside the emulator's PTX.
bool parsePtx(std::string_view text, ParsedModule &module, std::string &error);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PTXPARSER_H
