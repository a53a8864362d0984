//===- Flatten.cpp - From statements to instructions ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"

#include <algorithm>
#include <utility>

namespace heddle::check {

namespace {

/// Turns one process into instructions.
class Flattener {
public:
  Flattener(Program &program, int index)
      : program(program), index(index),
        process(program.protocol.processes[index]) {
    code.process = &process;
    code.needed = findNeeded(process, program.executes);
    numbers.resize(process.values.size());
  }

  ProcessCode flatten() {
    Scope scope;
    emit(process.body, scope);
    add(Instruction::End, process.place);
    findLive(code);
    findMoves(code);
    findRings();
    return std::move(code);
  }

private:
  /// Inside one iteration of a loop: how many passes each family had.
  struct Scope {
    int construct = -1;
    int depth = 0;
    std::map<int, int> passes;
    /// Of branches that are open: their constructs, and whether a loop over
    /// it was met.
    std::map<int, std::pair<int, bool>> open;
  };

  const Linear &number(Value value);
  Linear unknown(Value value);
  Linear data(Value value);
  void checkEnds(const Statement &loop);
  void skip(const Statement &statement);
  Instruction &add(Instruction::Kind kind, const std::string &place);
  int construct(Scope &scope, int family, bool isNewPass);
  void emit(const std::vector<Statement> &statements, Scope &scope);
  void emitLoop(const Statement &loop, const Statement *before,
                const Statement *after, Scope &scope);
  void emitBranch(const Statement &branch, Scope &scope);
  void emitCopies(const std::vector<Value> &from, const std::vector<Value> &to,
                  const std::string &place);
  bool isWholeSteps(const Linear &distance, const Linear &step);
  std::optional<Linear> middleOf(const Statement &first,
                                 const Statement &second);
  int firstFamily(const std::vector<Statement> &statements);
  Condition conditionOf(Value value, int preferred);
  void findRings();
  /// Does a number say whether it goes on?
  bool isExecuted(const Statement &loop) const {
    return program.executes && loop.kind == Statement::Loop &&
           loop.test != kNoValue && code.needed[loop.test];
  }
  /// Is it such a loop, or does one stand in it?
  bool holdsExecuted(const Statement &statement) const {
    auto holds = [&](const Statement &inner) { return holdsExecuted(inner); };
    return isExecuted(statement) ||
           std::any_of(statement.body.begin(), statement.body.end(), holds) ||
           std::any_of(statement.otherwise.begin(), statement.otherwise.end(),
                       holds);
  }
  bool anyNeeded(const std::vector<Value> &values) {
    return std::any_of(values.begin(), values.end(), [&](Value value) {
      return value != kNoValue && code.needed[value];
    });
  }

