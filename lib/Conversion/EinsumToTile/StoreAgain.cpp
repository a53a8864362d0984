//===- StoreAgain.cpp - Operands in another format ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: programs without plans. Out: where no order of loops carries a statement
// out, since its operands are stored by other indices first, or as lists that
// are not merged, statements in front of it that store matrices again by rows
// or by columns; as few as will do, of these the cheapest by guessed sizes.
// They are statements like any other, so the text shows them, and the user may
// write them where they are made once for all.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringSet.h"

#include <map>
#include <optional>

using namespace mlir;
using namespace heddle;
using sparse::Access;
using sparse::Format;
using sparse::Level;

namespace {

/// Orders of more indices are not tried again and again.
constexpr size_t kMostIndices = 5;

/// An operand that is stored again.
struct Change {
  size_t operand;
  Format format;
};

class StatementChanges {
public:
  using IsStored = llvm::function_ref<bool(const Change &)>;

  /// `isStored`: whether the changed operand is there already.
  StatementChanges(einsum::StatementOp op, IsStored isStored)
      : op(op), statement(describeStatement(op)), isStored(isStored) {}

  /// The changes that help; none where none are needed, or none help.
  std::vector<Change> find() {
    if (statement.indices.size() > kMostIndices || hasPlan())
      return {};
    std::vector<Change> all = possible();
    std::vector<std::vector<Change>> tries;
    for (const Change &change : all)
      tries.push_back({change});
    if (std::vector<Change> one = cheapest(tries); !one.empty())
      return one;
    tries.clear();
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = i + 1; k < all.size(); ++k)
        if (all[i].operand != all[k].operand)
          tries.push_back({all[i], all[k]});
    return cheapest(tries);
  }

  std::string whyNot() const {
    std::string error;
    for (int term = 0; term < int(statement.terms.size()); ++term)
      if (sparse::plan(statement, term, sparse::Statistics::guess(statement),
                       error)
              .empty())
        return error;
    return {};
  }

private:
  bool hasPlan() const {
    sparse::Statistics guessed = sparse::Statistics::guess(statement);
    for (int term = 0; term < int(statement.terms.size()); ++term)
      if (!sparse::isPlannable(statement, term, guessed))
        return false;
    return true;
  }

  /// Cycles of all terms; nothing if one has no plan.
  static std::optional<double> priceOf(const sparse::Statement &statement) {
    double cycles = 0;
    std::string error;
    for (int term = 0; term < int(statement.terms.size()); ++term) {
      auto candidates = sparse::plan(
          statement, term, sparse::Statistics::guess(statement), error);
      if (candidates.empty())
        return std::nullopt;
      cycles += candidates[0].cost;
    }
    return cycles;
  }

  /// A mask stands in the terms, too, but is no operand of theirs.
  static bool isFactor(const Access &access) { return !access.isMask; }

  /// A factor that also says which elements there are has to be what it is.
  bool isMaskItself(const Access &access) const {
    return access.isMask || (statement.mask && access.isAlike(*statement.mask));
  }

  std::vector<Change> possible() const {
    std::vector<Change> all;
    size_t operand = 0;
    for (const auto &term : statement.terms)
      for (const Access &access : term) {
        const Format &format = access.format;
        for (const std::vector<int> &axes : {std::vector{0, 1}, {1, 0}}) {
          Format other = format;
          other.levels = {Level::Dense, Level::Compressed};
          other.axes = axes;
          bool isSame = other.levels == format.levels && axes == format.axes;
          if (format.rank() == 2 && !format.isDense() && !isSame &&
              !isMaskItself(access))
            all.push_back({operand, other});
        }
        operand += isFactor(access);
      }
    return all;
  }

