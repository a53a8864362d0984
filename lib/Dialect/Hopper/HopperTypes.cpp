//===- HopperTypes.cpp - Text and rules of register and shared layouts ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and rules of LayoutAttr and SmemType. lib/Machine takes layouts for well
// formed, so every text that is read is checked here first. Sums and products
// of extents saturate, because a text may hold any number of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Machine/Layout.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::hopper;

/// As many as a tile of the program may have (Dialect/Tile/StructureOps.cpp).
static constexpr int64_t kMostElements = int64_t(1) << 20;
/// Vectors of a layout: each doubles the warps, or the registers of a thread.
static constexpr int64_t kMostBits = 20;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Parses `NAME = [1, 2, ...]`.
static ParseResult parseList(AsmParser &parser, StringRef name,
                             SmallVectorImpl<int64_t> &values) {
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  return failure(
      parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne));
}

static void printList(AsmPrinter &printer, StringRef name,
                      ArrayRef<int64_t> values) {
  printer << name << " = [";
  llvm::interleaveComma(values, printer);
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Register layouts
//===----------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[5];
  const char *names[] = {"lane", "warp", "reg", "tile", "rep"};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  for (int i = 0; i < 5; ++i)
    if ((i && parser.parseComma()) || parseList(parser, names[i], lists[i]))
      return {};
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  ArrayRef<int64_t> lane = lists[0], warp = lists[1], reg = lists[2],
                    tile = lists[3], rep = lists[4];
  return getChecked(EmitError(emitError), parser.getContext(), lane, warp, reg,
                    tile, rep);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printList(printer, "lane", getLane());
  printer << ", ";
  printList(printer, "warp", getWarp());
  printer << ", ";
  printList(printer, "reg", getReg());
  printer << ", ";
  printList(printer, "tile", getTile());
  printer << ", ";
  printList(printer, "rep", getRep());
  printer << '>';
}

LogicalResult LayoutAttr::verify(EmitError emitError, ArrayRef<int64_t> lane,
                                 ArrayRef<int64_t> warp, ArrayRef<int64_t> reg,
                                 ArrayRef<int64_t> tile,
                                 ArrayRef<int64_t> rep) {
  size_t rank = tile.size();
  if (rank == 0 || rank > heddle::machine::kMaxRank)
    return Report(emitError(), diag::register_layout)
           << "a layout has 1 to " << heddle::machine::kMaxRank << " axes, not "
           << rank;
  if (rep.size() != rank)
    return Report(emitError(), diag::register_layout)
           << "rep has " << rep.size() << " numbers, tile has " << rank;
  if (lane.size() != 5 * rank)
    return Report(emitError(), diag::register_layout)
           << "lane needs 5 vectors of " << rank << " numbers, has "
           << lane.size() << " numbers";
  if (warp.size() % rank || reg.size() % rank)
    return Report(emitError(), diag::register_layout)
           << "warp and reg hold vectors of " << rank << " numbers";
  int64_t bits = int64_t(reg.size() / rank), covered = 1;
  if (int64_t warps = warp.size() / rank; std::max(bits, warps) > kMostBits)
    return Report(emitError(), diag::register_layout)
           << "warp and reg hold at most " << kMostBits << " vectors, not "
           << std::max(bits, warps);
  int64_t held = int64_t(1) << bits;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (tile[axis] < 1 || rep[axis] < 1)
      return Report(emitError(), diag::register_layout)
             << "tile and rep are at least 1";
    covered = satMul(covered, satMul(tile[axis], rep[axis]));
    held = satMul(held, rep[axis]);
    if (std::max(covered, held) > kMostElements)
      return Report(emitError(), diag::register_layout)
             << "a layout covers at most " << kMostElements
             << " elements, and a thread holds no more";
    int64_t reach = 0;
    for (ArrayRef<int64_t> basis : {lane, warp, reg})
      for (size_t i = axis; i < basis.size(); i += rank) {
        if (basis[i] < 0)
          return Report(emitError(), diag::register_layout)
                 << "coordinate vectors are not negative";
        reach = satAdd(reach, basis[i]);
      }
    if (reach >= tile[axis])
      return Report(emitError(), diag::register_layout)
             << "vectors reach coordinate " << reach << " of axis " << axis
             << ", the atom's extent is " << tile[axis];
  }
  return success();
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         EmitError emitError) const {
  if (shape.size() != getTile().size())
    return Report(emitError(), diag::register_layout)
           << "layout has " << getTile().size() << " axes, the tile has "
           << shape.size();
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent != getTile()[axis] * getRep()[axis])
      return Report(emitError(), diag::register_layout)
             << "layout covers " << getTile()[axis] * getRep()[axis]
             << " of axis " << axis << ", the tile's extent is " << extent;
  return success();
}

