//===- Boxes.h - Decide: which addresses are a box of an array --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile of addresses with its mask. Out: the view of an array and the
// place in it that the two describe, or the fact that is missing for a proof.
// TMA and rings need boxes, while Triton's programs have addresses. The
// decision is apart from the rewrite in RecoverViews.cpp, because nothing may
// change before all of it is proved.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_BOXES_H
#define HEDDLE_LIB_TRANSFORMS_BOXES_H

#include "AddressForms.h"
#include "Signs.h"

#include <string>

namespace heddle {

/// An access to memory through addresses, as a view and a place in it.
struct Box {
  struct Axis {
    /// The view ends at the least of these, known at launch; without any it
    /// has no end that matters.
    std::vector<Polynomial> ends;
    Polynomial stride;
    Polynomial offset; ///< not negative
  };
  mlir::Value base;       ///< an argument of the kernel
  Polynomial start;       ///< of the view behind `base`, known at launch
  Polynomial moved;       ///< the same, known on the device only
  std::vector<Axis> axes; ///< those that the tile lacks come first
  llvm::SmallVector<int64_t> order;
  llvm::SmallVector<int64_t> kept; ///< which axes of the tile the last ones are
  /// Elements of the tile that the mask excludes may be read as others than
  /// what the program says: along an axis that repeats.
  bool needsSelect = false;
  /// Places, in multiples of a stride, that only the device can say not to be
  /// negative.
  struct Question {
    Polynomial stride, place;
  };
  std::vector<Question> questions;
  /// An axis that ends where only the device knows: at the least of `bounds`
  /// behind the tile's first element, which are cut to 0 and `extent`. The view
  /// has two axes for it besides, the first ones; see Boxes.cpp.
  struct DeviceEnd {
    size_t axis; ///< of `axes`
    int64_t extent;
    std::vector<Polynomial> bounds;
  };
  std::optional<DeviceEnd> deviceEnd;
  /// Where the box ends though the program goes on at the array's beginning.
  std::vector<Form> wraps;
  std::vector<Signs::Demand> demands;
};

class BoxFinder {
public:
  /// `mayAsk`: what is not proved of numbers that no loop changes may be a
  /// question for the device. `isWritten`: whether the kernel writes to an
  /// argument's memory.
  BoxFinder(AddressForms &forms, Signs &signs, bool mayAsk = false,
            llvm::function_ref<bool(mlir::Value)> isWritten = isAnyWritten)
      : forms(forms), signs(signs), mayAsk(mayAsk), isWritten(isWritten) {}

  /// The box of the tile of addresses `pointers` where `mask`, which may be
  /// null, holds. Else `reason` says which fact is missing.
  std::optional<Box> find(mlir::Value pointers, mlir::Value mask, bool isWrite,
                          std::string &reason);

  /// The part of the box of a single address behind which an array begins: what
  /// only the device knows of it, as axes of one element. Nothing if some of it
  /// may be negative.
  std::optional<Box> findBeginning(const Form &address);

  std::string spell(const Polynomial &polynomial) const;

  /// What a tensor map and the C interface have.
  static constexpr int64_t kMostAxes = 5;
  /// The end of an axis that ends where the device says.
  static constexpr int64_t kFarEnd = int64_t(1) << 30;

private:
  struct TileAxis {
    int64_t axis, extent;
    std::vector<Polynomial> bounds; ///< the place in the tile is below these
    Box::Axis view;
    bool endsOnDevice = false;
  };

  bool chooseAxes(bool isWrite);
  bool alwaysHolds(const Form &condition);
  bool readBounds(mlir::Value mask, bool isWrite);
  bool placeMasked();
  bool endOnDevice(TileAxis &axis);
  bool placeDeviceEnd();
  void placeFree();
  bool placeLeading();
  bool canAsk(const Product &local) const;
  bool canAsk(const Polynomial &place) const;
  void joinConstants(const Polynomial &stride, Polynomial &place);
  bool limitFree();
  bool endLeading();
  bool finish();
  bool fail(std::string why) {
    reason = std::move(why);
    return false;
  }

  static bool isAnyWritten(mlir::Value) { return true; }

  AddressForms &forms;
  Signs &signs;
  bool mayAsk;
  llvm::function_ref<bool(mlir::Value)> isWritten;

  // Of the access at hand.
  Form form;
  llvm::ArrayRef<int64_t> shape;
  std::vector<TileAxis> axes;
  size_t fastest = 0;             ///< of `axes`
  Polynomial rest;                ///< of the form's start, not placed yet
  std::vector<Polynomial> guards; ///< positive, or the whole tile is excluded
  Box box;
  std::string reason;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_BOXES_H
