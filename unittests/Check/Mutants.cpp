//===- Mutants.cpp - Mistakes in small protocols --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared in Protocols.h. Makes the mutants of a protocol, by one edit at each
// statement and ring where it applies. lib/Mutate edits the hopper rung
// instead; here the prover is tested without Extract and without MLIR.
//
//===----------------------------------------------------------------------===//

#include "Protocols.h"

#include <functional>

namespace heddle::check {

namespace {

/// Visits the lists of statements of a protocol, always in the same order.
void eachList(
    Protocol &protocol,
    const std::function<void(Process &, std::vector<Statement> &)> &visit) {
  std::function<void(Process &, std::vector<Statement> &)> descend =
      [&](Process &process, std::vector<Statement> &list) {
        // Before `visit`, which may change the list.
        for (Statement &statement : list) {
          descend(process, statement.body);
          descend(process, statement.otherwise);
        }
        visit(process, list);
      };
  for (Process &process : protocol.processes)
    descend(process, process.body);
}

Value define(Process &process, Definition definition) {
  process.values.push_back(std::move(definition));
  return Value(process.values.size()) - 1;
}

Value constant(Process &process, int64_t number) {
  Definition definition;
  definition.kind = Definition::Constant;
  definition.number = number;
  return define(process, definition);
}

/// Computes a value in front of list[at].
Value insert(Process &process, std::vector<Statement> &list, size_t at,
             Arith arith, Value a, Value b) {
  Definition definition;
  definition.kind = Definition::Compute;
  definition.arith = arith;
  definition.operands = {a, b};
  definition.bits = definition.from = process.values[a].bits;
  Statement statement;
  statement.place = list[at].place;
  statement.value = define(process, definition);
  list.insert(list.begin() + at, statement);
  return statement.value;
}

class Maker {
public:
  explicit Maker(const Protocol &original) : original(original) {}

  using Edit = std::function<bool(Process &, std::vector<Statement> &, size_t)>;

  /// Applies an edit at each statement where it returns true.
  void everywhere(const std::string &what, const Edit &edit) {
    size_t count = 0;
    Protocol first = original;
    eachList(first, [&](Process &, std::vector<Statement> &list) {
      count += list.size();
    });
    for (size_t site = 0; site < count; ++site) {
      Protocol copy = original;
      size_t number = 0;
      std::string place;
      eachList(copy, [&](Process &process, std::vector<Statement> &list) {
        size_t size = list.size();
        if (site >= number && site < number + size) {
          std::string here =
              list[site - number].place + " " + list[site - number].event.text;
          if (edit(process, list, site - number))
            place = here;
        }
        number += size;
      });
      if (!place.empty())
        mutants.push_back({what + " at " + place, std::move(copy)});
    }
  }

  void ring(const std::string &what,
            const std::function<void(Ring &)> &change) {
    for (size_t i = 0; i < original.rings.size(); ++i) {
      Protocol copy = original;
      change(copy.rings[i]);
      mutants.push_back({what + " of " + copy.rings[i].name, std::move(copy)});
    }
  }

