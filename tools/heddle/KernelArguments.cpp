//===- KernelArguments.cpp - The arguments of a program not compiled ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "heddle/Conversion/KernelSignature.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

using namespace mlir;
using namespace heddle;
using manifest::Argument;

/// Views are only read or only written.
static bool isWritten(Value view) {
  return llvm::any_of(view.getUsers(), [](Operation *user) {
    return isa<tile::StoreOp, tile::ViewScatterOp>(user);
  });
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
      argument.written = isWritten(value);
      element = view.getElementType();
    } else if (auto pointer = dyn_cast<tile::PtrType>(element)) {
      argument.kind = Argument::Kind::Pointer;
      element = pointer.getElementType();
    }
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
