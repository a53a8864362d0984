//===- Npy.cpp - Arrays in NumPy's file format ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "\x93NUMPY", version, length of a header that is a Python dictionary with
// 'descr', 'fortran_order' and 'shape', and the elements.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using manifest::ElementType;

static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = 6;
static constexpr uint64_t kLongestHeader = 1 << 20;

namespace {
/// An element type of NumPy, as `<f4`.
struct NumpyType {
  char kind = 'f'; ///< f, i, u or b
  int bytes = 4;
};

struct File {
  std::unique_ptr<MemoryBuffer> buffer;
  NumpyType type;
  std::vector<int64_t> shape;
  const char *elements = nullptr;
};
} // namespace

static Error makeNpyError(StringRef path, const Twine &message) {
  return diag::makeError(diag::npy_file, path + ": " + message);
}

/// What stands behind `'key':` in the header, up to `stop`.
static StringRef valueOf(StringRef header, StringRef key, StringRef stop) {
  size_t at = header.find(("'" + key + "':").str());
  if (at == StringRef::npos)
    return "";
  StringRef rest = header.drop_front(at + key.size() + 3).ltrim();
  return rest.take_front(rest.find_first_of(stop));
}

static std::string textOf(ArrayRef<int64_t> shape) {
  return join(map_range(shape, [](int64_t extent) { return itostr(extent); }),
              "x");
}

static bool parseHeader(StringRef header, File &file) {
  StringRef type = valueOf(header, "descr", ",}").trim("'\" ");
  bool isLittle = type.consume_front("<") || type.consume_front("|");
  if (!isLittle || type.size() != 2 || !StringRef("fiub").contains(type[0]))
    return false;
  file.type = {type[0], type[1] - '0'};
  if (file.type.bytes != 1 && file.type.bytes != 2 && file.type.bytes != 4 &&
      file.type.bytes != 8)
    return false;
  if (file.type.kind == 'f' && file.type.bytes == 1)
    return false;
  if (valueOf(header, "fortran_order", ",}").trim() != "False")
    return false;
  StringRef shape = valueOf(header, "shape", ")");
  if (!shape.consume_front("("))
    return false;
  SmallVector<StringRef> extents;
  shape.split(extents, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : extents) {
    int64_t extent;
    if (text.trim().empty())
      continue;
    if (text.trim().getAsInteger(10, extent) || extent < 0)
      return false;
    file.shape.push_back(extent);
  }
  return true;
}

static Expected<File> openNpy(StringRef path) {
  std::string reason;
  File file;
  file.buffer = readFile(path, reason, kMostArgumentBytes + kLongestHeader);
  if (!file.buffer)
    return diag::makeError(diag::file_unreadable,
                           path + ": cannot be read: " + reason);
  StringRef data = file.buffer->getBuffer();
  if (data.size() < 12 || !data.starts_with(StringRef(kMagic, kMagicSize)))
    return makeNpyError(path, "this is no .npy file");
  bool isLong = data[6] > 1;
  size_t start = isLong ? 12 : 10;
  size_t length = isLong ? support::endian::read32le(data.data() + 8)
                         : support::endian::read16le(data.data() + 8);
  if (data.size() < start + length ||
      !parseHeader(data.substr(start, length), file))
    return makeNpyError(path, "expected numbers of 1 to 8 bytes, little-endian "
                              "and in C order");
  uint64_t count = 1;
  for (int64_t extent : file.shape)
    if (__builtin_mul_overflow(count, uint64_t(extent), &count))
      return makeNpyError(path, "the shape is too large");
  if ((data.size() - start - length) / uint64_t(file.type.bytes) < count)
    return makeNpyError(path, "the file ends before the last of its " +
                                  Twine(count) + " elements");
  file.elements = data.data() + start + length;
  return file;
}

static Error checkShape(StringRef path, const File &file,
                        const ArgumentData &data) {
  if (data.shape() == ArrayRef<int64_t>(file.shape))
    return Error::success();
  return makeNpyError(path, "the file holds " + textOf(file.shape) +
                                " elements; " + data.argument().name + " has " +
                                textOf(data.shape()));
}

static uint64_t bitsAt(const File &file, int64_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, file.elements + index * file.type.bytes,
              size_t(file.type.bytes));
  return bits;
}

