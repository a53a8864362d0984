//===- Parts.cpp - Sums in parts, as a choice of launches -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch makes as many parts as give each multiprocessor an instance, but
// none shorter than a few iterations, which the prologue would cost. All parts
// are of equal length; those that would begin behind the end are left out.
// Whether two steps are worth their way is for the estimates to say.
//
//===----------------------------------------------------------------------===//

#include "Parts.h"

#include "LaunchExpr.h"

#include "heddle/Conversion/BuildManifest.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;
using pipeline::Rung;

/// Iterations that a part has at least.
static constexpr int64_t kFewestTrips = 4;

/// How many parts a launch makes, at least 1.
static std::optional<Expr> countParts(const DividedSums &divided) {
  using E = LaunchExpr;
  auto length = E::of(divided.kernel, divided.length);
  if (!length)
    return std::nullopt;
  Expr one = E::constant(1);
  Expr trips = E::ceilDiv(*length, E::constant(double(divided.step)));
  Expr instances = one;
  for (const DividedSums::Count &count : divided.counts) {
    auto extent = E::of(divided.kernel, count.extent);
    if (!extent)
      return std::nullopt;
    instances =
        E::mul(instances, E::ceilDiv(*extent, E::constant(double(count.tile))));
  }
  // A loop around it that nobody can count counts as one iteration.
  Expr all = trips;
  for (const DividedSums::Count &outer : divided.around)
    if (auto length = E::of(divided.kernel, outer.extent))
      all = E::mul(all, E::ceilDiv(*length, E::constant(double(outer.tile))));
  Expr most = E::min(E::floorDiv(E::multiprocessors(), E::max(instances, one)),
                     E::floorDiv(all, E::constant(kFewestTrips)));
  Expr share = E::max(E::ceilDiv(trips, E::max(most, one)), one);
  return E::max(E::ceilDiv(trips, share), one);
}

/// A workspace as a launch makes it.
static std::optional<manifest::MadeView>
makeWorkspace(const DividedSums &divided,
              const DividedSums::Workspace &workspace, const Expr &parts,
              StringRef name, int64_t accessBytes) {
  using E = LaunchExpr;
  manifest::MadeView made;
  made.view.name = name.str();
  made.view.element = workspace.element.isF32()   ? manifest::ElementType::F32
                      : workspace.element.isF64() ? manifest::ElementType::F64
                      : workspace.element.isInteger(32)
                          ? manifest::ElementType::I32
                          : manifest::ElementType::I64;
  made.view.written = true;
  made.extents.push_back(parts);
  for (Value value : workspace.extents) {
    auto extent = E::of(divided.kernel, value);
    if (!extent)
      return std::nullopt;
    made.extents.push_back(*extent);
  }
  // Rows can be copied whole.
  Expr whole = E::constant(
      double(accessBytes / manifest::elementBytes(made.view.element)));
  made.extents.back() = E::mul(E::ceilDiv(made.extents.back(), whole), whole);
  made.view.rank = int(made.extents.size());
  for (int axis = made.view.rank; axis-- > 0;)
    made.view.order.push_back(axis);
  return made;
}

/// `value` is at least `least`.
static manifest::Precondition atLeast(Expr value, int64_t least) {
  manifest::Precondition condition;
  condition.kind = manifest::Precondition::Kind::AtLeast;
  condition.expr = std::move(value);
  condition.bytes = least;
  return condition;
}

static std::optional<pipeline::Steps>
describeSteps(const DividedSums &divided, const machine::Limits &limits,
              SumObstacle &obstacle) {
  pipeline::Steps steps;
  auto parts = countParts(divided);
  for (const auto &workspace : divided.workspaces) {
    auto made = parts ? makeWorkspace(divided, workspace, *parts,
                                      workspace.name, limits.accessBytes)
                      : std::nullopt;
    if (!made) {
      obstacle = {"the number of its instances does not follow from its "
                  "arguments",
                  tile::KernelOp(divided.kernel).getLoc()};
      return std::nullopt;
    }
    steps.workspaces.push_back(std::move(*made));
  }
  steps.requires_.push_back(
      atLeast(LaunchExpr::dim(steps.workspaces.front().view.name, 0), 2));
  Expr length = *LaunchExpr::of(divided.kernel, divided.length);
  for (auto [view, axis] : divided.within) {
    tile::KernelOp kernel = divided.kernel;
    Expr dim = LaunchExpr::dim(
        kernel.getArgName(cast<BlockArgument>(view).getArgNumber()), axis);
    steps.requires_.push_back(atLeast(LaunchExpr::sub(length, dim), 0));
  }
  return steps;
}

Expr Parts::cyclesOfArguments() const {
  auto replace = [&](auto &self, const Expr &expr) -> Expr {
    for (const manifest::MadeView &workspace : steps.workspaces)
      if (expr.op == Expr::Op::Dim && expr.argument == workspace.view.name)
        return workspace.extents[expr.axis];
    Expr result = expr;
    for (Expr &operand : result.operands)
      operand = self(self, operand);
    return result;
  };
  return replace(replace, cycles);
}

/// Of a kernel that is as far as the problem of its loops.
static FailureOr<Expr> boundOf(ModuleOp module, const Options &options) {
  if (failed(pipeline::split(module, options.lowering)))
    return failure();
  Expr sum = LaunchExpr::constant(0);
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    auto cycles = timeOfLaunch(kernel, 1, options.machine);
    if (!cycles)
      return reportNoLaunchTime(kernel);
    sum = LaunchExpr::add(sum, cycles->cycles);
  }
  return sum;
}

static FailureOr<Expr> timeOf(ModuleOp module, const Options &options,
                              PartsUntil until, OnHopper onHopper) {
  if (until == PartsUntil::Bounds)
    return boundOf(module, options);
  auto times = lowerAndEstimate(module, options, onHopper);
  if (failed(times))
    return failure();
  return times->begin()->second;
}

std::optional<Parts> heddle::tilechoice::makeParts(ModuleOp program,
                                                   const Options &options,
                                                   PartsUntil until,
                                                   StringRef suffix,
                                                   SumObstacle &obstacle) {
  auto divided = divideSums(program, suffix, options.machine, obstacle);
  if (!divided)
    return std::nullopt;
  auto steps = describeSteps(*divided, options.machine.limits, obstacle);
  if (!steps)
    return std::nullopt;
  Parts parts;
  parts.kernel = divided->kernel.getSymName().str();
  parts.steps = std::move(*steps);
  parts.first = std::move(divided->parts);
  parts.second = std::move(divided->whole);
  obstacle = {};
  // The steps are not the user's text, which is remarked on once.
  ScopedDiagnosticHandler noRemarks(
      program.getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
      });
  parts.cycles = LaunchExpr::constant(options.machine.instances.behind);
  for (ModuleOp step : {*parts.first, *parts.second}) {
    // All variants of a second step are joined.
    auto cycles = timeOf(step, options, until, [&](ModuleOp onHopper) {
      if (step == *parts.first)
        pipeline::eraseUnjoined(onHopper, parts.steps.workspaces);
    });
    if (failed(cycles))
      return std::nullopt;
    parts.cycles = LaunchExpr::add(parts.cycles, *cycles);
  }
  return parts;
}
