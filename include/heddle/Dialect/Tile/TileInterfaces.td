//===- TileInterfaces.td - What passes ask of an operation on tiles -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that passes ask of every operation of the tile dialect, with the
// answers of most. An operation that differs declares the method in its class.
// A list of operations in a pass would have to be found and extended by whoever
// adds one; docs/rationale/tile.md says which pass asks what.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_INTERFACES
#define HEDDLE_TILE_INTERFACES

include "mlir/IR/OpBase.td"

def Tile_TileOpInterface : OpInterface<"TileOpInterface"> {
  let cppNamespace = "::heddle::tile";
  let description = "Every operation of the dialect has it.";
  let methods = [
    InterfaceMethod<[{
      Each element of a result is made of the elements at its place in the
      operands, and of scalars; so all tiles are laid out alike.
    }], "bool", "goesByElement", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      Takes no instruction of its own: whoever reads the result computes with
      the numbers of registers.
    }], "bool", "isFree", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      A sum of addends as operand gives the sum of the results of the addends.
    }], "bool", "isLinear", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      Appends to `tied` the values that are split along an axis where `value`,
      an operand or result, is split along `axis`. A value may be there, too.
      Returns the reason why the operation cannot be split so, or nothing.
    }], "std::string", "tieAxes",
    (ins "::mlir::Value":$value, "int64_t":$axis,
         "::llvm::SmallVectorImpl<::heddle::tile::TiedAxis> &":$tied), [{}], [{
      if (!$_op.goesByElement())
        return "this operation cannot be split";
      ::heddle::tile::tieAll($_op, axis, tied);
      return {};
    }]>,
    InterfaceMethod<[{
      Cycles of the pipe of arithmetic for 128 elements: an access where it
      touches memory, else a copy of each element.
    }], "double", "elementCycles",
    (ins "const ::heddle::machine::Costs &":$costs), [{}], [{
      return ::heddle::tile::cyclesOfCopy($_op, costs);
    }]>
  ];
}

#endif // HEDDLE_TILE_INTERFACES
