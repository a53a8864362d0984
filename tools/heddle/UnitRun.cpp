//===- UnitRun.cpp - What a run on units shows ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture has a lane for each process: boxes for what keeps it busy, by
// kind, a line where it waits, and below the lane one line for each load from
// its issue to its arrival. What a box is, its title says.
//
//===----------------------------------------------------------------------===//

#include "UnitRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using simulator::TimedRun;

void heddle::tool::printUnits(const TimedRun &run, raw_ostream &out) {
  out << run.cycles << " cycles\n";
  for (auto [name, busy] : zip_equal(run.processes, run.busy))
    out << "  " << name << ": busy for " << busy << "\n";
  for (const simulator::MemoryUse &use : run.memory) {
    out << "  " << use.name << ": " << use.asked << " lines";
    if (use.name != "memory")
      out << ", " << use.hits << " there";
    out << "\n";
  }
}

schedule::Timeline heddle::tool::timelineOf(const TimedRun &run) {
  schedule::Timeline timeline;
  timeline.interval = run.cycles;
  timeline.isPipelined = false;
  timeline.units.push_back({"", false});
  for (const std::string &process : run.processes)
    timeline.processes.push_back({process, 0, 0});
  for (const TimedRun::Execution &execution : run.executions) {
    auto known = find_if(timeline.operations, [&](const auto &operation) {
      return operation.name == execution.op &&
             operation.process == int(execution.process);
    });
    int index = int(known - timeline.operations.begin());
    if (known == timeline.operations.end())
      timeline.operations.push_back(
          {execution.op, 0, int(execution.process), 0, 0, 0});
    timeline.issued.push_back(
        {index, execution.number, execution.issued, execution.issueEnd});
  }
  for (const TimedRun::Wait &wait : run.waits)
    timeline.waits.push_back(
        {int(wait.process), wait.begin, wait.end, wait.reason});
  return timeline;
}

std::string heddle::tool::traceUnits(const TimedRun &run) {
  return schedule::writeTrace({timelineOf(run)}, {"simulated"});
}

namespace {

constexpr int64_t kShown = 320; ///< cycles
constexpr int64_t kCycle = 3, kLeft = 110, kLane = 26, kLoads = 40, kTop = 30;

class UnitPicture {
public:
  explicit UnitPicture(const TimedRun &run)
      : run(run), begin(std::max<int64_t>(0, run.cycles / 2 - kShown / 2)),
        end(std::min(run.cycles, begin + kShown)), stream(text) {}

  std::string draw() {
    int64_t height = laneOf(run.processes.size()) + 24;
    stream << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
           << toX(begin + kShown) + 10 << "\" height=\"" << height
           << "\" font-family=\"sans-serif\" font-size=\"11\">\n"
           << "<style>.load{fill:#5b8bd0}.ring{fill:#b9c2cc}.work{fill:#e0955a}"
              ".wait{stroke:#c9c9c9}.way{stroke:#5b8bd0;opacity:.55}</style>\n"
           << "<text x=\"4\" y=\"14\">cycles " << begin << " to " << end
           << " of " << run.cycles
           << ": loads, steps of rings, work; below a lane its loads under "
              "way</text>\n";
    for (auto [index, name] : enumerate(run.processes))
      stream << "<text x=\"4\" y=\"" << laneOf(index) + 16 << "\">" << name
             << "</text>\n";
    for (const TimedRun::Wait &wait : run.waits)
      line("wait", laneOf(wait.process) + kLane / 2, wait.begin, wait.end,
           "waits for " + wait.reason);
    for (const TimedRun::Execution &execution : run.executions)
      drawExecution(execution);
    drawAxis(height - 8);
    stream << "</svg>\n";
    return text;
  }

private:
  int64_t toX(int64_t cycle) const { return kLeft + kCycle * (cycle - begin); }
  int64_t laneOf(size_t process) const {
    return kTop + int64_t(process) * (kLane + kLoads);
  }
  bool isShown(int64_t from, int64_t to) const {
    return to > begin && from < end;
  }

  void line(StringRef kind, int64_t y, int64_t from, int64_t to,
            const std::string &title) {
    if (!isShown(from, to))
      return;
    stream << "<line class=\"" << kind << "\" x1=\""
           << toX(std::max(from, begin)) << "\" x2=\"" << toX(std::min(to, end))
           << "\" y1=\"" << y << "\" y2=\"" << y << "\"><title>" << title
           << ", cycles " << from << " to " << to << "</title></line>\n";
  }

  static StringRef kindOf(const TimedRun::Execution &execution) {
    if (execution.landed >= 0)
      return "load";
    return is_contained({"get", "publish", "yield"}, execution.op) ? "ring"
                                                                   : "work";
  }

  void drawExecution(const TimedRun::Execution &execution) {
    size_t process = execution.process;
    if (isShown(execution.issued, execution.issueEnd)) {
      int64_t from = std::max(execution.issued, begin);
      int64_t to = std::min(execution.issueEnd, end);
      stream << "<rect class=\"" << kindOf(execution) << "\" x=\"" << toX(from)
             << "\" y=\"" << laneOf(process) << "\" width=\""
             << kCycle * (to - from) - 1 << "\" height=\"" << kLane
             << "\"><title>" << execution.op << ", cycles " << execution.issued
             << " to " << execution.issueEnd << "</title></rect>\n";
    }
    if (!execution.asynchronous)
      return;
    int64_t row = loads[process]++ % 12;
    line("way", laneOf(process) + kLane + 3 + 3 * row, execution.issued,
         execution.landed, execution.op + " under way");
  }

  void drawAxis(int64_t y) {
    for (int64_t cycle = (begin + 39) / 40 * 40; cycle < end; cycle += 40)
      stream << "<text x=\"" << toX(cycle) << "\" y=\"" << y << "\">" << cycle
             << "</text>\n";
  }

  const TimedRun &run;
  int64_t begin, end;
  std::map<size_t, int64_t> loads; ///< so far, by process
  std::string text;
  raw_string_ostream stream;
};

} // namespace

std::string heddle::tool::drawUnits(const TimedRun &run) {
  return UnitPicture(run).draw();
}
