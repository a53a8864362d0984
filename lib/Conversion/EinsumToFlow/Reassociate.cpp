//===- Reassociate.cpp - Products multiplied in another order -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// T(i, f) += A(i, j) * X(j, f) and H(i, g) += T(i, f) * V(f, g) + b(g) are also
// XV(j, g) += X(j, f) * V(f, g) and H(i, g) += A(i, j) * XV(j, g) + b(g): in a
// semiring whose product distributes over its sum, a factor that does not have
// an index stands outside of the sum over it. So one factor of the inner
// product stays, and the others move to what the outer product has besides.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Support/Scalars.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;
using einsum::nameOf;

namespace {

struct Factor {
  Value tensor;
  SmallVector<Attribute> indices;
  ArrayAttr functions;
};

/// Two statements, of which the second one reads the first one in one term.
class Products {
public:
  Products(einsum::StatementOp made, OpOperand &use)
      : made(made), reader(cast<einsum::StatementOp>(use.getOwner())),
        place(use.getOperandNumber()) {
    int64_t begin = 0;
    for (int64_t size : reader.getTerms()) {
      if (int64_t(place) < begin + size) {
        first = unsigned(begin);
        count = unsigned(size);
        break;
      }
      begin += size;
      ++term;
    }
  }

  /// Whether the rules of sums allow that factors move.
  bool areFree() {
    if (made.getTerms().size() != 1 || made.getMasked() || made.getThen() ||
        semiringOf(made) != semiringOf(reader) ||
        semiringOf(made) == Semiring::MaxTimes || count < 2)
      return false;
    if (reader.getFunctions() &&
        !cast<ArrayAttr>((*reader.getFunctions())[place]).empty())
      return false;
    // Elements of a dense level stand where no product does, and a sparse
    // result would have others without them.
    auto isDense = [](Value tensor, bool isLast) {
      sparse::Format format =
          describeFormat(cast<RankedTensorType>(tensor.getType()));
      return isLast ? format.levels.back() == sparse::Level::Dense
                    : format.isDense();
    };
    auto read = cast<ArrayAttr>(reader.getAccesses()[place]);
    llvm::SmallDenseSet<Attribute> distinct(read.begin(), read.end());
    return distinct.size() == read.size() && !read.empty() &&
           (isDense(reader.getResult(), /*isLast=*/false) ||
            !isDense(made.getResult(), /*isLast=*/true));
  }

  /// With `kept` of the inner factors outside. False if that makes no tensor
  /// like the one that there was.
  bool split(unsigned kept) {
    renameInner();
    listFactors();
    outsideAt = innerAt + kept;
    llvm::SmallSetVector<Attribute, 8> all;
    for (auto [at, factor] : llvm::enumerate(factors))
      if (at != outsideAt)
        all.insert(factor.indices.begin(), factor.indices.end());
    // The rows of the result, what the factor outside names, and the rest: so
    // rows are walked in the order in which they are asked for.
    output.clear();
    auto take = [&](Attribute index) {
      if (all.contains(index) && !llvm::is_contained(output, index))
        output.push_back(index);
    };
    if (!reader.getOutput().empty())
      take(reader.getOutput()[0]);
    for (Attribute index : factors[outsideAt].indices)
      take(index);
    for (Attribute index : reader.getOutput())
      take(index);
    return output.size() < all.size() &&
           output.size() == made.getOutput().size();
  }

  /// "A (X V)", and "(A X) V" as it is.
  std::string spellNew() const {
    std::string text, moved;
    for (auto [at, factor] : llvm::enumerate(factors))
      if (at != outsideAt)
        moved += (moved.empty() ? "" : " ") + nameOf(factor.tensor);
    std::string kept = nameOf(factors[outsideAt].tensor);
    return isOutsideLast() ? "(" + moved + ") " + kept
                           : kept + " (" + moved + ")";
  }
  std::string spellOld() {
    std::string text;
    for (auto [at, factor] : llvm::enumerate(factors)) {
      text += at ? " " : "";
      text += at == innerAt ? "(" : "";
      text += nameOf(factor.tensor);
      text += at + 1 == innerAt + made.getNumOperands() ? ")" : "";
    }
    return text;
  }

