//===- Pins.cpp - Lines of a mapping that a plan keeps --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of lines, with their places: some stand in the mapping and speak of
// the kernel, some in an instance and speak of its body.
//
//===----------------------------------------------------------------------===//

#include "Pins.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

/// Lines with a meaning that no pass below keeps yet.
static constexpr StringLiteral kNotYet[] = {
    "apart",   "block_order", "cluster",    "deterministic",
    "machine", "order_of",    "persistent", "registers",
    "split_k", "swizzle",     "together"};

/// Lines of the mapping, and of an instance.
static constexpr StringLiteral kOfMapping[] = {"schedule", "shared_bytes"};
static constexpr StringLiteral kOfInstance[] = {"order", "pipeline",
                                                "specialised"};

static bool launchesInLoop(VariantOp variant) {
  bool found = false;
  variant.walk([&](SrangeOp) { found = true; });
  return found;
}

static LogicalResult wantNumber(PinOp line) {
  auto number = dyn_cast<IntegerAttr>(line.getValue());
  if (number && number.getType().isInteger(64) && number.getInt() >= 1)
    return success();
  return report(line, diag::task_mapping)
         << "\"" << line.getPin() << "\" is a number of at least 1, not "
         << line.getValue();
}

LogicalResult PinList::read(Mapping &mapping) {
  for (auto line : mapping.getOp().getOps<PinOp>())
    if (failed(readLine(line, nullptr)))
      return failure();
  for (auto &instance : mapping.all())
    for (PinOp line : instance->pins) {
      bool isOrder = line.getPin() == "order" && line.getArgument();
      if (isOrder && instance.get() != &mapping.entry())
        return report(line, diag::task_mapping)
               << "the order of a tensor in memory is that of an argument of "
                  "the entry, @"
               << mapping.entry().op.getSym();
      if (failed(isOrder ? readOrder(line, *instance)
                         : readLine(line, instance.get())))
        return failure();
    }
  return success();
}

LogicalResult PinList::readLine(PinOp line, Instance *instance) {
  StringRef name = line.getPin();
  if (llvm::is_contained(kNotYet, name))
    return report(line, diag::task_pin)
           << "\"" << name << "\" cannot be pinned yet; without the line the "
           << "compiler decides";
  bool isOfMapping = llvm::is_contained(kOfMapping, name),
       isOfInstance = llvm::is_contained(kOfInstance, name);
  if (!isOfMapping && !isOfInstance) {
    Report error = report(line, diag::task_mapping)
                   << "there is no line \"" << name << "\"; there are ";
    llvm::interleaveComma(
        llvm::concat<const StringLiteral>(llvm::ArrayRef(kOfMapping),
                                          llvm::ArrayRef(kOfInstance)),
        error);
    return error;
  }
  if (isOfMapping != !instance)
    return report(line, diag::task_mapping)
           << "\"" << name << "\" stands in "
           << (isOfMapping ? "the mapping, beside its instances"
                           : "an instance");
  if (line.getArgument().has_value() || name == "order")
    return report(line, diag::task_mapping)
           << "\"" << name << "\" is "
           << (name == "order" ? "of an argument: order of \"a\" = ..."
                               : "of no argument");
  sched::Pin pin{name, line.getValue(), line.getLoc(), -1};
  if (name == "schedule") {
    auto method = dyn_cast<StringAttr>(line.getValue());
    if (!method ||
        !llvm::is_contained({"auto", "heuristic", "exact", "in-step"},
                            method.getValue()))
      return report(line, diag::task_mapping)
             << "\"schedule\" is \"auto\", \"heuristic\", \"exact\" or "
                "\"in-step\", not "
             << line.getValue();
    return add(pin);
  }
  if (name == "specialised") {
    auto flag = dyn_cast<BoolAttr>(line.getValue());
    if (!flag)
      return report(line, diag::task_mapping)
             << "\"specialised\" is true or false, not " << line.getValue();
    if (!flag.getValue())
      return report(line, diag::task_pin)
             << "\"specialised\" = false cannot be pinned yet: what loads for "
                "a pipelined loop is a process of its own";
    return add(pin);
  }
  if (failed(wantNumber(line)))
    return failure();
  if (name == "pipeline" && !launchesInLoop(instance->variant))
    return report(line, diag::task_mapping)
           << "\"pipeline\" is the depth of a loop, and variant @"
           << instance->variant.getSymName() << " has no srange";
  return add(pin);
}

LogicalResult PinList::readOrder(PinOp line, Instance &entry) {
  VariantOp variant = entry.variant;
  auto order = dyn_cast<tile::OrderAttr>(line.getValue());
  for (BlockArgument argument : variant.getEntry().getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = dyn_cast<ArrayType>(argument.getType());
    if (!type || variant.getArgName(index) != *line.getArgument())
      continue;
    if (!order || int64_t(order.getAxes().size()) != type.getRank())
      return report(line, diag::task_mapping)
             << "the order of '" << *line.getArgument()
             << "' is a #tile.order of " << type.getRank() << " axes, not "
             << line.getValue();
    if (!orders.try_emplace(index, order).second)
      return report(line, diag::task_mapping)
             << "the order of '" << *line.getArgument() << "' is given twice";
    return success();
  }
  return report(line, diag::task_mapping)
         << "variant @" << variant.getSymName() << " has no tensor '"
         << *line.getArgument() << "'";
}

LogicalResult PinList::add(const sched::Pin &pin) {
  for (const sched::Pin &known : pins) {
    if (known.name != pin.name || known.argument != pin.argument)
      continue;
    if (known.value == pin.value)
      return success();
    Report error = report(pin.place, diag::task_mapping);
    if (pin.name == sched::kPinRing)
      error << "what is loaded from one argument is in shared memory by one "
               "line and in registers by another";
    else
      error << "\"" << pin.name << "\" is " << pin.value
            << " here, and the mapping pins it to " << known.value << ", too";
    error.attachNote(known.place) << "here";
    return error;
  }
  pins.push_back(pin);
  return success();
}