  Program &program;
  int index;
  const Process &process;
  ProcessCode code;
  std::vector<std::optional<Linear>> numbers;
  std::map<const Statement *, int> loopOf;
};

} // namespace

void Flattener::findRings() {
  size_t rings = program.protocol.rings.size();
  for (auto *set : {&code.waits[0], &code.waits[1], &code.releases})
    set->resize(rings);
  for (const Instruction &instruction : code.code) {
    if (instruction.kind != Instruction::Happen)
      continue;
    const Event &event = *instruction.event;
    if (event.kind == Event::Wait)
      code.waits[int(event.side)][event.ring] = true;
    else if (event.kind == Event::Arrive && event.side == Side::Empty)
      code.releases[event.ring] = true;
  }
}

Instruction &Flattener::add(Instruction::Kind kind, const std::string &place) {
  Instruction &instruction = code.code.emplace_back();
  instruction.kind = kind;
  instruction.place = place;
  return instruction;
}

/// The canonical form of a value. Loop indices are set when their loop is.
const Linear &Flattener::number(Value value) {
  if (numbers[value])
    return *numbers[value];
  const Definition &definition = process.values[value];
  Linear result;
  if (definition.kind == Definition::Constant) {
    result.constant = definition.number;
  } else if (definition.kind == Definition::Symbol) {
    result = program.terms.symbol(definition);
  } else if (definition.kind == Definition::Compute) {
    std::vector<Linear> operands;
    for (Value operand : definition.operands)
      operands.push_back(number(operand));
    result =
        program.terms.apply(definition.arith, definition.from, definition.bits,
                            definition.name, std::move(operands));
  } else {
    result = unknown(value);
  }
  return numbers[value].emplace(std::move(result));
}

/// A number of which its width is known.
Linear Flattener::data(Value value) {
  const Definition &definition = process.values[value];
  return program.terms.data(index, value, rangeOfBits(definition.bits));
}

/// A number that memory or an earlier iteration decides.
Linear Flattener::unknown(Value value) {
  const Definition &definition = process.values[value];
  if (int writer = program.broadcasts.writerOf(index, value); writer >= 0)
    if (const auto &written = program.broadcasts.numberOf(writer)) {
      code.taken[value] = writer;
      return *written;
    }
  if (definition.kind != Definition::Element)
    return data(value);
  Terms &terms = program.terms;
  Linear inside(-1);
  for (size_t i = 0; i < definition.operands.size(); i += 2) {
    Linear offset = number(definition.operands[i]);
    Linear extent = number(definition.operands[i + 1]);
    for (Linear holds :
         {terms.apply(Arith::LessEqual, 64, 1, "", {Linear(), offset}),
          terms.apply(Arith::Less, 64, 1, "", {offset, extent})})
      if (inside == Linear(-1) || holds == Linear())
        inside = holds;
      else if (inside != Linear() && holds != Linear(-1))
        inside = terms.apply(Arith::And, 1, 1, "", {inside, holds});
  }
  return terms.element(index, value, inside, terms.symbol(definition),
                       rangeOfBits(definition.bits));
}

int Flattener::construct(Scope &scope, int family, bool isNewPass) {
  auto open = scope.open.find(family);
  int pass;
  if (!isNewPass && open != scope.open.end())
    return open->second.first;
  pass = scope.passes[family]++;
  for (size_t i = 0; i < program.constructs.size(); ++i) {
    Construct &known = program.constructs[i];
    if (known.scope == scope.construct && known.family == family &&
        known.pass == pass) {
      known.participants |= 1u << index;
      return int(i);
    }
  }
  program.constructs.push_back(
      {scope.construct, family, pass, 1u << index, {}});
  return int(program.constructs.size()) - 1;
}

void Flattener::emitCopies(const std::vector<Value> &from,
                           const std::vector<Value> &to,
                           const std::string &place) {
  Instruction copy;
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] != kNoValue && code.needed[to[i]]) {
      copy.from.push_back(from[i]);
      copy.to.push_back(to[i]);
    }
  if (copy.to.empty())
    return;
  copy.kind = Instruction::Copy;
  copy.place = place;
  code.code.push_back(std::move(copy));
}

/// Is it a multiple of the step, and not negative?
bool Flattener::isWholeSteps(const Linear &distance, const Linear &step) {
  bool divides = quotient(distance, step).has_value();
  if (step.isConstant()) { // so may be the number of steps
    divides = distance.constant % step.constant == 0;
    for (const auto &[key, factor] : distance.terms)
      divides &= factor % step.constant == 0;
  }
  return divides && program.terms.isNonNegative(distance);
}

