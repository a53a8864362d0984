//===- Json.cpp - Scheduling problems and solutions as JSON ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each struct is listed once, as the fields that `visit` names; writing and
// reading are two visitors of that list, so they cannot disagree.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Json.h"

#include "heddle/Support/JsonReader.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle;
using namespace heddle::schedule;
using strict::Node;
using strict::ObjectReader;

namespace {

/// What a number may be.
struct Range {
  int64_t min = 0, max = kMaxQuantity;
};
constexpr Range kCount = {0, 1 << 16}; ///< indices, distances, counts
constexpr Range kPositive = {1, kMaxQuantity};

template <class Visitor> void visit(Visitor &&field, Unit &unit) {
  field("name", unit.name);
  field("asynchronous", unit.asynchronous);
}

template <class Visitor> void visit(Visitor &&field, Operation &op) {
  field("name", op.name);
  field("unit", op.unit, kCount);
  field("reservation", op.reservation);
  field("latency", op.latency);
  field("issue", op.issue);
  field("variableLatency", op.variableLatency);
  field("sub", op.sub, Range{-1, kCount.max});
  field("registers", op.registers, kCount);
  field("persists", op.persists);
  field("inPlace", op.inPlace);
  field("columns", op.columns, kCount);
  field.unless(-1, "leader", op.leader, kCount);
}

template <class Visitor> void visit(Visitor &&field, Dependence &edge) {
  field("from", edge.from, kCount);
  field("to", edge.to, kCount);
  field("distance", edge.distance, kCount);
  field("accumulates", edge.accumulates);
  field("orders", edge.orders);
  field("delay", edge.delay);
}

template <class Visitor> void visit(Visitor &&field, Transfer &transfer) {
  field("from", transfer.from, kCount);
  field("bytes", transfer.bytes);
  field.unless(1, "alignment", transfer.alignment, Range{1, kCount.max});
}

template <class Visitor> void visit(Visitor &&field, Machine &machine) {
  // Less than nothing is left for rings where other things fill the memory.
  field("sharedBytes", machine.sharedBytes, Range{-kMaxQuantity, kMaxQuantity});
  field("registersPerLane", machine.registersPerLane);
  field("maxRegisters", machine.maxRegisters);
  field("overheadRegisters", machine.overheadRegisters);
  field("loaderRegisters", machine.loaderRegisters);
  field("handOverCycles", machine.handOverCycles);
  field("columns", machine.columns);
  field.unless(0, "columnBytes", machine.columnBytes, kCount);
  field("ringDepth", machine.ringDepth, kCount);
}

template <class Visitor> void visit(Visitor &&field, Problem &problem) {
  field("loop", problem.loop);
  field("units", problem.units);
  field("operations", problem.operations);
  field("dependences", problem.dependences);
  field("transfers", problem.transfers);
  field("machine", problem.machine);
  field("subTiles", problem.subTiles, Range{1, kCount.max});
  field("loadsApart", problem.loadsApart);
}

template <class Visitor> void visit(Visitor &&field, Ring &ring) {
  field("name", ring.name);
  field("depth", ring.depth, Range{1, kCount.max});
  field("operations", ring.operations, kCount);
}

template <class Visitor> void visit(Visitor &&field, Process &process) {
  field("name", process.name);
  field("warps", process.warps, Range{1, kCount.max});
  field("registers", process.registers, kCount);
}

template <class Visitor> void visit(Visitor &&field, Solution &solution) {
  field("ii", solution.ii, kPositive);
  field("start", solution.start);
  field("process", solution.process, kCount);
  field("execution", solution.execution);
  field("latency", solution.latency);
  field("processes", solution.processes);
  field("rings", solution.rings);
}

class Writer {
public:
  explicit Writer(llvm::json::OStream &json) : json(json) {}

  template <class Value>
  void operator()(llvm::StringRef name, Value &value, Range = {}) {
    json.attributeBegin(name);
    put(value);
    json.attributeEnd();
  }

  /// Files of the same version are older than the field.
  template <class Value>
  void unless(int absent, llvm::StringRef name, Value &value, Range = {}) {
    if (value != absent)
      (*this)(name, value);
  }

private:
  void put(std::string &text) { json.value(text); }
  void put(bool &flag) { json.value(flag); }
  void put(int &number) { json.value(number); }
  void put(int64_t &number) { json.value(number); }
  template <class Element> void put(std::vector<Element> &list) {
    json.array([&] {
      for (Element &element : list)
        put(element);
    });
  }
  template <class Struct> void put(Struct &fields) {
    json.object([&] { visit(*this, fields); });
  }

  llvm::json::OStream &json;
};

class Reader {
public:
  explicit Reader(ObjectReader &object) : object(object) {}

  template <class Value>
  void operator()(llvm::StringRef name, Value &value, Range range = {}) {
    object.required(name, [&](const Node &node) { get(node, value, range); });
  }

  template <class Value>
  void unless(int, llvm::StringRef name, Value &value, Range range) {
    object.optional(name, [&](const Node &node) { get(node, value, range); });
  }

private:
  static void get(const Node &node, std::string &out, Range) {
    out = node.text();
  }
  static void get(const Node &node, bool &out, Range) { out = node.boolean(); }
  static void get(const Node &node, int &out, Range range) {
    out = static_cast<int>(node.integer(range.min, range.max));
  }
  static void get(const Node &node, int64_t &out, Range range) {
    out = node.integer(range.min, range.max);
  }
  template <class Element>
  static void get(const Node &node, std::vector<Element> &list, Range range) {
    list.clear();
    node.list(
        [&](const Node &element) { get(element, list.emplace_back(), range); });
  }
  template <class Struct>
  static void get(const Node &node, Struct &fields, Range) {
    ObjectReader object(node);
    visit(Reader(object), fields);
  }

  ObjectReader &object;
};

void readVersion(const Node &node) { node.integer(kJsonVersion, kJsonVersion); }

template <class Struct>
void writeVersioned(llvm::json::OStream &json, const Struct &fields) {
  json.object([&] {
    json.attribute("version", kJsonVersion);
    visit(Writer(json), const_cast<Struct &>(fields)); // Writer only reads
  });
}

template <class Struct> void readVersioned(const Node &node, Struct &fields) {
  ObjectReader object(node);
  object.required("version", readVersion);
  visit(Reader(object), fields);
}

template <class Struct> std::string print(const Struct &fields) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 1);
  write(json, fields);
  return text + "\n";
}

} // namespace

void heddle::schedule::write(llvm::json::OStream &json,
                             const Problem &problem) {
  writeVersioned(json, problem);
}

void heddle::schedule::write(llvm::json::OStream &json,
                             const Solution &solution) {
  writeVersioned(json, solution);
}

void heddle::schedule::read(const Node &node, Problem &problem) {
  readVersioned(node, problem);
}

void heddle::schedule::read(const Node &node, Solution &solution) {
  readVersioned(node, solution);
}

std::string heddle::schedule::toJson(const Problem &problem) {
  return print(problem);
}

std::string heddle::schedule::toJson(const Solution &solution) {
  return print(solution);
}

std::string heddle::schedule::fromJson(llvm::StringRef text, Problem &problem) {
  return strict::parse(text, "the scheduling problem",
                       [&](const Node &node) { read(node, problem); });
}

std::string heddle::schedule::fromJson(llvm::StringRef text,
                                       Solution &solution) {
  return strict::parse(text, "the schedule",
                       [&](const Node &node) { read(node, solution); });
}
