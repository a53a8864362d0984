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
//
// docs/tasks.md is the tour. GCC 11 or clang 16 is the least.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_H
#define HEDDLE_TASK_H

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <ostream>
#include <set>
#include <source_location>
#include <sstream>
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
  std::ostringstream text;
  text << " loc(\"";
  for (const char *c = where.file_name(); *c; ++c)
    text << (*c == '"' || *c == '\\' ? "\\" : "") << *c;
  text << "\":" << where.line() << ":" << where.column() << ")";
  return text.str();
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
  void close(const Where &where) {
    --depth;
    lines.push_back({indented("}"), locate(where), where, -1});
  }

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

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// A number that is known when the kernel is compiled or when it runs, not when
/// this program runs.
class Index {
public:
  Index(int64_t number, Where where = Where::current())
      : name(detail::recorder(where).value(
            "arith.constant " + std::to_string(number) + " : index", where)) {}
  static Index named(std::string name) { return Index(std::move(name)); }
  const std::string &text() const { return name; }

  template <typename Bool = bool> explicit operator Bool() const {
    static_assert(detail::alwaysFalse<Bool>,
                  "an index has no value while the program is recorded: use a "
                  "loop over srange or prange, or a C++ number");
    return false;
  }

private:
  explicit Index(std::string name) : name(std::move(name)) {}
  std::string name;
};

namespace detail {
/// An operand of an operator, with the place of the expression.
struct IndexAt {
  Index index;
  Where where;
  IndexAt(Index index, Where where = Where::current())
      : index(std::move(index)), where(where) {}
  IndexAt(int number, Where where = Where::current())
      : index(number, where), where(where) {}
};
inline Index arithmetic(const char *op, const IndexAt &a, const IndexAt &b) {
  return Index::named(recorder(a.where).value(std::string("arith.") + op + " " +
                                                  a.index.text() + ", " +
                                                  b.index.text() + " : index",
                                              a.where));
}
} // namespace detail

inline Index operator+(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("addi", a, b);
}
inline Index operator-(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("subi", a, b);
}
inline Index operator*(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("muli", a, b);
}
inline Index operator/(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("divui", a, b);
}

/// A number that the mapping binds.
inline Index tunable(const std::string &name, Where where = Where::current()) {
  return Index::named(
      detail::recorder(where).value("task.tunable \"" + name + "\"", where));
}

//===----------------------------------------------------------------------===//
// Tiles, in leaves
//===----------------------------------------------------------------------===//

/// An extent of a tile: a number, or a name that is one number in the leaf.
class Extent {
public:
  Extent(const char *name) : name(name) {}
  Extent(int64_t number) : number(number) {}
  std::string size() const {
    return name.empty() ? std::to_string(number) : "?";
  }
  std::string quoted() const { return "\"" + name + "\""; }
  bool isNamed() const { return !name.empty(); }

private:
  std::string name;
  int64_t number = 0;
};

class Tile {
public:
  Tile(std::string name, std::string element, std::vector<Extent> extents)
      : name(std::move(name)), element(std::move(element)),
        extents(std::move(extents)) {}

  const std::string &text() const { return name; }
  const std::string &elementType() const { return element; }
  const std::vector<Extent> &shape() const { return extents; }
  bool isFloat() const { return element[0] != 'i'; }
  std::string type() const {
    std::string text = "tensor<", names;
    bool isNamed = false;
    for (const Extent &extent : extents) {
      text += extent.size() + "x";
      names += (names.empty() ? "" : ", ") + extent.quoted();
      isNamed |= extent.isNamed();
    }
    text += element;
    return text + (isNamed ? ", #tile.shape<" + names + ">>" : ">");
  }

private:
  std::string name, element;
  std::vector<Extent> extents;
};

