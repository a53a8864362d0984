//===- TensorMaps.cpp - Tensor maps in memory -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"

#include "heddle/Manifest/LaunchPlan.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace heddle;
using namespace heddle::emulator;
using Format = TensorMap::Format;

//===----------------------------------------------------------------------===//
// Facts of a map
//===----------------------------------------------------------------------===//

static int bytesOf(Format format) {
  switch (format) {
  case Format::U8:
    return 1;
  case Format::U16:
  case Format::F16:
  case Format::BF16:
    return 2;
  case Format::U64:
  case Format::S64:
  case Format::F64:
    return 8;
  default:
    return 4;
  }
}

int TensorMap::elementBytes() const { return bytesOf(format); }

int64_t TensorMap::tileBytes() const {
  int64_t bytes = elementBytes();
  if (isIm2col())
    return bytes * box[0] * pixels;
  for (int axis = 0; axis < rank; ++axis)
    bytes *= tileExtent(axis);
  return bytes;
}

Type heddle::emulator::reductionType(Format format) {
  switch (format) {
  case Format::U32:
    return Type::U32;
  case Format::S32:
    return Type::S32;
  case Format::U64:
    return Type::U64;
  case Format::S64:
    return Type::S64;
  case Format::F16:
    return Type::F16;
  case Format::BF16:
    return Type::BF16;
  case Format::F32:
  case Format::F32Ftz:
    return Type::F32;
  case Format::F64:
    return Type::F64;
  default:
    return Type::None;
  }
}

static Format formatOf(manifest::ElementType element) {
  using manifest::ElementType;
  switch (element) {
  case ElementType::F16:
    return Format::F16;
  case ElementType::BF16:
    return Format::BF16;
  case ElementType::F32:
    return Format::F32;
  case ElementType::F64:
    return Format::F64;
  case ElementType::I16:
    return Format::U16;
  case ElementType::I32:
    return Format::S32;
  case ElementType::I64:
    return Format::S64;
  case ElementType::I8:
  case ElementType::E4M3:
  case ElementType::E5M2:
    return Format::U8;
  }
  return Format::U8;
}

TensorMap heddle::emulator::fromManifest(const manifest::TensorMap &map) {
  TensorMap result;
  result.format = formatOf(map.element);
  result.rank = int(map.dims.size());
  result.address = map.address;
  result.swizzleBytes = map.swizzleBytes;
  // Lists of other lengths give extents of 0, which the check refuses.
  auto copy = [](const auto &from, auto &to) {
    std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
  };
  copy(map.dims, result.dims);
  copy(map.stridesBytes, result.strideBytes);
  copy(map.box, result.box);
  result.steps.fill(1);
  copy(map.steps, result.steps);
  if (!map.pixels)
    return result;
  result.pixels = map.pixels;
  result.box.fill(1);
  result.box[0] = map.box.empty() ? 0 : map.box[0];
  copy(map.lower, result.lower);
  copy(map.upper, result.upper);
  return result;
}

/// What im2col mode asks for besides.
static std::string whyNotIm2col(const TensorMap &map) {
  if (map.rank < 3)
    return "im2col mode has rank 3 to 5, not " + std::to_string(map.rank);
  if (map.pixels > 1024)
    return std::to_string(map.pixels) + " pixels; 1 to 1024 are possible";
  // The corners of all pixel axes share 16 bits.
  int end = 1 << (16 / map.pixelAxes() - 1);
  for (int axis = 0; axis < map.pixelAxes(); ++axis)
    for (int corner : {map.lower[axis], map.upper[axis]})
      if (corner < -end || corner >= end)
        return "a corner of " + std::to_string(corner) + " along axis " +
               std::to_string(axis + 1) + "; " + std::to_string(-end) + " to " +
               std::to_string(end - 1) + " are possible";
  for (int axis = 1; axis <= map.pixelAxes(); ++axis)
    if (map.dims[axis] - 1 + map.upper[axis - 1] < map.lower[axis - 1])
      return "no pixel lies between the corners along axis " +
             std::to_string(axis);
  return "";
}

