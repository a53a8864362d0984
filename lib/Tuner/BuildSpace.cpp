//===- BuildSpace.cpp - Spaces from parameters and texts ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the constraints, finds which parameters they join, and builds a diagram
// of each component. What is wrong is told with the constraint's place and
// column; of a component without points, the fewest constraints that leave
// none.
//
//===----------------------------------------------------------------------===//

#include "SpaceParts.h"

#include "heddle/Support/Diagnostics/Tuner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle::tuner;

static constexpr size_t kLongestConstraint = 8000;
/// Of an integer that a constraint names: its values are tried.
static constexpr uint64_t kMostValues = uint64_t(1) << 16;

namespace {

class Joins {
public:
  explicit Joins(size_t count) : parents(count) {
    for (size_t k = 0; k < count; ++k)
      parents[k] = int(k);
  }
  int root(int one) const {
    while (parents[size_t(one)] != one)
      one = parents[size_t(one)];
    return one;
  }
  void join(int one, int other) {
    int a = root(one), b = root(other);
    parents[size_t(std::max(a, b))] = std::min(a, b);
  }

private:
  std::vector<int> parents;
};

} // namespace

static std::string quote(const Constraint &constraint) {
  std::string text = constraint.text.size() > 100
                         ? constraint.text.substr(0, 97) + "..."
                         : constraint.text;
  return constraint.place + " (" + text + ")";
}

static llvm::Error atFault(const Constraint &constraint,
                           const std::string &reason) {
  return makeError(heddle::diag::tuner_constraint,
                   quote(constraint) + ": " + reason);
}

/// Reads one text, and checks that diagrams can keep it.
static llvm::Error read(const Constraint &constraint,
                        const std::vector<Parameter> &parameters, Texts &texts,
                        Expression &expression) {
  if (constraint.text.size() > kLongestConstraint)
    return atFault(constraint, "longer than " +
                                   std::to_string(kLongestConstraint) +
                                   " characters; divide it where 'and' stands");
  if (std::string reason =
          parseCondition(constraint.text, parameters, texts, expression);
      !reason.empty())
    return atFault(constraint, reason);
  for (int index : expression.parameters()) {
    const Parameter &parameter = parameters[size_t(index)];
    if (parameter.kind == Kind::Integer && parameter.words() > kMostValues)
      return atFault(constraint,
                     "'" + parameter.name + "' has " +
                         std::to_string(parameter.words()) +
                         " values, and an integer that a constraint names has "
                         "at most " +
                         std::to_string(kMostValues) +
                         "; list the values that matter as an ordinal");
  }
  return llvm::Error::success();
}

static bool namesReal(const Expression &expression,
                      const std::vector<Parameter> &parameters) {
  return llvm::any_of(expression.parameters(), [&](int index) {
    return parameters[size_t(index)].kind == Kind::Real;
  });
}

llvm::Expected<Space> Space::make(std::vector<Parameter> parameters,
                                  std::vector<Constraint> constraints) {
  auto parts = std::make_shared<Parts>();
  parts->parameters = std::move(parameters);
  parts->constraints = std::move(constraints);
  parts->fixed.assign(parts->parameters.size(), kFree);
  parts->domains = makeDomains(parts->parameters, parts->texts);
  for (const Constraint &constraint : parts->constraints) {
    Expression expression;
    if (llvm::Error error =
            read(constraint, parts->parameters, parts->texts, expression))
      return error;
    guardActivity(parts->parameters, /*otherwise=*/true, expression);
    if (namesReal(expression, parts->parameters))
      parts->onReals.push_back(int(parts->expressions.size()));
    parts->expressions.push_back(std::move(expression));
  }
  parts->activity.resize(parts->parameters.size());
  for (size_t k = 0; k < parts->parameters.size(); ++k) {
    const Parameter &parameter = parts->parameters[k];
    if (!parameter.isConditional())
      continue;
    Constraint condition{parameter.activeIf,
                         "parameter '" + parameter.name + "', active_if"};
    Expression &expression = parts->activity[k];
    if (llvm::Error error =
            read(condition, parts->parameters, parts->texts, expression))
      return error;
    if (llvm::is_contained(expression.parameters(), int(k)))
      return atFault(condition, "a parameter cannot decide whether it is "
                                "active itself");
    if (namesReal(expression, parts->parameters))
      return atFault(condition, "a real parameter cannot decide whether "
                                "another one is active");
    if (parameter.kind == Kind::Integer && parameter.words() > kMostValues)
      return atFault(condition, "an integer of more than " +
                                    std::to_string(kMostValues) +
                                    " values cannot be conditional");
    guardActivity(parts->parameters, /*otherwise=*/false, expression);
  }
  return build(std::move(parts));
}

/// The constraint on a conditional parameter that is in a diagram.
static Expression binding(const Expression &activity, int parameter) {
  Expression bound = activity;
  bindActivity(parameter, bound);
  return bound;
}

