//===- LaunchPlan.cpp - From arguments to one concrete launch -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// check the arguments -> choose the variant, and that of the step behind it ->
// lay out the workspace -> evaluate the grids -> pack.
//
//===----------------------------------------------------------------------===//

#include "heddle/Manifest/LaunchPlan.h"

#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/LaunchBounds.h"

#include "Lookup.h"
#include "Overlap.h"
#include "Preconditions.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::manifest;

namespace {
constexpr int64_t kGridLimits[3] = {kMostBlocks, 65535, 65535};
constexpr int64_t kMostWorkspace = int64_t(1) << 40;
} // namespace

static std::string quoted(const std::string &name) { return "'" + name + "'"; }

static bool isEmpty(const ArgumentValue &value) {
  return std::find(value.shape.begin(), value.shape.end(), 0) !=
         value.shape.end();
}

static bool checkAddress(const Argument &argument, const ArgumentValue &value,
                         std::string &error) {
  uint64_t size = elementBytes(argument.element);
  if (value.address == 0) {
    error = "argument " + quoted(argument.name) +
            " is a null pointer; pass memory of the device";
    return false;
  }
  if (value.address % size == 0)
    return true;
  error = "argument " + quoted(argument.name) + " starts " +
          std::to_string(value.address % size) +
          " bytes past a multiple of its element size, " +
          std::to_string(size) + "; pass memory aligned to its element";
  return false;
}

static bool checkShape(const Argument &argument, const ArgumentValue &value,
                       std::string &error) {
  size_t rank = argument.rank;
  if (value.shape.size() != rank || value.strides.size() != rank) {
    error = "argument " + quoted(argument.name) + " has rank " +
            std::to_string(value.shape.size()) +
            (value.strides.size() != value.shape.size()
                 ? " and " + std::to_string(value.strides.size()) + " strides"
                 : "") +
            ", but the kernel takes a view of rank " + std::to_string(rank);
    return false;
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t extent = value.shape[axis], stride = value.strides[axis];
    std::string where = "axis " + std::to_string(axis) + " of argument " +
                        quoted(argument.name);
    if (extent < 0 || extent > kMaxExtent) {
      error = where + " has extent " + std::to_string(extent) +
              ", but an extent is from 0 to 2147483647";
      return false;
    }
    if (extent > 1 && stride < 0) {
      error =
          where + " has stride " + std::to_string(stride) +
          ", but strides may not be negative; pass a copy in the usual order";
      return false;
    }
    bool isFastest = static_cast<int>(axis) == argument.order[0];
    if (isFastest && extent > 1 && stride != 1) {
      error = where + " has stride " + std::to_string(stride) +
              ", but it is the fastest axis and must have stride 1; pass a "
              "contiguous copy, or compile the kernel for the other order";
      return false;
    }
  }
  return true;
}

static std::string listText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

/// The last element has an address.
static bool checkReach(const Argument &argument, const ArgumentValue &value,
                       std::string &error) {
  if (isEmpty(value))
    return true;
  __int128 end = 1;
  for (size_t axis = 0; axis < value.shape.size(); ++axis)
    if (value.shape[axis] > 1)
      end += __int128(value.shape[axis] - 1) * value.strides[axis];
  if (value.address + end * elementBytes(argument.element) <= UINT64_MAX)
    return true;
  error = "argument " + quoted(argument.name) + " with extents " +
          listText(value.shape) + " and strides " + listText(value.strides) +
          " would reach outside of all memory";
  return false;
}

/// Instances write in any order, so that an element has a place of its own.
static bool checkPlaces(const Argument &argument, const ArgumentValue &value,
                        std::string &error) {
  if (!argument.written || isEmpty(value) ||
      !overlapsItself(value.shape, value.strides))
    return true;
  error = "argument " + quoted(argument.name) +
          " is written, but elements of it share memory: its extents are " +
          listText(value.shape) + " and its strides " +
          listText(value.strides) +
          "; pass memory in which each element has its own place";
  return false;
}

static bool checkArgument(const Argument &argument, const ArgumentValue &value,
                          std::string &error) {
  if (value.element != argument.element) {
    error =
        "argument " + quoted(argument.name) + " is " + spelling(value.element) +
        ", but the kernel was compiled for " + spelling(argument.element) +
        "; convert it, or compile the kernel for " + spelling(value.element);
    return false;
  }
  if (argument.kind == Argument::Kind::Scalar)
    return true;
  if (argument.kind == Argument::Kind::Pointer)
    return checkAddress(argument, value, error);
  // A view without elements has no memory to point to.
  return checkShape(argument, value, error) &&
         checkReach(argument, value, error) &&
         checkPlaces(argument, value, error) &&
         (isEmpty(value) || checkAddress(argument, value, error));
}

