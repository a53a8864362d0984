//===- Query.cpp - Is there a schedule of this II? As SMT-LIB 2 -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line follows from what certify demands of a schedule, so "unsat" means
// that there is none; what is left out (the register file as a whole, slots
// that results share) can only make "sat" of what has no schedule. With I = II:
//
//   operation o is issued at   I * k<o> + r<o>,   0 <= r<o> < I,
//   and taken up at            I * K<o> + R<o>    if its unit keeps a queue.
//
// p<u>.<v> says that u's residue r comes before v's, P<u>.<v> the same of R.
// Two operations that exclude each other for a and b cycles do so either way
// round: a <= r<v> - r<u> <= I - b, or the same with u and v exchanged.
// Operations that must share a process form a class; s<c>.<d> says that two
// classes share one. docs/rationale/certify.md has the argument for each group
// of lines.
//
//===----------------------------------------------------------------------===//

#include "Links.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

std::string text(int64_t value) {
  return value < 0 ? "(- " + std::to_string(-value) + ")"
                   : std::to_string(value);
}

std::string sum(const std::string &a, const std::string &b) {
  return "(+ " + a + " " + b + ")";
}

std::string sum(const std::string &a, int64_t b) {
  return b == 0 ? a : sum(a, text(b));
}

std::string atMost(const std::string &a, const std::string &b) {
  return "(<= " + a + " " + b + ")";
}

std::string pairName(const char *prefix, int u, int v) {
  return prefix + std::to_string(u) + "." + std::to_string(v);
}

