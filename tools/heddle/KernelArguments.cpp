//===- KernelArguments.cpp - The arguments of a program not compiled ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "heddle/Run/Oracle.h"

#include "heddle/Conversion/KernelSignature.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Hopper.h"

using namespace mlir;
using namespace heddle;
using manifest::Argument;

/// Whether an op of the kernel may access memory of `argument` in a way that
/// `matches`.
template <typename Predicate>
static bool hasAccess(Value argument, Predicate matches) {
  return argument.getParentRegion()
      ->walk([&](Operation *op) {
        std::optional<tile::MemoryAccess> access = tile::memoryAccess(op);
        return access && access->origins.mayBe(argument) && matches(*access)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::StringSet<> heddle::tool::findArgumentsRead(ModuleOp module,
                                                  StringRef name) {
  llvm::StringSet<> names;
  auto kernel = module.lookupSymbol<tile::KernelOp>(name);
  if (!kernel)
    return names;
  for (BlockArgument argument : kernel.getEntry().getArguments())
    if (hasAccess(argument, [](auto &access) { return access.reads; }))
      names.insert(kernel.getArgName(argument.getArgNumber()));
  return names;
}

FailureOr<manifest::Manifest>
heddle::tool::describeArguments(tile::KernelOp kernel) {
  manifest::Manifest manifest;
  manifest.kernel = kernel.getSymName().str();
  for (BlockArgument value : kernel.getEntry().getArguments()) {
    Argument argument;
    argument.name = kernel.getArgName(value.getArgNumber());
    argument.kind = Argument::Kind::Scalar;
    Type element = value.getType();
    if (auto view = dyn_cast<tile::ViewType>(element)) {
      argument.kind = Argument::Kind::View;
      argument.rank = int(view.getRank());
      argument.order.assign(view.getOrder().begin(), view.getOrder().end());
      element = view.getElementType();
    } else if (auto pointer = dyn_cast<tile::PtrType>(element)) {
      argument.kind = Argument::Kind::Pointer;
      element = pointer.getElementType();
    }
    argument.written =
        argument.kind != Argument::Kind::Scalar &&
        hasAccess(value, [](auto &access) { return access.writes; });
    auto type = getElementType(element);
    if (!type)
      return report(kernel, diag::argument_type)
             << "argument '" << argument.name << "' has elements of type "
             << element << ", which no caller can pass";
    argument.element = *type;
    manifest.arguments.push_back(std::move(argument));
  }
  return manifest;
}

SmallVector<interp::Argument>
heddle::tool::toSizes(tile::KernelOp kernel,
                      MutableArrayRef<ArgumentData> data) {
  constexpr int64_t kBetweenViews = int64_t(1) << 44;
  SmallVector<interp::Argument> arguments = toInterpreter(kernel, data);
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (auto *buffer = std::get_if<interp::Buffer>(&argument))
      buffer->data =
          reinterpret_cast<void *>(int64_t(index + 1) * kBetweenViews);
  return arguments;
}

llvm::Expected<SmallVector<interp::Argument>>
heddle::tool::makeSizes(const ArgumentOptions &options,
                        const manifest::Manifest &manifest,
                        tile::KernelOp kernel) {
  auto data = options.make(manifest, Backing::None);
  if (!data)
    return data.takeError();
  return toSizes(kernel, *data);
}
