//===- Unrolled.cpp - What a process does for given trip counts -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets the statements directly: nothing is shared with the prover, which
// never executes a loop with a number.
//
//===----------------------------------------------------------------------===//

#include "Unrolled.h"

#include <algorithm>

namespace heddle::check {

namespace {
class Unroller {
public:
  Unroller(const Protocol &protocol, const Process &process,
           const Symbols &symbols, const std::vector<int64_t> &read)
      : protocol(protocol), process(process), symbols(symbols), read(read),
        numbers(process.values.size()) {}

  void execute(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements)
      execute(statement);
  }

  Unrolled result;

private:
  bool goesOn() const { return result.isFine && result.isWhole; }

  int64_t get(Value value) {
    const Definition &definition = process.values[value];
    if (definition.kind == Definition::Constant)
      return definition.number;
    if (definition.kind == Definition::Symbol)
      return symbols.at(definition.name);
    if (definition.kind == Definition::Element)
      return symbols.at("counts[" +
                        std::to_string(get(definition.operands[0])) + "]");
    return numbers[value];
  }

  int64_t compute(const Definition &definition) {
    int64_t a = get(definition.operands[0]), b = get(definition.operands[1]);
    switch (definition.arith) {
    case Arith::Add:
      return a + b;
    case Arith::Sub:
      return a - b;
    case Arith::Rem:
      return a % b;
    case Arith::Xor:
      return a ^ b;
    case Arith::Max:
      return std::max(a, b);
    case Arith::CeilDiv:
      return a > 0 ? (a + b - 1) / b : 0;
    case Arith::Equal:
      return a == b;
    case Arith::GreaterEqual:
      return a >= b;
    case Arith::Select:
      return a ? b : get(definition.operands[2]);
    default:
      result.isFine = false;
      return 0;
    }
  }

  void copy(const std::vector<Value> &from, const std::vector<Value> &to) {
    std::vector<int64_t> copied;
    for (Value value : from)
      copied.push_back(get(value));
    for (size_t i = 0; i < to.size(); ++i)
      numbers[to[i]] = copied[i];
  }

  Granules granules(const std::vector<Region> &regions) {
    Granules all = 0;
    for (const Region &region : regions) {
      int64_t begin = region.offset;
      if (region.ring >= 0) {
        const Ring &ring = protocol.rings[region.ring];
        int64_t slot = get(region.slot);
        result.isFine &= slot >= 0 && slot < ring.depth &&
                         region.offset + region.bytes <= ring.slotBytes;
        begin += ring.offset + slot * ring.slotBytes;
      }
      result.isFine &=
          begin >= 0 && begin + region.bytes <= protocol.sharedBytes;
      for (int64_t at = begin; at < begin + region.bytes; at += 16)
        all |= Granules(1) << (at / 16 % 64);
    }
    return all;
  }

  /// A flight stands for its product's registers as long as no later product
  /// went on with them and nobody read them.
  void issue(const Event &event) {
    Product product;
    product.group = groups++;
    if (event.accumulator == kNoValue) {
      product.registers = versions.size();
      versions.push_back(0);
    } else {
      const Product &before = products[get(event.accumulator)];
      result.isFine &= versions[before.registers] == before.version;
      product.registers = before.registers;
      product.version = ++versions[before.registers];
    }
    numbers[event.flight] = int64_t(products.size());
    products.push_back(product);
  }

  void await(const Event &event) {
    landed = std::max(landed, groups - event.pending);
    if (!event.isRead)
      return;
    const Product &product = products[get(event.flight)];
    result.isFine &= product.group < landed &&
                     versions[product.registers]++ == product.version;
  }

  void happen(const Event &event) {
    if (event.kind == Event::Wgmma)
      issue(event);
    if (event.kind == Event::WgmmaWait)
      await(event);
    Action action;
    action.event = &event;
    if (event.ring >= 0) {
      const Ring &ring = protocol.rings[event.ring];
      int64_t slot = get(event.slot);
      result.isFine &= slot >= 0 && slot < ring.depth;
      action.barrier = 0;
      for (int i = 0; i < event.ring; ++i)
        action.barrier += 2 * int(protocol.rings[i].depth);
      action.barrier += 2 * int(slot) + (event.side == Side::Empty);
    }
    if (event.kind == Event::Wait)
      action.phase = get(event.phase);
    action.reads = granules(event.reads);
    action.writes = granules(event.writes);
    if (event.stored != kNoValue)
      action.stored = get(event.stored);
    if (!result.isFine)
      return;
    result.actions.push_back(action);
    if (event.loaded == kNoValue)
      return;
    result.isWhole = taken < read.size();
    if (result.isWhole)
      numbers[event.loaded] = read[taken++];
  }

  void execute(const Statement &statement) {
    if (!goesOn())
      return;
    if (statement.kind == Statement::Compute) {
      numbers[statement.value] = compute(process.values[statement.value]);
    } else if (statement.kind == Statement::Happen) {
      happen(statement.event);
    } else if (statement.kind == Statement::Branch) {
      bool isTaken = get(statement.value) != 0;
      execute(isTaken ? statement.body : statement.otherwise);
      copy(isTaken ? statement.yields : statement.otherwiseYields,
           statement.results);
    } else {
      copy(statement.inits, statement.carried);
      for (int64_t i = get(statement.lower);
           i < get(statement.upper) && goesOn(); i += get(statement.step)) {
        numbers[statement.index] = i;
        execute(statement.body);
        copy(statement.yields, statement.carried);
      }
      copy(statement.carried, statement.results);
    }
  }

  struct Product {
    size_t registers = 0;
    int version = 0;
    int64_t group = 0;
  };

  const Protocol &protocol;
  const Process &process;
  const Symbols &symbols;
  const std::vector<int64_t> &read;
  std::vector<Product> products;
  std::vector<int> versions;      ///< of sets of registers
  int64_t groups = 0, landed = 0; ///< committed, and known to have ended
  size_t taken = 0;
  std::vector<int64_t> numbers;
};
} // namespace

Unrolled unroll(const Protocol &protocol, const Process &process,
                const Symbols &symbols, const std::vector<int64_t> &read) {
  Unroller unroller(protocol, process, symbols, read);
  unroller.execute(process.body);
  return std::move(unroller.result);
}

} // namespace heddle::check
