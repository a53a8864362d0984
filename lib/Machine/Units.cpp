//===- Units.cpp - Reads a machine made of named units --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every field is an object with a `value` and a source (`from`); unknown fields
// are refused. Names between units, caches and memory are held against each
// other here, so that the simulator follows them without asking.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Units.h"

#include "heddle/Machine/Target.h"
#include "heddle/Support/JsonReader.h"

#include <algorithm>
#include <utility>

using namespace heddle;
using namespace heddle::machine;

namespace {

/// Sums and products of what a description says do not wrap.
constexpr int64_t kMost = int64_t(1) << 40;

void readNumber(strict::ObjectReader &reader, const char *name, int64_t least,
                int64_t &field, bool isNeeded = true) {
  auto read = [&](const strict::Node &node) {
    strict::ObjectReader entry(node);
    entry.required("value", [&](const strict::Node &value) {
      field = value.integer(least, kMost);
    });
    entry.required("from", [&](const strict::Node &from) {
      if (from.text().empty())
        from.expected("what the value was taken from");
    });
  };
  if (isNeeded)
    reader.required(name, read);
  else
    reader.optional(name, read);
}

void readName(strict::ObjectReader &reader, const char *key,
              std::string &field) {
  reader.required(key, [&](const strict::Node &node) { field = node.text(); });
}

void readUnit(const strict::Node &node, Unit &unit) {
  strict::ObjectReader reader(node);
  readName(reader, "name", unit.name);
  readName(reader, "cache", unit.cache);
  for (auto [name, least, field] : {std::tuple("count", 1, &unit.count),
                                    {"turn", 0, &unit.turn},
                                    {"number", 0, &unit.number},
                                    {"loop", 0, &unit.loop},
                                    {"scalar", 0, &unit.scalar},
                                    {"vector_bytes", 1, &unit.vectorBytes},
                                    {"arithmetic", 0, &unit.arithmetic},
                                    {"latency", 0, &unit.latency},
                                    {"access", 0, &unit.access},
                                    {"outstanding", 1, &unit.outstanding}})
    readNumber(reader, name, least, *field);
  unit.sumLatency = unit.latency;
  readNumber(reader, "sum_latency", 0, unit.sumLatency, /*isNeeded=*/false);
}

void readCache(const strict::Node &node, Cache &cache) {
  strict::ObjectReader reader(node);
  readName(reader, "name", cache.name);
  readName(reader, "next", cache.next);
  for (auto [name, least, field] : {std::tuple("bytes", 1, &cache.bytes),
                                    {"ways", 1, &cache.ways},
                                    {"latency", 0, &cache.latency},
                                    {"interval", 1, &cache.interval},
                                    {"outstanding", 1, &cache.outstanding}})
    readNumber(reader, name, least, *field);
}

/// "" or the sentence that says which name leads nowhere.
std::string findFault(const Units &units) {
  for (const Unit &unit : units.units)
    if (!unit.cache.empty() && !units.findCache(unit.cache))
      return "unit '" + unit.name + "' asks cache '" + unit.cache +
             "', which the description does not have";
  for (size_t i = 0; i < units.caches.size(); ++i) {
    const Cache &cache = units.caches[i];
    if (cache.bytes < cache.ways * units.lineBytes)
      return "cache '" + cache.name + "' has " + std::to_string(cache.bytes) +
             " bytes, fewer than " + std::to_string(cache.ways) +
             " ways of one line";
    // So no chain of misses can go round.
    bool isBehind = cache.next.empty();
    for (size_t j = i + 1; j < units.caches.size(); ++j)
      isBehind |= units.caches[j].name == cache.next;
    if (!isBehind)
      return "cache '" + cache.name + "' asks '" + cache.next +
             "', which must be a cache that the description lists behind it";
  }
  return "";
}

} // namespace

const Unit *Units::findUnit(const std::string &name) const {
  for (const Unit &unit : units)
    if (unit.name == name)
      return &unit;
  return nullptr;
}

const Cache *Units::findCache(const std::string &name) const {
  for (const Cache &cache : caches)
    if (cache.name == name)
      return &cache;
  return nullptr;
}

bool heddle::machine::readUnits(const std::string &json, Units &units,
                                std::string &error) {
  Units result;
  error = strict::parse(json, "the description", [&](const strict::Node &node) {
    strict::ObjectReader reader(node);
    readName(reader, "name", result.name);
    reader.required("target", [](const strict::Node &target) {
      const Target *found = findTarget(target.text());
      if (!found || found->model != Model::Units)
        target.expected("a target whose machines are made of units");
    });
    reader.optional("about", [](const strict::Node &) {});
    reader.required("units", [&](const strict::Node &list) {
      list.list([&](const strict::Node &unit) {
        readUnit(unit, result.units.emplace_back());
      });
    });
    reader.required("caches", [&](const strict::Node &list) {
      list.list([&](const strict::Node &cache) {
        readCache(cache, result.caches.emplace_back());
      });
    });
    reader.required("memory", [&](const strict::Node &memory) {
      strict::ObjectReader fields(memory);
      readNumber(fields, "line_bytes", 1, result.lineBytes);
      readNumber(fields, "latency", 0, result.latency);
      readNumber(fields, "channels", 1, result.channels);
      readNumber(fields, "interleave", 1, result.interleave);
      readNumber(fields, "interval", 1, result.interval);
    });
    reader.required("rings", [&](const strict::Node &rings) {
      strict::ObjectReader fields(rings);
      readNumber(fields, "hand_over", 0, result.handOver);
      readNumber(fields, "bytes", 0, result.ringBytes);
    });
  });
  if (error.empty())
    error = findFault(result);
  if (!error.empty())
    return false;
  units = std::move(result);
  return true;
}
