//===- Svg.cpp - Writes the elements of a picture -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Svg.h"

#include <cmath>

using namespace heddle::schedule;

static std::string number(double value) {
  auto tenths = static_cast<long long>(std::llround(value * 10));
  std::string text = tenths < 0 ? "-" : "";
  tenths = std::abs(tenths);
  text += std::to_string(tenths / 10);
  if (tenths % 10)
    text += "." + std::to_string(tenths % 10);
  return text;
}

static std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + number(value) + "\"";
}

static std::string classes(std::string_view styles) {
  return " class=\"" + std::string(styles) + "\"";
}

std::string heddle::schedule::escapeMarkup(std::string_view text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

double heddle::schedule::textWidth(std::string_view text, double size) {
  size_t glyphs = 0;
  for (unsigned char c : text)
    glyphs += (c & 0xc0) != 0x80; // of UTF-8, not the bytes that go on
  return 0.6 * size * static_cast<double>(glyphs);
}

void Svg::rect(Box box, std::string_view styles, std::string_view tip,
               double radius) {
  elements += "<rect" + classes(styles) + attribute("x", box.x) +
              attribute("y", box.y) + attribute("width", box.width) +
              attribute("height", box.height);
  if (radius > 0)
    elements += attribute("rx", radius);
  if (tip.empty())
    elements += "/>\n";
  else
    elements += "><title>" + escapeMarkup(tip) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2,
               std::string_view styles) {
  elements += "<line" + classes(styles) + attribute("x1", x1) +
              attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
              "/>\n";
}

void Svg::text(double x, double y, std::string_view styles,
               std::string_view text) {
  elements += "<text" + classes(styles) + attribute("x", x) +
              attribute("y", y) + ">" + escapeMarkup(text) + "</text>\n";
}
