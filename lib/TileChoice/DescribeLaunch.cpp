//===- DescribeLaunch.cpp - Why a launch takes what it takes --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program, alternatives and the extents of one launch. Out: a line for
// each with the numbers that a launch compares, by the manifest's own
// evaluation, the fastest marked.
//
//===----------------------------------------------------------------------===//

#include "heddle/TileChoice/Alternatives.h"

#include "Alternative.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;

namespace {

/// The extents of a launch, as expressions ask for them.
class Sizes {
public:
  Sizes(const Extents &extents, int multiprocessors)
      : multiprocessors(multiprocessors) {
    for (const auto &[name, shape] : extents.views) {
      add(name);
      values.back().shape = shape;
      arguments.arguments.back().rank = int(shape.size());
    }
    for (const auto &[name, value] : extents.scalars) {
      add(name);
      values.back().scalarBits = uint64_t(int64_t(value));
    }
  }

  /// Nothing where an extent is not given, or a number does not fit 64 bits.
  std::optional<int64_t> evaluate(const Expr &expr) const {
    int64_t value = 0;
    std::string error;
    if (!isKnown(expr) || !manifest::evaluate(expr, arguments, values,
                                              multiprocessors, value, error))
      return std::nullopt;
    return value;
  }

private:
  void add(const std::string &name) {
    manifest::Argument &argument = arguments.arguments.emplace_back();
    argument.name = name;
    argument.element = manifest::ElementType::I64;
    values.emplace_back();
  }

  bool isKnown(const Expr &expr) const {
    if (expr.op == Expr::Op::Dim || expr.op == Expr::Op::Scalar)
      return llvm::any_of(llvm::zip(arguments.arguments, values),
                          [&](const auto &one) {
                            const auto &[argument, value] = one;
                            return argument.name == expr.argument &&
                                   (expr.op == Expr::Op::Scalar ||
                                    size_t(expr.axis) < value.shape.size());
                          });
    return llvm::all_of(expr.operands,
                        [&](const Expr &operand) { return isKnown(operand); });
  }

  manifest::Manifest arguments;
  std::vector<manifest::ArgumentValue> values;
  int multiprocessors;
};

/// A line of the answer.
struct Line {
  std::string text;
  int64_t cycles = 0;
  bool isOpen = false; ///< to be taken at all
};

} // namespace

/// "33 parts of the sums, in 8650752 bytes"; empty where there are none.
static std::string describeParts(const Parts &parts, const Sizes &sizes,
                                 bool &isOpen) {
  int64_t bytes = 0, count = 1;
  for (const manifest::MadeView &workspace : parts.steps.workspaces) {
    int64_t size = manifest::elementBytes(workspace.view.element);
    for (const Expr &expr : workspace.extents)
      size *= sizes.evaluate(expr).value_or(0);
    bytes += size;
    count = sizes.evaluate(workspace.extents.front()).value_or(1);
  }
  isOpen = count > 1;
  if (!isOpen)
    return ", not taken: its sums would be one part";
  return ", " + std::to_string(count) + " parts of the sums in " +
         std::to_string(bytes) + " bytes of workspace";
}

/// Sums of the kernels' times.
static FailureOr<int64_t> cyclesOf(ModuleOp program, const Times &times,
                                   const Sizes &sizes) {
  int64_t sum = 0;
  for (const auto &[kernel, expr] : times) {
    auto cycles = sizes.evaluate(expr);
    if (!cycles)
      return report(pipeline::startOf(program), diag::usage)
             << "which tiles a launch takes follows from the extents of its "
                "views; give all of them by --view";
    sum += *cycles;
  }
  return sum;
}

FailureOr<std::vector<std::string>>
heddle::tilechoice::describeLaunch(ModuleOp program, const Options &options,
                                   const OtherTiles &others) {
  auto chosen = chooseSettings(program, options, others);
  if (failed(chosen))
    return failure();
  Sizes sizes(options.extents, int(options.machine.limits.multiprocessors));
  std::vector<Line> lines;
  OwningOpRef<ModuleOp> own = program.clone();
  auto times = lowerAndEstimate(*own, options);
  if (failed(times))
    return failure();
  auto cycles = cyclesOf(program, *times, sizes);
  if (failed(cycles))
    return failure();
  // Others are taken if they are faster by a margin.
  lines.push_back({"the program's own tiles", *cycles, true});
  auto [parts, of] = shareForOthers(options.machine, times->areExecuted);
  int64_t bar = *cycles * parts / of;
  for (const Settings &settings : *chosen) {
    auto alternative = lowerAlternative(program, settings, options);
    if (failed(alternative))
      return failure();
    Line line{llvm::join(settings, " "), 0, true};
    Times total = alternative->times;
    if (alternative->parts) {
      line.text += describeParts(*alternative->parts, sizes, line.isOpen);
      total.begin()->second = alternative->parts->cyclesOfArguments();
    }
    auto needed = cyclesOf(program, total, sizes);
    if (failed(needed))
      return failure();
    line.cycles = *needed;
    line.isOpen &= *needed <= bar;
    lines.push_back(std::move(line));
  }
  size_t best = 0;
  for (size_t i = 1; i < lines.size(); ++i)
    if (lines[i].isOpen && (best == 0 || lines[i].cycles < lines[best].cycles))
      best = i;
  std::vector<std::string> texts;
  for (auto [i, line] : llvm::enumerate(lines))
    texts.push_back((i == best ? "* " : "  ") + std::to_string(line.cycles) +
                    " cycles: " + line.text);
  return texts;
}
