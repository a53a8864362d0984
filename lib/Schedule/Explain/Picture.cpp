//===- Picture.cpp - One loop's timeline as SVG ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

constexpr double kLeft = 150, kRight = kPictureWidth - 16;
constexpr double kTickDistance = 70;

/// The distance of ticks, 1, 2 or 5 times a power of ten.
int64_t chooseStep(double pixelsPerCycle) {
  for (int64_t power = 1;; power *= 10)
    for (int64_t factor : {1, 2, 5})
      if (static_cast<double>(power * factor) * pixelsPerCycle >= kTickDistance)
        return power * factor;
}

int64_t firstTick(int64_t begin, int64_t step) {
  return (begin + step - 1) / step * step; // windows begin at 0 or later
}

} // namespace

Picture::Picture(const Explanation &loop, double top)
    : loop(loop), timeline(loop.timeline), y(top) {}

double Picture::pixelsPerCycle() const {
  return (kRight - kLeft) / static_cast<double>(loop.end - loop.begin);
}

double Picture::toX(int64_t cycle) const {
  int64_t shown = std::clamp(cycle, loop.begin, loop.end);
  return kLeft + static_cast<double>(shown - loop.begin) * pixelsPerCycle();
}

Svg::Box Picture::boxOf(int64_t begin, int64_t end, double top,
                        double height) const {
  return {toX(begin), top, toX(end) - toX(begin), height};
}

void Picture::drawTitle() {
  std::string title = timeline.kernel + ": ";
  std::string interval = std::to_string(timeline.interval) + " cycles";
  if (timeline.isPipelined)
    title += "an iteration of '" + timeline.loop + "' every " + interval +
             ", in " + std::to_string(timeline.stages) +
             (timeline.stages == 1 ? " stage" : " stages");
  else
    title += "an iteration of '" + timeline.loop + "' takes about " + interval +
             ", not pipelined";
  y += 24;
  svg.text(16, y, "title", title);
}

void Picture::drawLegend() {
  y += 22;
  double x = kLeft;
  auto entry = [&](const std::string &text) {
    svg.text(x, y + 4, "", text);
    x += textWidth(text, 11) + 18;
  };
  auto swatch = [&](const std::string &styles) {
    svg.rect({x, y - 6, 14, 12}, styles, "", 2);
    x += 16;
  };
  for (size_t unit = 0; unit < timeline.units.size(); ++unit) {
    if (timeline.work[unit] == 0)
      continue;
    std::string hue = "u" + std::to_string(unit % 8);
    swatch(hue + " strong");
    if (timeline.isPipelined)
      swatch(hue + " pale");
    x += 3;
    entry(timeline.units[unit].name);
  }
  if (timeline.isPipelined) {
    svg.rect({x, y - 6, 14, 12}, "u7 strong", "", 2);
    outline({x, y - 6, 14, 12}, 0, 2);
    x += 19;
    entry("iteration n is outlined, its neighbours are pale");
  }
  svg.line(x, y, x + 24, y, "wait");
  x += 29;
  entry("waits");
}

void Picture::drawAxis() {
  y += 20;
  if (timeline.isPipelined) {
    for (int64_t cycle = loop.begin; cycle < loop.end;
         cycle += timeline.interval) {
      double from = toX(cycle) + 2, to = toX(cycle + timeline.interval) - 2;
      std::string text =
          "II = " + std::to_string(timeline.interval) + " cycles";
      double middle = (from + to) / 2, half = textWidth(text, 11) / 2 + 4;
      svg.line(from, y, middle - half, y, "arrow");
      svg.line(middle + half, y, to, y, "arrow");
      for (double end : {from, to})
        for (double side : {-4.0, 4.0})
          svg.line(end, y, end + (end == from ? 6 : -6), y + side, "arrow");
      svg.text(middle, y + 4, "mid", text);
    }
    y += 16;
  }
  int64_t step = chooseStep(pixelsPerCycle());
  for (int64_t cycle = firstTick(loop.begin, step); cycle <= loop.end;
       cycle += step)
    svg.text(toX(cycle), y + 4, "mid tick small", std::to_string(cycle));
  svg.text(kLeft - 12, y + 4, "detail", "cycle");
  y += 8;
}

/// Ticks and the borders of the intervals.
void Picture::drawLines(double from, double to) {
  int64_t step = chooseStep(pixelsPerCycle());
  for (int64_t cycle = firstTick(loop.begin, step); cycle <= loop.end;
       cycle += step)
    svg.line(toX(cycle), from, toX(cycle), to, "grid");
  for (int64_t cycle = loop.begin; cycle <= loop.end;
       cycle += timeline.interval)
    svg.line(toX(cycle), from, toX(cycle), to, "interval");
}

/// Lines lie behind the rows, but how far they reach is known after them.
void Picture::drawSection(const std::string &name,
                          void (Picture::*drawRow)(int), size_t count) {
  Picture rows(loop, y + 24);
  for (size_t i = 0; i < count; ++i)
    (rows.*drawRow)(static_cast<int>(i));
  if (rows.body().empty())
    return;
  svg.text(16, y + 14, "section", name);
  drawLines(y + 20, rows.y - 4);
  svg.append(rows.svg);
  y = rows.y;
}

void Picture::drawRowName(double middle, const std::string &name,
                          const std::string &detail) {
  svg.text(kLeft - 10, middle - 1, "name", name);
  svg.text(kLeft - 10, middle + 11, "detail", detail);
}

void Picture::draw() {
  drawTitle();
  drawLegend();
  drawAxis();
  drawSection("PROCESSES: what each issues, and below what it has in flight",
              &Picture::drawProcess, timeline.processes.size());
  if (timeline.isPipelined)
    drawSection("ASYNCHRONOUS UNITS: what each executes", &Picture::drawUnit,
                timeline.units.size());
  drawSection("RINGS: what each slot holds", &Picture::drawRing,
              timeline.rings.size());
}

std::string heddle::schedule::drawSvg(const std::vector<Explanation> &loops) {
  std::string body;
  double y = 8;
  for (const Explanation &loop : loops) {
    Picture picture(loop, y);
    picture.draw();
    body += picture.body();
    y = picture.bottom() + 16;
  }
  if (loops.empty()) {
    Svg svg;
    svg.text(16, y + 24, "title", "No loop whose cycles are known");
    body = svg.body();
    y += 48;
  }
  std::string width = std::to_string(static_cast<int>(kPictureWidth));
  std::string height = std::to_string(static_cast<int>(y));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hs\" width=\"" +
         width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " +
         height + "\">\n" + pictureStyle() +
         "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"" +
         std::to_string(static_cast<int>(kPictureWidth) - 1) + "\" height=\"" +
         std::to_string(static_cast<int>(y) - 1) + "\" rx=\"8\"/>\n" + body +
         "</svg>\n";
}
