//===- Verify.cpp - What a manifest must satisfy as a whole ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A verified manifest can be launched without further look-ups failing: names
// resolve, axes exist, boxes and swizzles are such that the driver can encode
// them. Errors begin with the path of the field, like the reader's.
//
//===----------------------------------------------------------------------===//

#include "ExprSpelling.h"
#include "Lookup.h"
#include "heddle/Manifest/Manifest.h"

#include <algorithm>
#include <set>

using namespace heddle::manifest;

namespace {

const char *word(Argument::Kind kind) {
  switch (kind) {
  case Argument::Kind::View:
    return "a view";
  case Argument::Kind::Pointer:
    return "a pointer";
  case Argument::Kind::Scalar:
    return "a scalar";
  }
  return "";
}

std::string indexed(const std::string &list, size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

class Verifier {
public:
  Verifier(const Manifest &manifest, std::string &error)
      : manifest(manifest), error(error) {}

  bool run();

private:
  bool fail(const std::string &path, const std::string &text) {
    error = path + ": " + text;
    return false;
  }
  bool checkArgument(const Argument &argument, const std::string &path);
  const Argument *find(const std::string &name, const std::string &path);
  const Argument *findView(const std::string &name, const std::string &path);
  bool checkAxis(const std::string &name, int axis, const std::string &path);
  bool checkScalar(const std::string &name, bool mustBeInteger,
                   const std::string &path);
  bool checkMultiple(const std::string &name, const std::string &path);
  bool checkExpr(const Expr &expr, const std::string &path);
  bool checkMadeView(const MadeView &made, const std::string &path);
  bool checkPlace(const MadeView &made, const std::string &path);
  bool checkSteps();
  bool checkPrecondition(const Precondition &condition,
                         const std::string &path);
  bool checkTensorMap(const TensorMapRecipe &recipe, const std::string &path);
  bool checkSteps(const TensorMapRecipe &recipe, const Argument &view,
                  const std::string &path);
  bool checkIm2col(const Im2colRecipe &im2col, const Argument &view,
                   const std::string &path);
  bool checkParam(const Param &param, const std::string &path);
  bool checkProcesses(const Variant &variant, const std::string &path);
  bool checkRings(const Variant &variant, const std::string &path);
  bool checkOverlaps(const Variant &variant, const std::string &path);
  bool checkNamedBarriers(const Variant &variant, const std::string &path);
  bool checkOrder(const Variant &variant, const std::string &path);
  bool checkVariant(const Variant &variant, const std::string &path);

  const Manifest &manifest;
  std::string &error;
};

bool Verifier::checkArgument(const Argument &argument,
                             const std::string &path) {
  if (argument.name.empty())
    return fail(path + ".name", "an argument needs a name");
  if (argument.kind != Argument::Kind::View)
    return true;
  if (argument.rank < 1 || argument.rank > kMaxRank)
    return fail(path + ".rank", "view '" + argument.name + "' has rank " +
                                    std::to_string(argument.rank) +
                                    "; a view has 1 to 5 axes");
  std::vector<int> sorted = argument.order;
  std::sort(sorted.begin(), sorted.end());
  bool isPermutation = static_cast<int>(sorted.size()) == argument.rank;
  for (int axis = 0; isPermutation && axis < argument.rank; ++axis)
    isPermutation = sorted[axis] == axis;
  if (!isPermutation)
    return fail(path + ".order", "the order of view '" + argument.name +
                                     "' must name each of its " +
                                     std::to_string(argument.rank) +
                                     " axes once");
  return true;
}

const Argument *Verifier::find(const std::string &name,
                               const std::string &path) {
  int index = argumentIndex(manifest, name);
  if (index >= 0)
    return &argumentAt(manifest, index);
  std::string names;
  for (const Argument &argument : manifest.arguments)
    names += (names.empty() ? "" : ", ") + argument.name;
  fail(path, "no argument is named '" + name + "'; the kernel has " +
                 (names.empty() ? std::string("none") : names));
  return nullptr;
}

const Argument *Verifier::findView(const std::string &name,
                                   const std::string &path) {
  const Argument *argument = find(name, path);
  if (!argument || argument->kind == Argument::Kind::View)
    return argument;
  fail(path,
       "'" + name + "' is " + word(argument->kind) + ", but a view is needed");
  return nullptr;
}

bool Verifier::checkAxis(const std::string &name, int axis,
                         const std::string &path) {
  const Argument *view = findView(name, path);
  if (!view)
    return false;
  if (axis < 0 || axis >= view->rank)
    return fail(path, "view '" + name + "' has no axis " +
                          std::to_string(axis) + "; its rank is " +
                          std::to_string(view->rank));
  return true;
}

bool Verifier::checkScalar(const std::string &name, bool mustBeInteger,
                           const std::string &path) {
  const Argument *argument = find(name, path);
  if (!argument)
    return false;
  if (argument->kind != Argument::Kind::Scalar)
    return fail(path, "'" + name + "' is " + word(argument->kind) +
                          ", but a scalar is needed");
  if (mustBeInteger && !isInteger(argument->element))
    return fail(path, "scalar '" + name + "' is " +
                          spelling(argument->element) +
                          ", but an expression needs an integer");
  return true;
}

/// A number has to be a multiple; memory has to begin at one.
bool Verifier::checkMultiple(const std::string &name, const std::string &path) {
  const Argument *argument = find(name, path);
  return argument && (argument->kind != Argument::Kind::Scalar ||
                      checkScalar(name, /*mustBeInteger=*/true, path));
}

bool Verifier::checkExpr(const Expr &expr, const std::string &path) {
  switch (expr.op) {
  case Expr::Op::Constant:
  case Expr::Op::SmCount:
    return true;
  case Expr::Op::Dim:
    return checkAxis(expr.argument, expr.axis, path + ".dim");
  case Expr::Op::Scalar:
    return checkScalar(expr.argument, true, path + ".scalar");
  default:
    break;
  }
  const ExprOpRow *row = exprOpRow(expr.op);
  std::string list = path + "." + row->spelling;
  size_t count = expr.operands.size();
  if (count < 2 || (!row->isNary && count != 2))
    return fail(list, "needs " + std::string(row->isNary ? "at least " : "") +
                          "2 operands, has " + std::to_string(count));
  for (size_t i = 0; i < count; ++i)
    if (!checkExpr(expr.operands[i], indexed(list, i)))
      return false;
  return true;
}

/// Views are made of what the caller passes, before there are others.
static bool asksMadeView(const Manifest &manifest, const Expr &expr) {
  return (expr.op == Expr::Op::Dim &&
          argumentIndex(manifest, expr.argument) >=
              static_cast<int>(manifest.arguments.size())) ||
         std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const Expr &operand) {
                       return asksMadeView(manifest, operand);
                     });
}

