//===- ViewMap.cpp - Where the elements of a view of views lie -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the outermost view inwards: each of its axes begins as one digit; a
// merge divides a digit, a window adds two sums. A digit has its extent from
// the first view that has it as an axis of its own.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/ViewMap.h"

using namespace mlir;
using namespace heddle;

namespace {

class Composer {
public:
  explicit Composer(Value view) : view(view) {
    int64_t rank = cast<tile::ViewType>(view.getType()).getRank();
    map.digitsOf.resize(rank);
    for (int64_t axis = 0; axis < rank; ++axis) {
      map.digitsOf[axis].push_back(map.digits.size());
      map.axes.push_back({{{unsigned(map.digits.size()), 1}}, {}});
      map.digits.push_back({axis, {}});
    }
  }

  std::optional<ViewMap> compose(std::string &why) {
    while (tile::isMapped(view)) {
      if (auto merge = view.getDefiningOp<tile::MergeOp>()) {
        if (!divide(merge)) {
          why = "merged axes are windows in turn";
          return std::nullopt;
        }
      } else {
        slide(view.getDefiningOp<tile::WindowOp>());
      }
      view = view.getDefiningOp()->getOperand(0);
    }
    for (auto [axis, sum] : llvm::enumerate(map.axes))
      if (ViewMap::Digit *digit = digitOf(sum);
          digit && !hasExtent(digit->extent))
        digit->extent = {{}, view, int64_t(axis)};
    map.base = view;
    return std::move(map);
  }

private:
  static bool hasExtent(const ViewMap::Extent &extent) {
    return extent.value || extent.view;
  }

  /// The digit that a sum is, if it is one and no more.
  ViewMap::Digit *digitOf(const ViewMap::Sum &sum) {
    bool isDigit = sum.lows.empty() && sum.terms.size() == 1 &&
                   sum.terms.front().factor == 1;
    return isDigit ? &map.digits[sum.terms.front().digit] : nullptr;
  }

  /// Replaces the coordinate of the merged axes, which must be a digit, by one
  /// for each.
  bool divide(tile::MergeOp merge) {
    int64_t first = merge.getFirst(), last = merge.getLast();
    ViewMap::Digit *whole = digitOf(map.axes[first]);
    if (!whole)
      return false;
    unsigned number = map.axes[first].terms.front().digit;
    int64_t axis = whole->axis;
    SmallVector<unsigned, 3> parts = {number};
    SmallVector<ViewMap::Sum> sums = {map.axes[first]};
    for (int64_t part = first + 1; part <= last; ++part) {
      parts.push_back(map.digits.size());
      sums.push_back({{{unsigned(map.digits.size()), 1}}, {}});
      map.digits.push_back({axis, {}});
    }
    auto &all = map.digitsOf[axis];
    auto *at = llvm::find(all, number);
    at = all.erase(at);
    all.insert(at, parts.begin(), parts.end());
    map.axes.erase(map.axes.begin() + first);
    map.axes.insert(map.axes.begin() + first, sums.begin(), sums.end());
    return true;
  }

  /// What lies outside of `extent` is zero.
  void bound(const ViewMap::Sum &sum, Value extent) {
    ViewMap::Digit *digit = digitOf(sum);
    if (digit && !hasExtent(digit->extent))
      digit->extent = {extent, {}, 0};
    else
      map.bounds.push_back({sum, {extent, {}, 0}});
  }

  void slide(tile::WindowOp window) {
    int64_t axis = window.getAxis(), position = window.getWindow();
    ViewMap::Sum place = map.axes[position];
    map.axes.erase(map.axes.begin() + position);
    ViewMap::Sum &number = map.axes[axis];
    bound(place, window.getWindowExtent());
    bound(number, window.getExtent());
    scale(number, window.getStride());
    scale(place, window.getDilation());
    llvm::append_range(number.terms, place.terms);
    llvm::append_range(number.lows, place.lows);
    number.lows.push_back({window.getLow(), 1});
  }

  static void scale(ViewMap::Sum &sum, int64_t factor) {
    for (ViewMap::Term &term : sum.terms)
      term.factor *= factor;
    for (auto &[low, times] : sum.lows)
      times *= factor;
  }

  Value view;
  ViewMap map;
};

} // namespace

std::optional<ViewMap> heddle::getViewMap(Value view, std::string &why) {
  return Composer(view).compose(why);
}
