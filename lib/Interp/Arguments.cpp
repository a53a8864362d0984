//===- Arguments.cpp - Binds a kernel's arguments -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: buffers and numbers of the caller. Out: data for the kernel's arguments,
// or an error that names one. Types, ranks, extents and strides are checked
// here, because the interpreter then follows host addresses and cannot notice.
// Memory gets the ranges that the buffers cover.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static Shape packedStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  Shape strides(shape.size(), 1);
  int64_t stride = 1;
  for (int64_t axis : order) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

namespace {

/// One argument of the kernel and what was given for it.
class Binder {
public:
  Binder(Location loc, std::string name, Type type, Memory &memory)
      : loc(loc), name(std::move(name)), type(type), memory(memory) {}

  FailureOr<Datum> bind(const Argument &argument) {
    if (auto view = dyn_cast<tile::ViewType>(type))
      return bindView(view, std::get_if<Buffer>(&argument));
    if (auto pointer = dyn_cast<tile::PtrType>(type))
      return bindPointer(pointer, std::get_if<Buffer>(&argument));
    return bindScalar(argument);
  }

private:
  Report error() {
    return report(loc, diag::oracle_argument) << "argument '" << name << "' ";
  }

  FailureOr<Datum> bindView(tile::ViewType view, const Buffer *buffer) {
    if (!buffer)
      return error() << "is a view but a number was given";
    if (int64_t(buffer->shape.size()) != view.getRank())
      return error() << "is a view of " << view.getRank()
                     << " axes but an array of " << buffer->shape.size()
                     << " was given";
    if (buffer->elementType && buffer->elementType != view.getElementType())
      return error() << "has elements of " << view.getElementType()
                     << " but an array of " << buffer->elementType
                     << " was given";
    for (auto [axis, extent] : llvm::enumerate(view.getShape()))
      if (!ShapedType::isDynamic(extent) && extent != buffer->shape[axis])
        return error() << "has the extent " << extent << " along axis " << axis
                       << " but an array of " << buffer->shape[axis]
                       << " was given";
    auto data = std::make_unique<ViewData>();
    data->base = int64_t(buffer->data);
    data->shape.assign(buffer->shape.begin(), buffer->shape.end());
    data->strides = buffer->strides.empty()
                        ? packedStrides(buffer->shape, view.getOrder())
                        : Shape(buffer->strides.begin(), buffer->strides.end());
    if (data->strides.size() != data->shape.size())
      return error() << "has " << data->shape.size() << " axes but "
                     << data->strides.size() << " strides were given";
    int64_t fastest = view.getOrder().front();
    if (data->strides[fastest] != 1 && data->shape[fastest] > 1)
      return error() << "must have stride 1 along axis " << fastest
                     << " but the array has " << data->strides[fastest];
    auto element = Element::get(view.getElementType());
    if (!element)
      return error() << "has elements of " << view.getElementType()
                     << ", which the oracle does not know";
    memory.addArray(data->base, data->shape, data->strides,
                    element->getSizeBytes());
    Datum datum(*element, {});
    datum.view = std::move(data);
    return datum;
  }

  FailureOr<Datum> bindPointer(tile::PtrType pointer, const Buffer *buffer) {
    if (!buffer)
      return error() << "is a pointer but a number was given";
    auto element = Element::get(pointer.getElementType());
    if (!element)
      return error() << "points to " << pointer.getElementType()
                     << ", which the oracle does not know";
    if (buffer->elementType && buffer->elementType != pointer.getElementType())
      return error() << "points to " << pointer.getElementType()
                     << " but an array of " << buffer->elementType
                     << " was given";
    auto rank = int64_t(buffer->shape.size());
    Shape strides(buffer->strides.begin(), buffer->strides.end());
    if (strides.empty())
      strides = packedStrides(buffer->shape, llvm::to_vector(llvm::reverse(
                                                 llvm::seq<int64_t>(0, rank))));
    if (strides.size() != buffer->shape.size())
      return error() << "has " << rank << " axes but " << strides.size()
                     << " strides were given";
    memory.addArray(int64_t(buffer->data), buffer->shape, strides,
                    element->getSizeBytes());
    Datum datum(*Element::get(type), {});
    datum.integers[0] = int64_t(buffer->data);
    return datum;
  }

  FailureOr<Datum> bindScalar(const Argument &argument) {
    auto element = Element::get(type);
    if (!element)
      return error() << "is of type " << type
                     << ", which the oracle does not know";
    Datum datum(*element, {});
    const auto *real = std::get_if<double>(&argument);
    const auto *whole = std::get_if<int64_t>(&argument);
    if (element->isFloat() != bool(real) || element->isFloat() == bool(whole))
      return error() << "is of type " << type << " but "
                     << (real    ? "a real number"
                         : whole ? "an integer"
                                 : "an array")
                     << " was given";
    if (real)
      datum.floats[0] = element->round(*real);
    else
      datum.integers[0] = element->wrap(*whole);
    return datum;
  }

  Location loc;
  std::string name;
  Type type;
  Memory &memory;
};

} // namespace

LogicalResult Interpreter::bindArguments(ArrayRef<Argument> arguments) {
  Block &entry = kernel.getEntry();
  if (arguments.size() != entry.getNumArguments())
    return report(kernel.getLoc(), diag::oracle_argument)
           << "kernel @" << kernel.getSymName() << " takes "
           << entry.getNumArguments() << " arguments but " << arguments.size()
           << " were given";
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value value = entry.getArgument(index);
    Binder binder(kernel.getLoc(), kernel.getArgName(index), value.getType(),
                  memory);
    FailureOr<Datum> datum = binder.bind(argument);
    if (failed(datum))
      return failure();
    set(value, std::move(*datum));
  }
  return success();
}
