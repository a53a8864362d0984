//===- WriteMapping.cpp - A plan as a mapping -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line for each thing that a plan says, so that a person can drop lines and
// the compiler finds anew what they said. What the mapping said before about
// the tree is printed again; what it said about the plan is part of the plan.
// Lines are printed without places: they are those of the new text.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Tasks/Import.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

namespace {

class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : os(os) {}

  void write(sched::PlanOp plan, tile::KernelOp kernel, MappingOp old,
             llvm::ArrayRef<std::pair<std::string, int64_t>> tiles) {
    if (old)
      os << "task.mapping @" << old.getSymName() << " entry @" << old.getEntry()
         << " {\n";
    else
      os << "task.mapping @plan_of_" << kernel.getSymName() << " entry @"
         << kernel.getSymName() << " {\n";
    if (old)
      for (auto instance : old.getOps<InstanceOp>())
        writeInstance(instance, old, tiles);
    else
      for (const auto &[name, value] : tiles)
        os << "  task.tune \"" << name << "\" = " << value << "\n";
    writeKept(old, kernel);
    writePlan(plan, kernel);
    os << "}\n";
  }

private:
  void pin(StringRef name, StringRef of, const Twine &value) {
    os << "  task.pin \"" << name << "\"";
    if (!of.empty())
      os << " of \"" << of << "\"";
    os << " = " << value << "\n";
  }
  static std::string quoted(StringRef word) {
    return ("\"" + word + "\"").str();
  }
  static const char *flag(bool value) { return value ? "true" : "false"; }

  /// The value that a tunable with a set had.
  static int64_t
  valueOf(TuneOp line, MappingOp mapping,
          llvm::ArrayRef<std::pair<std::string, int64_t>> tiles) {
    std::string longName = (cast<InstanceOp>(line->getParentOp()).getSym() +
                            "." + line.getTunable())
                               .str();
    if (line.getChoices())
      for (const auto &[name, value] : tiles)
        if (name == line.getTunable() || name == longName)
          return value;
    return int64_t(line.getValue());
  }

  void writeInstance(InstanceOp instance, MappingOp mapping,
                     llvm::ArrayRef<std::pair<std::string, int64_t>> tiles) {
    OwningOpRef<InstanceOp> copy(cast<InstanceOp>(instance->clone()));
    for (auto [line, written] :
         llvm::zip(instance.getOps<TuneOp>(), copy->getOps<TuneOp>()))
      written.setValue(valueOf(line, mapping, tiles));
    std::string text;
    llvm::raw_string_ostream printed(text);
    OpPrintingFlags flags;
    flags.enableDebugInfo(false);
    flags.assumeVerified(); // the copy has no parent
    (*copy)->print(printed, flags);
    SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n');
    for (StringRef line : lines)
      if (!line.empty())
        os << "  " << line << "\n";
  }

  /// Lines of the mapping itself that a plan does not answer: a bound, orders
  /// of times, what stands together or apart.
  void writeKept(MappingOp old, tile::KernelOp kernel) {
    auto pins = sched::readPins(kernel);
    if (failed(pins))
      return;
    for (const sched::Pin &line : *pins)
      if (line.argument < 0 &&
          (llvm::is_contained({sched::kPinSharedBytes, sched::kPinTogether,
                               sched::kPinApart, sched::kPinOrderOf,
                               sched::kPinPersistent, sched::kPinSplitK,
                               sched::kPinCluster, sched::kPinDeterministic},
                              line.name) ||
           // Lines of instances are printed with these.
           (!old && llvm::is_contained({sched::kPinPipeline, sched::kPinGroups,
                                        sched::kPinSpecialised},
                                       line.name))))
        os << "  task.pin " << line.spelling() << "\n";
  }

  void writePlan(sched::PlanOp plan, tile::KernelOp kernel) {
    if (auto machine = plan->getAttrOfType<StringAttr>(sched::kMachine))
      pin(sched::kPinMachine, "", quoted(machine.getValue()));
    pin(sched::kPinBlocks, "", Twine(int64_t(plan.getBlocks())));
    if (auto band = kernel->getAttrOfType<IntegerAttr>(sched::kNotedBand))
      pin(sched::kPinBlockOrder, "", Twine(band.getInt()));
    for (auto process : plan.getOps<sched::ProcessOp>()) {
      pin(sched::kPinWarps, process.getSym(),
          Twine(int64_t(process.getWarps())));
      pin(sched::kPinRegisters, process.getSym(),
          Twine(int64_t(process.getRegisters())));
    }
    for (auto ring : plan.getOps<sched::RingOp>())
      pin(sched::kPinDepth, ring.getSym(), Twine(int64_t(ring.getDepth())));
    for (auto table : plan.getOps<sched::TableOp>())
      writeTable(table, kernel);
  }

  void writeTable(sched::TableOp table, tile::KernelOp kernel) {
    if (table.getIi() > 0) {
      pin(sched::kPinInterval, table.getLoop(), Twine(int64_t(table.getIi())));
      pin(sched::kPinTurns, table.getLoop(),
          quoted(table.getOrders().value_or(sched::kFreeTurns)));
      pin(sched::kPinAhead, table.getLoop(), flag(table.getAhead()));
      pin(sched::kPinTail, table.getLoop(), flag(table.getTail()));
    }
    for (auto entry : table.getOps<sched::EntryOp>()) {
      StringRef name = entry.getOp();
      pin(sched::kPinProcess, name, quoted(entry.getProcess()));
      if (table.getIi() > 0) {
        pin(sched::kPinStart, name, Twine(int64_t(entry.getStart())));
        pin(sched::kPinLatency, name, Twine(int64_t(entry.getLatency())));
      }
      if (entry.getRing())
        pin(sched::kPinVia, name, quoted(*entry.getRing()));
      if (table.getIi() == 0 && entry.getUnit() == "store")
        pin(sched::kPinLate, name, flag(entry.getLate()));
    }
  }

  llvm::raw_ostream &os;
};

} // namespace

std::string heddle::task::writeMappings(
    ModuleOp scheduled, ModuleOp written,
    llvm::ArrayRef<std::pair<std::string, int64_t>> tiles) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MappingOp old;
  // A mapping of tasks; those of kernels have been read and hold nothing else.
  if (written && !written.getOps<VariantOp>().empty())
    for (auto mapping : written.getOps<MappingOp>())
      old = mapping;
  for (auto kernel : scheduled.getOps<tile::KernelOp>())
    if (sched::PlanOp plan = sched::findPlan(kernel))
      Writer(os).write(plan, kernel, old, tiles);
  return text;
}
