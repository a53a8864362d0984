//===- Privileges.cpp - Are privileges kept? ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each variant by itself, whatever the mapping: launches and bodies stay within
// its privileges, `writes` alone writes everything, iterations of a prange do
// not meet, and no launch writes what it has under another name. The lowering
// relies on all four; a proof that is not found is an error.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "Instances.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

namespace {

class VariantChecker {
public:
  VariantChecker(ModuleOp module, VariantOp variant)
      : module(module), variant(variant) {}

  LogicalResult run() {
    if (variant.getLeaf())
      return failure(failed(checkLeaf()) || failed(checkCoverage()));
    collect();
    // Each is compared with each.
    constexpr size_t kMost = 512;
    if (list.size() > kMost)
      return report(variant, diag::task_lowering)
             << "variant @" << variant.getSymName() << " passes " << list.size()
             << " tensors to launches; heddle compares up to " << kMost
             << ": divide it";
    if (failed(checkElements()) || failed(checkLaunches()) ||
        failed(checkCoverage()))
      return failure();
    return checkEach<PrangeOp>(variant,
                               [&](PrangeOp range) { return check(range); });
  }

private:
  std::string nameOf(Value root) {
    if (auto argument = dyn_cast<BlockArgument>(root))
      return ("'" + variant.getArgName(argument.getArgNumber()) + "'").str();
    return "what task.make makes";
  }

  void noteDeclaration(Report &error, BlockArgument argument) {
    unsigned index = argument.getArgNumber();
    error.attachNote(argument.getLoc())
        << "variant @" << variant.getSymName() << " declares '"
        << variant.getArgName(index) << "' as "
        << spellPrivileges(variant.getPrivileges()[index]);
  }

  LogicalResult checkLeaf() {
    return checkEach<Operation *>(variant, [&](Operation *op) {
      bool isRead = isa<ReadOp>(op);
      if (!isRead && !isa<WriteOp>(op))
        return success();
      auto argument =
          cast<BlockArgument>(isRead ? cast<ReadOp>(op).getTensor()
                                     : cast<WriteOp>(op).getTensor());
      unsigned index = argument.getArgNumber();
      if (isRead ? variant.mayRead(index)
                 : variant.mayWrite(index) || variant.getReduction(index))
        return success();
      Report error = report(op, diag::task_privilege)
                     << "leaf @" << variant.getSymName()
                     << (isRead ? " reads '" : " writes '")
                     << variant.getArgName(index) << "', which it declares as "
                     << spellPrivileges(variant.getPrivileges()[index]);
      noteDeclaration(error, argument);
      return LogicalResult(error);
    });
  }

  void collect() {
    variant.walk([&](LaunchOp launch) {
      VariantOp callee = findVariant(module, launch.getTask());
      for (auto [index, value] : llvm::enumerate(launch.getArguments()))
        if (isa<ArrayType>(value.getType()))
          list.push_back(accesses.describe(launch, unsigned(index),
                                           callee.getPrivileges()[index]));
    });
  }

  /// A list that chooses what is launched is the same for all iterations.
  LogicalResult checkElements() {
    return checkEach<ElementOp>(variant, [&](ElementOp op) {
      auto argument = cast<BlockArgument>(op.getTensor());
      unsigned index = argument.getArgNumber();
      if (variant.getPrivileges()[index] == 1)
        return success();
      Report error = report(op, diag::task_privilege)
                     << "task.element reads '" << variant.getArgName(index)
                     << "', which its variant declares as "
                     << spellPrivileges(variant.getPrivileges()[index])
                     << "; such a list is only read";
      noteDeclaration(error, argument);
      return LogicalResult(error);
    });
  }

  LogicalResult checkLaunches() {
    for (const Access &access : list) {
      auto argument = dyn_cast<BlockArgument>(access.root);
      int64_t wanted = access.reduction ? access.reduction
                                        : access.reads + 2 * access.writes,
              declared = argument
                             ? variant.getPrivileges()[argument.getArgNumber()]
                             : 3;
      // Who reads and writes may do any of it.
      int64_t given = declared == 3 ? 3 | kReduces : declared;
      if ((wanted & ~given) == 0)
        continue;
      LaunchOp launch = access.launch;
      VariantOp callee = findVariant(module, launch.getTask());
      Report error = report(launch, diag::task_privilege)
                     << "task @" << launch.getTask() << " "
                     << spellPrivileges(wanted) << " '"
                     << callee.getArgName(access.argument) << "', and variant @"
                     << variant.getSymName() << " only "
                     << spellPrivileges(declared) << " " << nameOf(access.root);
      noteDeclaration(error, argument);
      return error;
    }
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = 0; j < list.size(); ++j)
        if (i != j && list[i].launch == list[j].launch && list[i].writes &&
            list[i].root == list[j].root && (i < j || !list[j].writes) &&
            !accesses.areApartAtOnce(list[i], list[j]))
          return reportAlias(list[i], list[j]);
    return success();
  }

  LogicalResult reportAlias(const Access &written, const Access &other) {
    LaunchOp launch = written.launch;
    VariantOp callee = findVariant(module, launch.getTask());
    return report(launch, diag::task_overlap)
           << "this launch writes '" << callee.getArgName(written.argument)
           << "' and has it as '" << callee.getArgName(other.argument)
           << "', too: both are pieces of " << nameOf(written.root)
           << " that may overlap";
  }

  //===--------------------------------------------------------------------===//
  // Coverage
  //===--------------------------------------------------------------------===//

