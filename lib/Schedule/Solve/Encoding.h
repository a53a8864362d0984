//===- Encoding.h - A query in the SMT solver's terms -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block has an issue time q = II * stage + residue; what stands on an
// asynchronous unit has an execution time x beside it, of the same form. Two
// things that exclude each other modulo II are one way round or the other: a
// Boolean says which, and differences of residues how far they are apart. A
// value that is not there at some cycle has a witness: the turn in which that
// cycle lies between its end and its next birth.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_ENCODING_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_ENCODING_H

#include "Query.h"

#include <functional>
#include <map>
#include <z3++.h>

namespace heddle::schedule {

class Encoding {
public:
  explicit Encoding(const Query &query);

  Reply solve(uint64_t steps);
  std::string text() { return solver.to_smt2(); }

private:
  /// A cycle, and where it is modulo II.
  struct Time {
    z3::expr cycle, stage, residue;
  };

  z3::expr number(int64_t value) { return context.int_val(value); }
  z3::expr truth(bool value) { return context.bool_val(value); }
  z3::expr integer(const std::string &name) {
    return context.int_const(name.c_str());
  }
  z3::expr boolean(const std::string &name) {
    return context.bool_const(name.c_str());
  }
  void require(const z3::expr &condition) { solver.add(condition); }
  /// `condition`, where `premise` holds, which may be known.
  void requireIf(const z3::expr &premise, const z3::expr &condition);

  int operationCount() const { return int(problem.operations.size()); }
  const Operation &operation(int op) const { return problem.operations[op]; }
  const std::string &name(int op) const { return operation(op).name; }
  bool isAsynchronous(int op) const {
    return problem.units[operation(op).unit].asynchronous;
  }
  /// Loads start when they are issued; the timetable of the one process that
  /// issues them is loose enough. Unless nothing may be left out.
  bool hasQueue(int op) const {
    return isAsynchronous(op) && (isComplete || !operation(op).variableLatency);
  }
  z3::expr issue(int op) {
    return issues[blockOf[op]].cycle + number(offset[op]);
  }
  z3::expr execution(int op) {
    return executions[blockOf[op]].cycle + number(offset[op]);
  }
  z3::expr endOfReader(const Dependence &edge);
  z3::expr birth(int op);

  // EncodePlacement.cpp: who shares a process.
  void placeFreely();
  z3::expr isIn(int op, int process);
  z3::expr sharesProcess(int a, int b);
  z3::expr registersOf(int process);

  // Encoding.cpp: times.
  Time declareTime(const std::string &label);
  Time declareLater(const Time &time, int sub, const std::string &label);
  int firstSubTilesBlock(const Block &block) const;
  void declareTimes();
  void addDependences();
  void requireDelay(const Dependence &edge, int from, const z3::expr &read);
  void addIssue();
  void addUnits();
  void addQueues();
  void addTurn(int a, int b);
  void addCopies();
  z3::expr isBefore(const std::string &label);
  void exclude(const z3::expr &premise, const z3::expr &order,
               const z3::expr &gap, int64_t lengthA, int64_t lengthB);
  void excludeWrapped(const z3::expr &premise, const z3::expr &gap,
                      int64_t lengthA, int64_t lengthB);

  // EncodeRooms.cpp: registers, columns, slots.
  struct Value;
  using Amount = std::function<int64_t(int)>;
  using Together = std::function<z3::expr(int, int)>;
  using Room = std::function<void(int born, const z3::expr &held)>;
  void addRegisters();
  void addFreeRegisters();
  void addColumns();
  void addPressure(const std::string &kind, const Amount &amount, int64_t small,
                   int64_t have, const Together &together, const Room &room);
  z3::expr copiesAtBirth(const std::string &label, const Value &held,
                         const Value &born, const z3::expr &together);
  void keepSingle(const std::vector<int> &ops);
  void addRings();

  // EncodeGoals.cpp
  void addGoals();
  void addBytes(int64_t most);
  void addOwnerChanges(int64_t most);
  void addRelation(const Relation &relation);
  z3::expr timeOf(Event event, int op);

  Solution read(const z3::model &model);
  int64_t valueOf(const z3::model &model, const z3::expr &expression) {
    return model.eval(expression, true).get_numeral_int64();
  }
  uint64_t steps();

  const Problem &problem;
  const Roles &roles;
  const std::vector<Block> &blocks;
  int64_t ii;
  const Goals &goals;
  bool isComplete, isRegular;
  z3::context context;
  z3::solver solver;
  std::vector<int> blockOf;
  std::vector<int64_t> offset;
  std::vector<Time> issues, executions; ///< of blocks
  std::vector<z3::expr> depths;         ///< of rings
  /// Free placement: the class of each operation, and what stands for "two
  /// classes share a process".
  std::vector<int> classes;
  std::map<std::pair<int, int>, z3::expr> shared;
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_ENCODING_H
