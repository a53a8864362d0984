//===- PlanLines.cpp - Lines about what a plan names ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are looked up by name. A plan is asked by its text, which is all that
// a saved or hand-written one has; only orders of times are asked of the
// schedule that it stands for.
//
//===----------------------------------------------------------------------===//

#include "PlanLines.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Schedule/Timeline.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/ReadPlan.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::sched;

const Pin *PlanLines::find(StringRef name, StringRef of) const {
  for (const Pin &pin : pins)
    if (pin.name == name && pin.of == of && pin.argument < 0)
      return &pin;
  return nullptr;
}

std::optional<int64_t> PlanLines::blocks() const {
  const Pin *pin = find(kPinBlocks, "");
  return pin ? std::optional(pin->number()) : std::nullopt;
}

std::optional<bool> PlanLines::isPersistent() const {
  const Pin *pin = find(kPinPersistent, "");
  return pin ? std::optional(pin->flag()) : std::nullopt;
}

std::optional<int64_t> PlanLines::warpsOf(StringRef process) const {
  const Pin *pin = find(kPinWarps, process);
  return pin ? std::optional(pin->number()) : std::nullopt;
}

std::optional<int64_t> PlanLines::depthOf(StringRef ring) const {
  const Pin *pin = find(kPinDepth, ring);
  return pin ? std::optional(pin->number()) : std::nullopt;
}

std::optional<StringRef> PlanLines::processOf(StringRef operation) const {
  const Pin *pin = find(kPinProcess, operation);
  return pin ? std::optional(pin->word()) : std::nullopt;
}

std::optional<bool> PlanLines::isLate(StringRef operation) const {
  const Pin *pin = find(kPinLate, operation);
  return pin ? std::optional(pin->flag()) : std::nullopt;
}

static SmallVector<StringRef> namesOf(const Pin &pin) {
  return llvm::to_vector(
      cast<ArrayAttr>(pin.value).getAsValueRange<StringAttr>());
}

/// Calls with the indices of each two operations of a line.
template <typename Name, typename Visit>
static void forEachPair(const Pin &pin, size_t count, Name name, Visit visit) {
  SmallVector<StringRef> names = namesOf(pin);
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t j = i + 1; j < names.size(); ++j)
      for (size_t a = 0; a < count; ++a)
        for (size_t b = 0; b < count; ++b)
          if (a != b && arePaired(names[i], name(a), names[j], name(b)))
            visit(a, b);
}

LogicalResult PlanLines::pinLoop(const LoopProblem &exported,
                                 plan::Loop &described) const {
  const schedule::Problem &problem = exported.problem;
  schedule::Partial &pinned = described.pinned;
  auto nameOf = [&](size_t op) -> StringRef {
    return problem.operations[op].name;
  };
  pinned.operations.resize(problem.operations.size());
  auto processNamed = [&](StringRef name) -> schedule::Process & {
    for (schedule::Process &known : pinned.processes)
      if (known.name == name)
        return known;
    return pinned.processes.emplace_back(schedule::Process{name.str(), 0, 0});
  };
  for (const Pin &pin : pins) {
    if (pin.name == kPinTogether || pin.name == kPinApart) {
      auto &list = pin.name == kPinTogether ? pinned.together : pinned.apart;
      forEachPair(
          pin, problem.operations.size(), nameOf,
          [&](size_t a, size_t b) { list.push_back({int(a), int(b)}); });
    }
    if (pin.of.empty())
      continue;
    if (pin.name == kPinWarps)
      processNamed(pin.of).warps = pin.number();
    else if (pin.name == kPinRegisters)
      processNamed(pin.of).registers = pin.number();
    else if (pin.name == kPinDepth)
      pinned.rings.push_back({pin.of.str(), pin.number(), {}});
    if (pin.of == problem.loop) {
      if (pin.name == kPinInterval)
        pinned.ii = pin.number();
      else if (pin.name == kPinAhead)
        described.pinnedAhead = pin.flag();
      else if (pin.name == kPinTail)
        described.pinnedTail = pin.flag();
      else if (pin.name == kPinTurns) {
        described.pinnedUnit = -1;
        for (auto [unit, known] : llvm::enumerate(problem.units))
          if (known.name == pin.word() && known.asynchronous)
            described.pinnedUnit = int(unit);
        if (described.pinnedUnit < 0 && pin.word() != kFreeTurns)
          return report(pin.place, diag::pin_unmet)
                 << "loop '" << problem.loop << "' uses no unit '" << pin.word()
                 << "' that keeps a queue; \"" << kFreeTurns
                 << "\" serves whoever comes first";
      } else if (pin.name == kPinOrderOf) {
        std::string reason = schedule::parseRelations(pin.word().str(), problem,
                                                      pinned.relations);
        if (!reason.empty())
          return report(pin.place, diag::pin_unmet)
                 << "the order of loop '" << problem.loop << "': " << reason;
      }
    }
    for (auto [op, of] : llvm::zip(problem.operations, pinned.operations)) {
      if (op.name != pin.of)
        continue;
      if (pin.name == kPinProcess)
        of.process = pin.word().str();
      else if (pin.name == kPinStart)
        of.start = pin.number();
      else if (pin.name == kPinLatency)
        of.latency = pin.number();
      else if (pin.name == kPinVia)
        of.ring = pin.word().str();
    }
  }
  return success();
}

