//===- ManifestFuzzTest.cpp - Good manifests with one thing changed -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels whose manifests are changed at random: a number, a name, a
// flag or an entry of a list. Each must be refused with a sentence, or run on
// the emulator without touching what is not its arguments' or its shared
// memory. That a changed manifest gives wrong numbers or a deadlock is no fault
// here: the manifest says what is computed.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "heddle/Manifest/LaunchPlan.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <fstream>
#include <iterator>
#include <random>

using namespace heddle::test;
namespace json = llvm::json;
using heddle::manifest::Manifest;

namespace {

/// A place in a manifest: keys and indices from its root.
struct Place {
  std::string path; ///< "variants[].params[].box[]", without numbers
  std::vector<std::pair<std::string, size_t>> steps; ///< key, or index
};

void listPlaces(const json::Value &value, Place place,
                std::vector<Place> &places) {
  places.push_back(place);
  if (const json::Object *object = value.getAsObject()) {
    std::vector<std::string> keys;
    for (const auto &field : *object)
      keys.push_back(field.first.str());
    std::sort(keys.begin(), keys.end());
    for (const std::string &key : keys) {
      Place next = place;
      next.path += "." + key;
      next.steps.emplace_back(key, 0);
      listPlaces(*object->get(key), next, places);
    }
  }
  if (const json::Array *array = value.getAsArray())
    for (size_t i = 0; i < array->size(); ++i) {
      Place next = place;
      next.path += "[]";
      next.steps.emplace_back("", i);
      listPlaces((*array)[i], next, places);
    }
}

json::Value &valueAt(json::Value &root, const Place &place) {
  json::Value *value = &root;
  for (const auto &[key, index] : place.steps)
    value = key.empty() ? &(*value->getAsArray())[index]
                        : value->getAsObject()->get(key);
  return *value;
}

class Mutator {
public:
  Mutator(const std::string &manifest, unsigned seed)
      : root(llvm::cantFail(json::parse(manifest))), random(seed) {
    listPlaces(root, {}, places);
  }

  /// A changed manifest, and where it was changed.
  std::string next(std::string &path) {
    for (;;) {
      json::Value changed = root;
      const Place &place = places[random() % places.size()];
      path = place.path;
      if (change(valueAt(changed, place)) && !(changed == root))
        return llvm::formatv("{0:2}", changed).str();
    }
  }

private:
  bool change(json::Value &value) {
    if (auto flag = value.getAsBoolean()) {
      value = !*flag;
    } else if (auto number = value.getAsInteger()) {
      const int64_t choices[] = {0,           1,           -1,
                                 *number + 1, *number - 1, 2 * *number,
                                 *number / 2, *number + 8, 64,
                                 256,         INT32_MAX,   int64_t(1) << 62};
      value = choices[random() % std::size(choices)];
    } else if (auto text = value.getAsString()) {
      const Place &other = places[random() % places.size()];
      json::Value &there = valueAt(root, other);
      if (!there.getAsString())
        return false;
      value = json::Value(there.getAsString()->str());
    } else if (json::Array *array = value.getAsArray()) {
      if (array->empty())
        return false;
      size_t one = random() % array->size(), two = random() % array->size();
      if (random() % 3 == 0)
        array->erase(array->begin() + one);
      else if (random() % 2)
        array->insert(array->begin() + one, json::Value((*array)[two]));
      else
        std::swap((*array)[one], (*array)[two]);
    } else if (json::Object *object = value.getAsObject()) {
      if (object->empty() || random() % 2)
        return false;
      std::vector<std::string> keys;
      for (const auto &field : *object)
        keys.push_back(field.first.str());
      std::sort(keys.begin(), keys.end());
      object->erase(keys[random() % keys.size()]);
    }
    return true;
  }

  json::Value root;
  std::mt19937 random;
  std::vector<Place> places;
};

struct Matrix {
  std::vector<char> bytes;
  heddle_arg arg = {};

  Matrix(int dtype, int size, std::vector<int64_t> shape,
         std::vector<int64_t> strides) {
    int64_t span = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      span += (shape[i] - 1) * strides[i];
      arg.shape[i] = shape[i];
      arg.strides[i] = strides[i];
    }
    bytes.resize(size_t(span * size) + 64);
    arg.kind = HEDDLE_VIEW;
    arg.dtype = dtype;
    arg.rank = int(shape.size());
    uint64_t base = reinterpret_cast<uint64_t>(bytes.data());
    arg.data = reinterpret_cast<void *>((base + 63) / 64 * 64);
  }
};

/// Whether the emulator speaks of memory that is not the launch's.
bool isOutside(const std::string &messages) {
  for (const char *words : {"outside", "the end of '", "the start of '",
                            "is read-only", "shared memory ends at", "stopped"})
    if (messages.find(words) != std::string::npos)
      return true;
  return false;
}

/// What nothing but the code itself could contradict, so that it is believed
/// (docs/reference/manifest.md): how much is behind a pointer, what a wide
/// access needs of each view, and the shared memory of code that names no place
/// in it.
bool isBelieved(const std::string &path, bool hasRings) {
  auto begins = [&](const char *prefix) { return path.rfind(prefix, 0) == 0; };
  return begins(".made_views") || begins(".variants[].requires") ||
         (!hasRings && begins(".variants[].shared_bytes"));
}