static Number numberAt(const File &file, int64_t index) {
  auto *elements = reinterpret_cast<const std::byte *>(file.elements);
  if (file.type.kind == 'f') {
    double value = readElement(file.type.bytes == 2   ? ElementType::F16
                               : file.type.bytes == 4 ? ElementType::F32
                                                      : ElementType::F64,
                               elements, index);
    Number number{value, std::nullopt};
    if (std::fabs(value) < 0x1p63 && value == std::trunc(value))
      number.whole = int64_t(value);
    return number;
  }
  uint64_t bits = bitsAt(file, index);
  if (file.type.kind == 'i')
    return wholeNumber(SignExtend64(bits, unsigned(file.type.bytes) * 8));
  if (bits > uint64_t(INT64_MAX))
    return {double(bits), std::nullopt};
  return wholeNumber(int64_t(bits));
}

void heddle::tool::forEachElement(const ArgumentData &data,
                                  function_ref<void(int64_t, int64_t)> body) {
  SmallVector<int64_t> at(data.shape().size(), 0);
  int64_t place = 0;
  for (int64_t i = 0, count = data.elementCount(); i < count; ++i) {
    body(i, place);
    for (size_t axis = at.size(); axis-- > 0;) {
      place += data.strides()[axis];
      if (++at[axis] < data.shape()[axis])
        break;
      place -= at[axis] * data.strides()[axis];
      at[axis] = 0;
    }
  }
}

Error heddle::tool::readNpy(StringRef path, ArgumentData &data) {
  auto file = openNpy(path);
  if (!file)
    return file.takeError();
  if (Error error = checkShape(path, *file, data))
    return error;
  ElementType element = data.argument().element;
  bool isFloat = epsilon(element) != 0;
  // Integers, and unsigned bits of a float's size, need no conversion.
  bool keepsBits = file->type.bytes == manifest::elementBytes(element) &&
                   (isFloat ? file->type.kind == 'u' : file->type.kind != 'f');
  int64_t misfit = -1;
  forEachElement(data, [&](int64_t index, int64_t place) {
    if (!keepsBits) {
      Number number = numberAt(*file, index);
      if (holds(element, number))
        data.setNumber(place, number);
      else if (misfit < 0)
        misfit = index;
      return;
    }
    uint64_t bits = bitsAt(*file, index);
    std::memcpy(data.data() + place * file->type.bytes, &bits,
                size_t(file->type.bytes));
  });
  if (misfit >= 0)
    return makeNpyError(
        path, "element " + Twine(misfit) + " is " +
                  std::to_string(numberAt(*file, misfit).value) +
                  ", which does not fit " + manifest::spelling(element));
  return Error::success();
}

Expected<std::vector<Number>>
heddle::tool::readNpyValues(StringRef path, const ArgumentData &like) {
  auto file = openNpy(path);
  if (!file)
    return file.takeError();
  if (Error error = checkShape(path, *file, like))
    return error;
  std::vector<Number> values;
  for (int64_t i = 0, count = like.elementCount(); i < count; ++i)
    values.push_back(numberAt(*file, i));
  return values;
}

/// NumPy's type for an element, and the type whose bytes are written.
static std::pair<StringRef, ElementType> writtenType(ElementType element) {
  switch (element) {
  case ElementType::F16:
    return {"<f2", element};
  case ElementType::F64:
    return {"<f8", element};
  case ElementType::I8:
    return {"|i1", element};
  case ElementType::I16:
    return {"<i2", element};
  case ElementType::I32:
    return {"<i4", element};
  case ElementType::I64:
    return {"<i8", element};
  default:
    return {"<f4", ElementType::F32};
  }
}

Error heddle::tool::writeNpy(StringRef path, const ArgumentData &data) {
  auto [type, written] = writtenType(data.argument().element);
  std::string header =
      ("{'descr': '" + type + "', 'fortran_order': False, " + "'shape': (")
          .str();
  for (int64_t extent : data.shape())
    header += itostr(extent) + ",";
  header += "), }";
  // Elements start at a multiple of 64, behind a line feed.
  header.append(63 - (kMagicSize + 4 + header.size()) % 64, ' ');
  header += '\n';

  char prefix[4] = {1, 0};
  support::endian::write16le(prefix + 2, uint16_t(header.size()));
  size_t bytes = size_t(manifest::elementBytes(written));
  auto write = [&, type = written](raw_ostream &os) {
    os << StringRef(kMagic, kMagicSize) << StringRef(prefix, 4) << header;
    forEachElement(data, [&](int64_t, int64_t place) {
      std::byte element[8];
      if (type == data.argument().element)
        std::memcpy(element, data.data() + place * int64_t(bytes), bytes);
      else
        writeElement(type, element, 0, data.element(place));
      os.write(reinterpret_cast<const char *>(element), bytes);
    });
  };
  if (std::string reason = writeFile(path, write); !reason.empty())
    return diag::makeError(diag::file_unwritable,
                           path + ": cannot be written: " + reason);
  return Error::success();
}
