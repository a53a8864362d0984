//===- ManifestTarget.cpp - The reader of KERNEL.json ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read is planned too: a manifest comes from a file, and its
// expressions and sizes are as little to be trusted as its syntax. What is not
// read is taken for PTX that a manifest is compared with.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Manifest/Manifest.h"
#include "heddle/Manifest/PtxCheck.h"
#include "heddle/Support/CheckedMath.h"

using namespace heddle;

static std::vector<manifest::ArgumentValue>
valuesFor(const manifest::Manifest &manifest, int64_t extent) {
  std::vector<manifest::ArgumentValue> values;
  for (const manifest::Argument &argument : manifest.arguments) {
    manifest::ArgumentValue value;
    value.element = argument.element;
    value.address = 1 << 20;
    value.scalarBits = uint64_t(extent);
    value.shape.assign(size_t(argument.rank), extent);
    value.strides.assign(size_t(argument.rank), 1);
    int64_t step = 1;
    for (int axis : argument.order) {
      value.strides[size_t(axis)] = step;
      step = satMul(step, extent);
    }
    values.push_back(value);
  }
  return values;
}

/// Of one entry `k` without parameters.
static const manifest::Manifest &smallManifest() {
  static const manifest::Manifest instance = [] {
    manifest::Manifest manifest;
    manifest.kernel = manifest.source = "k";
    manifest.target = "sm_90a";
    manifest.variants.resize(1);
    manifest.variants[0].entry = "k";
    return manifest;
  }();
  return instance;
}

int heddle::fuzz::runManifest(const std::string &text) {
  std::string error;
  manifest::Manifest manifest;
  if (!manifest::parse(text, manifest, error)) {
    if (error.empty())
      __builtin_trap(); // a refusal says why
    if (!manifest::checkPtx(smallManifest(), text, error = "") && error.empty())
      __builtin_trap();
    return 0;
  }
  // What is printed must be read as the same.
  manifest::Manifest again;
  if (!manifest::parse(manifest::print(manifest), again, error))
    __builtin_trap();
  for (int64_t extent :
       {int64_t(0), int64_t(1), int64_t(64), int64_t(1000), int64_t(1) << 31}) {
    manifest::LaunchPlan plan;
    (void)manifest::planLaunch(manifest, valuesFor(manifest, extent), 132, plan,
                               error);
  }
  return 0;
}