namespace detail {
struct TileAt {
  Tile tile;
  Where where;
  TileAt(Tile tile, Where where = Where::current())
      : tile(std::move(tile)), where(where) {}
};

/// An operation whose operands and result have one type.
inline Tile elementwise(const char *floatOp, const char *intOp, const TileAt &a,
                        const std::vector<Tile> &others) {
  std::vector<std::string> operands{a.tile.text()};
  for (const Tile &other : others)
    operands.push_back(other.text());
  std::string op = a.tile.isFloat() ? floatOp : intOp;
  return Tile(recorder(a.where).value(
                  op + " " + join(operands) + " : " + a.tile.type(), a.where),
              a.tile.elementType(), a.tile.shape());
}

inline Tile reduce(const char *floatOp, const char *intOp, const Tile &tile,
                   int axis, const Where &where) {
  std::vector<Extent> rest = tile.shape();
  rest.erase(rest.begin() + axis);
  Recorder &out = recorder(where);
  Tile result(out.fresh(), tile.elementType(), rest);
  std::string element = tile.elementType(), p = out.fresh(), q = out.fresh(),
              both = out.fresh();
  out.open(result.text() + " = tile.reduce " + tile.text() + " axis " +
           std::to_string(axis) + " : " + tile.type() + " -> " + result.type() +
           " combine (" + p + ": " + element + ", " + q + ": " + element + ")");
  out.line(both + " = " + (tile.isFloat() ? floatOp : intOp) + " " + p + ", " +
               q + " : " + element,
           where);
  out.line("tile.yield " + both + " : " + element, where);
  out.close(where);
  return result;
}
} // namespace detail

