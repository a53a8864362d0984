//===- Scalars.h - Numbers and masks of tasks -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments of tasks that are no tensors, what is compared, and the tiles that
// say where: masks, choices between tiles, rows along columns. A part of
// heddle/task.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_SCALARS_H
#define HEDDLE_TASK_SCALARS_H

#include "heddle/task/Values.h"

namespace heddle::tasks {

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A number that a launch passes: `Task<In<f16, 2>, Scalar<f32>>`.
template <typename T> class Scalar {
public:
  static constexpr bool isFlag = std::is_same_v<T, i1>;
  /// A constant.
  Scalar(double number, Where where = Where::current())
      : name(detail::recorder(where).value(
            "arith.constant " + detail::spellNumber(number, T::name) + " : " +
                T::name,
            where)) {}
  static Scalar named(std::string name) { return Scalar(std::move(name)); }
  const std::string &text() const { return name; }
  static std::string type() { return T::name; }

  template <typename Bool = bool> explicit operator Bool() const {
    static_assert(detail::alwaysFalse<Bool>,
                  "a scalar has no value while the program is recorded: use "
                  "choose(...) in a leaf, or a C++ number");
    return false;
  }

private:
  explicit Scalar(std::string name) : name(std::move(name)) {}
  std::string name;
};

/// Whether something holds.
using Flag = Scalar<i1>;

namespace detail {
template <typename T> struct ScalarAt {
  Scalar<T> scalar;
  Where where;
  ScalarAt(Scalar<T> scalar, Where where = Where::current())
      : scalar(std::move(scalar)), where(where) {}
};
inline Flag compare(const char *how, const IndexAt &a, const IndexAt &b) {
  return Flag::named(recorder(a.where).value(
      "arith.cmpi " + join({how, a.index.text(), b.index.text()}) + " : index",
      a.where));
}
} // namespace detail

/// a . b, of two numbers of one type.
template <typename T>
Scalar<T> times(const Scalar<T> &a, const Scalar<T> &b,
                Where where = Where::current()) {
  const char *op = T::name[0] == 'i' ? "arith.muli " : "arith.mulf ";
  return Scalar<T>::named(detail::recorder(where).value(
      op + detail::join({a.text(), b.text()}) + " : " + T::name, where));
}
inline Flag operator<(detail::IndexAt a, detail::IndexAt b) {
  return detail::compare("slt", a, b);
}
inline Flag operator>(detail::IndexAt a, detail::IndexAt b) {
  return detail::compare("sgt", a, b);
}
inline Flag operator==(detail::IndexAt a, detail::IndexAt b) {
  return detail::compare("eq", a, b);
}
/// An index as a number to compare tiles with.
inline Scalar<i32> number(const Index &index, Where where = Where::current()) {
  return Scalar<i32>::named(detail::recorder(where).value(
      "arith.index_cast " + index.text() + " : index to i32", where));
}

//===----------------------------------------------------------------------===//
// Masks, in leaves
//===----------------------------------------------------------------------===//

/// A tile whose elements are all `value`.
template <typename T>
Tile splat(const Scalar<T> &value, std::vector<Extent> shape,
           Where where = Where::current()) {
  Tile typed("", T::name, shape);
  return Tile(detail::recorder(where).value("tile.splat " + value.text() +
                                                " : " + T::name + " -> " +
                                                typed.type(),
                                            where),
              T::name, std::move(shape));
}
/// 0, 1, 2, ... along the one axis.
inline Tile iota(Extent extent, Where where = Where::current()) {
  Tile typed("", "i32", {extent});
  return Tile(
      detail::recorder(where).value("tile.iota : " + typed.type(), where),
      "i32", {extent});
}
namespace detail {
inline Tile compareTiles(const char *ofFloats, const char *ofInts,
                         const TileAt &a, const Tile &b) {
  std::string op = a.tile.isFloat() ? std::string("arith.cmpf ") + ofFloats
                                    : std::string("arith.cmpi ") + ofInts;
  return Tile(recorder(a.where).value(join({op, a.tile.text(), b.text()}) +
                                          " : " + a.tile.type(),
                                      a.where),
              "i1", a.tile.shape());
}
} // namespace detail
/// Where a is less than b, element by element; at most b; equal to it.
inline Tile isLess(detail::TileAt a, const Tile &b) {
  return detail::compareTiles("olt", "slt", a, b);
}
inline Tile isAtMost(detail::TileAt a, const Tile &b) {
  return detail::compareTiles("ole", "sle", a, b);
}
inline Tile isEqual(detail::TileAt a, const Tile &b) {
  return detail::compareTiles("oeq", "eq", a, b);
}
/// Elements of `a` where the mask says so, of `b` elsewhere.
inline Tile select(const Tile &mask, const Tile &a, const Tile &b,
                   Where where = Where::current()) {
  return Tile(detail::recorder(where).value(
                  "arith.select " +
                      detail::join({mask.text(), a.text(), b.text()}) + " : " +
                      mask.type() + ", " + a.type(),
                  where),
              a.elementType(), a.shape());
}
/// `then()` if the flag holds, a tile that is made there; else `other`.
template <typename Then>
Tile choose(const Flag &flag, Then then, const Tile &other,
            Where where = Where::current()) {
  detail::Recorder &out = detail::recorder(where);
  Tile result(out.fresh(), other.elementType(), other.shape());
  out.open(result.text() + " = scf.if " + flag.text() + " -> (" + other.type() +
           ")");
  Tile made = then();
  out.line("scf.yield " + made.text() + " : " + made.type(), where);
  out.otherwise();
  out.line("scf.yield " + other.text() + " : " + other.type(), where);
  out.close(where);
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes and functions, in leaves
//===----------------------------------------------------------------------===//

/// A row of a matrix for each element, or a column: `tile` along a new axis.
inline Tile repeat(const Tile &tile, int axis, Extent extent,
                   Where where = Where::current()) {
  detail::Recorder &out = detail::recorder(where);
  std::vector<Extent> thin = tile.shape(), shape = tile.shape();
  thin.insert(thin.begin() + axis, Extent(1));
  shape.insert(shape.begin() + axis, extent);
  Tile expanded("", tile.elementType(), thin),
      typed("", tile.elementType(), shape);
  Tile one(out.value("tile.expand_dims " + tile.text() + ", " +
                         std::to_string(axis) + " : " + tile.type() + " -> " +
                         expanded.type(),
                     where),
           tile.elementType(), thin);
  return Tile(out.value("tile.broadcast " + one.text() + " : " + one.type() +
                            " -> " + typed.type(),
                        where),
              tile.elementType(), shape);
}
/// Rows as columns.
inline Tile transposed(const Tile &tile, Where where = Where::current()) {
  std::vector<Extent> shape(tile.shape().rbegin(), tile.shape().rend());
  Tile typed("", tile.elementType(), shape);
  return Tile(detail::recorder(where).value("tile.trans " + tile.text() +
                                                ", [1, 0] : " + tile.type() +
                                                " -> " + typed.type(),
                                            where),
              tile.elementType(), shape);
}
/// 2 to the power of each element.
inline Tile exp2(detail::TileAt a) {
  return detail::elementwise("math.exp2", "math.exp2", a, {});
}
/// a . b + c, rounded once.
inline Tile fma(detail::TileAt a, const Tile &b, const Tile &c) {
  return detail::elementwise("math.fma", "math.fma", a, {b, c});
}

} // namespace heddle::tasks

#endif // HEDDLE_TASK_SCALARS_H