std::optional<plan::LoopPlan>
PlanLines::stated(const plan::Loop &described) const {
  if (!described.pinned.isWhole(described.problem))
    return std::nullopt;
  schedule::Solution solution =
      schedule::statedBy(described.problem, described.pinned);
  schedule::queueUp(described.problem, solution);
  plan::LoopPlan plan = plan::takeStated(described, solution);
  if (plan.outcome.solution)
    plan.outcome.reason = schedule::whyNotKept(
        described.problem, *plan.outcome.solution, described.pinned);
  if (!plan.outcome.reason.empty())
    plan.outcome.solution.reset();
  return plan;
}

//===----------------------------------------------------------------------===//
// A plan that is there
//===----------------------------------------------------------------------===//

namespace {
struct Row {
  TableOp table;
  EntryOp entry;
};
} // namespace

static SmallVector<Row> rowsOf(PlanOp plan) {
  SmallVector<Row> rows;
  for (auto table : plan.getOps<TableOp>())
    for (auto entry : table.getOps<EntryOp>())
      rows.push_back({table, entry});
  return rows;
}

template <typename List, typename Name>
static LogicalResult refuseName(const Pin &pin, StringRef kind, List list,
                                Name name) {
  Report error = report(pin.place, diag::pin_unmet)
                 << "the plan has no " << kind << " '" << pin.of
                 << "'; it has ";
  SmallVector<std::string> names;
  for (auto one : list)
    names.push_back("'" + name(one).str() + "'");
  constexpr size_t kMost = 12;
  error << llvm::join(llvm::ArrayRef(names).take_front(kMost), ", ");
  if (names.size() > kMost)
    error << " and " << names.size() - kMost << " more";
  if (names.empty())
    error << "none";
  return error;
}

static LogicalResult refuse(const Pin &pin, const Twine &what,
                            const Twine &held) {
  return report(pin.place, diag::pin_unmet)
         << what.str() << " is " << held.str() << " where " << pin.spelling()
         << " is pinned";
}

static LogicalResult wantNumber(const Pin &pin, const Twine &what,
                                int64_t held) {
  return held == pin.number() ? success() : refuse(pin, what, Twine(held));
}

static LogicalResult wantFlag(const Pin &pin, const Twine &what, bool held) {
  return held == pin.flag() ? success()
                            : refuse(pin, what, held ? "true" : "false");
}

static LogicalResult wantWord(const Pin &pin, const Twine &what,
                              StringRef held) {
  return held == pin.word() ? success() : refuse(pin, what, "\"" + held + "\"");
}

static LogicalResult checkProcess(const Pin &pin, PlanOp plan) {
  for (auto process : plan.getOps<ProcessOp>()) {
    if (process.getSym() != pin.of)
      continue;
    return pin.name == kPinWarps
               ? wantNumber(pin, "the number of warps of '" + pin.of + "'",
                            int64_t(process.getWarps()))
               : wantNumber(pin,
                            "the registers of a thread of '" + pin.of + "'",
                            int64_t(process.getRegisters()));
  }
  return refuseName(pin, "process", plan.getOps<ProcessOp>(),
                    [](ProcessOp process) { return process.getSym(); });
}

static LogicalResult checkRing(const Pin &pin, PlanOp plan) {
  for (auto ring : plan.getOps<RingOp>())
    if (ring.getSym() == pin.of)
      return wantNumber(pin, "the number of slots of ring '" + pin.of + "'",
                        int64_t(ring.getDepth()));
  return refuseName(pin, "ring", plan.getOps<RingOp>(),
                    [](RingOp ring) { return ring.getSym(); });
}

static LogicalResult checkRelations(const Pin &pin, PlanOp plan,
                                    const machine::Costs &costs) {
  for (const PlannedLoop &planned : readPlan(plan, costs)) {
    if (planned.problem.loop != pin.of || !planned.isPipelined)
      continue;
    std::vector<schedule::Relation> relations;
    std::string reason =
        schedule::parseRelations(pin.word().str(), planned.problem, relations);
    if (!reason.empty())
      return report(pin.place, diag::pin_unmet)
             << "the order of loop '" << pin.of << "': " << reason;
    for (const schedule::Relation &relation : relations)
      if (!schedule::holds(planned.problem, planned.solution, relation))
        return report(pin.place, diag::pin_unmet)
               << "the schedule of loop '" << pin.of
               << "' has another order of '"
               << planned.problem.operations[size_t(relation.from)].name
               << "' and '"
               << planned.problem.operations[size_t(relation.to)].name
               << "' than " << pin.spelling();
    return success();
  }
  return report(pin.place, diag::pin_unmet)
         << "loop '" << pin.of
         << "' is not pipelined, and has the order of the program";
}