//===----------------------------------------------------------------------===//
// Shared tiles
//===----------------------------------------------------------------------===//

Type SmemType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, order;
  Type elementType;
  int64_t swizzle = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parseList(parser, "order", order) || parser.parseComma() ||
      parser.parseKeyword("swizzle") || parser.parseEqual() ||
      parser.parseInteger(swizzle) || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return getChecked(EmitError(emitError), parser.getContext(),
                    ArrayRef<int64_t>(shape), elementType,
                    ArrayRef<int64_t>(order), swizzle);
}

void SmemType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape())
    printer << extent << 'x';
  printer << getElementType() << ", ";
  printList(printer, "order", getOrder());
  printer << ", swizzle = " << getSwizzle() << '>';
}

LogicalResult SmemType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType, ArrayRef<int64_t> order,
                               int64_t swizzle) {
  if (shape.empty() ||
      llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
    return Report(emitError(), diag::shared_tile)
           << "a shared tile has at least one axis and positive extents";
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() % 8)
    return Report(emitError(), diag::shared_tile)
           << "elements of a shared tile are whole bytes, not " << elementType;
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, shape.size())))
    return Report(emitError(), diag::shared_tile)
           << "order must list every axis of the shared tile once, "
              "fastest first";
  int64_t elements = satProduct(shape);
  if (elements > kMostElements || elementType.getIntOrFloatBitWidth() > 64)
    return Report(emitError(), diag::shared_tile)
           << "a shared tile has at most " << kMostElements
           << " elements of 8 bytes, not " << spellSize(elements) << " of "
           << elementType;
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return Report(emitError(), diag::shared_tile)
           << "swizzle is 0, 32, 64 or 128 bytes, not " << swizzle;
  int64_t rowBytes =
      shape[order.front()] * elementType.getIntOrFloatBitWidth() / 8;
  if (swizzle && rowBytes % swizzle)
    return Report(emitError(), diag::shared_tile)
           << "the fastest axis has " << rowBytes
           << " bytes, not a multiple of the swizzle of " << swizzle;
  int64_t rows = 1;
  for (int64_t axis : order.drop_front())
    rows *= shape[axis];
  if (swizzle && rowBytes > swizzle && rows % 8)
    return Report(emitError(), diag::shared_tile)
           << "several boxes need rows in multiples of 8, not " << rows;
  return success();
}

int64_t SmemType::getSizeBytes() const {
  return satMul(satProduct(getShape()),
                getElementType().getIntOrFloatBitWidth() / 8);
}

SmemType SmemType::getTransposed() const {
  SmallVector<int64_t> shape(llvm::reverse(getShape())), order;
  for (int64_t axis : getOrder())
    order.push_back(1 - axis);
  return get(getContext(), shape, getElementType(), order, getSwizzle());
}

int64_t SmemType::getCopyWidth() const {
  int64_t width = getBoxWidth(), limit = targetLimits().tmaBoxExtent;
  // A copy begins at a multiple of 128 bytes of shared memory.
  int64_t least = 1024 / getElementType().getIntOrFloatBitWidth();
  if (getShape().size() != 1 || width <= limit || least == 0)
    return width;
  for (int64_t piece = limit / least * least; piece > 0; piece -= least)
    if (width % piece == 0)
      return piece;
  return width;
}

int64_t SmemType::getBoxWidth() const {
  if (getSwizzle() == 0)
    return getShape()[getOrder().front()];
  return getSwizzle() * 8 / getElementType().getIntOrFloatBitWidth();
}
