//===- Picture.h - One loop's timeline as SVG -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows below one another, cycles from left to right. A row's name stands in the
// margin. Units have a hue; of neighbouring iterations one is strong and one is
// pale, so that their overlap is seen without reading.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_EXPLAIN_PICTURE_H
#define HEDDLE_LIB_SCHEDULE_EXPLAIN_PICTURE_H

#include "Runs.h"

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Svg.h"

namespace heddle::schedule {

inline constexpr double kPictureWidth = 1240;
inline constexpr int kIterationStyles = 12;

/// CSS of the classes that the rows use, with a dark variant, and the patterns
/// that it refers to.
std::string pictureStyle();

class Picture {
public:
  Picture(const Explanation &loop, double top);

  /// Draws everything; the bottom is then known.
  void draw();
  double bottom() const { return y; }
  const std::string &body() const { return svg.body(); }

private:
  // Picture.cpp
  void drawTitle();
  void drawLegend();
  void drawAxis();
  void drawLines(double from, double to);
  void drawSection(const std::string &name, void (Picture::*drawRow)(int),
                   size_t count);
  void drawRowName(double middle, const std::string &name,
                   const std::string &detail);

  // Rows.cpp: one row, or nothing if nothing happens on it
  void drawProcess(int process);
  void drawUnit(int unit);
  void drawRun(const Run &run, const std::string &suffix, double height);
  void drawFlights(const std::vector<Span> &flights,
                   const std::vector<int> &lines, const std::string &suffix);
  void drawWait(const WaitSpan &wait, const std::string &suffix, double height);
  void drawRing(int ring);
  size_t commonPrefix(const std::vector<Span> &spans) const;
  void outline(Svg::Box box, int64_t iteration, double radius);
  std::vector<Span> visible(const std::vector<Span> &spans, int process,
                            int unit) const;
  bool isVisible(int64_t begin, int64_t end) const {
    return end > loop.begin && begin < loop.end;
  }

  // Labels.cpp
  std::string iterationName(int64_t iteration) const;
  std::string describe(const Span &span, const char *verb) const;
  std::string commonSuffix(int process) const;
  /// `name` and the iteration in two lines or one, as far as they fit. False:
  /// the name does not.
  bool label(Svg::Box box, const std::string &name, int64_t iteration,
             const std::string &ink, bool spread);
  /// Names of a row's blocks that are too narrow for them stand below it.
  void placeCaptions();
  void drawCaptions();

  double toX(int64_t cycle) const;
  Svg::Box boxOf(int64_t begin, int64_t end, double top, double height) const;
  double pixelsPerCycle() const;

  const Explanation &loop;
  const Timeline &timeline;
  Svg svg;
  double y;

  struct Caption {
    double block = 0, top = 0; ///< of the block: its middle and its lower end
    std::string text;
    double center = 0; ///< of the text
    int line = 0;
  };
  std::vector<Caption> captions; ///< of the row being drawn
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_EXPLAIN_PICTURE_H
