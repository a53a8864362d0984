//===- InterfaceTarget.cpp - Calls of libheddle with options and texts ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a line, which is the JSON of options or a list of sizes, and a
// program. Options go with it to heddle_compile, and what comes out to
// heddle_emulate, without memory; sizes go with it to heddle_sparse_compile.
// Each text of a result is asked for.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/compiler.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

using llvm::StringRef;

/// Outcomes and texts are those that the header promises.
static void look(heddle_outcome outcome, const heddle_result *result) {
  if (outcome == HEDDLE_INTERNAL || !result)
    __builtin_trap();
  size_t size = 0;
  for (size_t kernel = 0; kernel <= heddle_result_kernel_count(result);
       ++kernel)
    for (int text = HEDDLE_TEXT_MESSAGES; text <= HEDDLE_TEXT_PICTURE; ++text)
      if (!heddle_result_text(result, heddle_text(text), kernel, &size))
        __builtin_trap();
  (void)heddle_result_text(result, HEDDLE_TEXT_MESSAGES, 0, &size);
  if (outcome != HEDDLE_FINE && size == 0)
    __builtin_trap(); // a failure without a word
}

static void emulate(const heddle_result *compiled, const char *options) {
  for (size_t kernel = 0; kernel < heddle_result_kernel_count(compiled);
       ++kernel) {
    size_t ptxSize, manifestSize;
    const char *ptx =
        heddle_result_text(compiled, HEDDLE_TEXT_PTX, kernel, &ptxSize);
    const char *manifest = heddle_result_text(compiled, HEDDLE_TEXT_MANIFEST,
                                              kernel, &manifestSize);
    heddle_result *result = nullptr;
    look(heddle_emulate(ptx, ptxSize, manifest, manifestSize, nullptr, nullptr,
                        0, options, &result),
         result);
    heddle_result_destroy(result);
  }
}

static void compile(const std::string &options, StringRef source) {
  heddle_result *result = nullptr;
  heddle_outcome outcome =
      heddle_compile(source.data(), source.size(), options.c_str(), &result);
  look(outcome, result);
  emulate(result, options.c_str());
  emulate(result, nullptr);
  heddle_result_destroy(result);
}

static void compileSparse(StringRef line, StringRef source) {
  std::vector<int64_t> sizes;
  llvm::SmallVector<StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (int64_t size; !word.getAsInteger(10, size))
      sizes.push_back(size);
  heddle_sparse_program *program = nullptr;
  heddle_result *result = nullptr;
  heddle_outcome outcome =
      heddle_sparse_compile(source.data(), source.size(), sizes.data(),
                            sizes.size(), 1, &program, &result);
  if ((outcome == HEDDLE_FINE) != (program != nullptr))
    __builtin_trap();
  look(outcome, result);
  heddle_sparse_destroy(program);
  heddle_result_destroy(result);
}

int heddle::fuzz::runInterface(const std::string &text) {
  auto [line, source] = StringRef(text).split('\n');
  if (source.empty())
    return -1;
  if (line.contains('{'))
    compile(line.str(), source);
  else
    compileSparse(line, source);
  return 0;
}
