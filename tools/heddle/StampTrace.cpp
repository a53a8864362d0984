//===- StampTrace.cpp - What an instrumented kernel noted -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StampTrace.h"

#include "heddle/Conversion/Stamps.h"
#include "heddle/Schedule/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <limits>
#include <optional>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using schedule::Timeline;

/// Clocks are known modulo this.
static constexpr int64_t kClocks = (int64_t(1) << 32) / kStampNumbers;

manifest::Manifest heddle::tool::withoutTrace(manifest::Manifest manifest) {
  llvm::erase_if(manifest.arguments, [](const manifest::Argument &argument) {
    return argument.name == kTraceArgument;
  });
  return manifest;
}

ArgumentData heddle::tool::makeTrace(const manifest::Manifest &manifest) {
  size_t processes = 0;
  for (const manifest::Variant &variant : manifest.variants)
    processes = std::max(processes, variant.processes.size());
  std::vector<int64_t> shape = {1 + kStampsPerProcess * int64_t(processes)};
  return ArgumentData(manifest.arguments.back(), shape);
}

namespace {

struct Stamp {
  int64_t number, time;
};

/// The stamps of each process; times may be negative.
std::vector<std::vector<Stamp>> readStamps(const manifest::Variant &variant,
                                           ArrayRef<uint32_t> words) {
  std::vector<std::vector<Stamp>> all(variant.processes.size());
  std::optional<int64_t> first;
  for (auto [index, stamps] : enumerate(all)) {
    for (uint32_t word :
         words.slice(1 + index * kStampsPerProcess, kStampsPerProcess)) {
      if (word == 0)
        break;
      int64_t clock = word / kStampNumbers;
      if (!first)
        first = clock;
      // Processes begin within half a turn of the clock.
      int64_t before = stamps.empty() ? -kClocks / 2 : stamps.back().time;
      int64_t later = (clock - *first - before) % kClocks;
      stamps.push_back(
          {word % kStampNumbers - 1, before + (later + kClocks) % kClocks});
    }
  }
  return all;
}

/// Stamps become operations of their processes, or waits.
class StampWriter {
public:
  StampWriter(const manifest::Variant &variant, Timeline &timeline)
      : timeline(timeline), counts(variant.stamps.size()) {
    timeline.units.push_back({"threads", false});
    for (const manifest::Process &process : variant.processes)
      timeline.processes.push_back({process.name, 0, 0});
    for (const manifest::Stamp &stamp : variant.stamps) {
      auto process = llvm::find_if(variant.processes, [&](const auto &known) {
        return known.name == stamp.process;
      });
      timeline.operations.push_back(
          {stamp.activity + " " + llvm::join(stamp.names, ", "), 0,
           int(process - variant.processes.begin()), 0, 0, 0});
      isWait.push_back(stamp.activity == "acquire" || stamp.activity == "get" ||
                       stamp.activity == "await");
    }
  }

  void add(const Stamp &stamp, int64_t begin, int64_t end) {
    const Timeline::Operation &op = timeline.operations[stamp.number];
    if (isWait[stamp.number])
      timeline.waits.push_back({op.process, begin, end, op.name});
    else
      timeline.issued.push_back(
          {int(stamp.number), counts[stamp.number]++, begin, end});
  }

private:
  Timeline &timeline;
  std::vector<int64_t> counts;
  std::vector<bool> isWait;
};

} // namespace

std::string heddle::tool::drawStamps(const manifest::Variant &variant,
                                     const ArgumentData &trace,
                                     const std::string &where) {
  std::vector<uint32_t> words(trace.elementCount());
  std::memcpy(words.data(), trace.data(), trace.sizeBytes());
  auto all = readStamps(variant, words);
  int64_t origin = std::numeric_limits<int64_t>::max();
  for (const auto &stamps : all)
    if (!stamps.empty())
      origin = std::min(origin, stamps.front().time);
  Timeline timeline;
  StampWriter writer(variant, timeline);
  // The last stamp of a process begins nothing whose end is known.
  for (const auto &stamps : all)
    for (size_t i = 0; i + 1 < stamps.size(); ++i)
      writer.add(stamps[i], stamps[i].time - origin,
                 stamps[i + 1].time - origin);
  return schedule::writeTrace({timeline}, {variant.entry + ": " + where});
}