struct Outcomes {
  int refused = 0, ran = 0;
};

/// Grids that the emulator would not get through.
bool isTooLarge(const std::string &text,
                const std::vector<Matrix *> &matrices) {
  Manifest manifest;
  std::string error;
  heddle::manifest::LaunchPlan plan;
  if (!heddle::manifest::parse(text, manifest, error))
    return false;
  std::vector<heddle::manifest::ArgumentValue> values;
  for (Matrix *matrix : matrices) {
    const heddle_arg &arg = matrix->arg;
    auto &value = values.emplace_back();
    value.element = static_cast<heddle::manifest::ElementType>(arg.dtype);
    value.address = reinterpret_cast<uint64_t>(arg.data);
    value.shape.assign(arg.shape, arg.shape + arg.rank);
    value.strides.assign(arg.strides, arg.strides + arg.rank);
  }
  if (!heddle::manifest::planLaunch(manifest, values, 2, plan, error))
    return false;
  for (int64_t extent : plan.grid)
    if (extent > 64)
      return true;
  return plan.grid[0] * plan.grid[1] * plan.grid[2] > 64;
}

void fuzz(const Call &kernel, const std::vector<Matrix *> &matrices,
          unsigned seed, int count) {
  std::string ptx = kernel.text(HEDDLE_TEXT_PTX);
  Mutator mutator(kernel.text(HEDDLE_TEXT_MANIFEST), seed);
  std::vector<heddle_arg> args;
  for (Matrix *matrix : matrices)
    args.push_back(matrix->arg);
  bool hasRings = ptx.find("mbarrier.init") != std::string::npos;
  Outcomes outcomes;
  for (int i = 0; i < count; ++i) {
    std::string path, manifest = mutator.next(path);
    if (isTooLarge(manifest, matrices))
      continue;
    heddle_result *result = nullptr;
    heddle_outcome outcome = heddle_emulate(
        ptx.data(), ptx.size(), manifest.data(), manifest.size(), args.data(),
        nullptr, args.size(), R"({"sms": 2, "races": false})", &result);
    std::string messages =
        heddle_result_text(result, HEDDLE_TEXT_MESSAGES, 0, nullptr);
    heddle_result_destroy(result);
    EXPECT_NE(outcome, HEDDLE_INTERNAL) << path << messages;
    outcomes.refused += outcome == HEDDLE_BAD_INPUT;
    outcomes.ran += outcome == HEDDLE_FINE;
    if (outcome != HEDDLE_FINE) {
      EXPECT_NE(messages, "");
    }
    if (outcome == HEDDLE_OBJECTED && !isBelieved(path, hasRings))
      EXPECT_FALSE(isOutside(messages)) << path << ": " << messages;
  }
  // Both happen, or nothing was tried.
  EXPECT_GT(outcomes.refused, count / 2);
  EXPECT_GT(outcomes.ran, count / 20);
}

std::string example(const char *name) {
  std::ifstream file(std::string(HEDDLE_EXAMPLES "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST(ManifestFuzz, Product) {
  Call kernel(example("gemm.mlir"), R"({"settings": ["BM=64", "BN=64"]})");
  ASSERT_EQ(kernel.outcome, HEDDLE_FINE) << kernel.messages();
  Matrix a(HEDDLE_F16, 2, {70, 64}, {64, 1}),
      b(HEDDLE_F16, 2, {64, 80}, {1, 64}), c(HEDDLE_F16, 2, {70, 80}, {80, 1});
  fuzz(kernel, {&a, &b, &c}, 1, 120);
}

// Whose rows are not aligned: the last variant.
TEST(ManifestFuzz, ProductOfOddRows) {
  Call kernel(example("gemm.mlir"), R"({"settings": ["BM=64", "BN=64"]})");
  ASSERT_EQ(kernel.outcome, HEDDLE_FINE) << kernel.messages();
  Matrix a(HEDDLE_F16, 2, {66, 33}, {33, 1}),
      b(HEDDLE_F16, 2, {33, 65}, {1, 33}), c(HEDDLE_F16, 2, {66, 65}, {65, 1});
  fuzz(kernel, {&a, &b, &c}, 2, 100);
}

TEST(ManifestFuzz, Rows) {
  Call kernel(kTwice);
  Matrix x(HEDDLE_F32, 4, {300}, {1}), y(HEDDLE_F32, 4, {300}, {1});
  fuzz(kernel, {&x, &y}, 3, 200);
}

TEST(ManifestFuzz, RaggedRows) {
  Call kernel(kTwice);
  Matrix x(HEDDLE_F32, 4, {301}, {1}), y(HEDDLE_F32, 4, {299}, {1});
  fuzz(kernel, {&x, &y}, 4, 200);
}

TEST(ManifestFuzz, ColumnSum) {
  Call kernel(example("column_sum.mlir"));
  ASSERT_EQ(kernel.outcome, HEDDLE_FINE) << kernel.messages();
  Matrix x(HEDDLE_F16, 2, {37, 72}, {72, 1}), y(HEDDLE_F32, 4, {72}, {1});
  fuzz(kernel, {&x, &y}, 5, 150);
}
