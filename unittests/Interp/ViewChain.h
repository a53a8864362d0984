//===- ViewChain.h - Random views of views, written out -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random chain of windows and merges over an array, as the text of a program,
// and what its last view holds: every view is written out as an array of its
// own, from the array of the view before. The oracle and the composed maps are
// compared with that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_INTERP_VIEWCHAIN_H
#define HEDDLE_UNITTESTS_INTERP_VIEWCHAIN_H

#include "heddle/Support/SplitMix.h"

#include <string>
#include <vector>

namespace heddle::viewchain {

using F32 = std::vector<float>;
using Extents = std::vector<int64_t>;

inline int64_t countOf(const Extents &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// A view, written out: zero where it says zero.
struct Whole {
  Extents shape;
  F32 elements; ///< row-major

  float at(const Extents &place) const {
    int64_t index = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (place[axis] < 0 || place[axis] >= shape[axis])
        return 0;
      index = index * shape[axis] + place[axis];
    }
    return elements[index];
  }
};

/// Calls visit(place) for all places of `shape` in row-major order.
template <typename Visit> void forAll(const Extents &shape, Visit visit) {
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Extents place(shape.size());
    int64_t rest = i;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      place[axis] = rest % shape[axis];
    visit(place);
  }
}

/// A program under construction, and what its last view must hold.
class Chain {
public:
  explicit Chain(uint64_t seed) : random(seed) {
    int64_t rank = 1 + below(3);
    for (int64_t axis = 0; axis < rank; ++axis)
      whole.shape.push_back(below(8) ? 1 + below(5) : 0);
    for (int64_t i = 0; i < countOf(whole.shape); ++i)
      whole.elements.push_back(float(i + 1));
    base = whole;
    for (int64_t axis = rank; axis-- > 0;)
      order.push_back(axis);
    baseType = type();
  }

  void grow() {
    bool canMerge = whole.shape.size() > 1;
    if (whole.shape.size() < 5 && (!canMerge || below(2)))
      addWindow();
    else if (canMerge)
      addMerge();
  }

  /// Loads a tile of the last view at `corner` and stores it to %c.
  std::string program(const Extents &tile, const Extents &corner) const {
    std::string shape, offsets, zeros, axes;
    for (int64_t extent : tile) {
      shape += std::to_string(extent) + "x";
      zeros += zeros.empty() ? "%zero" : ", %zero";
      axes += "?x";
    }
    std::string text = "tile.kernel @copy(%v0: " + baseType +
                       ", %c: !tile.view<" + axes +
                       "f32>) {\n  %zero = arith.constant 0 : index\n" + steps;
    for (size_t axis = 0; axis < corner.size(); ++axis) {
      std::string name = "%at" + std::to_string(axis);
      text += "  " + name + " = arith.constant " +
              std::to_string(corner[axis]) + " : index\n";
      offsets += (axis ? ", " : "") + name;
    }
    text += "  %t = tile.load " + name(count) + "[" + offsets +
            "] : " + type() + " -> tensor<" + shape + "f32>\n";
    text += "  tile.store %t, %c[" + zeros + "] : tensor<" + shape +
            "f32>, !tile.view<" + axes + "f32>\n";
    for (size_t axis = 0; axis < whole.shape.size(); ++axis)
      text += "  %dim" + std::to_string(axis) + " = tile.dim " + name(count) +
              ", " + std::to_string(axis) + " : " + type() + "\n  " + "%same" +
              std::to_string(axis) + " = arith.cmpi eq, %dim" +
              std::to_string(axis) + ", %is" + std::to_string(axis) +
              " : index\n  tile.assert %same" + std::to_string(axis) +
              ", \"extent " + std::to_string(axis) + "\" : i1\n";
    size_t body = text.find("  %t = ");
    std::string extents;
    for (size_t axis = 0; axis < whole.shape.size(); ++axis)
      extents += "  %is" + std::to_string(axis) + " = arith.constant " +
                 std::to_string(whole.shape[axis]) + " : index\n";
    return text.insert(body, extents) + "}\n";
  }

  int64_t below(int64_t end) { return int64_t(random.next() % uint64_t(end)); }

  Whole base, whole;

private:
  static std::string name(int number) { return "%v" + std::to_string(number); }

  std::string type() const {
    std::string text = "!tile.view<";
    for (size_t axis = 0; axis < order.size(); ++axis)
      text += "?x";
    text += "f32, #tile.order<";
    for (size_t i = 0; i < order.size(); ++i)
      text += (i ? ", " : "") + std::to_string(order[i]);
    return text + ">>";
  }

  std::string number(int64_t value) {
    std::string made = "%n" + std::to_string(numbers++);
    steps += "  " + made + " = arith.constant " + std::to_string(value) +
             " : index\n";
    return made;
  }

  void addWindow() {
    int64_t rank = int64_t(whole.shape.size());
    int64_t axis = below(rank), position = below(rank + 1);
    int64_t stride = 1 + below(3), dilation = 1 + below(3), low = below(5) - 2;
    int64_t extent = below(6), places = below(4);
    Whole next;
    next.shape = whole.shape;
    next.shape[axis] = extent;
    next.shape.insert(next.shape.begin() + position, places);
    forAll(next.shape, [&](Extents at) {
      int64_t place = at[position];
      at.erase(at.begin() + position);
      at[axis] = at[axis] * stride + place * dilation - low;
      next.elements.push_back(whole.at(at));
    });
    std::string before = type();
    Extents made;
    for (int64_t one : order) {
      made.push_back(one < position ? one : one + 1);
      if (one == axis)
        made.push_back(position);
    }
    order = made;
    std::string numbers = " extent " + number(extent) + ", window " +
                          std::to_string(position) + " extent " +
                          number(places) + ", low " + number(low);
    steps += "  " + name(count + 1) + " = tile.window " + name(count) +
             " axis " + std::to_string(axis) + numbers +
             " {stride = " + std::to_string(stride) +
             ", dilation = " + std::to_string(dilation) + "} : " + before +
             " -> " + type() + "\n";
    ++count;
    whole = next;
  }

  void addMerge() {
    int64_t rank = int64_t(whole.shape.size());
    int64_t first = below(rank - 1), last = first + 1 + below(rank - 1 - first);
    std::string before = type();
    Extents made;
    bool isNamed = false;
    for (int64_t one : order) {
      bool isMerged = one >= first && one <= last;
      if (!isMerged)
        made.push_back(one < first ? one : one - (last - first));
      else if (!isNamed)
        made.push_back(first);
      isNamed |= isMerged;
    }
    order = made;
    // Row-major elements stay where they are.
    for (int64_t axis = last; axis > first; --axis) {
      whole.shape[axis - 1] *= whole.shape[axis];
      whole.shape.erase(whole.shape.begin() + axis);
    }
    steps += "  " + name(count + 1) + " = tile.merge " + name(count) +
             " axes " + std::to_string(first) + " to " + std::to_string(last) +
             " : " + before + " -> " + type() + "\n";
    ++count;
  }

  SplitMix random;
  std::string steps, baseType;
  Extents order;
  int count = 0, numbers = 0;
};

} // namespace heddle::viewchain

#endif // HEDDLE_UNITTESTS_INTERP_VIEWCHAIN_H