/// Where a made view lies that is in no workspace.
bool Verifier::checkPlace(const MadeView &made, const std::string &path) {
  const Argument *pointer = find(made.pointer, path + ".pointer");
  if (!pointer)
    return false;
  if (pointer->kind != Argument::Kind::Pointer ||
      pointer->element != made.view.element)
    return fail(path + ".pointer",
                "'" + made.pointer + "' is " + word(pointer->kind) + " of " +
                    spelling(pointer->element) + ", but a pointer to " +
                    spelling(made.view.element) + " is needed");
  return checkExpr(made.offset, path + ".offset");
}

bool Verifier::checkMadeView(const MadeView &made, const std::string &path) {
  if (!checkArgument(made.view, path + ".view"))
    return false;
  if (made.view.kind != Argument::Kind::View)
    return fail(path + ".view", "'" + made.view.name + "' is " +
                                    word(made.view.kind) +
                                    ", but a view is needed");
  for (auto [list, name] : {std::pair(&made.extents, ".extents"),
                            std::pair(&made.strides, ".strides")}) {
    if (made.isWorkspace() && list == &made.strides)
      continue;
    if (static_cast<int>(list->size()) != made.view.rank)
      return fail(path + name, "has " + std::to_string(list->size()) +
                                   " expressions for " +
                                   std::to_string(made.view.rank) + " axes");
    for (size_t i = 0; i < list->size(); ++i) {
      if (!checkExpr((*list)[i], indexed(path + name, i)))
        return false;
      if (asksMadeView(manifest, (*list)[i]))
        return fail(indexed(path + name, i),
                    "asks for an extent of a view that the kernel makes; only "
                    "those of arguments are known");
    }
  }
  if (made.isWorkspace())
    return true;
  const Expr &fastest = made.strides[made.view.order[0]];
  if (fastest.op != Expr::Op::Constant || fastest.constant != 1)
    return fail(indexed(path + ".strides", made.view.order[0]),
                "must be 1, because it is the fastest axis of view '" +
                    made.view.name + "'");
  int far = made.view.farAxis;
  if (far >= made.view.rank || far == made.view.order[0])
    return fail(path + ".far_axis",
                "is " + std::to_string(far) +
                    ", which is no axis of the view or its fastest one");
  return checkPlace(made, path);
}