static bool checkArguments(const Manifest &manifest,
                           const std::vector<ArgumentValue> &arguments,
                           std::string &error) {
  if (arguments.size() != manifest.arguments.size()) {
    std::string names;
    for (const Argument &argument : manifest.arguments)
      names += (names.empty() ? "" : ", ") + argument.name;
    error = "kernel " + quoted(manifest.kernel) + " takes " +
            std::to_string(manifest.arguments.size()) + " arguments (" + names +
            "), but " + std::to_string(arguments.size()) + " were passed";
    return false;
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!checkArgument(manifest.arguments[i], arguments[i], error))
      return false;
  return true;
}

/// A view in the workspace, whose place is not known yet. Where an extent has
/// no value it is empty, and whoever needs it is not launched.
static ArgumentValue makeWorkspace(const Manifest &manifest,
                                   const MadeView &made,
                                   const std::vector<ArgumentValue> &arguments,
                                   int smCount) {
  ArgumentValue value;
  value.element = made.view.element;
  for (const Expr &expr : made.extents) {
    int64_t extent = 0;
    std::string why;
    if (!evaluate(expr, manifest, arguments, smCount, extent, why))
      extent = 0;
    value.shape.push_back(std::clamp<int64_t>(extent, 0, kMaxExtent));
  }
  value.strides.resize(value.shape.size());
  int64_t stride = 1;
  for (int axis : made.view.order) {
    value.strides[axis] = stride;
    stride = satMul(stride, std::max<int64_t>(value.shape[axis], 1));
  }
  return value;
}

/// The views that the kernel makes itself, behind what the caller passed. An
/// extent below 0 is an empty axis, one that no index reaches the last one.
static bool makeViews(const Manifest &manifest,
                      std::vector<ArgumentValue> &arguments, int smCount,
                      std::string &error) {
  for (const MadeView &made : manifest.madeViews) {
    if (made.isWorkspace()) {
      arguments.push_back(makeWorkspace(manifest, made, arguments, smCount));
      continue;
    }
    const ArgumentValue &pointer =
        arguments[argumentIndex(manifest, made.pointer)];
    std::string why;
    auto number = [&](const Expr &expr, int64_t &value) {
      if (evaluate(expr, manifest, arguments, smCount, value, why))
        return true;
      error = "view " + quoted(made.view.name) + ": " + why;
      return false;
    };
    ArgumentValue value;
    value.element = made.view.element;
    int64_t offset = 0;
    if (!number(made.offset, offset))
      return false;
    __int128 address =
        __int128(offset) * elementBytes(made.view.element) + pointer.address;
    value.address = static_cast<uint64_t>(address);
    for (const Expr &expr : made.extents) {
      int64_t extent = 0;
      if (!number(expr, extent))
        return false;
      value.shape.push_back(std::clamp<int64_t>(extent, 0, kMaxExtent));
    }
    for (const Expr &expr : made.strides)
      if (!number(expr, value.strides.emplace_back()))
        return false;
    if (!isEmpty(value) && (address < 0 || address > UINT64_MAX)) {
      error = "view " + quoted(made.view.name) + " would begin " +
              std::to_string(offset) + " elements behind " +
              quoted(made.pointer) + ", which is outside of all memory";
      return false;
    }
    arguments.push_back(std::move(value));
  }
  return true;
}

/// Every precondition the variant states, and those its parameters imply.
static bool fits(const Variant &variant, const Manifest &manifest,
                 const std::vector<ArgumentValue> &arguments, int smCount,
                 std::string &why) {
  for (const Precondition &condition : variant.requires_)
    if (!holds(condition, manifest, arguments, smCount, why))
      return false;
  for (const Param &param : variant.params) {
    if (param.kind != Param::Kind::TensorMap)
      continue;
    TensorMap map;
    if (!makeTensorMap(param.tensorMap, manifest, arguments, smCount, map, why))
      return false;
  }
  return true;
}

