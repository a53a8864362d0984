//===- ConvertModel.h - Conversions, exactly --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cvt by the text of the PTX ISA, over exact numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_CONVERTMODEL_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_CONVERTMODEL_H

#include "Opcode.h"

#include <array>
#include <cstdint>

namespace heddle::emulator::model {

/// `cvt.mods.to.from`. An integer result is extended to a register of
/// `registerBits`. Of two sources the first becomes the upper half.
uint64_t evaluateConvert(const Opcode &opcode,
                         const std::array<uint64_t, 3> &operands,
                         int registerBits);

/// Bits of an element of `f16x2`, `u8` and so on.
int elementBits(const std::string &type);

} // namespace heddle::emulator::model

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_CONVERTMODEL_H