  void write() {
    OpBuilder builder(reader);
    auto attribute = [&](ArrayRef<Attribute> list) {
      return builder.getArrayAttr(list);
    };
    auto old = cast<RankedTensorType>(made.getType());
    SmallVector<int64_t> shape;
    for (Attribute index : output)
      shape.push_back(extentOf(index));
    SmallVector<Attribute> accesses, functions;
    SmallVector<Value> operands;
    for (auto [at, factor] : llvm::enumerate(factors))
      if (at != outsideAt)
        add(builder, factor, accesses, functions, operands);
    bool hasFunctions = hasAny(functions);
    auto product = einsum::StatementOp::create(
        builder, made.getLoc(),
        RankedTensorType::get(shape, old.getElementType(), old.getEncoding()),
        builder.getStringAttr(nameOfNew()), attribute(output),
        attribute(accesses),
        builder.getDenseI64ArrayAttr({int64_t(factors.size()) - 1}),
        made.getSemiringAttr(),
        hasFunctions ? attribute(functions) : ArrayAttr(), DenseF64ArrayAttr(),
        UnitAttr(), ArrayAttr(), operands);
    rewriteReader(builder, product);
    made.erase();
  }

private:
  static Semiring semiringOf(einsum::StatementOp op) {
    return op.getSemiring() ? *findSemiring(*op.getSemiring())
                            : Semiring::PlusTimes;
  }
  static double coefficientOf(einsum::StatementOp op, size_t term) {
    return op.getCoefficients() ? (*op.getCoefficients())[term] : 1;
  }
  static bool hasAny(ArrayRef<Attribute> functions) {
    return llvm::any_of(functions, [](Attribute list) {
      return !cast<ArrayAttr>(list).empty();
    });
  }

  /// All factors of the product, those of the inner one in its place.
  void listFactors() {
    factors.clear();
    for (unsigned i = first; i < first + count; ++i) {
      if (i != place) {
        factors.push_back(factorOf(reader, i, false));
        continue;
      }
      innerAt = factors.size();
      for (unsigned inner = 0; inner < made.getNumOperands(); ++inner)
        factors.push_back(factorOf(made, inner, true));
    }
  }

  bool isOutsideLast() const { return outsideAt + 1 == factors.size(); }

  /// Names of the inner product's indices in the outer one: what it sums over
  /// is new there.
  void renameInner() {
    renamed.clear();
    llvm::StringSet<> taken;
    auto take = [&](ArrayAttr names) {
      for (Attribute name : names)
        taken.insert(cast<StringAttr>(name).getValue());
    };
    take(reader.getOutput());
    for (Attribute access : reader.getAccesses())
      take(cast<ArrayAttr>(access));
    for (auto [inner, outer] : llvm::zip_equal(
             made.getOutput(), cast<ArrayAttr>(reader.getAccesses()[place])))
      renamed[inner] = outer;
    for (Attribute access : made.getAccesses())
      for (Attribute index : cast<ArrayAttr>(access)) {
        if (renamed.count(index))
          continue;
        std::string name = cast<StringAttr>(index).getValue().str();
        for (int number = 1; taken.contains(name); ++number)
          name =
              cast<StringAttr>(index).getValue().str() + std::to_string(number);
        taken.insert(name);
        renamed[index] = StringAttr::get(made.getContext(), name);
      }
  }

  Factor factorOf(einsum::StatementOp op, unsigned number, bool isInner) {
    Factor factor;
    factor.tensor = op.getOperand(number);
    for (Attribute index : cast<ArrayAttr>(op.getAccesses()[number]))
      factor.indices.push_back(isInner ? renamed.lookup(index) : index);
    factor.functions = op.getFunctions()
                           ? cast<ArrayAttr>((*op.getFunctions())[number])
                           : ArrayAttr::get(op.getContext(), {});
    return factor;
  }

  int64_t extentOf(Attribute index) const {
    for (const Factor &factor : factors)
      for (auto [axis, name] : llvm::enumerate(factor.indices))
        if (name == index)
          return cast<RankedTensorType>(factor.tensor.getType())
              .getDimSize(unsigned(axis));
    return ShapedType::kDynamic;
  }

  /// The names of its factors, and a number where that is taken.
  std::string nameOfNew() {
    auto program = made->getParentOfType<einsum::ProgramOp>();
    llvm::StringSet<> taken;
    for (Value argument : program.getEntry().getArguments())
      taken.insert(nameOf(argument));
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      taken.insert(op.getName());
    std::string name;
    for (auto [at, factor] : llvm::enumerate(factors))
      if (at != outsideAt)
        name += nameOf(factor.tensor);
    std::string unique = name;
    for (int number = 1; taken.contains(unique); ++number)
      unique = name + std::to_string(number);
    return unique;
  }