bool Verifier::checkPrecondition(const Precondition &condition,
                                 const std::string &path) {
  switch (condition.kind) {
  case Precondition::Kind::Tma:
    return findView(condition.view, path + ".tma") != nullptr;
  case Precondition::Kind::Aligned:
    if (condition.bytes < 1)
      return fail(path + ".aligned", "an alignment is at least 1 byte, not " +
                                         std::to_string(condition.bytes));
    return checkMultiple(condition.view, path + ".aligned");
  case Precondition::Kind::Rows:
    if (condition.bytes < 1)
      return fail(path + ".rows",
                  "rows span a multiple of at least 1 byte, not " +
                      std::to_string(condition.bytes));
    return findView(condition.view, path + ".rows") != nullptr;
  case Precondition::Kind::AtLeast:
    return checkExpr(condition.expr, path + ".at_least[0]");
  }
  return true;
}

bool Verifier::checkSteps(const TensorMapRecipe &recipe, const Argument &view,
                          const std::string &path) {
  if (!recipe.steps.empty() &&
      static_cast<int>(recipe.steps.size()) != view.rank)
    return fail(path + ".steps", "has " + std::to_string(recipe.steps.size()) +
                                     " axes, but view '" + recipe.view +
                                     "' has " + std::to_string(view.rank));
  for (size_t i = 0; i < recipe.steps.size(); ++i)
    if (recipe.steps[i] < 1 || recipe.steps[i] > (i ? 8 : 1))
      return fail(indexed(path + ".steps", i),
                  "is " + std::to_string(recipe.steps[i]) +
                      "; 1 to 8 are possible, and along the fastest axis 1");
  return true;
}

bool Verifier::checkIm2col(const Im2colRecipe &im2col, const Argument &view,
                           const std::string &path) {
  if (view.rank < 3)
    return fail(path, "needs a view of 3 to 5 axes, not " +
                          std::to_string(view.rank));
  if (im2col.pixels < 1 || im2col.pixels > 1024)
    return fail(path + ".pixels", "is " + std::to_string(im2col.pixels) +
                                      "; a tile has 1 to 1024");
  for (auto [name, exprs] : {std::pair(".first", &im2col.first),
                             std::pair(".count", &im2col.count)}) {
    if (static_cast<int>(exprs->size()) != view.rank - 2)
      return fail(path + name, "has " + std::to_string(exprs->size()) +
                                   " numbers, but the view has " +
                                   std::to_string(view.rank - 2) +
                                   " axes of pixels");
    for (size_t i = 0; i < exprs->size(); ++i)
      if (!checkExpr((*exprs)[i], indexed(path + name, i)))
        return false;
  }
  return true;
}

// The limits are the driver's; a bad recipe must fail here and not
// at the first launch on some machine.
bool Verifier::checkTensorMap(const TensorMapRecipe &recipe,
                              const std::string &path) {
  const Argument *view = findView(recipe.view, path + ".tensor_map");
  if (!view)
    return false;
  int rank = recipe.im2col ? 1 : view->rank;
  if (static_cast<int>(recipe.box.size()) != rank)
    return fail(path + ".box",
                "has " + std::to_string(recipe.box.size()) + " axes, but " +
                    (recipe.im2col ? "in im2col mode it has "
                                   : "view '" + recipe.view + "' has ") +
                    std::to_string(rank));
  if (!checkSteps(recipe, *view, path) ||
      (recipe.im2col && !checkIm2col(*recipe.im2col, *view, path + ".im2col")))
    return false;
  for (size_t i = 0; i < recipe.box.size(); ++i)
    if (recipe.box[i] < 1 || recipe.box[i] > 256)
      return fail(indexed(path + ".box", i),
                  "is " + std::to_string(recipe.box[i]) +
                      "; a box has 1 to 256 elements per axis");
  int swizzle = recipe.swizzleBytes;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return fail(path + ".swizzle_bytes",
                "is " + std::to_string(swizzle) + "; must be 0, 32, 64 or 128");
  int promotion = recipe.l2PromotionBytes;
  if (promotion != 0 && promotion != 64 && promotion != 128 && promotion != 256)
    return fail(path + ".l2_promotion_bytes",
                "is " + std::to_string(promotion) +
                    "; must be 0, 64, 128 or 256");
  int64_t rowBytes = recipe.box[0] * elementBytes(view->element);
  if (rowBytes % 16 != 0)
    return fail(indexed(path + ".box", 0),
                "spans " + std::to_string(rowBytes) +
                    " bytes; must be a multiple of 16");
  if (swizzle != 0 && rowBytes > swizzle)
    return fail(indexed(path + ".box", 0),
                "spans " + std::to_string(rowBytes) +
                    " bytes, more than the swizzle's " +
                    std::to_string(swizzle));
  return true;
}