inline Tile operator+(detail::TileAt a, detail::TileAt b) {
  return detail::elementwise("arith.addf", "arith.addi", a, {b.tile});
}
inline Tile operator-(detail::TileAt a, detail::TileAt b) {
  return detail::elementwise("arith.subf", "arith.subi", a, {b.tile});
}
inline Tile operator*(detail::TileAt a, detail::TileAt b) {
  return detail::elementwise("arith.mulf", "arith.muli", a, {b.tile});
}
inline Tile operator/(detail::TileAt a, detail::TileAt b) {
  return detail::elementwise("arith.divf", "arith.divsi", a, {b.tile});
}
inline Tile max(detail::TileAt a, detail::TileAt b) {
  return detail::elementwise("arith.maximumf", "arith.maxsi", a, {b.tile});
}
inline Tile exp(detail::TileAt a) {
  return detail::elementwise("math.exp", "math.exp", a, {});
}
/// sum + a . b.
inline Tile dot(const Tile &a, const Tile &b, const Tile &sum,
                Where where = Where::current()) {
  return Tile(detail::recorder(where).value(
                  "tile.dot " + detail::join({a.text(), b.text(), sum.text()}) +
                      " : " + a.type() + ", " + b.type() + " -> " + sum.type(),
                  where),
              sum.elementType(), sum.shape());
}
/// Elements of another floating-point type.
template <typename T>
Tile cast(const Tile &tile, Where where = Where::current()) {
  Tile typed("", T::name, tile.shape());
  return Tile(detail::recorder(where).value("tile.cast " + tile.text() + " : " +
                                                tile.type() + " -> " +
                                                typed.type(),
                                            where),
              T::name, tile.shape());
}
/// A tile whose elements are all `value`.
template <typename T>
Tile splat(double value, std::vector<Extent> shape,
           Where where = Where::current()) {
  std::ostringstream number;
  number.precision(17);
  if (T::name[0] == 'i')
    number << int64_t(value);
  else
    number << std::scientific << value;
  detail::Recorder &out = detail::recorder(where);
  std::string scalar =
      out.value("arith.constant " + number.str() + " : " + T::name, where);
  Tile typed("", T::name, shape);
  return Tile(out.value("tile.splat " + scalar + " : " + T::name + " -> " +
                            typed.type(),
                        where),
              T::name, std::move(shape));
}
/// The sums, or the greatest elements, along an axis.
inline Tile sumAlong(int axis, const Tile &tile,
                     Where where = Where::current()) {
  return detail::reduce("arith.addf", "arith.addi", tile, axis, where);
}
inline Tile maxAlong(int axis, const Tile &tile,
                     Where where = Where::current()) {
  return detail::reduce("arith.maximumf", "arith.maxsi", tile, axis, where);
}
/// The same elements in another shape.
inline Tile reshape(const Tile &tile, std::vector<Extent> shape,
                    Where where = Where::current()) {
  Tile typed("", tile.elementType(), shape);
  return Tile(detail::recorder(where).value("tile.reshape " + tile.text() +
                                                " : " + tile.type() + " -> " +
                                                typed.type(),
                                            where),
              tile.elementType(), std::move(shape));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace detail {

/// The extent or number of a block, or `all`.
struct BlockAt {
  std::string text;
  bool isAll = false;
  BlockAt(All) : text("all"), isAll(true) {}
  BlockAt(const Index &index) : text(index.text()) {}
  BlockAt(int number, Where where = Where::current())
      : text(Index(number, where).text()) {}
};

template <typename T, size_t> using Repeat = T;

} // namespace detail

template <typename Handle, typename Axes> class Partition;

/// A tensor cut into blocks; `p(i, j)` is a piece with the same privilege.
template <typename Handle, size_t... axes>
class Partition<Handle, std::index_sequence<axes...>> {
public:
  explicit Partition(std::string name) : name(std::move(name)) {}

  Handle operator()(detail::Repeat<detail::BlockAt, axes>... at,
                    Where where = Where::current()) const {
    return Handle(detail::recorder(where).value("task.piece " + name + "[" +
                                                    detail::join({at.text...}) +
                                                    "] : " + type(),
                                                where));
  }
  /// How many blocks there are along an axis.
  Index count(int axis, Where where = Where::current()) const {
    return Index::named(detail::recorder(where).value(
        "task.count " + name + ", " + std::to_string(axis) + " : " + type(),
        where));
  }

private:
  static std::string type() {
    return detail::tensorType("partition", Handle::Element::name,
                              sizeof...(axes));
  }
  std::string name;
};

namespace detail {

template <typename Handle, typename T, typename Axes> class Tensor;

/// What all privileges allow.
template <typename Handle, typename T, size_t... axes>
class Tensor<Handle, T, std::index_sequence<axes...>> {
public:
  using Element = T;
  using Parts = Partition<Handle, std::index_sequence<axes...>>;

  explicit Tensor(std::string name) : name(std::move(name)) {}
  const std::string &text() const { return name; }
  static std::string type() {
    return tensorType("tensor", T::name, sizeof...(axes));
  }

  /// Cuts the tensor, along each axis into blocks of an extent or not at all.
  Parts blocks(Repeat<BlockAt, axes>... by,
               Where where = Where::current()) const {
    return Parts(recorder(where).value("task.blocks " + name + " by [" +
                                           join({by.text...}) + "] : " + type(),
                                       where));
  }
  Index extent(int axis, Where where = Where::current()) const {
    return ask("task.extent ", axis, where);
  }
  /// How much of a block along an axis lies inside the tensor.
  Index inside(int axis, Where where = Where::current()) const {
    return ask("task.inside ", axis, where);
  }

protected:
  Tile readTile(std::vector<Extent> shape, const Where &where) const {
    Tile tile("", T::name, shape);
    return Tile(recorder(where).value("task.read " + name + " : " + type() +
                                          " -> " + tile.type(),
                                      where),
                T::name, std::move(shape));
  }
  void writeTile(const TileAt &value) const {
    recorder(value.where)
        .line("task.write " + value.tile.text() + ", " + name + " : " +
                  value.tile.type() + ", " + type(),
              value.where);
  }

private:
  Index ask(const char *what, int axis, const Where &where) const {
    return Index::named(recorder(where).value(
        what + name + ", " + std::to_string(axis) + " : " + type(), where));
  }
  std::string name;
};

} // namespace detail

/// May be read.
template <typename T, int rank>
class In
    : public detail::Tensor<In<T, rank>, T, std::make_index_sequence<rank>> {
public:
  static constexpr const char *privilege = "reads";
  using detail::Tensor<In<T, rank>, T, std::make_index_sequence<rank>>::Tensor;
  In(const In &) = default;
  In &operator=(const In &) = delete;

  /// The elements, in a leaf.
  Tile read(std::vector<Extent> shape, Where where = Where::current()) const {
    return this->readTile(std::move(shape), where);
  }
};

/// Is written, all of it.
template <typename T, int rank>
class Out
    : public detail::Tensor<Out<T, rank>, T, std::make_index_sequence<rank>> {
public:
  static constexpr const char *privilege = "writes";
  using detail::Tensor<Out<T, rank>, T, std::make_index_sequence<rank>>::Tensor;
  Out(const Out &) = default;
  Out &operator=(const Out &) = delete;

  void operator=(detail::TileAt value) const { this->writeTile(value); }
};

/// May be read and written.
template <typename T, int rank>
class InOut
    : public detail::Tensor<InOut<T, rank>, T, std::make_index_sequence<rank>> {
public:
  static constexpr const char *privilege = "reads writes";
  using detail::Tensor<InOut<T, rank>, T,
                       std::make_index_sequence<rank>>::Tensor;
  InOut(const InOut &) = default;
  InOut &operator=(const InOut &) = delete;

  operator In<T, rank>() const { return In<T, rank>(this->text()); }
  operator Out<T, rank>() const { return Out<T, rank>(this->text()); }
  Tile read(std::vector<Extent> shape, Where where = Where::current()) const {
    return this->readTile(std::move(shape), where);
  }
  void operator=(detail::TileAt value) const { this->writeTile(value); }
};

/// Regent's third privilege: many iterations add to one piece.
template <typename T, int rank> class Reduce {
  static_assert(detail::alwaysFalse<T>,
                "the privilege 'reduces' is not there yet: use InOut in a loop "
                "over srange");
};

namespace detail {
template <typename T, typename... Extents>
InOut<T, int(sizeof...(Extents))> makeTensor(const Where &where,
                                             const Extents &...extents) {
  using Made = InOut<T, int(sizeof...(Extents))>;
  return Made(recorder(where).value("task.make [" + join({extents.text()...}) +
                                        "] : " + Made::type(),
                                    where));
}
} // namespace detail

/// A tensor of this execution of the variant, undefined at first.
template <typename T>
InOut<T, 1> make(Index a, Where where = Where::current()) {
  return detail::makeTensor<T>(where, a);
}
template <typename T>
InOut<T, 2> make(Index a, Index b, Where where = Where::current()) {
  return detail::makeTensor<T>(where, a, b);
}

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
  ~Once() { // left by break or return: the region ends all the same
    if (isOpen)
      current->close(where);
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

/// What a mapping runs.
struct Variant {
  std::string name;
};

class Program {
public:
  /// The text, for a file that ends in .mlir.
  void print(std::ostream &out) const {
    for (size_t i = 0; i < parts.size(); ++i)
      out << (i ? "\n" : "") << parts[i]();
  }
  void add(std::function<std::string()> part) {
    parts.push_back(std::move(part));
  }

private:
  std::vector<std::function<std::string()>> parts;
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
    body(Parameters(std::string("%") + names[positions])...);
    detail::current = outer;
    std::string text =
        "task.variant @" + variant + " of @" + name + " " + kind + "(" +
        detail::join(
            {(std::string(Parameters::privilege) + " %" + names[positions] +
              ": " + Parameters::type() + detail::locate(where))...}) +
        ") {\n" + recorder.text() + "}" + detail::locate(where) + "\n";
    program.add([text] { return text; });
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
    program.add([this] { return text(); });
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

private:
  std::string text() const {
    std::string text =
        "task.mapping @" + name + " entry @" + entry.name + " {\n" + lines;
    for (const Instance &instance : instances)
      text += instance.text();
    return text + "}" + detail::locate(where) + "\n";
  }
  std::string name;
  Variant entry;
  Where where;
  std::string lines;
  std::deque<Instance> instances; ///< stay where they are
};

} // namespace heddle::tasks

#endif // HEDDLE_TASK_H