/// The variants of `step`, with their cycles, by these; those without behind
/// the others.
static std::vector<std::pair<int64_t, int>>
fastestFirst(const Manifest &manifest, const std::string &step,
             const std::vector<ArgumentValue> &arguments, int smCount) {
  std::vector<std::pair<int64_t, int>> order;
  for (size_t i = 0; i < manifest.variants.size(); ++i) {
    const Variant &variant = manifest.variants[i];
    if (variant.step != step)
      continue;
    int64_t cycles = 0;
    std::string why;
    bool isKnown = variant.cycles && evaluate(*variant.cycles, manifest,
                                              arguments, smCount, cycles, why);
    order.emplace_back(isKnown ? cycles : INT64_MAX, static_cast<int>(i));
  }
  std::sort(order.begin(), order.end());
  return order;
}

static bool chooseVariant(const Manifest &manifest, const std::string &step,
                          const std::vector<ArgumentValue> &arguments,
                          int smCount, int &chosen, std::string &error) {
  std::string reasons;
  for (auto [cycles, index] :
       fastestFirst(manifest, step, arguments, smCount)) {
    const Variant &variant = manifest.variants[index];
    std::string why;
    if (fits(variant, manifest, arguments, smCount, why)) {
      chosen = index;
      return true;
    }
    reasons +=
        (reasons.empty() ? "" : "; ") + quoted(variant.entry) + ": " + why;
  }
  error =
      "no variant of kernel " + quoted(manifest.kernel) +
      " fits these arguments (" + reasons +
      "); change the arguments, or compile a variant with fewer preconditions";
  return false;
}

/// What the program asserts, for all variants.
static bool checkAssertions(const Manifest &manifest,
                            const std::vector<ArgumentValue> &arguments,
                            int smCount, std::string &error) {
  for (const Assertion &assertion : manifest.assertions) {
    int64_t value = 0, bound = 0;
    std::string why;
    bool isKnown =
        evaluate(assertion.value, manifest, arguments, smCount, value, why) &&
        evaluate(assertion.bound, manifest, arguments, smCount, bound, why);
    if (isKnown && value >= bound)
      continue;
    if (isKnown)
      why =
          std::to_string(value) + " must be at least " + std::to_string(bound);
    error = "kernel " + quoted(manifest.kernel) +
            " asserts: " + assertion.message + " (" + why + ")";
    return false;
  }
  return true;
}

static bool evaluateGrid(const Variant &variant, const Manifest &manifest,
                         const std::vector<ArgumentValue> &arguments,
                         int smCount, std::array<int64_t, 3> &grid,
                         std::string &error) {
  bool isNothing = false;
  for (int i = 0; i < 3; ++i) {
    std::string where = std::string("grid ") + "xyz"[i] + " of variant " +
                        quoted(variant.entry);
    std::string why;
    if (!evaluate(variant.grid[i], manifest, arguments, smCount, grid[i],
                  why)) {
      error = where + ": " + why;
      return false;
    }
    if (grid[i] < 0 || grid[i] > kGridLimits[i]) {
      error = where + " would be " + std::to_string(grid[i]) +
              " CTAs, but the device takes 0 to " +
              std::to_string(kGridLimits[i]) + "; split the problem";
      return false;
    }
    isNothing |= grid[i] == 0;
  }
  for (int i = 0; i < 3 && !isNothing; ++i) {
    if (grid[i] % variant.cluster[i] == 0)
      continue;
    error = std::string("grid ") + "xyz"[i] + " of variant " +
            quoted(variant.entry) + " is " + std::to_string(grid[i]) +
            " CTAs, not a multiple of its cluster's " +
            std::to_string(variant.cluster[i]) +
            "; the manifest's grid rule is wrong";
    return false;
  }
  return true;
}

static int indexOf(const Param &param, const Manifest &manifest) {
  return argumentIndex(manifest, param.kind == Param::Kind::TensorMap
                                     ? param.tensorMap.view
                                     : param.argument);
}

static bool isInWorkspace(const Manifest &manifest, int index) {
  int passed = static_cast<int>(manifest.arguments.size());
  return index >= passed && manifest.madeViews[index - passed].isWorkspace();
}

