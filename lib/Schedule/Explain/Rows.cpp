//===- Rows.cpp - Processes, units and rings over cycles ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a picture: a process with what it does and waits for, a unit with
// what it executes, a ring with its slots. Space is short, so a name leaves out
// what its row says already, and operations too short to see are drawn as one
// block.
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

constexpr double kRowHeight = 30, kFlightHeight = 13, kRowGap = 8;
/// Narrower blocks are joined with their neighbours.
constexpr double kNarrow = 30;
/// Neighbours may be this far apart, and shorter waits are not drawn.
constexpr double kSmallGap = 10;
constexpr int kHueCount = 8;

/// The class by which all of an iteration is found; iterations so far apart
/// that no picture shows both share one.
std::string iterationStyle(int64_t iteration) {
  return " i" +
         std::to_string((iteration % kIterationStyles + kIterationStyles) %
                        kIterationStyles);
}

/// Classes of a block: its unit's hue, pale in every other iteration.
std::string blockStyles(int unit, int64_t iteration) {
  return "block u" + std::to_string(unit % kHueCount) +
         (iteration % 2 == 0 ? " strong" : " pale") + iterationStyle(iteration);
}

std::string inkOn(int64_t iteration) {
  return iteration % 2 == 0 ? "onstrong" : "onpale";
}

/// `name` without the `suffix` that its row says already.
std::string shorten(const std::string &name, const std::string &suffix) {
  if (!suffix.empty() && name.size() > suffix.size() && name.ends_with(suffix))
    return name.substr(0, name.size() - suffix.size());
  return name;
}

std::string percent(int64_t part, int64_t whole) {
  return std::to_string((100 * part + whole / 2) / whole) + " %";
}

} // namespace

/// Up to and with the last '_' that all names have in common.
size_t Picture::commonPrefix(const std::vector<Span> &spans) const {
  const std::string &first = timeline.operations[spans.front().operation].name;
  size_t length =
      first.rfind('_') == std::string::npos ? 0 : first.rfind('_') + 1;
  for (const Span &span : spans) {
    const std::string &name = timeline.operations[span.operation].name;
    if (name.compare(0, length, first, 0, length) != 0)
      return 0;
  }
  return length;
}

/// Those of a process, or of a unit, that the picture shows; -1 is any.
std::vector<Span> Picture::visible(const std::vector<Span> &spans, int process,
                                   int unit) const {
  std::vector<Span> result;
  for (const Span &span : spans) {
    const Timeline::Operation &op = timeline.operations[span.operation];
    if ((process < 0 || op.process == process) &&
        (unit < 0 || op.unit == unit) && isVisible(span.begin, span.end))
      result.push_back(span);
  }
  return result;
}

/// Marks the one iteration that the eye is to follow.
void Picture::outline(Svg::Box box, int64_t iteration, double radius) {
  if (iteration == 0 && timeline.isPipelined && box.width >= 5)
    svg.rect({box.x + 0.7, box.y + 0.7, box.width - 1.4, box.height - 1.4},
             "followed", "", radius);
}

void Picture::drawRun(const Run &run, const std::string &suffix,
                      double height) {
  Svg::Box box = boxOf(run.begin(), run.end(), y, height);
  int64_t iteration = run.spans.front().iteration;
  std::string tip;
  for (const Span &span : run.spans)
    tip += (tip.empty() ? "" : "\n\n") + describe(span, "busy");
  svg.rect(box, blockStyles(run.unit, iteration), tip, 2);
  outline(box, iteration, 2);
  std::string name = shorten(timeline.operations[run.longest].name, suffix);
  if (run.spans.size() > 1)
    name += " +" + std::to_string(run.spans.size() - 1);
  if (label(box, name, iteration, inkOn(iteration), true))
    return;
  // What an asynchronous unit does is named where it is in flight.
  bool isOwnWork =
      std::any_of(run.spans.begin(), run.spans.end(), [&](const Span &span) {
        return !timeline.units[timeline.operations[span.operation].unit]
                    .asynchronous;
      });
  // Of a pipeline, the iteration that the eye follows is enough.
  if (isOwnWork &&
      (!timeline.isPipelined || (iteration == 0 && box.width >= 5)))
    captions.push_back({box.x + box.width / 2, y + height, name});
}

void Picture::drawFlights(const std::vector<Span> &flights,
                          const std::vector<int> &lines,
                          const std::string &suffix) {
  for (size_t index = 0; index < flights.size(); ++index) {
    const Span &span = flights[index];
    const Timeline::Operation &op = timeline.operations[span.operation];
    double top = y + lines[index] * kFlightHeight;
    Svg::Box box = boxOf(span.begin, span.end, top + 1.5, kFlightHeight - 2);
    svg.rect(box, blockStyles(op.unit, span.iteration),
             describe(span, "in flight"), 5);
    outline(box, span.iteration, 5);
    label(box, shorten(op.name, suffix), span.iteration, inkOn(span.iteration),
          false);
  }
  if (!lines.empty())
    y += (*std::max_element(lines.begin(), lines.end()) + 1) * kFlightHeight;
}