/// for x = a to min(m, b) { ... } for x = m to b { ... }, where m is a whole
/// number of steps behind a: one loop in two parts. The second may also begin
/// at min(m, b), and the first end at an m that is known not to be beyond b.
std::optional<Linear> Flattener::middleOf(const Statement &first,
                                          const Statement &second) {
  if (first.kind != Statement::Loop || second.kind != Statement::Loop ||
      first.lower == kNoValue || second.lower == kNoValue)
    return std::nullopt;
  const Linear &step = number(first.step), &end = number(second.upper);
  const Linear &until = number(first.upper), &from = number(second.lower);
  if (!program.terms.isPositive(step) || number(second.step) != step)
    return std::nullopt;
  std::optional<Linear> middle;
  auto upper = until.singleTerm();
  const Term *term = upper ? &program.terms[*upper] : nullptr;
  if (term && term->kind == Term::Function && term->arith == Arith::Min) {
    for (int i : {0, 1})
      if (term->operands[i] == end &&
          (from == until || from == term->operands[1 - i]))
        middle = term->operands[1 - i];
  }
  if (auto rest = subtract(end, from);
      !middle && from == until && rest && program.terms.isNonNegative(*rest))
    middle = from;
  auto distance =
      middle ? subtract(*middle, number(first.lower)) : std::nullopt;
  if (!distance || !isWholeSteps(*distance, step))
    return std::nullopt;
  return middle;
}

void Flattener::emit(const std::vector<Statement> &statements, Scope &scope) {
  // Loops that go on where an earlier one of this block stopped, in two parts.
  std::map<const Statement *, const Statement *> next, previous;
  auto isKept = [&](const Statement &statement) {
    return hasEvents(statement.body) || hasEvents(statement.otherwise) ||
           anyNeeded(statement.results) || holdsExecuted(statement);
  };
  for (size_t i = 0; i < statements.size(); ++i)
    for (size_t j = i + 1; j < statements.size(); ++j)
      if (!next.count(&statements[i]) && !previous.count(&statements[i]) &&
          !previous.count(&statements[j]) && isKept(statements[i]) &&
          isKept(statements[j]) && middleOf(statements[i], statements[j])) {
        next[&statements[i]] = &statements[j];
        previous[&statements[j]] = &statements[i];
      }
  for (const Statement &statement : statements) {
    if (statement.kind == Statement::Compute) {
      if (code.needed[statement.value])
        add(Instruction::Compute, statement.place).value = statement.value;
    } else if (statement.kind == Statement::Happen) {
      const Event &event = statement.event;
      add(Instruction::Happen, statement.place).event = &event;
      if (int writer = program.broadcasts.indexOf(event); writer >= 0)
        program.broadcasts.setNumber(writer, number(event.stored));
    } else if (statement.kind == Statement::Loop) {
      auto after = next.find(&statement), before = previous.find(&statement);
      if (isKept(statement))
        emitLoop(statement, before == previous.end() ? nullptr : before->second,
                 after == next.end() ? nullptr : after->second, scope);
      else
        skip(statement);
      checkEnds(statement);
    } else if (isKept(statement)) {
      emitBranch(statement, scope);
    } else {
      skip(statement);
    }
  }
}

/// A loop over points ends where its step is positive: they are integers that
/// do not wrap. Of another loop data decides, unless nothing that changes in it
/// does.
void Flattener::checkEnds(const Statement &loop) {
  std::string name = "the loop at " + loop.place;
  auto never = [&](const std::string &why) {
    if (program.endless.empty())
      program.endless = name + " need not end: " + why;
  };
  if (isExecuted(loop))
    return; // to its end, or until it repeats itself
  if (loop.lower == kNoValue) {
    const Linear *goesOn =
        loop.value == kNoValue ? nullptr : &number(loop.value);
    if (goesOn && *goesOn == Linear())
      return;
    if (goesOn && !program.terms.usesData(*goesOn))
      return never("nothing in it changes its condition");
    std::string assumed =
        "the loop at " + loop.place + " ends (its condition depends on data)";
    if (!std::count(program.assumptions.begin(), program.assumptions.end(),
                    assumed))
      program.assumptions.push_back(assumed);
    return;
  }
  const Linear &step = number(loop.step);
  if (!program.terms.isPositive(step))
    return never(step.isConstant()
                     ? "its step is " + std::to_string(step.constant)
                     : "nothing says that its step is positive");
  if (loop.isUnsigned && (!program.terms.isNonNegative(number(loop.lower)) ||
                          !program.terms.isNonNegative(number(loop.upper))))
    never("it compares numbers without a sign that may be negative");
}

