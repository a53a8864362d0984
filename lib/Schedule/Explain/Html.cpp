//===- Html.cpp - Picture, sentences and table as one page ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: explained loops, a table as text, and further chapters. Out: one page
// with all of them. It refers to nothing outside of itself, no script, font or
// style sheet, so a report can be kept or sent as one file.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Svg.h"

using namespace heddle::schedule;

static constexpr const char *kPageStyle = R"(
:root { color-scheme: light dark; }
body { font-family: sans-serif; max-width: 1280px; margin: 24px auto; padding: 0 16px; line-height: 1.45;
       background: #f7f8fa; color: #1c2430; }
svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; font-size: 12px; line-height: 1.35; }
@media (prefers-color-scheme: dark) { body { background: #0e1217; color: #e6eaf0; } }
)";

static std::string drawChapter(const Chapter &chapter) {
  if (chapter.sentences.empty())
    return "";
  std::string text = "<h2>" + escapeMarkup(chapter.title) + "</h2>\n<ul>\n";
  for (const std::string &sentence : chapter.sentences)
    text += "<li>" + escapeMarkup(sentence) + "</li>\n";
  return text + "</ul>\n";
}

std::string heddle::schedule::drawHtml(const std::vector<Explanation> &loops,
                                       const std::string &title,
                                       const std::string &table,
                                       const std::vector<Chapter> &further) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n<title>" +
                     escapeMarkup(title) + "</title>\n<style>" + kPageStyle +
                     "</style>\n</head>\n<body>\n<h1>" + escapeMarkup(title) +
                     "</h1>\n" + drawSvg(loops);
  for (const Explanation &loop : loops)
    page += drawChapter(
        {"What binds '" + loop.timeline.loop + "' of " + loop.timeline.kernel,
         loop.sentences});
  for (const Chapter &chapter : further)
    page += drawChapter(chapter);
  return page + "<h2>Table</h2>\n<pre>" + escapeMarkup(table) +
         "</pre>\n</body>\n</html>\n";
}