bool Verifier::checkParam(const Param &param, const std::string &path) {
  switch (param.kind) {
  case Param::Kind::TensorMap:
    return checkTensorMap(param.tensorMap, path);
  case Param::Kind::Dim:
    return checkAxis(param.argument, param.axis, path + ".dim");
  case Param::Kind::Stride:
    return checkAxis(param.argument, param.axis, path + ".stride");
  case Param::Kind::Scalar:
    return checkScalar(param.argument, false, path + ".scalar");
  case Param::Kind::TrapRecord:
    return true;
  case Param::Kind::Pointer:
    break;
  }
  const Argument *argument = find(param.argument, path + ".pointer");
  if (argument && argument->kind == Argument::Kind::Scalar)
    return fail(path + ".pointer",
                "'" + param.argument + "' is a scalar, which has no address");
  return argument != nullptr;
}

bool Verifier::checkProcesses(const Variant &variant, const std::string &path) {
  std::set<std::string> names;
  std::vector<std::string> owners((variant.threads + 31) / 32);
  for (size_t i = 0; i < variant.processes.size(); ++i) {
    const Process &process = variant.processes[i];
    std::string here = indexed(path + ".processes", i);
    if (!names.insert(process.name).second)
      return fail(here + ".name",
                  "a second process is named '" + process.name + "'");
    int end = process.firstWarp + process.warpCount;
    if (process.firstWarp < 0 || process.warpCount < 1 ||
        end > static_cast<int>(owners.size()))
      return fail(here, "process '" + process.name + "' has warps " +
                            std::to_string(process.firstWarp) + " to " +
                            std::to_string(end - 1) + ", but the CTA has " +
                            std::to_string(owners.size()));
    for (int warp = process.firstWarp; warp < end; ++warp) {
      if (!owners[warp].empty())
        return fail(here, "warp " + std::to_string(warp) + " is in process '" +
                              owners[warp] + "' and in '" + process.name + "'");
      owners[warp] = process.name;
    }
  }
  return true;
}

bool Verifier::checkRings(const Variant &variant, const std::string &path) {
  for (size_t i = 0; i < variant.rings.size(); ++i) {
    const Ring &ring = variant.rings[i];
    std::string here = indexed(path + ".rings", i);
    auto check = [&](int64_t begin, int64_t bytes, const char *what) {
      int64_t end = begin + bytes;
      if (begin >= 0 && end <= variant.sharedBytes)
        return true;
      return fail(here, std::string(what) + " of ring '" + ring.name +
                            "' end at byte " + std::to_string(end) +
                            ", but the variant has " +
                            std::to_string(variant.sharedBytes) +
                            " bytes of shared memory");
    };
    if (!check(ring.offset, ring.depth * ring.slotBytes, "the slots") ||
        !check(ring.fullBarrier, 8 * int64_t(ring.depth),
               "the full barriers") ||
        !check(ring.emptyBarrier, 8 * int64_t(ring.depth),
               "the empty barriers"))
      return false;
    for (auto [barrier, what] : {std::pair(ring.fullBarrier, "full"),
                                 std::pair(ring.emptyBarrier, "empty")})
      if (barrier % 8 != 0)
        return fail(here, std::string("the ") + what + " barriers of ring '" +
                              ring.name + "' begin at byte " +
                              std::to_string(barrier) +
                              ", not a multiple of 8");
    for (const auto *list : {&ring.producers, &ring.consumers})
      for (const std::string &name : *list)
        if (std::none_of(
                variant.processes.begin(), variant.processes.end(),
                [&](const Process &process) { return process.name == name; }))
          return fail(here, "ring '" + ring.name + "' names process '" + name +
                                "', which the variant does not have");
  }
  return checkOverlaps(variant, path);
}