static Count pointsOfFree(const Parameter &parameter, Word fixed) {
  if (fixed != kFree || parameter.kind == Kind::Real)
    return 1;
  if (parameter.kind != Kind::Permutation)
    return parameter.words();
  Count orders = 1;
  for (int k = 2; k <= parameter.items; ++k)
    orders *= Count(k);
  return orders;
}

llvm::Expected<Space> Space::build(std::shared_ptr<Parts> parts) {
  size_t count = parts->parameters.size();
  parts->components.clear();
  parts->diagrams.clear();
  parts->freeOnes.clear();
  parts->diagramOf.assign(count, -1);
  parts->hasFreeActivity = false;
  Joins joins(count);
  std::vector<bool> isNamed(count, false);
  auto join = [&](llvm::ArrayRef<int> named) {
    for (int parameter : named) {
      joins.join(named.front(), parameter);
      isNamed[size_t(parameter)] = true;
    }
  };
  std::vector<Expression> bindings(count);
  for (size_t k = 0; k < count; ++k)
    if (parts->parameters[k].isConditional()) {
      if (parts->parameters[k].kind == Kind::Real) {
        join(parts->activity[k].parameters());
        continue;
      }
      bindings[k] = binding(parts->activity[k], int(k));
      join(bindings[k].parameters());
    }
  for (size_t c = 0; c < parts->expressions.size(); ++c)
    if (!llvm::is_contained(parts->onReals, int(c)))
      join(parts->expressions[c].parameters());

  for (size_t k = 0; k < count; ++k) {
    if (!isNamed[k]) {
      const Parameter &parameter = parts->parameters[k];
      bool isPlain = parameter.words() > 0 && parts->fixed[k] == kFree &&
                     !parameter.isConditional();
      parts->freeOnes.push_back(
          {int(k), isPlain, Choices(std::max<uint64_t>(1, parameter.words()))});
      parts->hasFreeActivity |= parameter.isConditional();
      parts->components.push_back(
          {{int(k)}, pointsOfFree(parameter, parts->fixed[k]), 0});
      continue;
    }
    if (joins.root(int(k)) != int(k))
      continue;
    // A new component.
    DiagramInput input{&parts->domains, {}, {}, &parts->fixed};
    std::vector<const Expression *> always, own;
    std::vector<int> ownNumbers;
    for (size_t other = 0; other < count; ++other)
      if (isNamed[other] && joins.root(int(other)) == int(k)) {
        input.parameters.push_back(int(other));
        if (!bindings[other].terms.empty())
          always.push_back(&bindings[other]);
      }
    for (size_t c = 0; c < parts->expressions.size(); ++c) {
      std::vector<int> named = parts->expressions[c].parameters();
      if (llvm::is_contained(parts->onReals, int(c)) || named.empty() ||
          joins.root(named.front()) != int(k))
        continue;
      own.push_back(&parts->expressions[c]);
      ownNumbers.push_back(int(c));
    }
    input.constraints = always;
    llvm::append_range(input.constraints, own);
    Diagram diagram;
    if (std::string reason = buildDiagram(input, diagram); !reason.empty())
      return makeError(diag::tuner_space_size, reason);
    if (diagram.count() == 0) {
      Conflict verdict = Conflict::Some;
      std::vector<std::string> names;
      for (int index : findConflict(input, always, own, verdict))
        names.push_back(
            quote(parts->constraints[size_t(ownNumbers[size_t(index)])]));
      if (names.empty())
        return makeError(diag::tuner_space_empty,
                         "no point has the values that parameters are held to");
      return makeError(
          diag::tuner_space_empty,
          "no point keeps " + std::string(names.size() == 1 ? "" : "all of ") +
              llvm::join(names, " and ") +
              (verdict == Conflict::Irreducible
                   ? ", and none of them can be left out"
               : verdict == Conflict::Some ? "; it took too long to find fewer"
                                           : ""));
    }
    diagram.prepare();
    for (int parameter : input.parameters)
      parts->diagramOf[size_t(parameter)] = int(parts->diagrams.size());
    parts->components.push_back(
        {input.parameters, diagram.count(), diagram.nodes.size()});
    parts->diagrams.push_back(std::move(diagram));
  }
  // Conditions without a parameter: 1 > 2.
  std::vector<Known> scratch;
  for (size_t c = 0; c < parts->expressions.size(); ++c)
    if (parts->expressions[c].parameters().empty() &&
        !parts->expressions[c].holds(parts->domains, {}, scratch))
      return makeError(diag::tuner_space_empty,
                       "no point keeps " + quote(parts->constraints[c]));
  return Space(std::move(parts));
}

llvm::Expected<Space>
Space::fix(llvm::ArrayRef<std::pair<int, Word>> values) const {
  auto fixed = std::make_shared<Parts>(*parts);
  for (Domain &domain : fixed->domains)
    domain.parameter =
        &fixed->parameters[size_t(&domain - fixed->domains.data())];
  for (auto [parameter, word] : values)
    fixed->fixed[size_t(parameter)] = word;
  return build(std::move(fixed));
}
