//===- PtxFuzzer.cpp - The emulator's reader of PTX -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Emulator/Emulator.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size), error;
  auto program = emulator::Program::parse(text, error);
  if (!program && error.empty())
    __builtin_trap(); // a refusal says why
  return 0;
}
