//===- Values.h - Indices, tiles and tensors of tasks ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the body of a variant works with. Each operation on them is recorded; a
// tensor's type says which are allowed. A part of heddle/task.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_VALUES_H
#define HEDDLE_TASK_VALUES_H

#include "heddle/task/Recorder.h"

#include <charconv>
#include <type_traits>

namespace heddle::tasks {

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
  static std::string type() { return "index"; }
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
inline Index min(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("minsi", a, b);
}
inline Index max(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("maxsi", a, b);
}
/// How many blocks of `b` cover `a`.
inline Index ceildiv(detail::IndexAt a, detail::IndexAt b) {
  return detail::arithmetic("ceildivui", a, b);
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
/// A constant as text has it. Of what is no number, its bits.
inline std::string spellNumber(double value, const std::string &type) {
  if (type[0] == 'i')
    return std::to_string(int64_t(value));
  if (value - value != 0)
    return type == "f32"    ? value < 0 ? "0xFF800000" : "0x7F800000"
           : type == "bf16" ? value < 0 ? "0xFF80" : "0x7F80"
           : value < 0      ? "0xFC00"
                            : "0x7C00";
  char digits[32]; // a sign, 18 digits, a point, and e-308
  char *end = std::to_chars(digits, digits + sizeof(digits), value,
                            std::chars_format::scientific, 17)
                  .ptr;
  return std::string(digits, end);
}

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
/// -a, of floating-point tiles; so is exp.
inline Tile negate(detail::TileAt a) {
  return detail::elementwise("arith.negf", "arith.negf", a, {});
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
  detail::Recorder &out = detail::recorder(where);
  std::string scalar = out.value(
      "arith.constant " + detail::spellNumber(value, T::name) + " : " + T::name,
      where);
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
    return Handle(detail::recorder(where).value(
        "task.piece " + name + "[" + detail::join({at.text...}) + "]" +
            condition + " : " + type(),
        where));
  }
  /// Pieces that are there only if the flag holds; else what is written to
  /// them is dropped, as beyond an edge.
  template <typename Flag> Partition when(const Flag &flag) const {
    static_assert(Flag::isFlag, "a piece is there when a flag holds, as in "
                                "when(j == 0)");
    Partition some(name);
    some.condition = " when " + flag.text();
    return some;
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
  std::string name, condition;
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
  /// A number of a list, as an index: which block is read.
  Index element(const Index &place, Where where = Where::current()) const {
    static_assert(rank == 1 && std::is_same_v<T, i32>,
                  "a list has one axis, of i32");
    return Index::named(
        detail::recorder(where).value("task.element " + this->text() + "[" +
                                          place.text() + "] : " + In::type(),
                                      where));
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

enum class Sum;
template <typename T, int rank, Sum sum> class Reduce;

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
  template <Sum sum> operator Reduce<T, rank, sum>() const {
    return Reduce<T, rank, sum>(this->text());
  }
  Tile read(std::vector<Extent> shape, Where where = Where::current()) const {
    return this->readTile(std::move(shape), where);
  }
  void operator=(detail::TileAt value) const { this->writeTile(value); }
};

/// What iterations that share a piece do with it.
enum class Sum { Add, Min, Max };

/// Regent's third privilege: many iterations add to one piece, or keep its
/// least or greatest elements. `c += tile` adds a leaf's tile to what is there.
template <typename T, int rank, Sum sum = Sum::Add>
class Reduce : public detail::Tensor<Reduce<T, rank, sum>, T,
                                     std::make_index_sequence<rank>> {
public:
  static constexpr const char *privilege = sum == Sum::Add   ? "reduces(add)"
                                           : sum == Sum::Min ? "reduces(min)"
                                                             : "reduces(max)";
  using detail::Tensor<Reduce<T, rank, sum>, T,
                       std::make_index_sequence<rank>>::Tensor;
  Reduce(const Reduce &) = default;
  Reduce &operator=(const Reduce &) = delete;

  void operator+=(detail::TileAt value) const {
    static_assert(sum == Sum::Add, "this tensor keeps its least or greatest "
                                   "elements: use minimum(...) or "
                                   "maximum(...)");
    this->writeTile(value);
  }
  void minimum(detail::TileAt value) const {
    static_assert(sum == Sum::Min, "this tensor is not reduced by min");
    this->writeTile(value);
  }
  void maximum(detail::TileAt value) const {
    static_assert(sum == Sum::Max, "this tensor is not reduced by max");
    this->writeTile(value);
  }
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

} // namespace heddle::tasks

#endif // HEDDLE_TASK_VALUES_H
