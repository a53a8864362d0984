//===- Error.cpp - Statuses and the thread's last message -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

using namespace heddle::runtime;

static thread_local std::string lastError;
// For when there is no memory for a sentence; "" while lastError holds it.
static thread_local char lastCaught[256] = "";

heddle_status heddle::runtime::fail(heddle_status status, std::string message) {
  lastError = std::move(message);
  lastCaught[0] = 0;
  return status;
}

heddle_status heddle::runtime::failNull(const char *function,
                                        const char *parameter) {
  return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
              std::string(function) + ": '" + parameter + "' is null");
}

heddle_status heddle::runtime::checkSize(const char *function, const char *what,
                                         size_t size, size_t most) {
  if (size <= most)
    return HEDDLE_OK;
  return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
              std::string(function) + ": '" + what + "' is " +
                  std::to_string(size) + "; it is at most " +
                  std::to_string(most));
}

heddle_status heddle::runtime::failCaught(const char *function) noexcept {
  auto keep = [&](heddle_status status, const char *text, const char *more) {
    std::snprintf(lastCaught, sizeof lastCaught, "%s: %s%s", function, text,
                  more);
    return status;
  };
  const char *memory = "the process has not enough memory left for it";
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return keep(HEDDLE_ERROR_OUT_OF_MEMORY, memory, "");
  } catch (const std::length_error &) {
    return keep(HEDDLE_ERROR_OUT_OF_MEMORY, memory, "");
  } catch (const std::exception &error) {
    return keep(HEDDLE_ERROR_DRIVER, "an exception came up: ", error.what());
  } catch (...) {
    return keep(HEDDLE_ERROR_DRIVER, "an exception came up in the driver", "");
  }
}

int heddle_abi_version(void) noexcept {
  return enterOr(__func__, 0, [] { return HEDDLE_ABI_VERSION; });
}

const char *heddle_last_error(void) noexcept {
  return enterOr(__func__, "", [] {
    return lastCaught[0] ? static_cast<const char *>(lastCaught)
                         : lastError.c_str();
  });
}

static const char *sentenceOf(int status) {
  switch (status) {
  case HEDDLE_OK:
    return "success";
  case HEDDLE_ERROR_INVALID_ARGUMENT:
    return "the call itself is wrong: a null pointer, a bad size or a bad "
           "index";
  case HEDDLE_ERROR_MANIFEST:
    return "the kernel's manifest cannot be read or does not fit its PTX";
  case HEDDLE_ERROR_NO_DRIVER:
    return "the CUDA driver library is missing or too old";
  case HEDDLE_ERROR_NO_DEVICE:
    return "the CUDA driver has no device";
  case HEDDLE_ERROR_UNSUPPORTED_DEVICE:
    return "the device cannot run this kernel";
  case HEDDLE_ERROR_PTX:
    return "the kernel's PTX cannot be loaded";
  case HEDDLE_ERROR_ARGUMENTS:
    return "the launch arguments do not fit the kernel";
  case HEDDLE_ERROR_OUT_OF_MEMORY:
    return "the device or the host is out of memory";
  case HEDDLE_ERROR_DRIVER:
    return "a call of the CUDA driver failed";
  }
  return "not a heddle status";
}

const char *heddle_status_string(heddle_status status) noexcept {
  // A caller in C may pass any number, which no enumeration of C++ has.
  int number = 0;
  static_assert(sizeof number == sizeof status);
  std::memcpy(&number, &status, sizeof number);
  return enterOr(__func__, "", [&] { return sentenceOf(number); });
}
