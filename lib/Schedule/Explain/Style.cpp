//===- Style.cpp - Colours and fonts of a picture -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A picture lies on a card of its own, light or dark as the reader prefers, so
// that it is readable on any page.
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

using namespace heddle::schedule;

namespace {

struct Hue {
  const char *strong, *pale;
};

/// Units take them in turn.
constexpr Hue kHues[] = {
    {"#2b6cb0", "#a9cdf0"}, {"#c2570c", "#fac79a"}, {"#2f7d4f", "#a6dcb9"},
    {"#7446a8", "#d4bff0"}, {"#0f766e", "#99dcd5"}, {"#a8326a", "#f3b5d2"},
    {"#7a5a36", "#dfc8a8"}, {"#525c69", "#c3cad3"},
};

constexpr const char *kFixed = R"css(
.hs text { font-family: sans-serif; font-size: 11px; }
.hs .title { font-size: 15px; font-weight: bold; }
.hs .name { font-size: 12px; font-weight: bold; text-anchor: end; }
.hs .detail { font-size: 10px; text-anchor: end; }
.hs .section { font-size: 10px; letter-spacing: 1px; }
.hs .mid { text-anchor: middle; }
.hs .small { font-size: 9px; }
.hs .onstrong { fill: #ffffff; }
.hs .onpale { fill: #1c2430; }
.hs .interval { stroke-width: 1.2; stroke-dasharray: 5 3; }
.hs .arrow { stroke-width: 1.2; }
.hs .leader { stroke-width: 0.8; }
.hs .wait { stroke-width: 1.2; stroke-dasharray: 1.5 3; }
.hs rect { stroke-width: 0.6; }
.hs rect.followed { fill: none; stroke-width: 1.4; pointer-events: none; }
.hs .idle { stroke-width: 4; paint-order: stroke; font-size: 10px; }
.hs text, .hs .hatch { pointer-events: none; }
.hs .tip { fill: transparent; }
.hs .hatch { fill: url(#hatch); }
)css";

/// What fills a slot that is being filled.
constexpr const char *kPatterns =
    R"svg(<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"
  patternTransform="rotate(45)"><rect width="3" height="6" fill="#ffffff" fill-opacity="0.4"/></pattern></defs>
)svg";

constexpr const char *kLight = R"(
.hs .card { fill: #ffffff; stroke: #d5dae1; }
.hs .row { fill: #f2f4f7; }
.hs text { fill: #1c2430; }
.hs .detail, .hs .section, .hs .tick, .hs .idle { fill: #5b6675; }
.hs .grid { stroke: #dde2e8; }
.hs .interval, .hs .arrow { stroke: #39424e; }
.hs .wait, .hs .leader { stroke: #8a94a3; }
.hs rect.block { stroke: #ffffff; }
.hs rect.followed { stroke: #11161d; }
.hs .idle { stroke: #ffffff; }
)";

constexpr const char *kDark = R"(
.hs .card { fill: #151a21; stroke: #333c48; }
.hs .row { fill: #1f262f; }
.hs text { fill: #e6eaf0; }
.hs .detail, .hs .section, .hs .tick, .hs .idle { fill: #9aa6b5; }
.hs .grid { stroke: #2b343f; }
.hs .interval, .hs .arrow { stroke: #c4ccd8; }
.hs .wait, .hs .leader { stroke: #77828f; }
.hs rect.block { stroke: #151a21; }
.hs rect.followed { stroke: #ffffff; }
.hs .idle { stroke: #151a21; }
)";

/// Text on blocks and the blocks are the same in both.
std::string hueStyles() {
  std::string css;
  int index = 0;
  for (const Hue &hue : kHues) {
    std::string u = ".hs .u" + std::to_string(index++);
    css += u + ".strong { fill: " + hue.strong + "; } " + u +
           ".pale { fill: " + hue.pale + "; } " + u +
           ".line { fill: none; stroke: " + hue.strong + "; }\n";
  }
  return css + ".hs text.onstrong { fill: #ffffff; } "
               ".hs text.onpale { fill: #1c2430; }\n";
}

/// Resting the pointer on one iteration fades the others.
std::string hoverStyles() {
  std::string css;
  for (int i = 0; i < kIterationStyles; ++i) {
    std::string mine = ".i" + std::to_string(i);
    css += ".hs:has(" + mine + ":hover) :is(.block, .slot):not(" + mine +
           ") { opacity: 0.25; }\n";
  }
  return css;
}

} // namespace

std::string heddle::schedule::pictureStyle() {
  return std::string(kPatterns) + "<style>" + std::string(kFixed) + kLight +
         "@media (prefers-color-scheme: dark) {" + kDark + "}\n" + hueStyles() +
         hoverStyles() + "</style>\n";
}