/// Barriers share no byte with another barrier or with a slot. Slots may: a
/// ring may take the place of one that has ended.
bool Verifier::checkOverlaps(const Variant &variant, const std::string &path) {
  struct Range {
    int64_t begin, end;
    bool isBarrier;
    size_t ring;
    const char *what;
  };
  std::vector<Range> ranges;
  for (size_t i = 0; i < variant.rings.size(); ++i) {
    const Ring &ring = variant.rings[i];
    int64_t bytes = 8 * int64_t(ring.depth);
    ranges.push_back({ring.offset, ring.offset + ring.depth * ring.slotBytes,
                      false, i, "the slots"});
    ranges.push_back({ring.fullBarrier, ring.fullBarrier + bytes, true, i,
                      "the full barriers"});
    ranges.push_back({ring.emptyBarrier, ring.emptyBarrier + bytes, true, i,
                      "the empty barriers"});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &left, const Range &right) {
              return left.begin < right.begin;
            });
  const Range *barrier = nullptr, *slots = nullptr; // that end last so far
  for (const Range &range : ranges) {
    const Range *other = barrier && barrier->end > range.begin ? barrier
                         : range.isBarrier && slots && slots->end > range.begin
                             ? slots
                             : nullptr;
    if (other && range.begin < range.end)
      return fail(indexed(path + ".rings", range.ring),
                  std::string(range.what) + " of ring '" +
                      variant.rings[range.ring].name + "' at byte " +
                      std::to_string(range.begin) + " overlap " + other->what +
                      " of ring '" + variant.rings[other->ring].name +
                      "', which end at byte " + std::to_string(other->end));
    const Range *&last = range.isBarrier ? barrier : slots;
    if (!last || range.end > last->end)
      last = &range;
  }
  return true;
}

bool Verifier::checkNamedBarriers(const Variant &variant,
                                  const std::string &path) {
  for (size_t i = 0; i < variant.namedBarriers.size(); ++i) {
    const NamedBarrier &barrier = variant.namedBarriers[i];
    if (barrier.threads > variant.threads || barrier.threads % 32 != 0)
      return fail(indexed(path + ".named_barriers", i) + ".threads",
                  "is " + std::to_string(barrier.threads) +
                      "; a barrier is met by whole warps of the CTA's " +
                      std::to_string(variant.threads) + " threads");
  }
  return true;
}

/// Parameters stand in one order: tensor maps by argument, then argument by
/// argument its pointer or value, extents and strides by axis, then the trap
/// record. Two of one type that are exchanged would be seen nowhere else.
bool Verifier::checkOrder(const Variant &variant, const std::string &path) {
  std::array<int, 3> before = {-1, -1, -1};
  for (size_t i = 0; i < variant.params.size(); ++i) {
    const Param &param = variant.params[i];
    bool isMap = param.kind == Param::Kind::TensorMap;
    bool isTrap = param.kind == Param::Kind::TrapRecord;
    int kind = param.kind == Param::Kind::Dim      ? 1
               : param.kind == Param::Kind::Stride ? 2
                                                   : 0;
    int argument = isTrap ? 0 : argumentIndex(manifest, param.argument);
    std::array<int, 3> place = {
        isMap    ? 0
        : isTrap ? 2
                 : 1,
        argument, isMap ? 0 : 16 * kind + (kind ? param.axis : 0)};
    if (place < before || (place == before && !isMap))
      return fail(indexed(path + ".params", i),
                  "stands behind a parameter that comes after it; tensor maps "
                  "come first, then for each argument its pointer or value, "
                  "its extents and its strides");
    before = place;
  }
  // A view that is passed in parts is bounded by them.
  for (size_t i = 0; i < variant.params.size(); ++i) {
    const Param &param = variant.params[i];
    if (param.kind != Param::Kind::Pointer)
      continue;
    const Argument &view =
        argumentAt(manifest, argumentIndex(manifest, param.argument));
    for (int position = 1; position < view.rank; ++position)
      if (std::none_of(variant.params.begin(), variant.params.end(),
                       [&](const Param &other) {
                         return other.kind == Param::Kind::Stride &&
                                other.argument == param.argument &&
                                other.axis == view.order[position];
                       }))
        return fail(indexed(path + ".params", i),
                    "passes view '" + view.name +
                        "' by its address, but no parameter is the stride of "
                        "its axis " +
                        std::to_string(view.order[position]));
  }
  return true;
}

