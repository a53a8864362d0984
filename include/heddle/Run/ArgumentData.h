//===- ArgumentData.h - Host memory of a kernel's arguments -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `heddle run` fills, launches with and compares. A view is packed in its
// storage order; scalars keep their bits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_ARGUMENTDATA_H
#define HEDDLE_RUN_ARGUMENTDATA_H

#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Manifest/Manifest.h"
#include "heddle/Run/ElementFormat.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::tool {

/// How inputs are made: N(0, 1), or integers in [-2, 2], on which sums are
/// exact.
enum class InputKind { Normal, Integers };

/// Whether arguments have memory, or only sizes.
enum class Backing { Memory, None };

/// What the arguments of a launch may take together. A run keeps four copies.
inline constexpr int64_t kMostArgumentBytes = int64_t(1) << 32;

/// The limit of this process: that, or less where the machine is small. A
/// caller that has less to give may lower it.
int64_t &argumentMemoryLimit();

/// What a view or buffer of `shape` takes; saturates.
int64_t argumentBytes(manifest::ElementType element,
                      llvm::ArrayRef<int64_t> shape);

/// Whether a run can hold arguments of so many bytes; the error says how many
/// `what` asks for, and how many there are. Ask before any is made.
llvm::Error checkArgumentMemory(llvm::StringRef what, int64_t bytes);

/// One argument with its memory (views) or its bits (scalars).
class ArgumentData {
public:
  /// A view or what a pointer points to, of a size that checkArgumentMemory
  /// has found to be possible; elements are zero. Packed, unless
  /// `pitch` says how many elements a line of the fastest axis takes.
  ArgumentData(const manifest::Argument &argument, std::vector<int64_t> shape,
               int64_t pitch = 0, Backing backing = Backing::Memory);
  ArgumentData(const manifest::Argument &argument, double scalar);
  static ArgumentData ofNumber(const manifest::Argument &argument,
                               const Number &scalar);

  const manifest::Argument &argument() const { return declared; }
  bool isView() const {
    return declared.kind == manifest::Argument::Kind::View;
  }
  /// Views and pointers have memory, scalars have bits.
  bool hasMemory() const {
    return declared.kind != manifest::Argument::Kind::Scalar;
  }
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  llvm::ArrayRef<int64_t> strides() const { return steps; }
  double scalar() const;
  /// Of an integer type.
  int64_t wholeScalar() const;
  uint64_t scalarBits() const { return bits; }

  uint64_t sizeBytes() const;
  std::byte *data() { return memory.get(); }
  const std::byte *data() const { return memory.get(); }
  int64_t elementCount() const;
  /// Elements that fit in the memory: those of the view and the padding.
  int64_t storageCount() const { return storage; }
  double element(int64_t index) const;
  /// Of an integer type.
  int64_t wholeElement(int64_t index) const;
  void setElement(int64_t index, double value);
  void setNumber(int64_t index, const Number &number);

  void fillRandom(InputKind kind, uint64_t seed);
  /// Every byte 0xff: NaN in the floating-point formats, -1 in the integers.
  void poison();
  /// Every element becomes its magnitude.
  void makeAbsolute();

  ArgumentData clone() const;

private:
  struct Free {
    void operator()(std::byte *memory) const;
  };
  ArgumentData() = default;
  void allocate();

  manifest::Argument declared;
  std::vector<int64_t> extents;
  std::vector<int64_t> steps;
  int64_t storage = 0;
  uint64_t bits = 0; ///< of a scalar
  std::unique_ptr<std::byte[], Free> memory;
};

/// "a=512x256" or "a=512x256xf16", "alpha=1.5".
struct ViewSpec {
  std::string name;
  std::vector<int64_t> shape;
  std::optional<manifest::ElementType> element;
};
llvm::Expected<ViewSpec> parseViewSpec(llvm::StringRef text);
struct ScalarSpec {
  std::string name;
  Number number;
};
llvm::Expected<ScalarSpec> parseScalarSpec(llvm::StringRef text);

/// One ArgumentData for each argument of the kernel, in order. Missing, unknown
/// and ill-fitting specs are errors that say what to write.
llvm::Expected<std::vector<ArgumentData>> makeArguments(
    const manifest::Manifest &manifest, llvm::ArrayRef<ViewSpec> views,
    llvm::ArrayRef<ScalarSpec> scalars, Backing backing = Backing::Memory);

} // namespace heddle::tool

#endif // HEDDLE_RUN_ARGUMENTDATA_H