/// Names go into comments only.
std::string printable(const std::string &name) {
  std::string result;
  for (char c : name)
    result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

class Query {
public:
  Query(const Problem &problem, int64_t ii, const std::vector<int> &processes)
      : problem(problem), ii(ii), processes(processes),
        count(static_cast<int>(problem.operations.size())) {}

  std::string run(bool footprints) {
    out = "; A schedule of loop '" + printable(problem.loop) +
          "' with an iteration every " + std::to_string(ii) + " cycles.\n";
    line("(set-logic QF_LIA)");
    findClasses();
    declareTimes();
    declareClasses();
    keepLoadsApart();
    addLengths();
    addQueues();
    addDependences();
    addUnits();
    addProcesses();
    addSingleCopies();
    if (footprints) {
      addRegisters();
      addColumns();
    }
    addRings();
    line("(check-sat)");
    return out;
  }

private:
  void line(const std::string &what) { out += what + "\n"; }
  void comment(const std::string &what) { line("; " + what); }
  void assume(const std::string &what) { line("(assert " + what + ")"); }
  void declare(const std::string &name, const char *sort) {
    line("(declare-fun " + name + " () " + sort + ")");
  }

  const Operation &operation(int op) const { return problem.operations[op]; }
  bool isAsynchronous(int op) const {
    return problem.units[operation(op).unit].asynchronous;
  }
  bool isTransferred(int op) const {
    return std::any_of(
        problem.transfers.begin(), problem.transfers.end(),
        [&](const Transfer &transfer) { return transfer.from == op; });
  }
  bool isRead(int op) const {
    return std::any_of(problem.dependences.begin(), problem.dependences.end(),
                       [&](const Dependence &edge) {
                         return edge.from == op && !edge.orders;
                       });
  }

  std::string issueResidue(int op) const { return "r" + std::to_string(op); }
  std::string takeUpResidue(int op) const {
    return (isAsynchronous(op) ? "R" : "r") + std::to_string(op);
  }
  std::string issueStage(int op) const { return "k" + std::to_string(op); }
  std::string takeUpStage(int op) const {
    return (isAsynchronous(op) ? "K" : "k") + std::to_string(op);
  }
  std::string cycle(const std::string &stage,
                    const std::string &residue) const {
    return sum("(* " + text(ii) + " " + stage + ")", residue);
  }
  std::string issued(int op) const {
    return cycle(issueStage(op), issueResidue(op));
  }
  std::string takenUp(int op) const {
    return cycle(takeUpStage(op), takeUpResidue(op));
  }
  /// When the operation has read its operands, at the earliest.
  std::string doneReading(int op) const {
    return isAsynchronous(op) ? sum(takenUp(op), operation(op).latency)
                              : sum(issued(op), operation(op).issue);
  }

  // Operations that certify allows in one process only are of one class.
  void findClasses() {
    classOf.assign(count, 0);
    for (int op = 0; op < count; ++op)
      classOf[op] = op;
    auto join = [&](int a, int b) {
      int low = std::min(classOf[a], classOf[b]),
          high = std::max(classOf[a], classOf[b]);
      for (int &other : classOf)
        if (other == high)
          other = low;
    };
    for (const Dependence &edge : problem.dependences)
      if (staysInProcess(problem, edge))
        join(edge.from, edge.to);
  }

  /// "true", "false", or the variable that decides.
  std::string shareProcess(int u, int v) const {
    if (!processes.empty())
      return processes[u] == processes[v] ? "true" : "false";
    int a = std::min(classOf[u], classOf[v]),
        b = std::max(classOf[u], classOf[v]);
    return a == b ? "true" : pairName("s", a, b);
  }

  /// `what`, if `shared`, which may be known.
  void assumeIf(const std::string &shared, const std::string &what) {
    if (shared == "true")
      assume(what);
    else if (shared != "false")
      assume("(=> " + shared + " " + what + ")");
  }

  void declareTimes() {
    for (int op = 0; op < count; ++op) {
      comment(std::to_string(op) + " is '" + printable(operation(op).name) +
              "' on " + printable(problem.units[operation(op).unit].name));
      for (const char *kind : {"k", "r", "K", "R"}) {
        if (*kind < 'a' && !isAsynchronous(op))
          continue;
        std::string name = kind + std::to_string(op);
        declare(name, "Int");
        if (*kind == 'r' || *kind == 'R')
          assume("(and (<= 0 " + name + ") (< " + name + " " + text(ii) + "))");
      }
    }
    if (count == 0)
      return;
    comment("All times may be shifted alike: no rule names an absolute cycle "
            "but that none is negative, which a shift by iterations restores.");
    assume("(and (= k0 0) (= r0 0))");
  }

  void declareClasses() {
    if (!processes.empty()) {
      comment("Who shares a process is given.");
      for (const Dependence &edge : problem.dependences)
        if (staysInProcess(problem, edge) &&
            shareProcess(edge.from, edge.to) == "false")
          assume("false");
      return;
    }
    comment("Sharing a process is an equivalence.");
    std::vector<int> classes = classOf;
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    for (size_t i = 0; i < classes.size(); ++i)
      for (size_t j = i + 1; j < classes.size(); ++j)
        declare(pairName("s", classes[i], classes[j]), "Bool");
    for (size_t i = 0; i < classes.size(); ++i)
      for (size_t j = i + 1; j < classes.size(); ++j)
        for (size_t k = j + 1; k < classes.size(); ++k) {
          std::string ab = pairName("s", classes[i], classes[j]),
                      bc = pairName("s", classes[j], classes[k]),
                      ac = pairName("s", classes[i], classes[k]);
          assume("(=> (and " + ab + " " + bc + ") " + ac + ")");
          assume("(=> (and " + ab + " " + ac + ") " + bc + ")");
          assume("(=> (and " + bc + " " + ac + ") " + ab + ")");
        }
  }

  void addLengths() {
    comment("Nothing overlaps its own next iteration.");
    for (const Operation &op : problem.operations)
      if (op.reservation > ii || op.issue > ii)
        assume("false");
  }

  void addQueues() {
    comment("Issued, then taken up.");
    for (int op = 0; op < count; ++op)
      if (isAsynchronous(op))
        assume(atMost(issued(op), takenUp(op)));
  }

  /// What has variable latency, and what has not.
  void keepLoadsApart() {
    if (!problem.loadsApart)
      return;
    comment("Who may stall does nothing else.");
    int loader = -1;
    for (int op = 0; op < count; ++op)
      if (operation(op).variableLatency)
        loader = op;
    for (int op = 0; loader >= 0 && op < count; ++op)
      if (op != loader)
        assume(operation(op).variableLatency
                   ? shareProcess(op, loader)
                   : "(not " + shareProcess(op, loader) + ")");
  }

  void addDependences() {
    comment("Dependences.");
    for (const Dependence &edge : problem.dependences) {
      int from = edge.from, to = edge.to;
      auto after = [&](int64_t delay, const std::string &what) {
        return atMost(sum(takenUp(from), delay - edge.distance * ii), what);
      };
      if (edge.orders) {
        assume(after(edge.delay, issued(to)));
      } else if (edge.accumulates) {
        assume(after(operation(from).reservation, takenUp(to)));
      } else {
        assume(after(operation(from).latency, issued(to)));
        std::string shared = shareProcess(from, to);
        if (shared != "true")
          assume("(or " + shared + " " +
                 after(operation(from).latency + problem.machine.handOverCycles,
                       issued(to)) +
                 ")");
      }
    }
  }

  /// Which of two residues is first, as a variable that is declared once.
  std::string precedes(const char *prefix, int u, int v) {
    std::string name = pairName(prefix, u, v);
    if (std::find(declared.begin(), declared.end(), name) == declared.end()) {
      declared.push_back(name);
      declare(name, "Bool");
    }
    return name;
  }

  /// u and v, at residues `ru` and `rv`, exclude each other for a and b cycles.
  std::string apart(const std::string &first, const std::string &ru, int64_t a,
                    const std::string &rv, int64_t b) const {
    auto between = [&](const std::string &low, const std::string &high,
                       int64_t least, int64_t most) {
      std::string gap = "(- " + high + " " + low + ")";
      return "(and " + atMost(text(least), gap) + " " +
             atMost(gap, text(most)) + ")";
    };
    return "(ite " + first + " " + between(ru, rv, a, ii - b) + " " +
           between(rv, ru, b, ii - a) + ")";
  }

  void addUnits() {
    comment("A unit serves one operation at a time, in the order of issue.");
    for (int u = 0; u < count; ++u)
      for (int v = u + 1; v < count; ++v) {
        int64_t a = operation(u).reservation, b = operation(v).reservation;
        if (operation(u).unit != operation(v).unit || a == 0 || b == 0)
          continue;
        bool queues = isAsynchronous(u);
        std::string first = precedes(queues ? "P" : "p", u, v);
        assume(apart(first, takeUpResidue(u), a, takeUpResidue(v), b));
        if (queues)
          addTurn(u, v, first);
      }
  }

  /// v's turn behind u's and before u's next is issued between them, too. It is
  /// K<u> - K<v> iterations later than v's, and one more if v's residue is
  /// first.
  void addTurn(int u, int v, const std::string &first) {
    std::string shift = "(* " + text(ii) + " (- " + takeUpStage(u) + " " +
                        takeUpStage(v) + "))";
    std::string later =
        "(- (+ " + issued(v) + " " + shift + ") " + issued(u) + ")";
    assume("(ite " + first + " (and (<= 0 " + later + ") " +
           atMost(later, text(ii)) + ") (and " + atMost(text(-ii), later) +
           " (<= " + later + " 0)))");
  }

  void addProcesses() {
    comment("A process issues one operation at a time.");
    for (int u = 0; u < count; ++u)
      for (int v = u + 1; v < count; ++v) {
        int64_t a = operation(u).issue, b = operation(v).issue;
        if (a == 0 || b == 0 || shareProcess(u, v) == "false")
          continue;
        assumeIf(shareProcess(u, v), apart(precedes("p", u, v), issueResidue(u),
                                           a, issueResidue(v), b));
      }
  }

  void addSingleCopies() {
    comment("One copy of what an asynchronous unit writes into registers.");
    for (const Dependence &edge : problem.dependences)
      if (!edge.orders && !edge.accumulates && isAsynchronous(edge.from) &&
          !isTransferred(edge.from))
        assume(atMost(sum(doneReading(edge.to), (edge.distance - 1) * ii),
                      issued(edge.from)));
  }

  std::string born(int op) const {
    bool takesOver = operation(op).inPlace && !isAsynchronous(op);
    return sum(issued(op), takesOver ? operation(op).issue : 0);
  }

  /// `name` copies of the result of u are enough at the birth of w's. The birth
  /// falls into a turn of u's births, and each copy lasts a turn more. Free if
  /// they are not `shared`.
  void addCopies(const std::string &name, int u, int w,
                 const std::string &shared, bool isOneProcess) {
    declare(name, "Int");
    assume("(<= 0 " + name + ")");
    std::string turns = name;
    if (u != w && isOneProcess && operation(u).issue > 0 &&
        operation(w).issue > 0)
      turns = sum(turns, turnInProcess(u, w));
    else if (u != w)
      turns = sum(turns, turnOf(u, w, "t." + name));
    std::string at = cycle(turns, born(w));
    for (const Dependence &edge : problem.dependences)
      if (edge.from == u && !edge.orders)
        assumeIf(shared,
                 atMost(sum(doneReading(edge.to), edge.distance * ii), at));
  }

  /// How many iterations later w is born between one birth of u and the next.
  std::string turnOf(int u, int w, const std::string &turn) {
    declare(turn, "Int");
    std::string at = cycle(turn, born(w));
    assume(atMost(born(u), at));
    assume(atMost(at, sum(born(u), ii - 1)));
    return turn;
  }

  /// The same where one process issues both: they do not overlap, so births lie
  /// in the order of issues. They may coincide: w's where u's next is. Then u's
  /// is seen too old here, and w's row counts a copy too few; u's row, at the
  /// same cycle, counts all.
  std::string turnInProcess(int u, int w) {
    std::string first =
        u < w ? precedes("p", u, w) : "(not " + precedes("p", w, u) + ")";
    return "(- (+ " + issueStage(u) + " (ite " + first + " 0 1)) " +
           issueStage(w) + ")";
  }

  /// At each birth, where room shrinks, what is there fits into `room`. Only
  /// for results with `amount`; `together` says that both are in one place,
  /// which `isOneProcess` or is not.
  template <class Amount, class Together>
  void addRoom(const std::string &kind, int64_t room, Amount amount,
               Together together, bool isOneProcess) {
    for (int w = 0; w < count; ++w) {
      if (amount(w) == 0)
        continue;
      std::string total = "(+ 0 0"; // two at least
      for (int u = 0; u < count; ++u) {
        std::string shared = together(u, w);
        if (amount(u) == 0 || shared == "false")
          continue;
        std::string copies = "1";
        if (!operation(u).persists) {
          if (operation(w).persists || !isRead(u))
            continue; // other rows see it; or it takes no room
          copies = pairName(kind.c_str(), u, w);
          addCopies(copies, u, w, shared, isOneProcess);
        }
        std::string takes = "(* " + text(amount(u)) + " " + copies + ")";
        total +=
            " " +
            (shared == "true" ? takes : "(ite " + shared + " " + takes + " 0)");
      }
      assume(atMost(total + ")", text(room)));
    }
  }

  void addRegisters() {
    comment("Registers of a thread, at each birth in its process.");
    addRoom(
        "c", problem.machine.maxRegisters - problem.machine.overheadRegisters,
        [&](int op) {
          return isRead(op) || operation(op).persists ? operation(op).registers
                                                      : 0;
        },
        [&](int u, int w) { return shareProcess(u, w); }, true);
  }

  void addColumns() {
    comment("Columns of tensor memory, at each birth.");
    addRoom(
        "m", problem.machine.columns,
        [&](int op) {
          return isRead(op) || operation(op).persists ? operation(op).columns
                                                      : 0;
        },
        [](int, int) { return std::string("true"); }, false);
  }

  void addRings() {
    comment("Slots come round when they are free, and fit into shared memory.");
    std::string bytes = "(+ 0 0"; // two at least
    for (int op = 0; op < count; ++op) {
      if (!isTransferred(op) || !isRead(op))
        continue;
      std::string depth = "d" + std::to_string(op);
      declare(depth, "Int");
      assume("(and (<= 1 " + depth + ") " +
             atMost(depth, text(problem.machine.ringDepth)) + ")");
      for (const Transfer &transfer : problem.transfers)
        if (transfer.from == op)
          bytes += " (* " + text(transfer.bytes) + " " + depth + ")";
      for (const Dependence &edge : problem.dependences)
        if (edge.from == op && !edge.orders)
          assume(atMost(sum(takenUp(edge.to),
                            operation(edge.to).latency + edge.distance * ii +
                                problem.machine.handOverCycles),
                        cycle(depth, issued(op))));
    }
    assume(atMost(bytes + ")", text(problem.machine.sharedBytes)));
  }

  const Problem &problem;
  int64_t ii;
  const std::vector<int> &processes;
  int count;
  std::string out;
  std::vector<int> classOf;
  std::vector<std::string> declared;
};

} // namespace

std::string heddle::schedule::refutationQuery(const Problem &problem,
                                              int64_t ii,
                                              const std::vector<int> &processes,
                                              bool footprints) {
  return Query(problem, ii, processes).run(footprints);
}
