//===- Arguments.cpp - heddle_arg to manifest arguments -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>

using namespace heddle::runtime;
using namespace heddle::manifest;

// The C enumerations are cast to the library's; they must agree in order.
static_assert(int(HEDDLE_F16) == int(ElementType::F16) &&
              int(HEDDLE_BF16) == int(ElementType::BF16) &&
              int(HEDDLE_F32) == int(ElementType::F32) &&
              int(HEDDLE_F64) == int(ElementType::F64) &&
              int(HEDDLE_I8) == int(ElementType::I8) &&
              int(HEDDLE_I16) == int(ElementType::I16) &&
              int(HEDDLE_I32) == int(ElementType::I32) &&
              int(HEDDLE_I64) == int(ElementType::I64) &&
              int(HEDDLE_E4M3) == int(ElementType::E4M3) &&
              int(HEDDLE_E5M2) == int(ElementType::E5M2));
static_assert(int(HEDDLE_VIEW) == int(Argument::Kind::View) &&
              int(HEDDLE_POINTER) == int(Argument::Kind::Pointer) &&
              int(HEDDLE_SCALAR) == int(Argument::Kind::Scalar));

static const char *kindName(int kind) {
  static const char *const names[] = {"a view", "a pointer", "a scalar"};
  return kind >= 0 && kind < 3 ? names[kind] : "of an unknown kind";
}

static heddle_status readArgument(const Argument &expected,
                                  const heddle_arg &arg, ArgumentValue &value) {
  std::string who = "argument '" + expected.name + "' ";
  if (arg.kind != static_cast<int>(expected.kind))
    return fail(HEDDLE_ERROR_ARGUMENTS,
                who + "is " + kindName(arg.kind) + ", but the kernel takes " +
                    kindName(static_cast<int>(expected.kind)));
  if (arg.dtype < HEDDLE_F16 || arg.dtype > HEDDLE_E5M2)
    return fail(HEDDLE_ERROR_ARGUMENTS,
                who + "has dtype " + std::to_string(arg.dtype) +
                    ", which is no heddle_dtype; the kernel takes " +
                    spelling(expected.element));
  value.element = static_cast<ElementType>(arg.dtype);
  if (arg.kind == HEDDLE_SCALAR) {
    value.scalarBits = arg.scalar_bits;
    return HEDDLE_OK;
  }
  value.address = reinterpret_cast<uint64_t>(arg.data);
  if (arg.kind == HEDDLE_POINTER)
    return HEDDLE_OK;
  if (arg.rank < 0 || arg.rank > HEDDLE_MAX_RANK)
    return fail(HEDDLE_ERROR_ARGUMENTS,
                who + "has rank " + std::to_string(arg.rank) +
                    ", but the kernel takes a view of rank " +
                    std::to_string(expected.rank));
  value.shape.assign(arg.shape, arg.shape + arg.rank);
  value.strides.assign(arg.strides, arg.strides + arg.rank);
  return HEDDLE_OK;
}

heddle_status
heddle::runtime::readArguments(const Manifest &manifest, const heddle_arg *args,
                               size_t count,
                               std::vector<ArgumentValue> &values) {
  if (!args && count > 0)
    return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
                "kernel '" + manifest.kernel +
                    "': 'args' is null, but 'n_args' is " +
                    std::to_string(count));
  values.clear();
  // A wrong count is planLaunch's to report, which knows the names.
  if (count != manifest.arguments.size()) {
    values.resize(std::min<size_t>(count, 1024));
    return HEDDLE_OK;
  }
  for (size_t i = 0; i < count; ++i)
    HEDDLE_TRY(
        readArgument(manifest.arguments[i], args[i], values.emplace_back()));
  return HEDDLE_OK;
}

void heddle::runtime::makeKey(const heddle_arg *args, size_t count,
                              std::vector<uint64_t> &key) {
  key.clear();
  for (size_t i = 0; i < count; ++i) {
    const heddle_arg &arg = args[i];
    int rank =
        arg.kind == HEDDLE_VIEW ? std::clamp(arg.rank, 0, HEDDLE_MAX_RANK) : 0;
    key.push_back(
        uint64_t(uint8_t(arg.kind)) | uint64_t(uint8_t(arg.dtype)) << 8 |
        uint64_t(uint32_t(arg.kind == HEDDLE_VIEW ? arg.rank : 0)) << 16);
    if (arg.kind == HEDDLE_SCALAR)
      key.push_back(arg.scalar_bits);
    else
      key.push_back(reinterpret_cast<uint64_t>(arg.data));
    for (int axis = 0; axis < rank; ++axis) {
      key.push_back(static_cast<uint64_t>(arg.shape[axis]));
      key.push_back(static_cast<uint64_t>(arg.strides[axis]));
    }
  }
}
