//===- Svg.h - Writes the elements of a picture -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few elements that pictures are made of, as text. Nothing here knows a
// schedule: what is drawn where is Picture.h's affair. Widths of text are
// estimated from above, because no font is at hand when the picture is made.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_SVG_H
#define HEDDLE_SCHEDULE_SVG_H

#include <string>
#include <string_view>

namespace heddle::schedule {

/// For element text and attributes of SVG and HTML.
std::string escapeMarkup(std::string_view text);

/// How wide `text` is at most, in the fonts that stand for "sans-serif".
double textWidth(std::string_view text, double size);

/// Collects elements. Coordinates are written with one digit after the point,
/// so that the same picture is the same text.
class Svg {
public:
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;
  };

  /// `tip` is shown when the pointer rests on the box.
  void rect(Box box, std::string_view styles, std::string_view tip = "",
            double radius = 0);
  void line(double x1, double y1, double x2, double y2,
            std::string_view styles);
  /// `styles` say the font and the anchor.
  void text(double x, double y, std::string_view styles, std::string_view text);

  void append(const Svg &other) { elements += other.elements; }

  const std::string &body() const { return elements; }

private:
  std::string elements;
};

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_SVG_H
