//===- Manifests.cpp - Manifests carried by the nvvm rung -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifests.h"

#include "heddle/Conversion/BuildManifest.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Pipeline/Rung.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace heddle;

static constexpr llvm::StringLiteral kAttribute = "heddle.manifests";

/// The file a location leads to; "" if it leads to none. A path may have any
/// bytes; those that are no text are marked.
static std::string fileOf(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return llvm::json::fixUTF8(place.getFilename().getValue());
  return "";
}

namespace {

/// Variants of one source kernel stand in order of preference.
using Variants = llvm::MapVector<StringRef, SmallVector<hopper::KernelOp>>;

struct AttachManifests : PassWrapper<AttachManifests, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AttachManifests)

  StringRef getArgument() const override { return "attach-manifests"; }

  void runOnOperation() override {
    Variants variants;
    for (auto kernel : getOperation().getOps<hopper::KernelOp>())
      variants[kernel.getSourceName()].push_back(kernel);
    std::vector<manifest::Manifest> manifests;
    for (auto &[name, kernels] : variants) {
      auto manifest = buildManifest(kernels, fileOf(kernels.front().getLoc()));
      if (failed(manifest))
        return signalPassFailure();
      manifests.push_back(std::move(*manifest));
    }
    pipeline::writeManifests(getOperation(), manifests);
    markAllAnalysesPreserved(); // no operation is another
  }
};

} // namespace

std::unique_ptr<Pass> heddle::pipeline::createAttachManifests() {
  return std::make_unique<AttachManifests>();
}

FailureOr<std::vector<manifest::Manifest>>
heddle::pipeline::readManifests(ModuleOp module) {
  auto texts = module->getAttrOfType<ArrayAttr>(kAttribute);
  if (!texts)
    return report(startOf(module), diag::manifests_missing)
           << "a program on the nvvm rung carries its manifests in "
              "the attribute "
           << kAttribute << ", which is missing";
  std::vector<manifest::Manifest> manifests;
  for (Attribute attribute : texts) {
    auto text = dyn_cast<StringAttr>(attribute);
    manifest::Manifest manifest;
    std::string error = "expected a string";
    if (!text || !manifest::parse(text.str(), manifest, error))
      return report(startOf(module), diag::manifests_missing)
             << "attribute " << kAttribute << ": " << error;
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

void heddle::pipeline::writeManifests(
    ModuleOp module, const std::vector<manifest::Manifest> &manifests) {
  SmallVector<Attribute> texts;
  for (const manifest::Manifest &manifest : manifests)
    texts.push_back(
        StringAttr::get(module.getContext(), manifest::print(manifest)));
  module->setAttr(kAttribute, ArrayAttr::get(module.getContext(), texts));
}