bool heddle::emulator::checkTensorMap(const TensorMap &map,
                                      std::string &error) {
  auto fail = [&](const std::string &message) {
    error = "tensor map: " + message;
    return false;
  };
  if (map.rank < 1 || map.rank > 5)
    return fail("rank " + std::to_string(map.rank) + "; 1 to 5 are possible");
  if (map.address % 16)
    return fail("the base address is not aligned to 16 bytes");
  for (int axis = 0; axis < map.rank; ++axis) {
    std::string name = "axis " + std::to_string(axis);
    if (map.dims[axis] < 1 || map.dims[axis] > int64_t(1) << 32)
      return fail(name + " has extent " + std::to_string(map.dims[axis]));
    if (map.box[axis] < 1 || map.box[axis] > 256)
      return fail(name + " has a box of " + std::to_string(map.box[axis]) +
                  "; 1 to 256 are possible");
    if (map.steps[axis] < 1 || map.steps[axis] > 8)
      return fail(name + " has an element stride of " +
                  std::to_string(map.steps[axis]) + "; 1 to 8 are possible");
    if (axis && (map.strideBytes[axis] % 16 || map.strideBytes[axis] < 0 ||
                 map.strideBytes[axis] >= int64_t(1) << 40))
      return fail(name + " has a stride of " +
                  std::to_string(map.strideBytes[axis]) +
                  " bytes; it must be a multiple of 16 below 2^40");
  }
  if (std::string why = map.isIm2col() ? whyNotIm2col(map) : ""; !why.empty())
    return fail(why);
  int64_t rowBytes = int64_t(map.box[0]) * map.elementBytes();
  if (map.interleaveBytes)
    return fail("interleaved layouts are not supported by the emulator");
  if (map.swizzleBytes != 0 && map.swizzleBytes != 32 &&
      map.swizzleBytes != 64 && map.swizzleBytes != 128)
    return fail("a swizzle of " + std::to_string(map.swizzleBytes) + " bytes");
  if (rowBytes % 16)
    return fail("a box row of " + std::to_string(rowBytes) +
                " bytes; it must be a multiple of 16");
  if (map.swizzleBytes && rowBytes > map.swizzleBytes)
    return fail("a box row of " + std::to_string(rowBytes) +
                " bytes does not fit the swizzle of " +
                std::to_string(map.swizzleBytes));
  bool isFloat = map.format >= Format::F16;
  if (map.fillsNan && !isFloat)
    return fail("only floating-point elements can be filled with NaN");
  return true;
}

//===----------------------------------------------------------------------===//
// The bytes
//===----------------------------------------------------------------------===//

namespace {
/// Fields in the encoding of PTX.
struct Image {
  uint64_t address = 0;
  uint64_t strides[4] = {};
  uint32_t dims[5] = {}; ///< 0 with its bit set: 2^32
  uint32_t set = 0;      ///< a bit for each field and axis
  uint16_t box[5] = {};
  uint8_t steps[5] = {};
  uint8_t rank = 0; ///< less one
  uint8_t format = 0;
  uint8_t interleave = 0;
  uint8_t swizzle = 0;
  uint8_t fill = 0;
  uint8_t unused = 0;
  uint16_t pixels = 0; ///< 0: tiled mode
  int16_t lower[3] = {};
  int16_t upper[3] = {};
  uint8_t zeros[28] = {};
};
static_assert(sizeof(Image) == kTensorMapBytes);

struct FieldRow {
  const char *name; ///< as PTX spells it
  int axes;
  int firstBit;
  uint64_t limit; ///< of the value
};
constexpr FieldRow fields[] = {
    {"global_address", 1, 0, ~uint64_t(0)},
    {"rank", 1, 1, 4},
    {"elemtype", 1, 2, 12},
    {"interleave_layout", 1, 3, 2},
    {"swizzle_mode", 1, 4, 3},
    {"fill_mode", 1, 5, 1},
    {"box_dim", 5, 6, 256},
    {"global_dim", 5, 11, 0xFFFFFFFF},
    {"global_stride", 4, 16, (uint64_t(1) << 40) - 1},
    {"element_stride", 5, 20, 8},
};
constexpr uint32_t kAllFields = (1u << 25) - 1;

const FieldRow &rowOf(TensorMapField field) { return fields[size_t(field)]; }

/// Whether the bytes can be a map, perhaps an unfinished one.
bool isImage(const Image &image) {
  bool hasTail = std::any_of(std::begin(image.zeros), std::end(image.zeros),
                             [](uint8_t byte) { return byte != 0; });
  bool isBlank =
      image.set || std::all_of(reinterpret_cast<const uint8_t *>(&image),
                               reinterpret_cast<const uint8_t *>(&image + 1),
                               [](uint8_t byte) { return byte == 0; });
  return !hasTail && isBlank && !(image.set & ~kAllFields);
}

Image loadImage(const uint8_t *bytes) {
  Image image;
  std::memcpy(&image, bytes, sizeof(image));
  return image;
}
} // namespace

int heddle::emulator::axesOf(TensorMapField field) { return rowOf(field).axes; }

static void setField(Image &image, TensorMapField field, int axis,
                     uint64_t value) {
  image.set |= 1u << (rowOf(field).firstBit + axis);
  switch (field) {
  case TensorMapField::Address:
    image.address = value;
    return;
  case TensorMapField::Rank:
    image.rank = uint8_t(value);
    return;
  case TensorMapField::Format:
    image.format = uint8_t(value);
    return;
  case TensorMapField::Interleave:
    image.interleave = uint8_t(value);
    return;
  case TensorMapField::Swizzle:
    image.swizzle = uint8_t(value);
    return;
  case TensorMapField::Fill:
    image.fill = uint8_t(value);
    return;
  case TensorMapField::Box:
    image.box[axis] = uint16_t(value);
    return;
  case TensorMapField::Dim:
    image.dims[axis] = uint32_t(value);
    return;
  case TensorMapField::Stride:
    image.strides[axis] = value;
    return;
  case TensorMapField::Step:
    image.steps[axis] = uint8_t(value);
    return;
  }
}