/// Gives the views in the workspace of `whole` that the step `plan` accesses
/// their places, behind those that have theirs.
static bool placeWorkspace(const Manifest &manifest, const LaunchPlan &plan,
                           std::vector<ArgumentValue> &arguments,
                           std::vector<bool> &hasPlace, LaunchPlan &whole,
                           std::string &error) {
  int64_t &bytes = whole.workspaceBytes;
  for (const Param &param : manifest.variants[plan.variantIndex].params) {
    int index = indexOf(param, manifest);
    if (index < 0 || !isInWorkspace(manifest, index) || hasPlace[index])
      continue;
    hasPlace[index] = true;
    ArgumentValue &value = arguments[index];
    int64_t size = elementBytes(value.element);
    for (int64_t extent : value.shape)
      size = satMul(size, extent);
    value.address = static_cast<uint64_t>(bytes);
    if (size && manifest.madeViews[index - manifest.arguments.size()].cleared)
      whole.cleared.push_back({bytes, size});
    bytes = satAlign(satAdd(bytes, size), kWorkspaceAlignment);
    if (bytes <= kMostWorkspace)
      continue;
    error = "the launch needs a workspace of more than 2^40 bytes for view '" +
            argumentAt(manifest, index).name + "'";
    return false;
  }
  return true;
}

static ParamValue packParam(const Param &param, const Manifest &manifest,
                            const std::vector<ArgumentValue> &arguments,
                            int smCount) {
  if (param.kind == Param::Kind::TrapRecord) {
    ParamValue record;
    record.isTrapRecord = true;
    return record;
  }
  int index = indexOf(param, manifest);
  const Argument &argument = argumentAt(manifest, index);
  const ArgumentValue &value = arguments[index];
  ParamValue packed;
  packed.isInWorkspace = (param.kind == Param::Kind::TensorMap ||
                          param.kind == Param::Kind::Pointer) &&
                         isInWorkspace(manifest, index);
  switch (param.kind) {
  case Param::Kind::TensorMap:
    packed.isTensorMap = true;
    packed.sizeBytes = 128;
    // The variant fits, so the map can be made.
    if (std::string why; !makeTensorMap(param.tensorMap, manifest, arguments,
                                        smCount, packed.tensorMap, why))
      packed.tensorMap = {};
    break;
  case Param::Kind::Pointer:
    packed.bits = value.address;
    break;
  case Param::Kind::Dim:
    packed.sizeBytes = 4;
    packed.bits = value.shape[param.axis];
    break;
  case Param::Kind::Stride:
    // The compiler may count on 1 for the fastest axis, whatever its extent.
    packed.bits =
        param.axis == argument.order[0] ? 1 : value.strides[param.axis];
    break;
  case Param::Kind::Scalar:
    packed.sizeBytes = static_cast<int>(elementBytes(argument.element));
    packed.bits = value.scalarBits;
    if (packed.sizeBytes < 8)
      packed.bits &= (uint64_t(1) << (8 * packed.sizeBytes)) - 1;
    break;
  case Param::Kind::TrapRecord:
    break;
  }
  return packed;
}

/// Grid and parameters of a plan whose variant is chosen.
static bool finish(const Manifest &manifest,
                   const std::vector<ArgumentValue> &arguments, int smCount,
                   LaunchPlan &plan, std::string &error) {
  const Variant &variant = manifest.variants[plan.variantIndex];
  if (!evaluateGrid(variant, manifest, arguments, smCount, plan.grid, error))
    return false;
  for (const Param &param : variant.params)
    plan.params.push_back(packParam(param, manifest, arguments, smCount));
  return true;
}

bool heddle::manifest::planLaunch(const Manifest &manifest,
                                  const std::vector<ArgumentValue> &passed,
                                  int smCount, LaunchPlan &plan,
                                  std::string &error) {
  LaunchPlan result;
  std::vector<ArgumentValue> arguments = passed;
  if (smCount < 1 || smCount > kMostMultiprocessors) {
    error = "a device of " + std::to_string(smCount) +
            " multiprocessors is asked for; kernels are made for 1 to " +
            std::to_string(kMostMultiprocessors);
    return false;
  }
  if (!checkArguments(manifest, passed, error) ||
      !makeViews(manifest, arguments, smCount, error) ||
      !checkAssertions(manifest, arguments, smCount, error) ||
      !chooseVariant(manifest, "", arguments, smCount, result.variantIndex,
                     error))
    return false;
  const std::string &then = manifest.variants[result.variantIndex].then;
  if (!then.empty() &&
      !chooseVariant(manifest, then, arguments, smCount,
                     result.then.emplace_back().variantIndex, error))
    return false;
  std::vector<bool> hasPlace(arguments.size(), false);
  if (!placeWorkspace(manifest, result, arguments, hasPlace, result, error))
    return false;
  for (LaunchPlan &step : result.then)
    if (!placeWorkspace(manifest, step, arguments, hasPlace, result, error) ||
        !finish(manifest, arguments, smCount, step, error))
      return false;
  if (!finish(manifest, arguments, smCount, result, error))
    return false;
  plan = std::move(result);
  return true;
}
