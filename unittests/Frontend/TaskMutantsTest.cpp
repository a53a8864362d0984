//===- TaskMutantsTest.cpp - Is the proof of privileges sound? ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are broken at every site: privileges, index maps, coverage. Whatever
// the oracle's log of elements shows to be wrong, the reader has to refuse. Its
// proofs object to nothing else, but for what a log cannot show: privileges
// that nobody uses, and numbers that are equal at these sizes alone. What has
// no lowering is refused, too; how much is counted.
//
//===----------------------------------------------------------------------===//

#include "TaskPrograms.h"

#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Interp/Tasks.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace heddle;

namespace {

/// Breaks one place: the number of a site, counted by the operator itself, is
/// taken from `site`; false where there are no more.
struct Operator {
  const char *name;
  std::function<bool(ModuleOp, int &site)> apply;
};

/// Calls `change` for the site-th operation of a kind.
template <typename Op>
std::function<bool(ModuleOp, int &)> at(std::function<bool(Op)> change) {
  return [=](ModuleOp module, int &site) {
    SmallVector<Op> all;
    module.walk([&](Op op) { all.push_back(op); });
    if (site >= int(all.size()))
      return false;
    if (!change(all[site]))
      site = -1; // nothing to change here
    return true;
  };
}

std::function<bool(ModuleOp, int &)> privilege(int64_t from, int64_t to) {
  return [=](ModuleOp module, int &site) {
    int next = 0;
    for (auto variant : module.getOps<task::VariantOp>()) {
      SmallVector<int64_t> given(variant.getPrivileges());
      for (int64_t &one : given)
        if (one == from && next++ == site) {
          one = to;
          variant.setPrivileges(given);
          // All variants of the task, or the signatures would differ.
          for (auto other : module.getOps<task::VariantOp>())
            if (other.getTask() == variant.getTask())
              other.setPrivileges(given);
          return true;
        }
    }
    return false;
  };
}

Value constantBefore(Operation *op, int64_t number) {
  OpBuilder builder(op);
  return arith::ConstantIndexOp::create(builder, op->getLoc(), number);
}

/// Other indices of loops around `op`.
Value otherIndex(Operation *op, Value index) {
  for (Operation *around = op->getParentOp(); around;
       around = around->getParentOp())
    if (isa<task::SrangeOp, task::PrangeOp>(around))
      for (BlockArgument argument : around->getRegion(0).getArguments())
        if (argument != index)
          return argument;
  return {};
}

template <int axis> bool pieceZero(task::PieceOp piece) {
  if (piece.getIndices().size() <= axis)
    return false;
  piece->setOperand(1 + axis, constantBefore(piece, 0));
  return true;
}
template <int axis> bool pieceOther(task::PieceOp piece) {
  if (piece.getIndices().size() <= axis)
    return false;
  Value other = otherIndex(piece, piece->getOperand(1 + axis));
  if (other)
    piece->setOperand(1 + axis, other);
  return bool(other);
}
template <int axis> bool pieceNext(task::PieceOp piece) {
  if (piece.getIndices().size() <= axis)
    return false;
  OpBuilder builder(piece);
  Value one = constantBefore(piece, 1);
  piece->setOperand(1 + axis,
                    arith::AddIOp::create(builder, piece.getLoc(),
                                          piece->getOperand(1 + axis), one));
  return true;
}
template <typename Range, int which, int64_t change>
bool boundLess(Range range) {
  if (range->getNumOperands() <= which)
    return false;
  OpBuilder builder(range);
  Value one = constantBefore(range, change);
  range->setOperand(which,
                    arith::SubIOp::create(builder, range.getLoc(),
                                          range->getOperand(which), one));
  return true;
}
bool elementZero(task::ElementOp element) {
  element->setOperand(1, constantBefore(element, 0));
  return true;
}
/// The block of rows that a list names, in place of its own.
bool elementAlong(task::ElementOp element) {
  for (Operation *user : element.getPlace().getUsers())
    if (auto piece = dyn_cast<task::PieceOp>(user);
        piece && element->isBeforeInBlock(piece))
      for (OpOperand &operand : piece->getOpOperands())
        if (operand.get() == element.getPlace())
          operand.set(element);
  return true;
}
bool dropCondition(task::PieceOp piece) {
  if (!piece.getCondition())
    return false;
  piece.getConditionMutable().clear();
  return true;
}
bool otherCondition(task::PieceOp piece) {
  auto compare = piece.getCondition()
                     ? piece.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  if (compare)
    compare.setPredicate(arith::CmpIPredicate::sle);
  return bool(compare);
}
/// A condition that holds for the first along an index of a loop around.
bool firstOnly(task::PieceOp piece) {
  Value index = otherIndex(piece, {});
  if (piece.getCondition() || !index)
    return false;
  OpBuilder builder(piece);
  Value zero = constantBefore(piece, 0);
  piece.getConditionMutable().assign(
      arith::CmpIOp::create(builder, piece.getLoc(), arith::CmpIPredicate::eq,
                            index, zero)
          .getResult());
  return true;
}
bool blocksTwice(task::BlocksOp blocks) {
  if (blocks.getExtents().empty())
    return false;
  OpBuilder builder(blocks);
  Value two = constantBefore(blocks, 2);
  blocks->setOperand(1, arith::MulIOp::create(builder, blocks.getLoc(),
                                              blocks->getOperand(1), two));
  return true;
}
bool countOther(task::CountOp count) {
  for (Operation &op : *count->getBlock())
    if (auto blocks = dyn_cast<task::BlocksOp>(op);
        blocks && blocks.getResult() != count.getPartition() &&
        blocks->isBeforeInBlock(count) && blocks.getBlock(count.getAxis())) {
      count->setOperand(0, blocks);
      return true;
    }
  return false;
}
bool swapArguments(task::LaunchOp launch) {
  for (unsigned i = 0; i + 1 < launch.getArguments().size(); ++i)
    for (unsigned j = i + 1; j < launch.getArguments().size(); ++j) {
      Value a = launch.getArguments()[i], b = launch.getArguments()[j];
      if (a != b && a.getType() == b.getType()) {
        launch->setOperand(i, b);
        launch->setOperand(j, a);
        return true;
      }
    }
  return false;
}
bool sameArgument(task::LaunchOp launch) {
  for (unsigned i = 0; i + 1 < launch.getArguments().size(); ++i)
    for (unsigned j = i + 1; j < launch.getArguments().size(); ++j) {
      Value a = launch.getArguments()[i], b = launch.getArguments()[j];
      if (a != b && a.getType() == b.getType()) {
        launch->setOperand(i, b);
        return true;
      }
    }
  return false;
}
template <typename Op> bool erase(Op op) {
  op.erase();
  return true;
}
bool inParallel(task::SrangeOp range) {
  OpBuilder builder(range);
  auto parallel = task::PrangeOp::create(builder, range.getLoc(),
                                         ValueRange{range.getBound()});
  parallel.getBody().takeBody(range.getBody());
  range.erase();
  return true;
}
bool wholeArgument(task::LaunchOp launch) {
  for (unsigned i = 0; i < launch.getArguments().size(); ++i)
    if (auto piece = launch.getArguments()[i].getDefiningOp<task::PieceOp>()) {
      launch->setOperand(i, piece.getBlocks().getTensor());
      return true;
    }
  return false;
}

const Operator kOperators[] = {
    {"reads writes -> reads", privilege(3, 1)},
    {"reads writes -> writes", privilege(3, 2)},
    {"writes -> reads", privilege(2, 1)},
    {"writes -> reads writes", privilege(2, 3)},
    {"reads -> writes", privilege(1, 2)},
    {"reads -> reads writes", privilege(1, 3)},
    {"reduces(add) -> reads writes", privilege(task::kReducesAdd, 3)},
    {"reduces(add) -> writes", privilege(task::kReducesAdd, 2)},
    {"reduces(add) -> reads", privilege(task::kReducesAdd, 1)},
    {"reduces(add) -> reduces(max)",
     privilege(task::kReducesAdd, task::kReducesMax)},
    {"writes -> reduces(add)", privilege(2, task::kReducesAdd)},
    {"reads writes -> reduces(add)", privilege(3, task::kReducesAdd)},
    {"reads -> reduces(add)", privilege(1, task::kReducesAdd)},
    {"piece 0 along the first", at<task::PieceOp>(pieceZero<0>)},
    {"piece 0 along the second", at<task::PieceOp>(pieceZero<1>)},
    {"piece 0 along the third", at<task::PieceOp>(pieceZero<2>)},
    {"another index first", at<task::PieceOp>(pieceOther<0>)},
    {"another index second", at<task::PieceOp>(pieceOther<1>)},
    {"another index third", at<task::PieceOp>(pieceOther<2>)},
    {"the next piece first", at<task::PieceOp>(pieceNext<0>)},
    {"the next piece second", at<task::PieceOp>(pieceNext<1>)},
    {"the next piece third", at<task::PieceOp>(pieceNext<2>)},
    {"the first of a list", at<task::ElementOp>(elementZero)},
    {"a block that a list names", at<task::ElementOp>(elementAlong)},
    {"a piece without its condition", at<task::PieceOp>(dropCondition)},
    {"another condition", at<task::PieceOp>(otherCondition)},
    {"a piece of the first iterations", at<task::PieceOp>(firstOnly)},
    {"a prange one shorter",
     at<task::PrangeOp>(boundLess<task::PrangeOp, 0, 1>)},
    {"a prange one shorter, second",
     at<task::PrangeOp>(boundLess<task::PrangeOp, 1, 1>)},
    {"an srange one shorter",
     at<task::SrangeOp>(boundLess<task::SrangeOp, 0, 1>)},
    {"blocks twice as large", at<task::BlocksOp>(blocksTwice)},
    {"another count", at<task::CountOp>(countOther)},
    {"arguments swapped", at<task::LaunchOp>(swapArguments)},
    {"one argument twice", at<task::LaunchOp>(sameArgument)},
    {"a whole tensor for a piece", at<task::LaunchOp>(wholeArgument)},
    {"a launch less", at<task::LaunchOp>(erase<task::LaunchOp>)},
    {"a write less", at<task::WriteOp>(erase<task::WriteOp>)},
    {"srange -> prange", at<task::SrangeOp>(inParallel)},
};

/// Whether an error says that a privilege is exceeded, or not kept.
bool isOfProof(StringRef error) {
  return error.contains("[task-privilege]") ||
         error.contains("[task-overlap]") || error.contains("[task-coverage]");
}

/// Operators that change what is allowed, and the log notes what is done; or a
/// count or a condition for one that is the same for extents that agree, which
/// a program does not promise.
bool isBeyondLog(StringRef operation) {
  return operation.contains(" -> reads") || operation.contains(" -> writes") ||
         operation.contains(" -> reduces") || operation == "another count" ||
         operation == "another condition";
}

struct Count {
  int mutants = 0, wrong = 0, refused = 0, refusedThoughRight = 0;
};

/// Whether a run of some shape shows a fault; nothing where the program has no
/// meaning for the oracle.
std::optional<bool>
isWrong(ModuleOp module,
        const std::vector<std::vector<SmallVector<int64_t>>> &launches,
        std::string &text) {
  for (auto &shapes : launches) {
    interp::TaskRun run;
    run.computes = false;
    for (const SmallVector<int64_t> &shape : shapes) {
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      run.arguments.push_back({shape, std::vector<double>(count)});
    }
    if (failed(interp::interpretTasks(module, run)))
      return std::nullopt;
    for (const interp::TaskFault &fault : run.faults) {
      text = fault.text;
      return true;
    }
  }
  return false;
}

Count runMutants(
    const std::string &text,
    const std::vector<std::vector<SmallVector<int64_t>>> &launches) {
  Count count;
  std::unique_ptr<MLIRContext> context = pipeline::createContext();
  std::string said; // the last error
  ScopedDiagnosticHandler quiet(context.get(), [&](Diagnostic &message) {
    if (message.getSeverity() == DiagnosticSeverity::Error)
      said = message.str();
    return success();
  });
  OwningOpRef<ModuleOp> program =
      parseSourceString<ModuleOp>(text, context.get());
  EXPECT_TRUE(program);
  if (!program)
    return count;
  std::string why;
  EXPECT_EQ(isWrong(*program, launches, why), false) << why;
  OwningOpRef<ModuleOp> whole = program->clone();
  EXPECT_TRUE(succeeded(task::importTasks(*whole)));
  for (const Operator &mutation : kOperators)
    for (int number = 0;; ++number) {
      OwningOpRef<ModuleOp> mutant = program->clone();
      int site = number;
      if (!mutation.apply(*mutant, site))
        break;
      if (site < 0 || failed(verify(*mutant)))
        continue;
      why.clear();
      std::optional<bool> wrong = isWrong(*mutant, launches, why);
      said.clear();
      bool isRefused = failed(task::importTasks(*mutant));
      ++count.mutants;
      count.refused += isRefused;
      count.wrong += wrong == true;
      count.refusedThoughRight += isRefused && wrong == false;
      EXPECT_TRUE(wrong != true || isRefused)
          << mutation.name << ", site " << number << ": " << why;
      EXPECT_TRUE(wrong != false || !isOfProof(said) ||
                  isBeyondLog(mutation.name))
          << mutation.name << ", site " << number << ": " << said;
    }
  return count;
}

TEST(TaskMutants, Product) {
  Count count =
      runMutants(readExample("gemm.mlir", {{"\"U\" = 128", "\"U\" = 4"},
                                           {"\"V\" = 256", "\"V\" = 4"},
                                           {"\"W\" = 64", "\"W\" = 4"}}),
                 {{{9, 7}, {7, 10}, {9, 10}}, {{4, 8}, {8, 4}, {4, 4}}});
  RecordProperty("mutants", count.mutants);
  std::printf("product: %d mutants, %d wrong, %d refused, %d of them right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 60);
  EXPECT_GE(count.wrong, 25);
}

TEST(TaskMutants, TwoProducts) {
  Count count = runMutants(
      readExample("dual_gemm.mlir", {{"\"U\" = 128 of {64, 128}", "\"U\" = 4"},
                                     {"\"V\" = 128 of {64, 128}", "\"V\" = 4"},
                                     {"\"W\" = 64 of {32, 64}", "\"W\" = 4"}}),
      {{{9, 7}, {7, 10}, {7, 10}, {9, 10}}, {{4, 8}, {8, 4}, {8, 4}, {4, 4}}});
  std::printf("two products: %d mutants, %d wrong, %d refused, %d of them "
              "right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 80);
  EXPECT_GE(count.wrong, 25);
}

TEST(TaskMutants, Batch) {
  Count count = runMutants(
      readExample("batched_gemm.mlir", {{"\"U\" = 128", "\"U\" = 4"},
                                        {"\"V\" = 128", "\"V\" = 4"},
                                        {"\"W\" = 64", "\"W\" = 4"}}),
      {{{2, 5, 7}, {2, 7, 9}, {2, 5, 9}}, {{1, 4, 8}, {1, 8, 4}, {1, 4, 4}}});
  std::printf("batch: %d mutants, %d wrong, %d refused, %d of them right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 60);
  EXPECT_GE(count.wrong, 25);
}

TEST(TaskMutants, SharedPieces) {
  Count count =
      runMutants(readExample("split_k_gemm.mlir",
                             {{"\"U\" = 128 of {64, 128}", "\"U\" = 4"},
                              {"\"V\" = 128 of {64, 128}", "\"V\" = 4"},
                              {"\"PART\" = 512", "\"PART\" = 8"},
                              {"\"W\" = 64", "\"W\" = 4"}}),
                 {{{9, 17}, {17, 10}, {9, 10}}, {{4, 8}, {8, 4}, {4, 4}}});
  std::printf("shared pieces: %d mutants, %d wrong, %d refused, %d of them "
              "right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 60);
  EXPECT_GE(count.wrong, 20);
}

TEST(TaskMutants, PiecesUnderACondition) {
  Count count = runMutants(
      readExample("gemm_reduction.mlir", {{"\"U\" = 128", "\"U\" = 4"},
                                          {"\"V\" = 256", "\"V\" = 4"},
                                          {"\"W\" = 64", "\"W\" = 4"}}),
      {{{9, 7}, {7, 10}, {9, 10}, {9}}, {{4, 8}, {8, 0}, {4, 0}, {4}}});
  std::printf("conditions: %d mutants, %d wrong, %d refused, %d of them "
              "right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 100);
  EXPECT_GE(count.wrong, 25);
}

TEST(TaskMutants, Lists) {
  Count count = runMutants(
      readExample("grouped_gemm.mlir",
                  {{"\"U\" = 128", "\"U\" = 4"},
                   {"\"V\" = 128 of {128, 256}", "\"V\" = 4"},
                   {"\"W\" = 64", "\"W\" = 4"}}),
      {{{9, 7}, {2, 7, 10}, {3}, {9, 10}}, {{4, 8}, {1, 8, 4}, {1}, {4, 4}}});
  std::printf("lists: %d mutants, %d wrong, %d refused, %d of them right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 80);
  EXPECT_GE(count.wrong, 25);
}

TEST(TaskMutants, Softmax) {
  Count count = runMutants(
      readExample("gemm_softmax.mlir", {{"\"U\" = 128", "\"U\" = 4"},
                                        {"\"V\" = 128", "\"V\" = 8"},
                                        {"\"W\" = 64", "\"W\" = 4"}}),
      {{{9, 7}, {7, 5}, {9, 5}}, {{4, 8}, {8, 8}, {4, 8}}});
  std::printf("softmax: %d mutants, %d wrong, %d refused, %d of them right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 70);
  EXPECT_GE(count.wrong, 25);
}

/// Attention without and with the causal mask. Its entry has a number, too.
void runAttention(const char *name) {
  Count count = runMutants(readExample(name, {{"\"U\" = 128", "\"U\" = 4"},
                                              {"\"D\" = 128", "\"D\" = 2"},
                                              {"\"W\" = 128", "\"W\" = 4"}}),
                           {{{2, 9, 2}, {2, 9, 2}, {2, 9, 2}, {2, 9, 2}, {}},
                            {{1, 4, 2}, {1, 8, 2}, {1, 8, 2}, {1, 4, 2}, {}}});
  std::printf("%s: %d mutants, %d wrong, %d refused, %d of them right\n", name,
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 120);
  EXPECT_GE(count.wrong, 45);
}

TEST(TaskMutants, Attention) { runAttention("attention.mlir"); }
TEST(TaskMutants, CausalAttention) { runAttention("attention_causal.mlir"); }

TEST(TaskMutants, NestedPieces) {
  Count count =
      runMutants(kNested, {{{9, 7}, {9, 7}, {9, 7}}, {{4, 4}, {4, 4}, {4, 4}}});
  std::printf("nested: %d mutants, %d wrong, %d refused, %d of them right\n",
              count.mutants, count.wrong, count.refused,
              count.refusedThoughRight);
  EXPECT_GE(count.mutants, 40);
  EXPECT_GE(count.wrong, 15);
}

} // namespace
