//===- Instantiate.cpp - Fixes the named shape parameters
//------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile program whose extents may be named by tile.param. Out: the same
// program with static tile types and no tile.param. First of all passes, so
// that every other one sees numbers.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace heddle {
#define GEN_PASS_DEF_INSTANTIATE
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Parameter name -> the value it is fixed to, in order of declaration.
using Bindings = llvm::MapVector<StringAttr, int64_t>;

std::string listNames(const Bindings &bindings) {
  if (bindings.empty())
    return "the program declares none";
  std::string text = "the program declares ";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(llvm::make_first_range(bindings), stream,
                        [&](StringAttr name) { stream << name.getValue(); });
  return text;
}

Bindings collectDefaults(ModuleOp module) {
  Bindings bindings;
  module.walk([&](tile::ParamOp param) {
    bindings[param.getSymNameAttr()] = param.getInit();
  });
  return bindings;
}

LogicalResult checkLegal(tile::ParamOp param, int64_t value) {
  if (llvm::is_contained(param.getValues(), value))
    return success();
  Report error = report(param.getLoc(), diag::param_value)
                 << "parameter " << param.getSymName() << " cannot be " << value
                 << "; its legal values are ";
  llvm::interleaveComma(param.getValues(), error);
  return error;
}

LogicalResult applySetting(ModuleOp module, StringRef setting,
                           Bindings &bindings, llvm::StringSet<> &seen) {
  auto [name, text] = setting.split('=');
  int64_t value = 0;
  if (name.empty() || text.trim().getAsInteger(10, value))
    return report(module.getLoc(), diag::setting)
           << "expected NAME=NUMBER for a shape parameter but got '" << setting
           << "'";
  auto *found =
      bindings.find(StringAttr::get(module.getContext(), name.trim()));
  if (found == bindings.end())
    return report(module.getLoc(), diag::setting)
           << "no parameter is called " << name << "; " << listNames(bindings);
  if (!seen.insert(name.trim()).second)
    return report(module.getLoc(), diag::setting)
           << "parameter " << name << " is set twice";
  found->second = value;
  return success();
}

FailureOr<Bindings> bindParameters(ModuleOp module,
                                   ArrayRef<std::string> settings) {
  Bindings bindings = collectDefaults(module);
  llvm::StringSet<> seen;
  for (const std::string &setting : settings)
    if (failed(applySetting(module, setting, bindings, seen)))
      return failure();
  auto result = module.walk([&](tile::ParamOp param) {
    if (failed(checkLegal(param, bindings[param.getSymNameAttr()])))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return bindings;
}

/// Replaces named extents in types; remembers the first name that is unknown.
class TypeFixer {
public:
  explicit TypeFixer(const Bindings &bindings) : bindings(bindings) {
    replacer.addReplacement(
        [this](RankedTensorType type) { return fix(type); });
  }

  LogicalResult run(Operation *op) {
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
    if (!unknown)
      return success();
    return report(op->getLoc(), diag::unknown_param)
           << "a tile type names the parameter " << unknown.getValue() << "; "
           << listNames(bindings);
  }

private:
  std::optional<std::pair<Type, WalkResult>> fix(RankedTensorType type) {
    if (!isa_and_present<tile::ShapeAttr>(type.getEncoding()))
      return std::nullopt;
    SmallVector<tile::Extent> extents = tile::getExtents(type);
    for (tile::Extent &extent : extents) {
      if (!extent.name)
        continue;
      const auto *found = bindings.find(extent.name);
      if (found == bindings.end())
        unknown = unknown ? unknown : extent.name;
      else
        extent = {found->second, {}};
    }
    return std::pair(Type(tile::getTileType(extents, type.getElementType())),
                     WalkResult::skip());
  }

  const Bindings &bindings;
  StringAttr unknown;
  AttrTypeReplacer replacer;
};

void replaceParamValues(ModuleOp module, const Bindings &bindings) {
  module.walk([&](tile::ParamValueOp op) {
    OpBuilder builder(op);
    StringAttr name = op.getParamAttr().getAttr();
    op.replaceAllUsesWith(arith::ConstantIndexOp::create(
                              builder, op.getLoc(), bindings.find(name)->second)
                              .getResult());
    op.erase();
  });
}

struct InstantiatePass : heddle::impl::InstantiateBase<InstantiatePass> {
  using InstantiateBase::InstantiateBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<std::string> settings(values.begin(), values.end());
    FailureOr<Bindings> bindings = bindParameters(module, settings);
    if (failed(bindings))
      return signalPassFailure();
    TypeFixer fixer(*bindings);
    auto fixed = module.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { return WalkResult(fixer.run(op)); });
    if (fixed.wasInterrupted())
      return signalPassFailure();
    replaceParamValues(module, *bindings);
    module.walk([](tile::ParamOp param) { param.erase(); });
  }
};

} // namespace