static LogicalResult checkTable(const Pin &pin, PlanOp plan,
                                const machine::Costs &costs) {
  auto isLoop = [](TableOp table) { return !table.getLoop().empty(); };
  auto loops = llvm::make_filter_range(plan.getOps<TableOp>(), isLoop);
  for (auto table : loops) {
    if (table.getLoop() != pin.of)
      continue;
    if (pin.name == kPinInterval)
      return wantNumber(pin, "the interval of loop '" + pin.of + "'",
                        int64_t(table.getIi()));
    if (pin.name == kPinAhead)
      return wantFlag(pin, "\"ahead\" of loop '" + pin.of + "'",
                      table.getAhead());
    if (pin.name == kPinTail)
      return wantFlag(pin, "\"tail\" of loop '" + pin.of + "'",
                      table.getTail());
    if (pin.name == kPinOrderOf)
      return checkRelations(pin, plan, costs);
    return wantWord(pin, "the unit that keeps turns in loop '" + pin.of + "'",
                    table.getOrders().value_or(kFreeTurns));
  }
  return refuseName(pin, "loop", loops,
                    [](TableOp table) { return table.getLoop(); });
}

static LogicalResult checkEntry(const Pin &pin, PlanOp plan) {
  SmallVector<Row> rows = rowsOf(plan);
  for (Row &row : rows) {
    EntryOp entry = row.entry;
    if (entry.getOp() != pin.of)
      continue;
    if (pin.name == kPinProcess)
      return wantWord(pin, "the process of '" + pin.of + "'",
                      entry.getProcess());
    if (pin.name == kPinStart)
      return wantNumber(pin, "the first cycle of '" + pin.of + "'",
                        int64_t(entry.getStart()));
    if (pin.name == kPinLatency)
      return wantNumber(pin, "the wait for '" + pin.of + "'",
                        int64_t(entry.getLatency()));
    if (pin.name == kPinLate)
      return wantFlag(pin, "\"late\" of '" + pin.of + "'", entry.getLate());
    return wantWord(pin, "the ring of '" + pin.of + "'",
                    entry.getRing().value_or(""));
  }
  return refuseName(pin, "operation", rows,
                    [](Row row) { return row.entry.getOp(); });
}

static LogicalResult checkProcesses(const Pin &pin, PlanOp plan) {
  SmallVector<Row> rows = rowsOf(plan);
  for (StringRef name : namesOf(pin))
    if (llvm::none_of(
            rows, [&](Row row) { return isMeant(name, row.entry.getOp()); })) {
      Pin named = pin;
      named.of = name;
      return refuseName(named, "operation", rows,
                        [](Row row) { return row.entry.getOp(); });
    }
  LogicalResult result = success();
  bool wanted = pin.name == kPinTogether;
  forEachPair(
      pin, rows.size(), [&](size_t row) { return rows[row].entry.getOp(); },
      [&](size_t a, size_t b) {
        bool isOne = rows[a].entry.getProcess() == rows[b].entry.getProcess();
        if (failed(result) || isOne == wanted)
          return;
        result = report(pin.place, diag::pin_unmet)
                 << "'" << rows[a].entry.getOp() << "' and '"
                 << rows[b].entry.getOp() << "' are done by "
                 << (isOne ? "one process" : "two processes") << " where "
                 << (wanted ? "one is" : "two are") << " pinned";
      });
  return result;
}

LogicalResult PlanLines::check(const Pin &pin, PlanOp plan,
                               const machine::Costs &costs) {
  if (pin.name == kPinTogether || pin.name == kPinApart)
    return checkProcesses(pin, plan);
  if (pin.name == kPinBlocks)
    return wantNumber(pin, "the number of blocks that share a multiprocessor",
                      int64_t(plan.getBlocks()));
  if (pin.of.empty())
    return success();
  if (pin.name == kPinWarps || pin.name == kPinRegisters)
    return checkProcess(pin, plan);
  if (pin.name == kPinDepth)
    return checkRing(pin, plan);
  if (llvm::is_contained(
          {kPinInterval, kPinTurns, kPinAhead, kPinTail, kPinOrderOf},
          pin.name))
    return checkTable(pin, plan, costs);
  return checkEntry(pin, plan);
}