  std::vector<Change>
  cheapest(const std::vector<std::vector<Change>> &tries) const {
    std::vector<Change> best;
    std::pair<int, double> least; // what is new, and cycles
    for (const std::vector<Change> &changes : tries) {
      sparse::Statement changed = statement;
      for (const Change &change : changes) {
        size_t operand = 0;
        for (auto &term : changed.terms)
          for (Access &access : term)
            if (isFactor(access) && operand++ == change.operand)
              access.format = change.format;
      }
      auto cycles = priceOf(changed);
      if (!cycles)
        continue;
      int made = int(llvm::count_if(
          changes, [&](const Change &change) { return !isStored(change); }));
      if (best.empty() || std::pair(made, *cycles) < least) {
        best = changes;
        least = {made, *cycles};
      }
    }
    return best;
  }

  einsum::StatementOp op;
  sparse::Statement statement;
  IsStored isStored;
};

class Storing {
public:
  explicit Storing(einsum::ProgramOp program) : program(program) {
    for (Attribute name : program.getArgNames())
      names.insert(cast<StringAttr>(name).getValue());
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      names.insert(op.getName());
  }

  void run() {
    for (auto op : llvm::make_early_inc_range(
             program.getEntry().getOps<einsum::StatementOp>())) {
      auto isStored = [&](const Change &change) {
        return stored.contains(keyOf(op, change));
      };
      StatementChanges changes(op, isStored);
      std::vector<Change> found = changes.find();
      if (found.empty())
        continue;
      std::string why = changes.whyNot();
      for (const Change &change : found)
        store(op, change, why);
    }
  }

private:
  /// The operand, the axis that comes first, and the semiring, whose zeros are
  /// what the copy lacks.
  using Key = std::tuple<Value, int, StringAttr>;
  static Key keyOf(einsum::StatementOp op, const Change &change) {
    return {op.getOperand(change.operand), change.format.axes[0],
            op.getSemiringAttr()};
  }

  void store(einsum::StatementOp op, const Change &change,
             const std::string &why) {
    Value operand = op.getOperand(change.operand);
    auto indices = cast<ArrayAttr>(op.getAccesses()[change.operand]);
    std::string first =
        cast<StringAttr>(indices[change.format.axes[0]]).getValue().str();
    Value &known = stored[keyOf(op, change)];
    if (!known) {
      std::string tensor = einsum::nameOf(operand);
      std::string name = freeName(tensor + "_by_" + first);
      OpBuilder builder(op);
      known = einsum::StatementOp::create(
          builder, op.getLoc(), typeOf(operand, change.format),
          builder.getStringAttr(name), indices, builder.getArrayAttr(indices),
          builder.getDenseI64ArrayAttr({1}), op.getSemiringAttr(), ArrayAttr(),
          DenseF64ArrayAttr(), UnitAttr(), ArrayAttr(), ValueRange(operand));
      report(op, diag::einsum_stored_again)
          << tensor << " is stored again by " << first << " first, as " << name
          << ", at each run: " << why;
    }
    op->setOperand(unsigned(change.operand), known);
  }

  static RankedTensorType typeOf(Value operand, const Format &format) {
    auto type = cast<RankedTensorType>(operand.getType());
    auto encoding =
        cast<sparse_tensor::SparseTensorEncodingAttr>(type.getEncoding());
    MLIRContext *context = type.getContext();
    SmallVector<AffineExpr> levels;
    for (int axis : format.axes)
      levels.push_back(getAffineDimExpr(unsigned(axis), context));
    using sparse_tensor::LevelFormat, sparse_tensor::LevelType;
    return RankedTensorType::get(
        type.getShape(), type.getElementType(),
        sparse_tensor::SparseTensorEncodingAttr::get(
            context, {LevelFormat::Dense, LevelFormat::Compressed},
            AffineMap::get(2, 0, levels, context), AffineMap(),
            encoding.getPosWidth(), encoding.getCrdWidth()));
  }

  std::string freeName(std::string name) {
    while (!names.insert(name).second)
      name += "_";
    return name;
  }

  einsum::ProgramOp program;
  llvm::StringSet<> names;
  llvm::DenseMap<Key, Value> stored;
};

} // namespace

void heddle::storeOperandsAgain(ModuleOp module) {
  for (auto program : module.getOps<einsum::ProgramOp>())
    if (!findPlan(program))
      Storing(program).run();
}
