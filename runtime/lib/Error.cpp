//===- Error.cpp - Statuses and the thread's last message -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"

using namespace heddle::runtime;

static thread_local std::string lastError;

heddle_status heddle::runtime::fail(heddle_status status, std::string message) {
  lastError = std::move(message);
  return status;
}

heddle_status heddle::runtime::failNull(const char *function,
                                        const char *parameter) {
  return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
              std::string(function) + ": '" + parameter + "' is null");
}

int heddle_abi_version(void) { return HEDDLE_ABI_VERSION; }

const char *heddle_last_error(void) { return lastError.c_str(); }

const char *heddle_status_string(heddle_status status) {
  switch (status) {
  case HEDDLE_OK:
    return "success";
  case HEDDLE_ERROR_INVALID_ARGUMENT:
    return "the call itself is wrong: a null pointer, a bad size or a bad "
           "index";
  case HEDDLE_ERROR_MANIFEST:
    return "the kernel's manifest cannot be read";
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
    return "the device is out of memory";
  case HEDDLE_ERROR_DRIVER:
    return "a call of the CUDA driver failed";
  }
  return "not a heddle status";
}
