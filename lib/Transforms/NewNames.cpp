//===- NewNames.cpp - Names for operations that a pass adds ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewNames.h"

#include "heddle/Dialect/Sched/Sched.h"

using namespace mlir;
using namespace heddle;

NewNames::NewNames(tile::KernelOp kernel) {
  kernel.walk([&](Operation *op) {
    if (StringRef name = sched::opName(op); !name.empty())
      names.insert(name);
  });
}

std::string NewNames::unused(const Twine &base) {
  std::string name = base.str();
  for (int count = 2; !names.insert(name).second; ++count)
    name = (base + "_" + Twine(count)).str();
  return name;
}

void NewNames::name(Operation *op, Operation *like, StringRef suffix) {
  StringRef original = sched::originalName(like);
  auto sub = like->getAttrOfType<IntegerAttr>(sched::kSubIndex);
  std::string number;
  if (sub && !original.empty())
    number = "." + std::to_string(sub.getInt());
  std::string base =
      ((number.empty() ? sched::opName(like) : original) + suffix).str();
  std::string name = unused(base + number);
  if (!number.empty() && name == base + number)
    return sched::nameSubTile(op, base, sub.getInt());
  if (sub)
    op->setAttr(sched::kSubIndex, sub);
  op->setAttr(sched::kOpName, StringAttr::get(op->getContext(), name));
}
