//===- Main.cpp - Chooses a target ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name comes from `target=NAME` on the command line, which libFuzzer does
// not see, or from HEDDLE_FUZZ_TARGET, which its own children see too.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"
#include "TextMutator.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace heddle::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/// LLVM's archives are not instrumented: what its containers hold is not known,
/// and its arrays come from an allocator of another name. An allocation that
/// cannot be had is a null pointer, as elsewhere. Symbols of heddle's are
/// hidden, and the shared runtime must see these.
extern "C" __attribute__((visibility("default"))) const char *
__asan_default_options() {
  return "detect_leaks=0:detect_container_overflow=0:alloc_dealloc_mismatch=0:"
         "allocator_may_return_null=1:allow_user_poisoning=0";
}

extern "C" __attribute__((visibility("default"))) const char *
__ubsan_default_options() {
  return "print_stacktrace=1";
}

static const Target *chosen = nullptr;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  std::string name;
  if (const char *given = std::getenv("HEDDLE_FUZZ_TARGET"))
    name = given;
  int kept = 0;
  for (int i = 0; i < *argc; ++i) {
    llvm::StringRef argument = (*argv)[i];
    if (argument.consume_front("target="))
      name = argument.str();
    else
      (*argv)[kept++] = (*argv)[i];
  }
  *argc = kept;
  (*argv)[kept] = nullptr;
  chosen = findTarget(name);
  if (!chosen) {
    std::fprintf(stderr, "say target=NAME; there are");
    for (const Target &target : targets())
      std::fprintf(stderr, " %s", target.name);
    std::fprintf(stderr, "\n");
    std::exit(3);
  }
  ::setenv("HEDDLE_FUZZ_TARGET", chosen->name, 1);
  prepareProcess();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > chosen->longest)
    return -1;
  return chosen->run(std::string(reinterpret_cast<const char *>(data), size));
}

/// Text is mutated by words, but for one input in eight: what breaks lexers is
/// worth some tries too.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t capacity, unsigned seed) {
  if (!chosen->isText || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, capacity);
  std::string text(reinterpret_cast<char *>(data), size);
  for (unsigned i = 0; i <= seed / 8 % 4; ++i)
    text = mutateText(text, seed + i);
  size_t length = std::min(text.size(), capacity);
  std::memcpy(data, text.data(), length);
  return length;
}
