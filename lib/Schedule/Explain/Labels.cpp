//===- Labels.cpp - The words in a picture --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of a picture: tips, names in blocks, captions below. A block is
// often too narrow for its name. So a label is tried in shrinking forms, and
// where none fits, the name goes below the row with a line to its block.
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include <algorithm>

using namespace heddle::schedule;

/// The first iteration that begins in the picture is n.
std::string Picture::iterationName(int64_t iteration) const {
  if (!timeline.isPipelined)
    return "";
  if (iteration == 0)
    return "n";
  return iteration > 0 ? "n+" + std::to_string(iteration)
                       : "n\u2212" + std::to_string(-iteration);
}

std::string Picture::describe(const Span &span, const char *verb) const {
  const Timeline::Operation &op = timeline.operations[span.operation];
  std::string text = op.name + " (" + timeline.units[op.unit].name + ") in " +
                     timeline.processes[op.process].name;
  if (timeline.isPipelined)
    text += ", iteration " + iterationName(span.iteration) + ", stage " +
            std::to_string(op.stage);
  text += "\n" + std::string(verb) + " cycles " + std::to_string(span.begin) +
          " to " + std::to_string(span.end);
  text += "\nstart " + std::to_string(op.start) + ", latency " +
          std::to_string(op.latency);
  return text;
}

static std::string suffixOf(const std::string &name) {
  size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

/// ".0" if all of a process's operations work on sub-tile 0: the process's name
/// says so already.
std::string Picture::commonSuffix(int process) const {
  std::string suffix;
  bool isFirst = true;
  for (const Timeline::Operation &op : timeline.operations) {
    if (op.process != process)
      continue;
    if (!isFirst && suffixOf(op.name) != suffix)
      return "";
    suffix = suffixOf(op.name);
    isFirst = false;
  }
  return suffix;
}

bool Picture::label(Svg::Box box, const std::string &name, int64_t iteration,
                    const std::string &ink, bool spread) {
  auto fits = [&](const std::string &text, double size) {
    return textWidth(text, size) + 4 <= box.width;
  };
  std::string number = iterationName(iteration);
  double middle = box.x + box.width / 2, center = box.y + box.height / 2;
  std::string styles = "mid " + ink;
  if (spread && !number.empty() && fits(name, 9) && fits(number, 9)) {
    svg.text(middle, center - 1, styles + (fits(name, 11) ? "" : " small"),
             name);
    svg.text(middle, center + 10, styles + " small", number);
    return true;
  }
  std::string both = number.empty() ? name : name + " " + number;
  if (!spread && fits(both, 9)) {
    svg.text(middle, center + 2.8, styles + " small", both);
    return true;
  }
  if (fits(name, 9)) {
    svg.text(middle, center + 3.5,
             styles + (spread && fits(name, 11) ? "" : " small"), name);
    return true;
  }
  if (fits(number, 9) && !number.empty())
    svg.text(middle, center + 3.2, styles + " small", number);
  return false;
}

/// From left to right, each on the first line with room for it.
void Picture::placeCaptions() {
  std::vector<double> ends;
  for (Caption &caption : captions) {
    double half = textWidth(caption.text, 9) / 2;
    caption.center = std::clamp(caption.block, toX(loop.begin) + half + 4,
                                toX(loop.end) - half - 4);
    double begin = caption.center - half;
    auto line = std::find_if(ends.begin(), ends.end(),
                             [&](double end) { return end + 5 <= begin; });
    if (line == ends.end())
      line = ends.insert(ends.end(), 0);
    *line = caption.center + half;
    caption.line = static_cast<int>(line - ends.begin());
  }
}

void Picture::drawCaptions() {
  int lines = 0;
  for (const Caption &caption : captions) {
    lines = std::max(lines, caption.line + 1);
    svg.text(caption.center, y + 10 + 11 * caption.line, "mid small tick",
             caption.text);
  }
  y += lines ? 11 * lines + 4 : 0;
  captions.clear();
}