void Picture::drawWait(const WaitSpan &wait, const std::string &suffix,
                       double height) {
  Svg::Box box = boxOf(wait.begin, wait.end, y, height);
  double middle = y + height / 2;
  if (box.width < kSmallGap)
    return;
  bool isOwn = false;
  for (const Timeline::Operation &op : timeline.operations)
    isOwn |= op.process == wait.process && op.name == wait.reason;
  std::string text = "waits for " + shorten(wait.reason, isOwn ? suffix : "");
  double width = textWidth(text, 10);
  if (width + 24 > box.width) {
    svg.line(box.x + 2, middle, box.x + box.width - 2, middle, "wait");
  } else {
    double center = box.x + box.width / 2;
    svg.line(box.x + 2, middle, center - width / 2, middle, "wait");
    svg.line(center + width / 2, middle, box.x + box.width - 2, middle, "wait");
    svg.text(center, middle + 3.5, "mid idle", text);
  }
  svg.rect(box, "tip",
           "waits for " + wait.reason + "\ncycles " +
               std::to_string(wait.begin) + " to " + std::to_string(wait.end));
}

void Picture::drawProcess(int process) {
  double top = y;
  std::string suffix = commonSuffix(process);
  std::vector<Span> issued = visible(timeline.issued, process, -1);
  if (issued.empty())
    return;
  for (const WaitSpan &wait : timeline.waits)
    if (wait.process == process && isVisible(wait.begin, wait.end))
      drawWait(wait, suffix, kRowHeight);
  auto cycles = [&](double pixels) {
    return static_cast<int64_t>(pixels / pixelsPerCycle());
  };
  for (const Run &run :
       joinShortSpans(timeline, issued, cycles(kNarrow), cycles(kSmallGap)))
    drawRun(run, suffix, kRowHeight);
  y += kRowHeight;
  std::vector<Span> flights = visible(timeline.inFlight, process, -1);
  std::vector<int> lines = stackSpans(flights);
  placeCaptions();
  double below = y;
  for (int line : lines)
    below = std::max(below, y + (line + 1) * kFlightHeight);
  for (const Caption &caption : captions)
    svg.line(caption.block, caption.top, caption.center,
             below + 1 + 11 * caption.line, "leader");
  drawFlights(flights, lines, suffix);
  drawCaptions();
  const Process &what = timeline.processes[process];
  drawRowName(top + kRowHeight / 2, what.name,
              std::to_string(what.warps) + " warps" +
                  (what.registers
                       ? ", " + std::to_string(what.registers) + " registers"
                       : ""));
  y += kRowGap;
}

void Picture::drawUnit(int unit) {
  std::vector<Span> executed = visible(timeline.executed, -1, unit);
  if (executed.empty())
    return;
  // "load_a" and "load_b" are "a" and "b" where one would not fit.
  size_t prefix = commonPrefix(executed);
  bool isTight =
      std::any_of(executed.begin(), executed.end(), [&](const Span &span) {
        double width = textWidth(timeline.operations[span.operation].name, 9);
        return width + 4 > boxOf(span.begin, span.end, y, kRowHeight).width;
      });
  auto shown = [&](const Span &span) {
    const std::string &name = timeline.operations[span.operation].name;
    return isTight ? name.substr(prefix) : name;
  };
  for (const Span &span : executed) {
    Svg::Box box = boxOf(span.begin, span.end, y, kRowHeight);
    svg.rect(box, blockStyles(unit, span.iteration), describe(span, "executes"),
             2);
    outline(box, span.iteration, 2);
    label(box, shown(span), span.iteration, inkOn(span.iteration), true);
  }
  drawRowName(y + kRowHeight / 2, timeline.units[unit].name,
              "busy " + percent(timeline.work[unit], timeline.interval));
  y += kRowHeight + kRowGap;
}

void Picture::drawRing(int index) {
  const Timeline::Ring &ring = timeline.rings[index];
  double height = ring.depth <= 4 ? 13 : ring.depth <= 6 ? 9 : 8;
  double top = y;
  int unit = 0;
  for (const Timeline::Operation &op : timeline.operations)
    if (timeline.units[op.unit].asynchronous) {
      unit = op.unit; // slots have the hue of what fills them
      break;
    }
  for (int64_t slot = 0; slot < ring.depth; ++slot)
    svg.rect(boxOf(loop.begin, loop.end, top + slot * height, height - 1),
             "row");
  for (const SlotSpan &span : timeline.slots) {
    if (span.ring != index || !isVisible(span.begin, span.end))
      continue;
    const char *state = span.state == SlotState::Filling ? "filling"
                        : span.state == SlotState::Full  ? "full"
                                                         : "read";
    std::string hue = "u" + std::to_string(unit % kHueCount);
    bool isRead = span.state == SlotState::Read;
    Svg::Box box =
        boxOf(span.begin, span.end, top + span.slot * height, height - 1);
    svg.rect(box,
             "slot " + hue + (isRead ? " strong" : " pale") +
                 iterationStyle(span.iteration),
             "slot " + std::to_string(span.slot) + " of " + ring.name + ": " +
                 state + ", iteration " + iterationName(span.iteration) +
                 "\ncycles " + std::to_string(span.begin) + " to " +
                 std::to_string(span.end));
    if (span.state == SlotState::Filling)
      svg.rect(box, hue + " hatch");
    outline(box, span.iteration, 0);
    if (height >= 12)
      label(box, state, span.iteration, isRead ? "onstrong" : "onpale", false);
  }
  std::string detail =
      std::to_string(ring.depth) + (ring.depth == 1 ? " slot" : " slots");
  if (ring.slotBytes)
    detail += " of " + (ring.slotBytes % 1024
                            ? std::to_string(ring.slotBytes) + " B"
                            : std::to_string(ring.slotBytes / 1024) + " KiB");
  y = top + std::max(ring.depth * height, 24.0);
  drawRowName((top + y) / 2, ring.name, detail);
  y += kRowGap;
}