  std::vector<Mutant> mutants;

private:
  const Protocol &original;
};

bool isEvent(const Statement &statement) {
  return statement.kind == Statement::Happen;
}

} // namespace

std::vector<Mutant> makeMutants(const Protocol &protocol) {
  Maker maker(protocol);
  using List = std::vector<Statement>;
  maker.everywhere("dropped", [](Process &, List &list, size_t at) {
    if (!isEvent(list[at]) || list[at].event.kind == Event::Wgmma)
      return false;
    list.erase(list.begin() + at);
    return true;
  });
  maker.everywhere("repeated", [](Process &, List &list, size_t at) {
    // Twice the same write by the same threads is harmless, but the prover does
    // not know which thread writes what.
    if (!isEvent(list[at]) || (list[at].event.kind == Event::Generic &&
                               !list[at].event.writes.empty()))
      return false;
    Statement copy = list[at];
    list.insert(list.begin() + at, std::move(copy));
    return true;
  });
  maker.everywhere("swapped with the next", [](Process &, List &list,
                                               size_t at) {
    if (at + 1 >= list.size() || !isEvent(list[at]) || !isEvent(list[at + 1]))
      return false;
    if (list[at].event.kind == Event::Wgmma)
      return false; // its wait needs it
    std::swap(list[at], list[at + 1]);
    return true;
  });
  maker.everywhere("other phase", [](Process &process, List &list, size_t at) {
    if (!isEvent(list[at]) || list[at].event.kind != Event::Wait)
      return false;
    Value flipped = insert(process, list, at, Arith::Xor, list[at].event.phase,
                           constant(process, 1));
    list[at + 1].event.phase = flipped;
    return true;
  });
  int64_t depth = protocol.rings[0].depth;
  auto nextSlot = [depth](Process &process, List &list, size_t at, Value slot) {
    Value up =
        insert(process, list, at, Arith::Add, slot, constant(process, 1));
    return insert(process, list, at + 1, Arith::Rem, up,
                  constant(process, depth));
  };
  maker.everywhere(
      "next slot's barrier", [&](Process &process, List &list, size_t at) {
        if (!isEvent(list[at]) || list[at].event.slot == kNoValue || depth < 2)
          return false;
        Value next = nextSlot(process, list, at, list[at].event.slot);
        list[at + 2].event.slot = next;
        return true;
      });
  maker.everywhere("next slot's tile", [&](Process &process, List &list,
                                           size_t at) {
    if (!isEvent(list[at]) || depth < 2)
      return false;
    for (auto regions : {&Event::reads, &Event::writes})
      for (size_t i = 0; i < (list[at].event.*regions).size(); ++i)
        if ((list[at].event.*regions)[i].ring >= 0) {
          Value next =
              nextSlot(process, list, at, (list[at].event.*regions)[i].slot);
          (list[at + 2].event.*regions)[i].slot = next;
          return true;
        }
    return false;
  });
  for (int64_t by : {1, -1}) {
    std::string more = by > 0 ? "more" : "less";
    maker.everywhere("one pending " + more, [by](Process &, List &list,
                                                 size_t at) {
      Event &event = list[at].event;
      if (!isEvent(list[at]) || event.pending + by < 0 ||
          (event.kind != Event::WgmmaWait && event.kind != Event::TmaStoreWait))
        return false;
      event.pending += by;
      return true;
    });
    maker.everywhere("bytes " + more, [by](Process &, List &list, size_t at) {
      if (!isEvent(list[at]) || list[at].event.kind != Event::Expect)
        return false;
      list[at].event.bytes += 16 * by;
      return true;
    });
    maker.ring("full counts " + more,
               [by](Ring &ring) { ring.fullArrivals += by; });
    maker.ring("empty counts " + more,
               [by](Ring &ring) { ring.emptyArrivals += by; });
    maker.everywhere("threads " + more, [by](Process &, List &list, size_t at) {
      if (!isEvent(list[at]) || list[at].event.kind != Event::Sync)
        return false;
      list[at].event.threads += 32 * by;
      return true;
    });
  }
  maker.everywhere("read", [](Process &, List &list, size_t at) {
    Event &event = list[at].event;
    if (!isEvent(list[at]) || event.kind != Event::WgmmaWait || event.isRead)
      return false;
    event.isRead = true;
    return true;
  });
  maker.everywhere("from zero", [](Process &, List &list, size_t at) {
    Event &event = list[at].event;
    if (!isEvent(list[at]) || event.accumulator == kNoValue)
      return false;
    event.accumulator = kNoValue;
    return true;
  });
  maker.everywhere("half written", [](Process &, List &list, size_t at) {
    if (!isEvent(list[at]) || list[at].event.writes.empty())
      return false;
    list[at].event.writes[0].bytes /= 2;
    return true;
  });
  maker.everywhere("half read", [](Process &, List &list, size_t at) {
    Event &event = list[at].event;
    // A number that is read in part is data.
    if (!isEvent(list[at]) || event.reads.empty() || event.loaded != kNoValue)
      return false;
    event.reads[0].bytes /= 2;
    return true;
  });
  maker.everywhere("one trip more",
                   [](Process &process, List &list, size_t at) {
                     if (list[at].kind != Statement::Loop)
                       return false;
                     Value more = insert(process, list, at, Arith::Add,
                                         list[at].upper, constant(process, 1));
                     list[at + 1].upper = more;
                     return true;
                   });
  maker.everywhere(
      "another number", [](Process &process, List &list, size_t at) {
        if (!isEvent(list[at]) || list[at].event.stored == kNoValue)
          return false;
        Value more = insert(process, list, at, Arith::Add,
                            list[at].event.stored, constant(process, 1));
        list[at + 1].event.stored = more;
        return true;
      });
  maker.ring("slots overlap", [](Ring &ring) { ring.slotBytes /= 2; });
  for (size_t carried = 0; carried < 4; ++carried)
    maker.everywhere("value " + std::to_string(carried) + " not carried",
                     [carried](Process &, List &list, size_t at) {
                       if (list[at].kind != Statement::Loop ||
                           list[at].yields.size() <= carried)
                         return false;
                       list[at].yields[carried] = list[at].carried[carried];
                       return true;
                     });
  maker.everywhere("wraps later",
                   [depth](Process &process, List &list, size_t at) {
                     if (list[at].kind != Statement::Compute ||
                         process.values[list[at].value].arith != Arith::Equal)
                       return false;
                     Value later = constant(process, depth + 1);
                     process.values[list[at].value].operands[1] = later;
                     return true;
                   });
  return std::move(maker.mutants);
}

} // namespace heddle::check
