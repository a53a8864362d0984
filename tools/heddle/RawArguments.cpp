//===- RawArguments.cpp - Parameters of PTX without a manifest ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawArguments.h"

#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using diag::makeError;
using emulator::TensorMap;
using Format = TensorMap::Format;

static Error textError(StringRef text, const Twine &message) {
  return makeError(diag::argument_text, "--arg " + text + ": " + message);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// "i32:1000"
static Error parseNumber(StringRef value, manifest::ElementType type,
                         RawSpec &spec) {
  uint64_t bits = 0;
  int64_t integer;
  uint64_t natural;
  double number;
  bool isFloat = epsilon(type) != 0;
  if (!isFloat && !value.getAsInteger(0, integer))
    bits = uint64_t(integer);
  else if (!isFloat && !value.getAsInteger(0, natural))
    bits = natural;
  else if (isFloat && !value.getAsDouble(number))
    writeElement(type, reinterpret_cast<std::byte *>(&bits), 0, number);
  else
    return textError(spec.text,
                     "'" + value + "' is no " + manifest::spelling(type));
  unsigned width = unsigned(manifest::elementBytes(type)) * 8;
  if (!isFloat && !isIntN(width, int64_t(bits)) && !isUIntN(width, bits))
    return textError(spec.text,
                     value + " does not fit " + manifest::spelling(type));
  spec.kind = RawSpec::Kind::Number;
  spec.bytes.resize(width / 8);
  std::memcpy(spec.bytes.data(), &bits, spec.bytes.size());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static constexpr StringRef formatNames[] = {
    "u8",  "u16",     "u32", "s32",  "u64",  "s64",     "f16",
    "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"};

/// `64x128` into the axes of a map, fastest first; `first` skips axes.
template <class T>
static bool parseAxes(StringRef text, std::array<T, 5> &axes, size_t first,
                      int &count) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  if (parts.size() + first > axes.size())
    return false;
  for (auto [i, part] : enumerate(reverse(parts)))
    if (part.getAsInteger(10, axes[i + first]))
      return false;
  count = int(parts.size() + first);
  return true;
}

static bool parseMapField(StringRef key, StringRef value, RawSpec &spec) {
  TensorMap &map = spec.map;
  int rank = 0;
  if (key == "dims")
    return parseAxes(value, map.dims, 0, rank);
  if (key == "strides")
    return parseAxes(value, map.strideBytes, 1, rank);
  if (key == "box")
    return parseAxes(value, map.box, 0, map.rank);
  if (key == "steps")
    return parseAxes(value, map.steps, 0, rank);
  if (key == "swizzle")
    return !value.getAsInteger(10, map.swizzleBytes);
  if (key == "interleave")
    return !value.getAsInteger(10, map.interleaveBytes);
  if (key == "offset")
    return !value.getAsInteger(0, spec.offset);
  if (key == "l2") // promotion in a cache that the emulator has not
    return !value.getAsInteger(10, rank);
  if (key == "fill") {
    map.fillsNan = value == "nan";
    return value == "nan" || value == "zeros";
  }
  if (key == "element") {
    const StringRef *name = find(formatNames, value);
    map.format = Format(name - std::begin(formatNames));
    spec.hasFormat = true;
    return name != std::end(formatNames);
  }
  return false;
}

/// "x,box=64x64,swizzle=128", behind "map:".
static Error parseMap(StringRef text, RawSpec &spec) {
  spec.kind = RawSpec::Kind::Map;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  spec.base = parts[0].str();
  for (StringRef part : drop_begin(parts)) {
    auto [key, value] = part.split('=');
    if (!parseMapField(key, value, spec))
      return textError(
          spec.text,
          "'" + part +
              "' is no field of a tensor map; there are box=RxC, dims=RxC, "
              "strides=BYTES, steps=RxC, offset=BYTES, element=TYPE, "
              "swizzle=0|32|64|128, interleave=0|16|32, fill=zeros|nan, l2=N");
  }
  if (!spec.map.rank)
    return textError(spec.text, "a tensor map needs box=ROWSxCOLUMNS");
  return Error::success();
}

static Format formatOf(manifest::ElementType element) {
  manifest::TensorMap map;
  map.element = element;
  return emulator::fromManifest(map).format;
}

/// Fills in what follows from the buffer: packed, with its elements and shape.
static Error completeMap(const RawSpec &spec, const ArgumentData &buffer,
                         TensorMap &map) {
  map = spec.map;
  map.address = reinterpret_cast<uint64_t>(buffer.data()) + spec.offset;
  if (!spec.hasFormat)
    map.format = formatOf(buffer.argument().element);
  bool hasDims = map.dims[0] != 0;
  if (!hasDims && buffer.shape().size() != size_t(map.rank))
    return makeError(diag::argument_shape,
                     "--arg " + spec.text + ": box has " + Twine(map.rank) +
                         " axes and " + spec.base + " " +
                         Twine(buffer.shape().size()) +
                         "; say dims= and strides= as well");
  bool hasStrides = map.strideBytes[1] != 0;
  int64_t stride = map.elementBytes();
  for (int axis = 0; axis < map.rank; ++axis) {
    if (!hasDims)
      map.dims[axis] = buffer.shape()[size_t(map.rank - 1 - axis)];
    if (!hasStrides || axis == 0)
      map.strideBytes[axis] = stride;
    stride = satMul(stride, satSigned(uint64_t(map.dims[axis])));
    if (!map.steps[axis])
      map.steps[axis] = 1;
  }
  std::string error;
  if (!emulator::checkTensorMap(map, error))
    return makeError(diag::argument_shape, "--arg " + spec.text + ": " + error);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// "x", "x+4096" or "null".
static bool parseAddress(StringRef value, RawSpec &spec) {
  auto [base, offset] = value.split('+');
  spec.kind = RawSpec::Kind::Address;
  spec.base = base.str();
  return !base.empty() &&
         all_of(base, [](char c) { return isAlnum(c) || c == '_'; }) &&
         !isDigit(base[0]) &&
         (base.size() == value.size() || !offset.getAsInteger(0, spec.offset));
}

Expected<RawSpec> heddle::tool::parseRawSpec(StringRef text) {
  RawSpec spec;
  spec.text = text.str();
  auto [name, value] = text.split('=');
  spec.name = name.str();
  auto [head, rest] = value.split(':');
  if (!name.empty() && head == "map" && head.size() != value.size()) {
    if (Error error = parseMap(rest, spec))
      return error;
    return spec;
  }
  auto type = manifest::elementTypeFromSpelling(head.str());
  if (!name.empty() && type && head.size() != value.size()) {
    if (Error error = parseNumber(rest, *type, spec))
      return error;
    return spec;
  }
  if (!name.empty() && parseAddress(value, spec))
    return spec;
  auto view = parseViewSpec(text);
  if (view && view->element) {
    spec.kind = RawSpec::Kind::Buffer;
    spec.buffer = std::move(*view);
    return spec;
  }
  if (!view)
    consumeError(view.takeError());
  return textError(text, "expected NAME=EXTENTxEXTENTxTYPE for a buffer, "
                         "NAME=TYPE:NUMBER, NAME=BUFFER+BYTES for an address "
                         "in it, or NAME=map:BUFFER,box=ROWSxCOLUMNS");
}

Expected<std::vector<ArgumentData>>
heddle::tool::makeBuffers(ArrayRef<RawSpec> arguments,
                          ArrayRef<RawSpec> otherBuffers) {
  std::vector<ArgumentData> buffers;
  StringSet<> names;
  int64_t bytes = 0;
  for (ArrayRef<RawSpec> list : {arguments, otherBuffers})
    for (const RawSpec &spec : list) {
      if (!names.insert(spec.name).second)
        return makeError(diag::argument_twice,
                         "--arg " + spec.name + " is given twice");
      if (spec.kind != RawSpec::Kind::Buffer)
        continue;
      bytes =
          satAdd(bytes, argumentBytes(*spec.buffer.element, spec.buffer.shape));
      if (Error error = checkArgumentMemory("--arg " + spec.text, bytes))
        return error;
      manifest::Argument argument;
      argument.kind = manifest::Argument::Kind::Pointer;
      argument.name = spec.name;
      argument.element = *spec.buffer.element;
      argument.written = true;
      buffers.emplace_back(argument, spec.buffer.shape);
    }
  return buffers;
}

Expected<std::vector<std::vector<uint8_t>>>
heddle::tool::packRawArguments(ArrayRef<RawSpec> arguments,
                               ArrayRef<ArgumentData> buffers) {
  std::vector<std::vector<uint8_t>> params;
  for (const RawSpec &spec : arguments) {
    std::vector<uint8_t> &bytes = params.emplace_back();
    if (spec.kind == RawSpec::Kind::Number) {
      bytes = spec.bytes;
      continue;
    }
    bool isBuffer = spec.kind == RawSpec::Kind::Buffer;
    StringRef base = isBuffer ? spec.name : spec.base;
    auto found = find_if(buffers, [&](const ArgumentData &buffer) {
      return buffer.argument().name == base;
    });
    bool isNull = spec.kind == RawSpec::Kind::Address && base == "null";
    if (found == buffers.end() && !isNull)
      return makeError(diag::argument_unknown,
                       "--arg " + spec.text + ": there is no buffer " + base +
                           "; make one by --buffer " + base +
                           "=EXTENTxEXTENTxTYPE");
    if (spec.kind == RawSpec::Kind::Map) {
      TensorMap map;
      if (Error error = completeMap(spec, *found, map))
        return error;
      bytes.resize(emulator::kTensorMapBytes);
      writeTensorMap(map, bytes.data());
      continue;
    }
    uint64_t address =
        isNull ? 0 : reinterpret_cast<uint64_t>(found->data()) + spec.offset;
    bytes.resize(8);
    std::memcpy(bytes.data(), &address, 8);
  }
  return params;
}