/// What has no events is not executed, but must end.
void Flattener::skip(const Statement &statement) {
  for (const auto *list : {&statement.body, &statement.otherwise})
    for (const Statement &inner : *list) {
      skip(inner);
      if (inner.kind == Statement::Loop)
        checkEnds(inner);
    }
}

void Flattener::emitLoop(const Statement &loop, const Statement *before,
                         const Statement *after, Scope &scope) {
  LoopInfo info;
  Scope inner;
  bool isRoot = !after;
  if (loop.lower == kNoValue) {
    Linear trips =
        program.terms.data(index, -1 - int64_t(code.code.size()), Range());
    info.construct =
        construct(scope, program.families.privateFamily(trips), true);
    if (isExecuted(loop))
      info.test = loop.test;
    info.isSilent = !hasEvents(loop.body);
  } else if (before) {
    // The earlier part has the same end: its construct goes on.
    info = code.loops[loopOf[before]];
    info.continues = true;
    info.limit = -1;
    isRoot &= !scope.open.count(program.constructs[info.construct].family);
  } else {
    const Linear &step = number(loop.step), &lower = number(loop.lower);
    const Linear &upper = number(after ? after->upper : loop.upper);
    Trips trips = program.families.trips(lower, upper, step);
    auto open = scope.open.find(trips.family);
    bool isOpen = open != scope.open.end() && !open->second.second;
    if (open != scope.open.end())
      open->second.second = true;
    info.construct = construct(scope, trips.family, !isOpen);
    info.start = trips.start;
    isRoot &= !isOpen;
    if (after) {
      Trips limit =
          program.families.trips(lower, *middleOf(loop, *after), step);
      info.limit = construct(scope, limit.family, true);
      info.limitStart = limit.start;
    }
    if (loop.index != kNoValue) {
      const Family &family = program.families[trips.family];
      // Loops that start at other points of one family have one point.
      auto base = check::add(lower, step, -trips.start);
      auto least = multiply(step, std::min<int64_t>(trips.start, 0));
      auto range = least ? program.terms.rangeOf(*least) : std::nullopt;
      if (base)
        numbers[loop.index] = program.terms.point(
            scope.depth, *base, step, family.points,
            range ? range->low : INT64_MIN, family.isPrivate);
    }
  }
  if (before && loop.index != kNoValue)
    numbers[loop.index] = numbers[before->index];
  if (program.constructs[info.construct].place.empty())
    program.constructs[info.construct].place = loop.place;
  int number = loopOf[&loop] = int(code.loops.size());
  code.loops.push_back(info);
  inner.construct = info.construct;
  inner.depth = scope.depth + 1;

  emitCopies(loop.inits, loop.carried, loop.place);
  add(Instruction::Enter, loop.place).loop = number;
  int test = int(code.code.size());
  Instruction &head = add(Instruction::Test, loop.place);
  head.loop = number;
  head.value = info.test;
  emit(loop.body, inner);
  emitCopies(loop.yields, loop.carried, loop.place);
  Instruction &back = add(Instruction::Next, loop.place);
  back.loop = number;
  back.target = test;
  code.code[test].target = int(code.code.size());
  emitCopies(loop.carried, loop.results, loop.place);
  if (info.limit >= 0)
    add(Instruction::Finish, loop.place).construct = info.limit;
  if (isRoot)
    add(Instruction::Finish, loop.place).construct = info.construct;
}

/// The family of the first loop, whose peeled part a branch around may be.
int Flattener::firstFamily(const std::vector<Statement> &statements) {
  for (const Statement &statement : statements) {
    if (statement.kind == Statement::Loop && statement.lower != kNoValue)
      return program.families
          .trips(number(statement.lower), number(statement.upper),
                 number(statement.step))
          .family;
    if (statement.kind == Statement::Branch)
      if (int family = firstFamily(statement.body); family >= 0)
        return family;
  }
  return -1;
}

