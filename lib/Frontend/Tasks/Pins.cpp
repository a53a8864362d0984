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
static constexpr StringLiteral kNotYet[] = {"swizzle"};

/// Values of "split_k" that nothing below keeps yet.
static constexpr StringLiteral kSumsNotYet[] = {"process"};

/// Lines of the mapping, of an instance, and of what a plan names.
static constexpr StringLiteral kOfMapping[] = {
    "schedule",          "shared_bytes",          sched::kPinMachine,
    sched::kPinBlocks,   sched::kPinBlockOrder,   sched::kPinPersistent,
    sched::kPinTogether, sched::kPinApart,        sched::kPinSplitK,
    sched::kPinCluster,  sched::kPinDeterministic};
static constexpr StringLiteral kOfInstance[] = {"order", "pipeline",
                                                "specialised"};
static constexpr StringLiteral kOfPlan[] = {
    sched::kPinInterval, sched::kPinTurns,   sched::kPinAhead,
    sched::kPinTail,     sched::kPinOrderOf, sched::kPinProcess,
    sched::kPinStart,    sched::kPinLatency, sched::kPinVia,
    sched::kPinLate,     sched::kPinDepth,   sched::kPinWarps,
    sched::kPinRegisters};

static bool launchesInLoop(VariantOp variant) {
  bool found = false;
  variant.walk([&](SrangeOp) { found = true; });
  return found;
}

static LogicalResult wantValue(PinOp line, const sched::PinKind &kind) {
  if (sched::isValueOf(kind, line.getValue()))
    return success();
  return report(line, diag::task_mapping)
         << "\"" << line.getPin() << "\" is " << sched::spell(kind) << ", not "
         << line.getValue();
}

/// What the plan of a kernel names: its processes, rings, loops, operations.
LogicalResult PinList::readPlanLine(PinOp line, Instance *instance) {
  StringRef name = line.getPin();
  if (instance)
    return report(line, diag::task_mapping)
           << "\"" << name
           << "\" of something stands in the mapping, beside its instances";
  if (!line.getArgument() || line.getArgument()->empty())
    return report(line, diag::task_mapping)
           << "\"" << name
           << "\" is of something that the plan names, as `heddle explain` "
              "prints it: \""
           << name << "\" of \"...\" = ...";
  const sched::PinKind *kind =
      sched::findPinKind(name, sched::PinSubject::Named);
  if (failed(wantValue(line, *kind)))
    return failure();
  sched::Pin pin{kind->name, line.getValue(), line.getLoc(), -1,
                 *line.getArgument()};
  return add(pin);
}

LogicalResult PinList::checkWay(PinOp line) {
  auto way = dyn_cast<StringAttr>(line.getValue());
  if (way && llvm::is_contained(kSumsNotYet, way.getValue()))
    return report(line, diag::task_pin)
           << "\"split_k\" = " << way
           << " cannot be pinned yet; blocks that reduce one piece add by "
              "\"atomics\", by \"turnstile\" or by \"cluster\"";
  if (!way || !llvm::is_contained(
                  {sched::kByAtomics, sched::kInTurns, sched::kInClusters},
                  way.getValue()))
    return report(line, diag::task_mapping)
           << "\"split_k\" is \"atomics\", \"turnstile\", \"process\" or "
              "\"cluster\", not "
           << line.getValue();
  return success();
}

bool PinList::sumsInTurns() const {
  const sched::Pin *sum = find(sched::kPinSplitK);
  return sum && sum->word() == sched::kInTurns;
}

int64_t PinList::clusterBlocks() const {
  const sched::Pin *blocks = find(sched::kPinCluster);
  return blocks ? blocks->number() : 1;
}

const sched::Pin *PinList::find(StringRef name) const {
  auto found = llvm::find_if(
      pins, [&](const sched::Pin &pin) { return pin.name == name; });
  return found == pins.end() ? nullptr : &*found;
}

LogicalResult PinList::checkSums(bool isReduced, bool isRounded) const {
  const sched::Pin *sum = find(sched::kPinSplitK),
                   *deterministic = find(sched::kPinDeterministic);
  if (sum && !isReduced)
    return report(sum->place, diag::task_mapping)
           << "\"split_k\" says how blocks add to one piece, and the program "
              "reduces none of its arguments";
  const sched::Pin *blocks = find(sched::kPinCluster);
  bool isInClusters = sum && sum->word() == sched::kInClusters;
  if (isInClusters && !blocks)
    return report(sum->place, diag::task_mapping)
           << "\"split_k\" = \"cluster\" adds up what the blocks of a cluster "
              "have; say how many it has, \"cluster\" = 2, 4 or 8";
  if (blocks && !isInClusters)
    return report(blocks->place, diag::task_pin)
           << "\"cluster\" cannot be pinned yet but with \"split_k\" = "
              "\"cluster\"; without the line the compiler decides";
  if (blocks && !llvm::isPowerOf2_64(uint64_t(blocks->number())))
    return report(blocks->place, diag::task_mapping)
           << "a cluster has 2, 4 or another power of two of blocks, not "
           << blocks->number();
  if (deterministic && deterministic->flag() && isRounded)
    return report(deterministic->place, diag::task_pin)
           << "the program adds floating-point numbers by atomics, in "
              "whichever order blocks come; it is deterministic for integers, "
              "with \"split_k\" = \"turnstile\", or without \"reduces\"";
  return success();
}

LogicalResult PinList::readKernel(MappingOp mapping) {
  for (auto line : mapping.getOps<PinOp>())
    if (failed(readLine(line, nullptr, /*isOfKernel=*/true)))
      return failure();
  return success();
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

LogicalResult PinList::readLine(PinOp line, Instance *instance,
                                bool isOfKernel) {
  StringRef name = line.getPin();
  if (llvm::is_contained(kNotYet, name))
    return report(line, diag::task_pin)
           << "\"" << name << "\" cannot be pinned yet; without the line the "
           << "compiler decides";
  if (llvm::is_contained(kOfPlan, name))
    return readPlanLine(line, instance);
  bool isOfMapping = llvm::is_contained(kOfMapping, name),
       isOfInstance = llvm::is_contained(kOfInstance, name);
  // A kernel has one body, and its views say their order.
  if (isOfKernel && (name == "groups" || (isOfInstance && name != "order"))) {
    isOfMapping = true;
  } else if (isOfKernel && name == "order") {
    return report(line, diag::task_mapping)
           << "the type of a kernel's view says its order; only a mapping of "
              "tasks pins it";
  }
  if (!isOfMapping && !isOfInstance) {
    Report error = report(line, diag::task_mapping)
                   << "there is no line \"" << name << "\"; there are ";
    llvm::interleaveComma(
        llvm::concat<const StringLiteral>(llvm::ArrayRef(kOfMapping),
                                          llvm::ArrayRef(kOfInstance),
                                          llvm::ArrayRef(kOfPlan)),
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
  if (name == sched::kPinSplitK && failed(checkWay(line)))
    return failure();
  if (failed(wantValue(line,
                       *sched::findPinKind(name, sched::PinSubject::Kernel))))
    return failure();
  if (name == "pipeline" && instance && !launchesInLoop(instance->variant))
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
    if (known.name != pin.name || known.argument != pin.argument ||
        known.of != pin.of)
      continue;
    // Of orders and of processes there may be several lines.
    if (llvm::is_contained(
            {sched::kPinOrderOf, sched::kPinTogether, sched::kPinApart},
            pin.name) &&
        known.value != pin.value)
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
