//===- Manifest.h - What a launcher must know about a kernel -----*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KERNEL.json, the file beside KERNEL.ptx. Nothing after PTX reads MLIR: the
// runtime, the emulator and the checkers know a kernel by these structures
// alone. There is one reader (Parse.cpp) and one writer (Print.cpp); the format
// is docs/reference/manifest.md.
//
// A manifest holds one source kernel and its *variants* in order of preference;
// a launch takes the first variant whose preconditions all hold for the
// arguments at hand, so a misaligned tensor selects a slower kernel, not an
// error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MANIFEST_MANIFEST_H
#define HEDDLE_MANIFEST_MANIFEST_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::manifest {

/// The schema this library reads and writes ("schema" in the file).
inline constexpr const char *kSchema = "heddle-manifest-1";

enum class ElementType { F16, BF16, F32, F64, I8, I16, I32, I64, E4M3, E5M2 };
int64_t elementBytes(ElementType type);
const char *
spelling(ElementType type); // "f16", "bf16", "f32", "f64", "i8", ...
std::optional<ElementType> elementTypeFromSpelling(std::string_view text);

/// One argument of the source kernel, as the caller passes it.
struct Argument {
  enum class Kind { View, Pointer, Scalar } kind = Kind::View;
  std::string name;
  ElementType element = ElementType::F16;
  /// Views: number of axes, and storage order from the fastest axis to the
  /// slowest ({1, 0} is row-major). The fastest axis has stride 1.
  int rank = 0;
  std::vector<int> order;
  bool written = false; ///< the kernel stores to it
  /// Of a view that a launch makes: all places along this axis are multiples of
  /// 2^30, and its stride is below 0; -1: none. A tensor map counts modulo
  /// 2^64, so that its stride there is 2^34 bytes more.
  int farAxis = -1;

  bool operator==(const Argument &) const = default;
};

/// An integer expression over the launch arguments; evaluated on the host.
struct Expr {
  enum class Op {
    Constant,
    Dim,
    Scalar,
    SmCount,
    Add,
    Sub,
    Mul,
    CeilDiv,
    FloorDiv,
    Mod,
    Min,
    Max,
    TruncDiv, ///< towards zero
    Rem,      ///< what TruncDiv leaves, with the dividend's sign
    NoLess    ///< the first, refused where it is below the second
  };
  Op op = Op::Constant;
  int64_t constant = 0; ///< Constant
  std::string argument; ///< Dim, Scalar: argument name
  int axis = 0;         ///< Dim
  std::vector<Expr> operands;

  bool operator==(const Expr &) const = default;
};

/// What must hold for a variant to be launched.
struct Precondition {
  enum class Kind {
    /// The view can be a TMA tensor: base 16-byte aligned, all dims in
    /// [1, 2^32), strides other than the fastest multiples of 16 bytes and
    /// below 2^40, fastest stride 1. If the kernel writes the view, its fastest
    /// extent is a multiple of 16 bytes too: TMA stores clip no finer.
    Tma,
    /// Base address and all slower strides are multiples of `bytes`; fastest
    /// stride 1. Of a pointer its address is, of an integer its number.
    Aligned,
    /// As Aligned, and the fastest extent spans a multiple of `bytes` too: an
    /// aligned access of that size lies wholly inside or outside.
    Rows,
    /// `expr` (bytes unused) is at least `bytes`.
    AtLeast,
  } kind = Kind::Tma;
  std::string view;
  int64_t bytes = 0;
  Expr expr;
  std::string message; ///< AtLeast: what it is for, in a refusal; may be empty

  bool operator==(const Precondition &) const = default;
};

/// A tensor map in im2col mode: a tile is a run of pixels. Axis 0 counts
/// channels, the last one images; those between are the pixels' own.
struct Im2colRecipe {
  int pixels = 0; ///< of a tile
  /// The first place that a pixel may have along each pixel axis, and how many
  /// the run visits there; fastest first.
  std::vector<Expr> first, count;

  bool operator==(const Im2colRecipe &) const = default;
};

/// How to make one CUtensorMap. Axes are listed fastest first.
struct TensorMapRecipe {
  std::string view;
  std::vector<int> box;   ///< elements per axis of one TMA tile, fastest first;
                          ///< in im2col mode only channels
  std::vector<int> steps; ///< between elements of a tile; empty: 1 everywhere
  std::optional<Im2colRecipe> im2col;
  int swizzleBytes = 128;     ///< 0, 32, 64 or 128
  int l2PromotionBytes = 128; ///< 0, 64, 128 or 256

  bool operator==(const TensorMapRecipe &) const = default;
};

