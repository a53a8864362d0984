//===- Recorder.h - The text of a variant while its body runs --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations as a C++ program says them, with their places. Out: lines of
// text, the same whichever compiler built the program. A part of heddle/task.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_RECORDER_H
#define HEDDLE_TASK_RECORDER_H

#include <cstdint>
#include <map>
#include <set>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heddle::tasks {

using Where = std::source_location;

// Types of elements.
struct f16 {
  static constexpr const char *name = "f16";
};
struct bf16 {
  static constexpr const char *name = "bf16";
};
struct f32 {
  static constexpr const char *name = "f32";
};
struct i32 {
  static constexpr const char *name = "i32";
};

/// Yes or no.
struct i1 {
  static constexpr const char *name = "i1";
};

enum class Level { Host, Block, Warpgroup, Warp, Thread };
enum class Memory { Global, Shared, Register, None };

/// An axis that a partition leaves whole.
struct All {};
inline constexpr All all{};

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

namespace detail {

/// `loc("file.cpp":12:5)`.
inline std::string locate(const Where &where) {
  std::string text = " loc(\"";
  for (const char *c = where.file_name(); *c; ++c) {
    if (*c == '"' || *c == '\\')
      text += '\\';
    text += *c;
  }
  return text + "\":" + std::to_string(where.line()) + ":" +
         std::to_string(where.column()) + ")";
}

/// The text of one variant while its body runs. In which order a compiler
/// evaluates arguments is its own affair, so what stands between two launches,
/// and only makes values, is put in the order of the source: the text is the
/// same whoever compiled.
class Recorder {
public:
  /// A name; `text` numbers them anew.
  std::string fresh() { return kMark + std::to_string(next++); }

  void line(const std::string &text, const Where &where) {
    lines.push_back({indented(text), locate(where), where, -1});
  }
  /// A new value.
  std::string value(const std::string &text, const Where &where) {
    int number = next;
    std::string name = fresh();
    lines.push_back(
        {indented(name + " = " + text), locate(where), where, number});
    return name;
  }
  void open(const std::string &text) {
    lines.push_back({indented(text + " {"), "", {}, -1});
    ++depth;
  }
  /// Ends the first branch of a conditional, and begins the other.
  void otherwise() {
    lines.push_back(
        {std::string(2 * (depth - 1), ' ') + "} else {", "", {}, -1});
  }
  void close(const Where &where) {
    --depth;
    lines.push_back({indented("}"), locate(where), where, -1});
  }

  /// What is wrong with the body, told where the variant ends.
  void blame(const Where &where, const char *what) {
    if (wrong.empty())
      wrong = std::string(where.file_name()) + ":" +
              std::to_string(where.line()) + ": " + what;
  }
  const std::string &fault() const { return wrong; }

  std::string text() const {
    std::vector<Line> ordered;
    for (size_t begin = 0; begin < lines.size();) {
      size_t end = begin;
      while (end < lines.size() && lines[end].result >= 0)
        ++end;
      order(std::vector<Line>(lines.begin() + begin, lines.begin() + end),
            ordered);
      if (end < lines.size())
        ordered.push_back(lines[end++]);
      begin = end;
    }
    std::map<int, int> numbers;
    std::string out;
    for (const Line &line : ordered)
      out += renumber(line.text, numbers) + line.place + "\n";
    return out;
  }

private:
  struct Line {
    std::string text, place;
    Where where;
    int result; ///< the number of the value that it only makes, or -1
    std::pair<unsigned, unsigned> key() const {
      return {where.line(), where.column()};
    }
  };

  std::string indented(const std::string &text) const {
    return std::string(2 * depth, ' ') + text;
  }

  /// Calls `visit(number, begin, end)` for each value in `text`.
  template <typename Visit>
  static void forValues(const std::string &text, Visit visit) {
    for (size_t at = text.find(kMark); at != std::string::npos;
         at = text.find(kMark, at + 1)) {
      size_t end = at + 2;
      int number = 0;
      for (; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end)
        number = 10 * number + (text[end] - '0');
      if (end > at + 2)
        visit(number, at, end);
    }
  }

  /// The first in the source of those whose operands are there.
  static void order(std::vector<Line> run, std::vector<Line> &ordered) {
    std::set<int> open;
    for (const Line &line : run)
      open.insert(line.result);
    while (!run.empty()) {
      size_t best = run.size();
      for (size_t i = 0; i < run.size(); ++i) {
        bool isReady = true;
        forValues(run[i].text, [&](int number, size_t, size_t) {
          isReady &= number == run[i].result || !open.count(number);
        });
        if (isReady && (best == run.size() || run[i].key() < run[best].key()))
          best = i;
      }
      open.erase(run[best].result);
      ordered.push_back(std::move(run[best]));
      run.erase(run.begin() + best);
    }
  }

  static std::string renumber(const std::string &text,
                              std::map<int, int> &numbers) {
    std::string out;
    size_t from = 0;
    forValues(text, [&](int number, size_t begin, size_t end) {
      int known =
          int(numbers.emplace(number, int(numbers.size())).first->second);
      out += text.substr(from, begin - from) + "%" + std::to_string(known);
      from = end;
    });
    return out + text.substr(from);
  }

  static constexpr const char *kMark = "%\1"; ///< no name has this

  std::string wrong;
  std::vector<Line> lines;
  int next = 0, depth = 1;
};

inline thread_local Recorder *current = nullptr;

/// The variant whose body runs.
inline Recorder &recorder(const Where &where) {
  if (!current)
    throw std::logic_error(
        std::string(where.file_name()) + ":" + std::to_string(where.line()) +
        ": operations of tasks stand in the body of a variant");
  return *current;
}

inline std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

inline std::string tensorType(const char *kind, const char *element, int rank) {
  std::string text = std::string("!task.") + kind + "<";
  for (int axis = 0; axis < rank; ++axis)
    text += "?x";
  return text + element + ">";
}

template <typename> inline constexpr bool alwaysFalse = false;

} // namespace detail

} // namespace heddle::tasks

#endif // HEDDLE_TASK_RECORDER_H