bool Verifier::checkVariant(const Variant &variant, const std::string &path) {
  if (variant.entry.empty())
    return fail(path + ".entry", "a variant needs the symbol of its PTX entry");
  if (variant.threads < 1 || variant.threads > 1024)
    return fail(path + ".threads", "is " + std::to_string(variant.threads) +
                                       "; a CTA has 1 to 1024 threads");
  int ctas = 1;
  for (int size : variant.cluster) {
    if (size < 1 || size > 16 || (ctas *= size) > 16)
      return fail(path + ".cluster", "a cluster has 1 to 16 CTAs");
  }
  if (variant.sharedBytes < 0)
    return fail(path + ".shared_bytes", "is negative");
  for (size_t i = 0; i < variant.requires_.size(); ++i)
    if (!checkPrecondition(variant.requires_[i],
                           indexed(path + ".requires", i)))
      return false;
  if (variant.cycles && !checkExpr(*variant.cycles, path + ".cycles"))
    return false;
  for (size_t i = 0; i < variant.grid.size(); ++i)
    if (!checkExpr(variant.grid[i], indexed(path + ".grid", i)))
      return false;
  for (size_t i = 0; i < variant.params.size(); ++i)
    if (!checkParam(variant.params[i], indexed(path + ".params", i)))
      return false;
  return checkOrder(variant, path) && checkProcesses(variant, path) &&
         checkRings(variant, path) && checkNamedBarriers(variant, path);
}

/// A launch has a beginning, and a step behind it at most.
bool Verifier::checkSteps() {
  std::set<std::string> steps;
  for (const Variant &variant : manifest.variants)
    steps.insert(variant.step);
  if (!steps.count(""))
    return fail("variants", "each belongs to a step, so that no launch begins");
  for (size_t i = 0; i < manifest.variants.size(); ++i) {
    const Variant &variant = manifest.variants[i];
    std::string path = indexed("variants", i) + ".then";
    if (variant.then.empty())
      continue;
    if (!variant.step.empty())
      return fail(path, "a step is followed by no other");
    if (!steps.count(variant.then))
      return fail(path, "no variant belongs to step '" + variant.then + "'");
  }
  return true;
}

bool Verifier::run() {
  std::set<std::string> names;
  for (size_t i = 0; i < manifest.arguments.size(); ++i) {
    const Argument &argument = manifest.arguments[i];
    std::string path = indexed("arguments", i);
    if (!checkArgument(argument, path))
      return false;
    if (!names.insert(argument.name).second)
      return fail(path + ".name",
                  "a second argument is named '" + argument.name + "'");
  }
  for (size_t i = 0; i < manifest.madeViews.size(); ++i) {
    const MadeView &made = manifest.madeViews[i];
    std::string path = indexed("made_views", i);
    if (!checkMadeView(made, path))
      return false;
    if (!names.insert(made.view.name).second)
      return fail(path + ".view.name",
                  "a second argument is named '" + made.view.name + "'");
  }
  for (size_t i = 0; i < manifest.assertions.size(); ++i) {
    const Assertion &assertion = manifest.assertions[i];
    std::string path = indexed("assertions", i);
    if (!checkExpr(assertion.value, path + ".value") ||
        !checkExpr(assertion.bound, path + ".at_least"))
      return false;
  }
  if (manifest.variants.empty())
    return fail("variants", "a kernel needs at least one variant");
  for (size_t i = 0; i < manifest.variants.size(); ++i)
    if (!checkVariant(manifest.variants[i], indexed("variants", i)))
      return false;
  return checkSteps();
}

} // namespace

bool heddle::manifest::verify(const Manifest &manifest, std::string &error) {
  return Verifier(manifest, error).run();
}