  LogicalResult checkCoverage() {
    for (BlockArgument argument : variant.getEntry().getArguments()) {
      if (variant.getPrivileges()[argument.getArgNumber()] != 2)
        continue;
      bool isWhole = variant.getLeaf()
                         ? isWrittenInLeaf(argument)
                         : llvm::any_of(list, [&](const Access &access) {
                             return covers(access, argument);
                           });
      if (isWhole)
        continue;
      Report error = report(argument.getLoc(), diag::task_coverage)
                     << "variant @" << variant.getSymName() << " writes '"
                     << variant.getArgName(argument.getArgNumber())
                     << "' without reading it, and not every element is proved "
                        "to be written; write all pieces of a partition, or "
                        "say 'reads writes'";
      if (const Access *part = firstWrite(argument)) {
        LaunchOp launch = part->launch;
        error.attachNote(launch.getLoc()) << "a part is written here";
      }
      return error;
    }
    return success();
  }

  const Access *firstWrite(Value root) {
    for (const Access &access : list)
      if (access.root == root && access.writes)
        return &access;
    return nullptr;
  }

  bool isWrittenInLeaf(BlockArgument argument) {
    return llvm::any_of(argument.getUsers(), [&](Operation *user) {
      return isa<WriteOp>(user) && user->getBlock() == &variant.getEntry();
    });
  }

  /// Does this launch, in all its loops, write every element of `root`? Each
  /// loop around it either runs through all blocks along an axis, or runs at
  /// least once.
  bool covers(const Access &access, Value root) {
    if (access.root != root || !access.writes || access.reads ||
        access.reduction)
      return false;
    llvm::SmallPtrSet<Operation *, 4> ranges;
    SmallVector<std::pair<Value, Value>> loops; // index and bound
    LaunchOp launch = access.launch;
    for (Operation *around = launch->getParentOp(); around != variant;
         around = around->getParentOp()) {
      if (auto range = dyn_cast<SrangeOp>(around))
        loops.push_back({range.getBody().getArgument(0), range.getBound()});
      else if (auto range = dyn_cast<PrangeOp>(around))
        for (auto pair :
             llvm::zip(range.getBody().getArguments(), range.getBounds()))
          loops.push_back({std::get<0>(pair), std::get<1>(pair)});
      else
        return false;
    }
    Value tensor = launch.getArguments()[access.argument];
    while (auto piece = tensor.getDefiningOp<PieceOp>()) {
      if (piece.getCondition())
        return false;
      for (int64_t axis = 0; axis < piece.getType().getRank(); ++axis) {
        Value index = piece.getIndex(axis);
        if (!index)
          continue;
        auto *loop = llvm::find_if(
            loops, [&](auto &pair) { return pair.first == index; });
        if (loop == loops.end() || !isCount(loop->second, piece, axis))
          return false;
        loops.erase(loop);
      }
      tensor = piece.getBlocks().getTensor();
    }
    return llvm::all_of(loops, [&](auto &pair) {
      return constantOf(pair.second).value_or(0) >= 1;
    });
  }

  /// Is `bound` at least the number of blocks that `piece` is one of, along
  /// `axis`?
  bool isCount(Value bound, PieceOp piece, int64_t axis) {
    // Blocks beyond the last have no elements.
    if (auto larger = bound.getDefiningOp<arith::MaxSIOp>())
      return isCount(larger.getLhs(), piece, axis) ||
             isCount(larger.getRhs(), piece, axis);
    auto count = bound.getDefiningOp<CountOp>();
    if (!count || int64_t(count.getAxis()) != axis)
      return false;
    auto counted = count.getPartition().getDefiningOp<BlocksOp>();
    BlocksOp blocks = piece.getBlocks();
    if (counted == blocks)
      return true;
    return counted && counted.getTensor() == blocks.getTensor() &&
           counted.getBlock(axis) == blocks.getBlock(axis);
  }

  //===--------------------------------------------------------------------===//
  // prange
  //===--------------------------------------------------------------------===//

  LogicalResult check(PrangeOp range) {
    SmallVector<const Access *> inside;
    for (const Access &access : list) {
      LaunchOp launch = access.launch;
      Operation *made = access.root.getDefiningOp();
      // What an iteration makes is its own.
      if (range->isProperAncestor(launch) && !(made && range->isAncestor(made)))
        inside.push_back(&access);
    }
    for (const Access *written : inside)
      for (const Access *other : inside)
        if (written->writes && written->root == other->root &&
            (!written->reduction || written->reduction != other->reduction)) {
          Collision met = accesses.compare(range, *written, *other);
          if (!met.isApart)
            return reportCollision(range, *written, *other, met);
        }
    return success();
  }

  static std::string spell(ArrayRef<int64_t> iteration) {
    std::string text = "(";
    for (auto [position, index] : llvm::enumerate(iteration))
      text += (position ? ", " : "") + std::to_string(index);
    return text + ")";
  }

  LogicalResult reportCollision(PrangeOp range, const Access &written,
                                const Access &other, const Collision &met) {
    LaunchOp launch = written.launch, second = other.launch;
    Report error = report(launch, diag::task_overlap);
    std::string name = nameOf(written.root);
    if (met.first.empty())
      error << "iterations of the prange write pieces of " << name
            << " that are not proved to be apart from what other iterations "
            << (other.writes ? "write" : "read");
    else
      error << "iterations " << spell(met.first) << " and " << spell(met.second)
            << " of the prange meet in " << name << ": the first writes what "
            << "the second " << (other.writes ? "writes" : "reads");
    error.attachNote(range.getLoc()) << "the prange is here";
    if (launch != second)
      error.attachNote(second.getLoc()) << "the other launch is here";
    return error;
  }

  ModuleOp module;
  VariantOp variant;
  Accesses accesses;
  std::vector<Access> list;
};

} // namespace

LogicalResult heddle::task::checkPrivileges(ModuleOp module) {
  for (auto variant : module.getOps<VariantOp>())
    if (failed(VariantChecker(module, variant).run()))
      return failure();
  return success();
}