Condition Flattener::conditionOf(Value value, int preferred) {
  const Definition &definition = process.values[value];
  if (definition.kind == Definition::Compute &&
      definition.operands.size() == 2) {
    Linear left = number(definition.operands[0]),
           right = number(definition.operands[1]);
    Arith arith = program.terms.withSign(definition.arith, {left, right});
    if (arith >= Arith::Equal && arith <= Arith::GreaterEqual)
      return program.families.condition(arith, left, right, preferred);
  }
  Condition result;
  const Linear &known = number(value);
  if (known.isConstant())
    result.constant = known.constant != 0;
  result.unknown = known;
  result.isPrivate = program.terms.usesData(known);
  return result;
}

void Flattener::emitBranch(const Statement &branch, Scope &scope) {
  Condition condition = conditionOf(branch.value, firstFamily(branch.body));
  std::vector<std::pair<int, int>> opened; // family, construct
  for (Comparison &comparison : condition.all) {
    int family = comparison.family;
    auto open = scope.open.find(family);
    if (open != scope.open.end() && !open->second.second) {
      comparison.family = open->second.first;
      continue;
    }
    auto same =
        std::find_if(opened.begin(), opened.end(),
                     [&](const auto &entry) { return entry.first == family; });
    if (same != opened.end()) {
      comparison.family = same->second;
      continue;
    }
    // Behind a loop over these points, questions are about another pass: that
    // loop's positions may have been moved down.
    bool isInside = open != scope.open.end();
    comparison.family = construct(scope, family, true);
    opened.push_back({family, comparison.family});
    if (!isInside)
      scope.open[family] = {comparison.family, false};
  }
  size_t test = code.code.size();
  Instruction &first = add(Instruction::Branch, branch.place);
  first.condition = std::move(condition);
  if (program.executes && code.needed[branch.value])
    first.value = branch.value;
  auto before = scope.open;
  emit(branch.body, scope);
  emitCopies(branch.yields, branch.results, branch.place);
  size_t jump = code.code.size();
  add(Instruction::Jump, branch.place);
  code.code[test].target = int(code.code.size());
  auto behind = std::exchange(scope.open, std::move(before));
  emit(branch.otherwise, scope);
  for (auto &[family, entry] : scope.open)
    entry.second |= behind.at(family).second;
  emitCopies(branch.otherwiseYields, branch.results, branch.place);
  code.code[jump].target = int(code.code.size());
  for (auto [family, known] : opened) {
    auto open = scope.open.find(family);
    if (open != scope.open.end() && open->second.first == known)
      scope.open.erase(open);
    add(Instruction::Finish, branch.place).construct = known;
  }
}

void Program::flatten() {
  constructs.clear();
  processes.clear();
  endless.clear();
  assumptions.clear();
  for (size_t i = 0; i < protocol.processes.size(); ++i)
    processes.push_back(Flattener(*this, int(i)).flatten());
}

bool Program::executesMoreThan(const Program &other) const {
  for (size_t i = 0; i < processes.size(); ++i)
    if (processes[i].needed != other.processes[i].needed)
      return true;
  return false;
}

Program::Program(const Protocol &protocol, bool executes)
    : protocol(protocol), executes(executes), broadcasts(protocol) {
  // What is read may have been made of what was read elsewhere, so numbers are
  // passed on until none changes. They change for ever only where a number is
  // made of itself.
  for (size_t round = 0;; ++round) {
    if (round > broadcasts.size() + 1)
      broadcasts.forget();
    families.clear();
    // Conditions are compared with loops, so all loops must be known first.
    flatten();
    flatten();
    if (!broadcasts.settle())
      return;
  }
}

} // namespace heddle::check
