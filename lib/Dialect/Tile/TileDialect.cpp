//===- TileDialect.cpp - The tile dialect, its types and attributes
//--------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the dialect; text and rules of its attributes and types, and
// extents as numbers or names. A view without an order is row-major. Its order
// is stored all the same and only left out in print, so that no other code asks
// whether it is there.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Assembly.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

#include "heddle/Dialect/Tile/TileDialect.cpp.inc"
#include "heddle/Dialect/Tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "heddle/Dialect/Tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Tile/TileOps.cpp.inc"
      , InlineAsmOp>();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Tile/TileTurnOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

SmallVector<Extent> heddle::tile::getExtents(RankedTensorType type) {
  auto names = dyn_cast_if_present<ShapeAttr>(type.getEncoding());
  SmallVector<Extent> extents;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    Extent extent{size, {}};
    if (names && ShapedType::isDynamic(size))
      extent.name = names.getNames()[axis];
    extents.push_back(extent);
  }
  return extents;
}

RankedTensorType heddle::tile::getTileType(ArrayRef<Extent> extents,
                                           Type elementType) {
  MLIRContext *context = elementType.getContext();
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool named = false;
  for (const Extent &extent : extents) {
    shape.push_back(extent.size);
    names.push_back(extent.name ? extent.name : StringAttr::get(context));
    named |= bool(extent.name);
  }
  Attribute encoding;
  if (named)
    encoding = ShapeAttr::get(context, names);
  return RankedTensorType::get(shape, elementType, encoding);
}

std::string heddle::tile::spellExtents(ArrayRef<Extent> extents) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(
      extents, stream,
      [&](const Extent &extent) {
        if (!ShapedType::isDynamic(extent.size))
          stream << extent.size;
        else if (extent.name)
          stream << extent.name.getValue();
        else
          stream << "?";
      },
      "x");
  return text.empty() ? "a scalar" : text;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult
ShapeAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                          function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getNames().size())
    return Report(emitError(), diag::named_extent)
           << "#tile.shape has " << getNames().size()
           << " names but the tile has " << shape.size() << " axes";
  for (auto [axis, size] : llvm::enumerate(shape)) {
    bool named = !getNames()[axis].empty();
    if (ShapedType::isDynamic(size) && !named)
      return Report(emitError(), diag::named_extent)
             << "axis " << axis
             << " is dynamic, so #tile.shape must name the "
                "parameter that gives its extent";
    if (!ShapedType::isDynamic(size) && named)
      return Report(emitError(), diag::named_extent)
             << "axis " << axis << " has the extent " << size
             << ", so #tile.shape must not name " << getNames()[axis]
             << " for it";
  }
  return success();
}

static LogicalResult
verifyPermutation(function_ref<InFlightDiagnostic()> emitError,
                  ArrayRef<int64_t> axes) {
  llvm::SmallBitVector seen(axes.size());
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= int64_t(axes.size()))
      return Report(emitError(), diag::axis_order)
             << "an order of " << axes.size() << " axes cannot name axis "
             << axis;
    if (seen.test(axis))
      return Report(emitError(), diag::axis_order)
             << "an order names axis " << axis << " twice";
    seen.set(axis);
  }
  return success();
}

LogicalResult OrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> axes) {
  return verifyPermutation(emitError, axes);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> rowMajorOrder(size_t rank) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::reverse(axes.begin(), axes.end());
  return axes;
}

bool ViewType::isRowMajor() const {
  return getOrder() == ArrayRef<int64_t>(rowMajorOrder(getRank()));
}

SmallVector<int64_t> ViewType::getTileOrder(int64_t rank) const {
  int64_t first = getRank() - rank;
  SmallVector<int64_t> order;
  for (int64_t axis : getOrder())
    if (axis >= first)
      order.push_back(axis - first);
  return order;
}

ViewType ViewType::getRowMajor(ArrayRef<int64_t> shape, Type elementType) {
  return get(elementType.getContext(), shape, elementType,
             rowMajorOrder(shape.size()));
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               ArrayRef<int64_t> order) {
  if (shape.empty())
    return Report(emitError(), diag::view_type)
           << "a view has at least one axis";
  if (!elementType.isIntOrFloat())
    return Report(emitError(), diag::view_type)
           << "a view's elements are integers or floating point, "
              "not "
           << elementType;
  if (order.size() != shape.size())
    return Report(emitError(), diag::view_type)
           << "the order has " << order.size() << " axes but the view has "
           << shape.size();
  return verifyPermutation(emitError, order);
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                /*withTrailingX=*/true) ||
      parser.parseType(elementType))
    return {};
  SmallVector<int64_t> order = rowMajorOrder(shape.size());
  if (succeeded(parser.parseOptionalComma())) {
    OrderAttr attribute;
    if (parser.parseAttribute(attribute))
      return {};
    order.assign(attribute.getAxes().begin(), attribute.getAxes().end());
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(loc, parser.getContext(), shape,
                                     elementType, order);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x";
  printer.printType(getElementType());
  if (!isRowMajor())
    printer << ", " << OrderAttr::get(getContext(), getOrder());
  printer << ">";
}
