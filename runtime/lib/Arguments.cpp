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

heddle_status heddle::runtime::unpackWords(const Manifest &manifest,
                                           const uint64_t *words, size_t count,
                                           std::vector<heddle_arg> &args) {
  size_t needed = 0;
  for (const Argument &argument : manifest.arguments)
    needed +=
        1 +
        (argument.kind == Argument::Kind::View ? 2 * argument.order.size() : 0);
  if (count != needed)
    return fail(HEDDLE_ERROR_INVALID_ARGUMENT,
                "kernel '" + manifest.kernel + "': its arguments are " +
                    std::to_string(needed) + " words, not " +
                    std::to_string(count));
  for (const Argument &argument : manifest.arguments) {
    heddle_arg &arg = args.emplace_back();
    arg.kind = static_cast<int>(argument.kind);
    arg.dtype = static_cast<int>(argument.element);
    if (argument.kind == Argument::Kind::Scalar) {
      arg.scalar_bits = *words++;
      continue;
    }
    arg.data = reinterpret_cast<void *>(*words++);
    if (argument.kind == Argument::Kind::Pointer)
      continue;
    arg.rank = static_cast<int>(argument.order.size());
    for (int axis = 0; axis < arg.rank; ++axis)
      arg.shape[axis] = static_cast<int64_t>(*words++);
    for (int axis = 0; axis < arg.rank; ++axis)
      arg.strides[axis] = static_cast<int64_t>(*words++);
  }
  return HEDDLE_OK;
}

static bool isEmpty(const ArgumentValue &value) {
  return std::find(value.shape.begin(), value.shape.end(), 0) !=
         value.shape.end();
}

/// "" if the device can reach the address; else where it lies.
static std::string placeElsewhere(const Driver &driver, CUdevice device,
                                  uint64_t address) {
  uint64_t mapped = 0;
  if (driver.cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   address) != CUDA_SUCCESS)
    return "in memory that device " + std::to_string(device) +
           " cannot reach; move it there";
  int owner = device;
  unsigned isManaged = 0;
  if (driver.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   address) != CUDA_SUCCESS ||
      owner == device)
    return "";
  driver.cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                               address);
  return isManaged ? ""
                   : "on device " + std::to_string(owner) +
                         ", but the launch is on device " +
                         std::to_string(device) + "; make its device current";
}

heddle_status
heddle::runtime::checkReachable(const Driver &driver, CUdevice device,
                                const Manifest &manifest,
                                const std::vector<ArgumentValue> &values) {
  for (size_t i = 0; i < std::min(values.size(), manifest.arguments.size());
       ++i) {
    if (!values[i].address || isEmpty(values[i]))
      continue;
    std::string place = placeElsewhere(driver, device, values[i].address);
    if (!place.empty())
      return fail(HEDDLE_ERROR_ARGUMENTS, "argument '" +
                                              manifest.arguments[i].name +
                                              "' lies " + place);
  }
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