/// One parameter of the PTX entry, in order.
struct Param {
  enum class Kind {
    TensorMap,  ///< 128 bytes by value, 64-byte aligned (.param .align 64 .b8
                ///< x[128])
    Pointer,    ///< base address of a view or pointer argument, 8 bytes
    Dim,        ///< extent of axis `axis` of a view, i32
    Stride,     ///< stride of axis `axis` of a view, in elements, i64
    Scalar,     ///< a scalar argument by value, its own size
    TrapRecord, ///< address of a TrapRecord that the launcher brings, 8 bytes
  } kind = Kind::Pointer;
  std::string argument;
  int axis = 0;
  TensorMapRecipe tensorMap;

  bool operator==(const Param &) const = default;
};

/// A range of warps running one process, for reports and the emulator's
/// diagnostics.
struct Process {
  std::string name;
  int firstWarp = 0;
  int warpCount = 4;
  int registers = 0; ///< per thread after setmaxnreg; 0 = unchanged

  bool operator==(const Process &) const = default;
};

/// A ring in shared memory: hints for diagnostics and facts for `check` to
/// prove.
struct Ring {
  std::string name;
  int depth = 1;
  int64_t slotBytes = 0;
  int64_t offset = 0; ///< of slot 0 in dynamic shared memory, bytes
  int64_t fullBarrier =
      0; ///< offset of the first of `depth` mbarriers, 8 bytes each
  int64_t emptyBarrier = 0;
  int fullArrivals = 0; ///< expected arrivals a phase
  int emptyArrivals = 0;
  std::vector<std::string> producers; ///< process names
  std::vector<std::string> consumers;

  bool operator==(const Ring &) const = default;
};

/// A named barrier (bar.sync id).
struct NamedBarrier {
  int id = 0;
  int threads = 0;
  std::string purpose;

  bool operator==(const NamedBarrier &) const = default;
};

/// What a stamp of an instrumented kernel says: what begins there.
struct Stamp {
  std::string process;
  std::string activity;           ///< acquire, get, issue, await, work or end
  std::vector<std::string> names; ///< rings, or operations of the schedule

  bool operator==(const Stamp &) const = default;
};

struct Variant {
  std::string entry; ///< symbol of the PTX entry
  std::vector<Precondition> requires_;
  int threads = 128;
  std::array<int, 3> cluster = {1, 1, 1};
  int64_t sharedBytes = 0; ///< dynamic shared memory, including barriers
  std::array<Expr, 3>
      grid; ///< CTAs along x, y, z; any 0 means nothing to launch
  std::vector<Param> params;
  std::vector<Process> processes;
  std::vector<Ring> rings;
  std::vector<NamedBarrier> namedBarriers;
  std::vector<Stamp> stamps; ///< by number; none in plain kernels
  /// The time that a launch compares: it takes the fastest variant whose
  /// preconditions hold, and the first of equals. A variant that says none, or
  /// whose number does not fit 64 bits, counts as slower than all others.
  std::optional<Expr> cycles;
  /// A launch begins with a variant without a step. Where that names a step in
  /// `then`, one of the step's variants is launched behind it, in the same
  /// order of memory.
  std::string step, then;

  bool operator==(const Variant &) const = default;
};

/// A view that no caller passes: the kernel makes it of a pointer and scalars,
/// and a launch does so for it, so that it can be a tensor map. Variants name
/// it like an argument.
struct MadeView {
  Argument view;
  /// The argument that it begins behind. Without one it lies in a workspace,
  /// memory of any content, or of zeros where it is `cleared`, that a launch
  /// brings and takes back, without gaps.
  std::string pointer;
  bool cleared = false;
  Expr offset;                        ///< by so many elements
  std::vector<Expr> extents, strides; ///< of a workspace, no strides

  bool isWorkspace() const { return pointer.empty(); }

  bool operator==(const MadeView &) const = default;
};

/// What the program asserts about its arguments: a launch is refused with the
/// message unless `value` is at least `bound`.
struct Assertion {
  Expr value;
  Expr bound;
  std::string message;

  bool operator==(const Assertion &) const = default;
};

struct Manifest {
  std::string kernel; ///< name in the source
  std::string target; ///< "sm_90a"
  std::string source; ///< file the kernel came from, for messages
  std::vector<Argument> arguments;
  std::vector<MadeView> madeViews;
  std::vector<Assertion> assertions;
  std::vector<Variant> variants;

  bool operator==(const Manifest &) const = default;
};

/// Reads and verifies a manifest. On failure returns false, leaves `manifest`
/// alone and puts one sentence in `error` that begins with the path of the bad
/// field.
bool parse(const std::string &json, Manifest &manifest, std::string &error);
/// Checks what the types cannot say: every name resolves, axes exist, sizes are
/// within the hardware's limits. `parse` calls it; so should whoever builds
/// one.
bool verify(const Manifest &manifest, std::string &error);
/// Writes a manifest; equal manifests give equal bytes.
std::string print(const Manifest &manifest);

} // namespace heddle::manifest

#endif // HEDDLE_MANIFEST_MANIFEST_H