static constexpr const char *kNoMap =
    "holds no tensor map: neither one from the host nor 128 zeros to start "
    "from";

bool heddle::emulator::replaceField(uint8_t *bytes, TensorMapField field,
                                    int axis, uint64_t value,
                                    std::string &error) {
  Image image = loadImage(bytes);
  const FieldRow &row = rowOf(field);
  if (!isImage(image)) {
    error = kNoMap;
    return false;
  }
  if (value > row.limit) {
    error = std::string(row.name) + " " + std::to_string(value) +
            " is out of range; the largest is " + std::to_string(row.limit);
    return false;
  }
  setField(image, field, axis, value);
  std::memcpy(bytes, &image, sizeof(image));
  return true;
}

void heddle::emulator::writeTensorMap(const TensorMap &map, uint8_t *bytes) {
  auto log2 = [](int width) {
    return width < 2 ? 0 : std::countr_zero(unsigned(width)) - 4;
  };
  Image image;
  setField(image, TensorMapField::Address, 0, map.address);
  setField(image, TensorMapField::Rank, 0, uint64_t(map.rank - 1));
  setField(image, TensorMapField::Format, 0, uint64_t(map.format));
  setField(image, TensorMapField::Interleave, 0,
           map.interleaveBytes ? uint64_t(log2(map.interleaveBytes) + 1) : 0);
  setField(image, TensorMapField::Swizzle, 0, uint64_t(log2(map.swizzleBytes)));
  setField(image, TensorMapField::Fill, 0, map.fillsNan);
  for (int axis = 0; axis < map.rank; ++axis) {
    setField(image, TensorMapField::Box, axis, uint64_t(map.box[axis]));
    setField(image, TensorMapField::Dim, axis, uint64_t(map.dims[axis]));
    setField(image, TensorMapField::Step, axis, uint64_t(map.steps[axis]));
    if (axis)
      setField(image, TensorMapField::Stride, axis - 1,
               uint64_t(map.strideBytes[axis]));
  }
  image.pixels = uint16_t(map.pixels);
  for (int axis = 0; map.isIm2col() && axis < map.pixelAxes(); ++axis) {
    image.lower[axis] = int16_t(map.lower[axis]);
    image.upper[axis] = int16_t(map.upper[axis]);
  }
  std::memcpy(bytes, &image, sizeof(image));
}

/// Reports a field of the first `axes` axes that was never set.
static bool isComplete(const Image &image, TensorMapField field, int axes,
                       std::string &error) {
  const FieldRow &row = rowOf(field);
  for (int axis = 0; axis < axes; ++axis)
    if (!(image.set >> (row.firstBit + axis) & 1)) {
      error = std::string("holds a tensor map without ") + row.name;
      if (row.axes > 1)
        error += " " + std::to_string(axis);
      error += "; no tensormap.replace has set it";
      return false;
    }
  return true;
}

bool heddle::emulator::readTensorMap(const uint8_t *bytes, TensorMap &map,
                                     std::string &error) {
  Image image = loadImage(bytes);
  if (!isImage(image) || !image.set) {
    error = "holds no tensor map";
    return false;
  }
  for (TensorMapField field :
       {TensorMapField::Address, TensorMapField::Rank, TensorMapField::Format,
        TensorMapField::Interleave, TensorMapField::Swizzle,
        TensorMapField::Fill})
    if (!isComplete(image, field, 1, error))
      return false;
  map.rank = image.rank + 1;
  for (TensorMapField field : {TensorMapField::Box, TensorMapField::Dim,
                               TensorMapField::Stride, TensorMapField::Step})
    if (!isComplete(image, field, map.rank - (field == TensorMapField::Stride),
                    error))
      return false;
  map.address = image.address;
  map.format = Format(image.format);
  map.interleaveBytes = image.interleave * 16;
  map.swizzleBytes = image.swizzle ? 16 << image.swizzle : 0;
  map.fillsNan = image.fill;
  map.pixels = image.pixels;
  std::copy(std::begin(image.lower), std::end(image.lower), map.lower.begin());
  std::copy(std::begin(image.upper), std::end(image.upper), map.upper.begin());
  for (int axis = 0; axis < map.rank; ++axis) {
    map.dims[axis] =
        image.dims[axis] ? int64_t(image.dims[axis]) : int64_t(1) << 32;
    map.box[axis] = image.box[axis];
    map.steps[axis] = image.steps[axis];
    map.strideBytes[axis] =
        axis ? int64_t(image.strides[axis - 1]) : map.elementBytes();
  }
  return true;
}