  static void add(OpBuilder &builder, const Factor &factor,
                  SmallVector<Attribute> &accesses,
                  SmallVector<Attribute> &functions,
                  SmallVector<Value> &operands) {
    accesses.push_back(builder.getArrayAttr(factor.indices));
    functions.push_back(factor.functions);
    operands.push_back(factor.tensor);
  }

  void rewriteReader(OpBuilder &builder, einsum::StatementOp product) {
    SmallVector<Attribute> accesses, functions;
    SmallVector<Value> operands;
    for (unsigned i = 0; i < reader.getNumOperands(); ++i) {
      if (i >= first && i < first + count) {
        if (i != first)
          continue;
        SmallVector<Factor, 2> two = {
            factors[outsideAt], {product, output, builder.getArrayAttr({})}};
        if (isOutsideLast())
          std::swap(two[0], two[1]);
        for (const Factor &factor : two)
          add(builder, factor, accesses, functions, operands);
        continue;
      }
      accesses.push_back(reader.getAccesses()[i]);
      if (i < reader.getNumFactors())
        functions.push_back(factorOf(reader, i, false).functions);
      operands.push_back(reader.getOperand(i));
    }
    SmallVector<int64_t> terms(reader.getTerms());
    terms[term] = 2;
    SmallVector<double> coefficients;
    for (size_t i = 0; i < terms.size(); ++i)
      coefficients.push_back(coefficientOf(reader, i));
    coefficients[term] *= coefficientOf(made, 0);
    reader->setOperands(operands);
    reader.setAccessesAttr(builder.getArrayAttr(accesses));
    reader.setTerms(terms);
    if (hasAny(functions))
      reader.setFunctionsAttr(builder.getArrayAttr(functions));
    else
      reader.removeFunctionsAttr();
    if (llvm::any_of(coefficients, [](double one) { return one != 1; }))
      reader.setCoefficientsAttr(builder.getDenseF64ArrayAttr(coefficients));
    else
      reader.removeCoefficientsAttr();
  }

  einsum::StatementOp made, reader;
  unsigned place, first = 0, count = 0;
  size_t term = 0;
  llvm::DenseMap<Attribute, Attribute> renamed;
  /// Of all factors: the first of the inner product, and who stays outside of
  /// the new one, which has the others and this result.
  SmallVector<Factor> factors;
  size_t innerAt = 0, outsideAt = 0;
  SmallVector<Attribute> output;
};

} // namespace

/// What a person wrote of a statement stays, and so does the statement.
static bool isPlanned(einsum::ProgramOp program, einsum::StatementOp op) {
  einsum::PlanOp plan = findPlan(program);
  return plan && llvm::any_of(plan.getBody().front(), [&](Operation &entry) {
           auto of = entry.getAttrOfType<StringAttr>("statement");
           return of && of.getValue() == op.getName();
         });
}

static SmallVector<einsum::StatementOp>
statementsOf(einsum::ProgramOp program) {
  return llvm::to_vector(program.getEntry().getOps<einsum::StatementOp>());
}

std::vector<Reassociation>
heddle::findReassociations(einsum::ProgramOp program) {
  std::vector<Reassociation> found;
  for (auto [number, made] : llvm::enumerate(statementsOf(program))) {
    if (!made->hasOneUse())
      continue;
    OpOperand &use = *made->getUses().begin();
    auto reader = dyn_cast<einsum::StatementOp>(use.getOwner());
    if (!reader || use.getOperandNumber() >= reader.getNumFactors() ||
        isPlanned(program, made) || isPlanned(program, reader))
      continue;
    Products products(made, use);
    for (unsigned kept = 0; products.areFree() && kept < made.getNumOperands();
         ++kept)
      if (products.split(kept))
        found.push_back({number, kept, reader.getName().str(),
                         products.spellOld(), products.spellNew()});
  }
  return found;
}

void heddle::reassociate(einsum::ProgramOp program,
                         const Reassociation &choice) {
  einsum::StatementOp made = statementsOf(program)[choice.statement];
  Products products(made, *made->getUses().begin());
  products.split(choice.kept);
  products.write();
}
