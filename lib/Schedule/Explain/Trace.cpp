//===- Trace.cpp - Timelines as a trace file ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runs.h"

#include "heddle/Schedule/Trace.h"

#include <map>

using namespace heddle::schedule;

namespace {

std::string quote(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
    result += c;
  }
  return result + "\"";
}

/// The events of one timeline.
class TraceWriter {
public:
  TraceWriter(const Timeline &timeline, int pid, std::string &events)
      : timeline(timeline), pid(pid), events(events) {}

  void write(const std::string &name) {
    metadata("process_name", 0, name);
    for (size_t i = 0; i < timeline.processes.size(); ++i)
      writeProcess(static_cast<int>(i));
    for (size_t i = 0; i < timeline.units.size(); ++i)
      if (timeline.units[i].asynchronous)
        writeUnit(static_cast<int>(i));
    for (size_t i = 0; i < timeline.rings.size(); ++i)
      writeRing(static_cast<int>(i));
  }

private:
  void event(const std::string &fields) {
    events += (events.empty() ? "" : ",\n") +
              ("{\"pid\":" + std::to_string(pid) + "," + fields + "}");
  }

  void metadata(const std::string &what, int thread, const std::string &name) {
    event("\"ph\":\"M\",\"tid\":" + std::to_string(thread) + ",\"name\":" +
          quote(what) + ",\"args\":{\"name\":" + quote(name) + "}");
  }

  int addThread(const std::string &name) {
    metadata("thread_name", ++threads, name);
    event("\"ph\":\"M\",\"tid\":" + std::to_string(threads) +
          ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" +
          std::to_string(threads) + "}");
    return threads;
  }

  void complete(int thread, const std::string &name, int64_t begin, int64_t end,
                const std::string &arguments) {
    event("\"ph\":\"X\",\"tid\":" + std::to_string(thread) +
          ",\"name\":" + quote(name) + ",\"ts\":" + std::to_string(begin) +
          ",\"dur\":" + std::to_string(end - begin) + ",\"args\":{" +
          arguments + "}");
  }

  void span(int thread, const Span &span) {
    const Timeline::Operation &op = timeline.operations[span.operation];
    complete(thread, op.name + " #" + std::to_string(span.iteration),
             span.begin, span.end,
             "\"iteration\":" + std::to_string(span.iteration) +
                 ",\"stage\":" + std::to_string(op.stage) +
                 ",\"unit\":" + quote(timeline.units[op.unit].name) +
                 ",\"process\":" + quote(timeline.processes[op.process].name));
  }

  std::vector<Span> spansOf(const std::vector<Span> &spans, int process) const {
    std::vector<Span> mine;
    for (const Span &span : spans)
      if (timeline.operations[span.operation].process == process)
        mine.push_back(span);
    return mine;
  }

  void writeProcess(int process) {
    const std::string &name = timeline.processes[process].name;
    int thread = addThread(name);
    for (const Span &issued : spansOf(timeline.issued, process))
      span(thread, issued);
    for (const WaitSpan &wait : timeline.waits)
      if (wait.process == process)
        complete(thread, "waits for " + wait.reason, wait.begin, wait.end, "");
    writeStacked(name + " in flight", spansOf(timeline.inFlight, process));
  }

  /// A unit that serves several processes at once has a line for each.
  void writeUnit(int unit) {
    std::vector<Span> spans;
    for (const Span &executed : timeline.executed)
      if (timeline.operations[executed.operation].unit == unit)
        spans.push_back(executed);
    writeStacked("unit " + timeline.units[unit].name, spans);
  }

  /// On as many lines of that name as they need not to overlap.
  void writeStacked(const std::string &name, const std::vector<Span> &spans) {
    std::vector<int> lines = stackSpans(spans);
    std::map<int, int> threadOf; // of each line
    for (size_t i = 0; i < spans.size(); ++i) {
      int &line = threadOf[lines[i]];
      if (!line)
        line = addThread(name);
      span(line, spans[i]);
    }
  }

  /// How many slots are in each state, whenever that changes.
  void writeRing(int ring) {
    std::map<int64_t, int64_t[3]> changes;
    for (const SlotSpan &slot : timeline.slots) {
      if (slot.ring != ring)
        continue;
      ++changes[slot.begin][static_cast<int>(slot.state)];
      --changes[slot.end][static_cast<int>(slot.state)];
    }
    int64_t now[3] = {};
    for (const auto &[cycle, change] : changes) {
      for (int state = 0; state < 3; ++state)
        now[state] += change[state];
      event("\"ph\":\"C\",\"name\":" +
            quote("ring " + timeline.rings[ring].name) +
            ",\"ts\":" + std::to_string(cycle) + ",\"args\":{\"filling\":" +
            std::to_string(now[0]) + ",\"full\":" + std::to_string(now[1]) +
            ",\"read\":" + std::to_string(now[2]) + "}");
    }
  }

  const Timeline &timeline;
  int pid;
  int threads = 0;
  std::string &events;
};

} // namespace

std::string
heddle::schedule::writeTrace(const std::vector<Timeline> &timelines,
                             const std::vector<std::string> &names) {
  std::string events;
  for (size_t i = 0; i < timelines.size(); ++i)
    TraceWriter(timelines[i], static_cast<int>(i) + 1, events).write(names[i]);
  return "{\"otherData\":{\"one microsecond\":\"one cycle\"},\n"
         "\"traceEvents\":[\n" +
         events + "\n]}\n";
}
