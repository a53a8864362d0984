//===- ProcessText.cpp - Writes processes as text -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using llvm::StringRef, llvm::Twine;

void ProcessText::line(const Twine &added) { text += added.str() + "\n"; }

Name ProcessText::make(const Twine &made) {
  Name name = fresh();
  line(name + " = " + made);
  return name;
}

Name ProcessText::compare(StringRef how, const Name &a, const Name &b) {
  return make("arith.cmpi " + how + ", " + a + ", " + b + " : i64");
}
Name ProcessText::both(const Name &a, const Name &b) {
  return make("arith.andi " + a + ", " + b + " : i1");
}
Name ProcessText::either(const Name &a, const Name &b) {
  return make("arith.ori " + a + ", " + b + " : i1");
}
Name ProcessText::flip(const Name &a) {
  return make("arith.xori " + a + ", %yes : i1");
}
Name ProcessText::select(const Name &when, const Name &a, const Name &b,
                         StringRef type) {
  return make("arith.select " + when + ", " + a + ", " + b + " : " + type);
}

Name ProcessText::number(int64_t value) {
  Name name = "%n" + std::to_string(value);
  if (!llvm::is_contained(known, name)) {
    known.push_back(name);
    constants +=
        name + " = arith.constant " + std::to_string(value) + " : i64\n";
  }
  return name;
}

Name ProcessText::zero(StringRef element) {
  if (element == "i64")
    return number(0);
  Name name = "%zero_" + element.str();
  if (!llvm::is_contained(known, name)) {
    known.push_back(name);
    constants += name + " = arith.constant 0.0 : " + element.str() + "\n";
  }
  return name;
}

static std::string results(const Name &name, size_t count) {
  return count == 0   ? std::string()
         : count == 1 ? name + " = "
                      : name + ":" + std::to_string(count) + " = ";
}

static Names partsOf(const Name &name, size_t count) {
  if (count == 1)
    return {name};
  Names names;
  for (size_t i = 0; i < count; ++i)
    names.push_back(name + "#" + std::to_string(i));
  return names;
}

Names ProcessText::branch(const Name &when,
                          const std::vector<std::string> &types,
                          llvm::function_ref<Names()> then,
                          llvm::function_ref<Names()> other, bool isBeside) {
  Name name = fresh();
  std::string all = llvm::join(types, ", ");
  line(results(name, types.size()) + "scf.if " + when +
       (types.empty() ? "" : " -> (" + all + ")") + " {");
  auto yield = [&](const Names &values) {
    if (!types.empty())
      line("scf.yield " + llvm::join(values, ", ") + " : " + all);
  };
  yield(then());
  line("} else {");
  yield(other());
  line(isBeside ? "} {aref.beside}" : "}");
  return partsOf(name, types.size());
}

Names ProcessText::loop(const std::vector<std::string> &types,
                        const Names &initial,
                        llvm::function_ref<Names(const Names &)> body) {
  Name name = fresh();
  std::string all = llvm::join(types, ", "), carried, arguments;
  Names before, after;
  for (auto [value, type] : llvm::zip_equal(initial, types)) {
    before.push_back(fresh());
    after.push_back(fresh());
    carried += (carried.empty() ? "" : ", ") + before.back() + " = " + value;
    arguments += (arguments.empty() ? "" : ", ") + after.back() + ": " + type;
  }
  line(results(name, types.size()) + "scf.while (" + carried + ") : (" + all +
       ") -> (" + all + ") {");
  line("scf.condition(" + before[0] + ") " + llvm::join(before, ", ") + " : " +
       all);
  line("} do {");
  line("^bb0(" + arguments + "):");
  Names next = body(after);
  line("scf.yield " + llvm::join(next, ", ") + " : " + all);
  line("}");
  return partsOf(name, types.size());
}

Name ProcessText::firstTurn(const RingText &ring) {
  return ring.isThere()
             ? make("aref.first_turn " + ring.name + " : " + ring.type())
             : Name();
}

std::vector<std::string> ProcessText::headTypes(const RingText &ring) {
  return {"i1", ring.element, "i64", kTurn};
}

Head ProcessText::fetch(const RingText &ring, const Name &turn) {
  Name more =
      make("aref.more " + ring.name + "[" + turn + "] : " + ring.type());
  Names got = branch(
      more, {ring.element, "i64", kTurn},
      [&]() -> Names {
        Name token = fresh(), next = fresh(), number = fresh(), code = fresh();
        line(token + ", " + next + ", " + number + ", " + code +
             " = aref.get " + ring.name + "[" + turn + "] : " + ring.type() +
             " -> " + ring.element + ", i64");
        // A slot's values end with its release.
        Name own = select(yes(), number, number, ring.element);
        Name ownCode = select(yes(), code, code, "i64");
        line("aref.release " + ring.name + "[" + token + "] after " + own +
             ", " + ownCode + " : " + ring.type() + ", " + ring.element +
             ", i64");
        return {own, ownCode, next};
      },
      [&]() -> Names { return {zero(ring.element), number(1), turn}; });
  return {more, got[0], got[1], got[2]};
}

Head ProcessText::fetchIf(const Name &when, const RingText &ring,
                          const Head &head) {
  return headOf(branch(
                    when, headTypes(ring),
                    [&] { return namesOf(fetch(ring, head.turn)); },
                    [&] { return namesOf(head); }),
                0);
}

std::string ProcessText::issue(int64_t tokens) const {
  int64_t cycles = tokens * tokenCycles;
  return cycles ? " {aref.issue = " + std::to_string(cycles) + " : i64}" : "";
}

Name ProcessText::emit(const RingText &ring, const Name &turn,
                       const Name &value, const Name &code, int64_t tokens) {
  if (!ring.isThere())
    return {};
  Name token = fresh(), next = fresh();
  line(token + ", " + next + " = aref.acquire " + ring.name + "[" + turn + "]" +
       issue(tokens) + " : " + ring.type());
  line("aref.publish " + ring.name + "[" + token + "], " + value + ", " + code +
       " : " + ring.type() + ", " + ring.element + ", i64");
  return next;
}

void ProcessText::close(const RingText &ring, const Name &turn) {
  if (ring.isThere())
    line("aref.close " + ring.name + "[" + turn + "] : " + ring.type());
}

Name ProcessText::load(const Name &view, const Name &at, StringRef element) {
  Name index = make("arith.index_cast " + at + " : i64 to index");
  Name tile = make("tile.load " + view + "[" + index + "] : !tile.view<?x" +
                   element + "> -> tensor<1x" + element + ">");
  return make("tile.unsplat " + tile + " : tensor<1x" + element + "> -> " +
              element);
}

void ProcessText::store(const Name &view, const Name &at, const Name &value,
                        StringRef element) {
  Name index = make("arith.index_cast " + at + " : i64 to index");
  Name tile = make("tile.splat " + value + " : " + element + " -> tensor<1x" +
                   element + ">");
  line("tile.store " + tile + ", " + view + "[" + index + "] : tensor<1x" +
       element + ">, !tile.view<?x" + element + ">");
}
