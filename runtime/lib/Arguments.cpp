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

size_t heddle::runtime::countWords(const Manifest &manifest) {
  size_t count = 0;
  for (const Argument &argument : manifest.arguments)
    count += argument.kind == Argument::Kind::View ? 1 + 2 * argument.rank : 1;
  return count;
}

std::vector<heddle_arg> heddle::runtime::unpackWords(const Manifest &manifest,
                                                     const uint64_t *words) {
  std::vector<heddle_arg> args;
  args.reserve(manifest.arguments.size());
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
    arg.rank = argument.rank;
    for (int axis = 0; axis < arg.rank; ++axis)
      arg.shape[axis] = static_cast<int64_t>(*words++);
    for (int axis = 0; axis < arg.rank; ++axis)
      arg.strides[axis] = static_cast<int64_t>(*words++);
  }
  return args;
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

bool heddle::runtime::makeKey(const Manifest &manifest, const heddle_arg *args,
                              size_t count, std::vector<uint64_t> &key) {
  if (count != manifest.arguments.size() || (!args && count > 0))
    return false;
  key.clear();
  for (size_t i = 0; i < count; ++i) {
    const Argument &expected = manifest.arguments[i];
    const heddle_arg &arg = args[i];
    if (arg.kind != static_cast<int>(expected.kind) ||
        arg.dtype != static_cast<int>(expected.element))
      return false;
    if (arg.kind == HEDDLE_SCALAR) {
      key.push_back(arg.scalar_bits);
      continue;
    }
    key.push_back(reinterpret_cast<uint64_t>(arg.data));
    if (arg.kind == HEDDLE_POINTER)
      continue;
    if (arg.rank != expected.rank)
      return false;
    key.insert(key.end(), arg.shape, arg.shape + arg.rank);
    key.insert(key.end(), arg.strides, arg.strides + arg.rank);
  }
  return true;
}
