//===- Result.cpp - The texts of one call ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

using namespace heddle::compiler;

int heddle_compiler_abi_version(void) noexcept {
  return enterOr(0, [] { return HEDDLE_COMPILER_ABI_VERSION; });
}

const char *heddle_compiler_version(void) noexcept {
  return enterOr("", [] { return "0.1.0"; });
}

size_t heddle_result_kernel_count(const heddle_result *result) noexcept {
  return enterOr(size_t(0),
                 [&] { return result ? result->kernels.size() : 0; });
}

static const std::string *find(const heddle_result *result, heddle_text text,
                               size_t kernel) {
  if (!result)
    return nullptr;
  if (text == HEDDLE_TEXT_MESSAGES)
    return &result->messages;
  if (text == HEDDLE_TEXT_REPORT)
    return &result->report;
  if (text == HEDDLE_TEXT_SCHEDULE)
    return &result->schedule;
  if (text == HEDDLE_TEXT_PICTURE)
    return &result->picture;
  if (kernel >= result->kernels.size())
    return nullptr;
  const heddle_result::Kernel &texts = result->kernels[kernel];
  switch (text) {
  case HEDDLE_TEXT_NAME:
    return &texts.name;
  case HEDDLE_TEXT_PTX:
    return &texts.ptx;
  case HEDDLE_TEXT_MANIFEST:
    return &texts.manifest;
  case HEDDLE_TEXT_CERTIFICATE:
    return &texts.certificate;
  default:
    return nullptr;
  }
}

const char *heddle_result_text(const heddle_result *result, heddle_text text,
                               size_t kernel, size_t *size) noexcept {
  return enterOr("", [&] {
    const std::string *found = find(result, text, kernel);
    if (size)
      *size = found ? found->size() : 0;
    return found ? found->c_str() : "";
  });
}

void heddle_result_destroy(heddle_result *result) noexcept {
  enterOr(0, [&] {
    delete result;
    return 0;
  });
}
