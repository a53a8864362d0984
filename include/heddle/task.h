//===- task.h - Programs of tasks, written in C++ ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a C++20 program that declares tasks, their variants and a mapping. Out:
// the text of a heddle program, which `heddle compile` takes. Running the C++
// program records each operation once, with the line that it stands on, so that
// heddle's messages name the user's C++ file. There is no LLVM here, and
// nothing is checked that the text's reader checks; but privileges are types:
//
//   In<T, R>     may be read; has no assignment
//   Out<T, R>    may be written, all of it; its elements cannot be read
//   InOut<T, R>  both; may be passed as either
//   Reduce<T, R> may be added to, by many iterations at once
//
// docs/tasks.md is the tour. GCC 11 or clang 16 is the least.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_H
#define HEDDLE_TASK_H

#include "heddle/task/Scalars.h"
#include "heddle/task/Values.h"

#include <array>
#include <deque>
#include <initializer_list>

namespace heddle::tasks {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace detail {

/// A range whose body runs once, to be recorded.
template <typename Item> class Once {
public:
  Once(std::string header, Item item, Where where)
      : header(std::move(header)), item(std::move(item)), where(where) {}
  Once(const Once &) = delete;
  ~Once() {
    if (isOpen && current)
      current->blame(where, "a loop over srange or prange is left before its "
                            "end, by break or return; its body is recorded "
                            "once, and runs for every index");
  }

  struct End {};
  struct Iterator {
    Once &range;
    const Item &operator*() const { return range.item; }
    bool operator!=(End) const { return range.isOpen; }
    void operator++() {
      recorder(range.where).close(range.where);
      range.isOpen = false;
    }
  };
  Iterator begin() {
    recorder(where).open(header);
    isOpen = true;
    return {*this};
  }
  End end() { return {}; }

private:
  std::string header;
  Item item;
  Where where;
  bool isOpen = false;
};

template <size_t count, size_t... axes>
Once<std::array<Index, count>>
makePrange(const std::array<Index, count> &bounds, std::index_sequence<axes...>,
           const Where &where) {
  Recorder &out = recorder(where);
  std::array<Index, count> indices{((void)axes, Index::named(out.fresh()))...};
  return Once<std::array<Index, count>>(
      "task.prange (" + join({indices[axes].text()...}) + ") to (" +
          join({bounds[axes].text()...}) + ")",
      indices, where);
}

} // namespace detail

/// `for (Index k : srange(n))`: iterations in order.
inline detail::Once<Index> srange(Index bound, Where where = Where::current()) {
  std::string name = detail::recorder(where).fresh();
  return detail::Once<Index>("task.srange " + name + " to " + bound.text(),
                             Index::named(name), where);
}

/// `for (auto [i, j] : prange(m, n))`: iterations that do not see one another.
inline detail::Once<std::array<Index, 1>>
prange(Index a, Where where = Where::current()) {
  return detail::makePrange<1>({a}, std::make_index_sequence<1>(), where);
}
inline detail::Once<std::array<Index, 2>>
prange(Index a, Index b, Where where = Where::current()) {
  return detail::makePrange<2>({a, b}, std::make_index_sequence<2>(), where);
}
inline detail::Once<std::array<Index, 3>>
prange(Index a, Index b, Index c, Where where = Where::current()) {
  return detail::makePrange<3>({a, b, c}, std::make_index_sequence<3>(), where);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace detail {
/// As the body of a variant has it.
template <typename Parameter> Parameter parameter(const std::string &name) {
  if constexpr (requires { Parameter::named(name); })
    return Parameter::named(name);
  else
    return Parameter(name);
}
/// "reads ", or nothing for a scalar.
template <typename Parameter> std::string privilegeOf() {
  if constexpr (requires { Parameter::privilege; })
    return std::string(Parameter::privilege) + " ";
  else
    return "";
}
} // namespace detail

/// What a mapping runs.
struct Variant {
  std::string name;
};

class Mapping;

class Program {
public:
  Program() = default;
  /// With a line of comment at the top of the text.
  explicit Program(const std::string &comment) { add("// " + comment + "\n"); }
  Program(const Program &) = delete;

  /// The text, for a file that ends in .mlir.
  template <typename Stream> void print(Stream &out) const;
  void add(std::string text) { parts.push_back({std::move(text), nullptr}); }
  /// Its lines may still be written; it lives as long as the program.
  void add(const Mapping *mapping) { parts.push_back({"", mapping}); }

private:
  struct Part {
    std::string text;
    const Mapping *mapping; ///< or it is the text
  };
  std::vector<Part> parts;
};

/// A task: a name and a signature. A call in a body is a launch.
template <typename... Parameters> class Task {
public:
  using Names = std::array<const char *, sizeof...(Parameters)>;

  Task(Program &program, std::string name, Names names)
      : program(program), name(std::move(name)), names(names) {}

  /// A variant that launches.
  template <typename Body>
  Variant inner(const std::string &variant, Body body,
                Where where = Where::current()) const {
    return record("inner", variant, body, where,
                  std::index_sequence_for<Parameters...>());
  }
  /// A variant that computes.
  template <typename Body>
  Variant leaf(const std::string &variant, Body body,
               Where where = Where::current()) const {
    return record("leaf", variant, body, where,
                  std::index_sequence_for<Parameters...>());
  }

  void operator()(Parameters... arguments,
                  Where where = Where::current()) const {
    detail::recorder(where).line(
        "task.launch @" + name + "(" + detail::join({arguments.text()...}) +
            ") : " + detail::join({Parameters::type()...}),
        where);
  }

private:
  template <typename Body, size_t... positions>
  Variant record(const char *kind, const std::string &variant, Body body,
                 const Where &where, std::index_sequence<positions...>) const {
    detail::Recorder recorder, *outer = detail::current;
    detail::current = &recorder;
    body(detail::parameter<Parameters>(std::string("%") + names[positions])...);
    detail::current = outer;
    if (!recorder.fault().empty())
      throw std::logic_error(recorder.fault());
    std::string text =
        "task.variant @" + variant + " of @" + name + " " + kind + "(" +
        detail::join(
            {(detail::privilegeOf<Parameters>() + "%" + names[positions] +
              ": " + Parameters::type() + detail::locate(where))...}) +
        ") {\n" + recorder.text() + "}" + detail::locate(where) + "\n";
    program.add(text);
    return {variant};
  }

  Program &program;
  std::string name;
  Names names;
};

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

/// The storage order of an argument, fastest axis first.
struct Order {
  std::vector<int> axes;
};

namespace detail {
inline std::string spell(int64_t value) { return std::to_string(value); }
inline std::string spell(int value) { return std::to_string(value); }
inline std::string spell(bool value) { return value ? "true" : "false"; }
inline std::string spell(const char *value) {
  return "\"" + std::string(value) + "\"";
}
inline std::string spell(const Order &order) {
  std::vector<std::string> axes;
  for (int axis : order.axes)
    axes.push_back(std::to_string(axis));
  return "#tile.order<" + join(axes) + ">";
}
inline std::string spell(std::initializer_list<const char *> names) {
  std::vector<std::string> list;
  for (const char *name : names)
    list.push_back(spell(name));
  return "[" + join(list) + "]";
}
inline std::string spell(Level level) {
  constexpr const char *words[] = {"host", "block", "warpgroup", "warp",
                                   "thread"};
  return words[int(level)];
}
inline std::string spell(Memory memory) {
  constexpr const char *words[] = {"global", "shared", "register", "none"};
  return words[int(memory)];
}
} // namespace detail

/// One use of a variant. Its name is the variant's.
class Instance {
public:
  Instance(const Variant &variant, Level level, const Where &where)
      : variant(variant), level(level), where(where) {}

  Instance &memories(std::initializer_list<Memory> list) {
    for (Memory memory : list)
      places.push_back(detail::spell(memory));
    return *this;
  }
  Instance &calls(std::initializer_list<Variant> list) {
    for (const Variant &called : list)
      children.push_back("@" + called.name);
    return *this;
  }
  Instance &tune(const std::string &tunable, int64_t value,
                 Where at = Where::current()) {
    return line("task.tune \"" + tunable + "\" = " + std::to_string(value), at);
  }
  /// One of a set; the value is where the choice begins.
  Instance &tune(const std::string &tunable, int64_t value,
                 std::initializer_list<int64_t> choices,
                 Where at = Where::current()) {
    std::vector<std::string> list;
    for (int64_t choice : choices)
      list.push_back(std::to_string(choice));
    return line("task.tune \"" + tunable + "\" = " + std::to_string(value) +
                    " of {" + detail::join(list) + "}",
                at);
  }
  template <typename Value>
  Instance &pin(const std::string &name, const Value &value,
                Where at = Where::current()) {
    return line("task.pin \"" + name + "\" = " + detail::spell(value), at);
  }
  Instance &order(const std::string &argument, Order order,
                  Where at = Where::current()) {
    return line("task.pin \"order\" of \"" + argument +
                    "\" = " + detail::spell(order),
                at);
  }
  std::string text() const {
    std::string text = "  task.instance @" + variant.name + " runs @" +
                       variant.name + " on " + detail::spell(level);
    if (!places.empty())
      text += " memories [" + detail::join(places) + "]";
    if (!children.empty())
      text += " calls [" + detail::join(children) + "]";
    if (!lines.empty())
      text += " {\n" + lines + "  }";
    return text + detail::locate(where) + "\n";
  }

private:
  Instance &line(const std::string &text, const Where &at) {
    lines += "    " + text + detail::locate(at) + "\n";
    return *this;
  }
  Variant variant;
  Level level;
  Where where;
  std::vector<std::string> places, children;
  std::string lines;
};

/// Where and how a program runs. The last of a program; it lives as long.
class Mapping {
public:
  Mapping(Program &program, const std::string &name, const Variant &entry,
          Where where = Where::current())
      : name(name), entry(entry), where(where) {
    program.add(this);
  }
  Mapping(const Mapping &) = delete;

  Instance &on(Level level, const Variant &variant,
               Where at = Where::current()) {
    return instances.emplace_back(variant, level, at);
  }
  /// For the kernel as a whole.
  template <typename Value>
  void pin(const std::string &pinned, const Value &value,
           Where at = Where::current()) {
    lines += "  task.pin \"" + pinned + "\" = " + detail::spell(value) +
             detail::locate(at) + "\n";
  }
  /// For something that the plan names, as `heddle explain` prints it:
  /// pinOf("depth", "loads", 4).
  template <typename Value>
  void pinOf(const std::string &pinned, const std::string &of,
             const Value &value, Where at = Where::current()) {
    lines += "  task.pin \"" + pinned + "\" of \"" + of +
             "\" = " + detail::spell(value) + detail::locate(at) + "\n";
  }
  /// Operations of one process, and operations of which no two are.
  void together(std::initializer_list<const char *> operations,
                Where at = Where::current()) {
    pin("together", operations, at);
  }
  void apart(std::initializer_list<const char *> operations,
             Where at = Where::current()) {
    pin("apart", operations, at);
  }

  std::string text() const {
    std::string text =
        "task.mapping @" + name + " entry @" + entry.name + " {\n" + lines;
    for (const Instance &instance : instances)
      text += instance.text();
    return text + "}" + detail::locate(where) + "\n";
  }

private:
  std::string name;
  Variant entry;
  Where where;
  std::string lines;
  std::deque<Instance> instances; ///< stay where they are
};

template <typename Stream> void Program::print(Stream &out) const {
  for (size_t i = 0; i < parts.size(); ++i)
    out << (i ? "\n" : "")
        << (parts[i].mapping ? parts[i].mapping->text() : parts[i].text);
}

} // namespace heddle::tasks

#endif // HEDDLE_TASK_H
