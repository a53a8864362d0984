//===- EntryText.h - Programs and their arguments as text -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   @name(%a: type, %b: type) attributes {...} {
//     ...
//   }
//
// The text that programs of several rungs have in common: arguments whose names
// are kept, and a body. The attributes `function_type` and `arg_names` stand
// behind it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_ENTRYTEXT_H
#define HEDDLE_DIALECT_ENTRYTEXT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

namespace heddle {

/// What stands behind the symbol.
template <typename Op>
mlir::ParseResult parseEntry(mlir::OpAsmParser &parser,
                             mlir::OperationState &result) {
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, mlir::OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return mlir::failure();
  mlir::Builder &builder = parser.getBuilder();
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> names;
  for (mlir::OpAsmParser::Argument &argument : arguments) {
    types.push_back(argument.type);
    names.push_back(
        builder.getStringAttr(argument.ssaName.name.drop_front())); // %
  }
  result.addAttribute(Op::getFunctionTypeAttrName(result.name),
                      mlir::TypeAttr::get(builder.getFunctionType(types, {})));
  result.addAttribute(Op::getArgNamesAttrName(result.name),
                      builder.getArrayAttr(names));
  return parser.parseRegion(*result.addRegion(), arguments);
}

/// All of it; `symbolAttr` is the attribute that has the symbol.
template <typename Op>
void printEntry(mlir::OpAsmPrinter &printer, Op op, llvm::StringRef symbol,
                llvm::StringRef symbolAttr) {
  printer << " ";
  printer.printSymbolName(symbol);
  printer << "(";
  llvm::interleaveComma(op.getEntry().getArguments(), printer,
                        [&](mlir::BlockArgument argument) {
                          printer.printRegionArgument(argument);
                        });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(),
      {symbolAttr, op.getFunctionTypeAttrName(), op.getArgNamesAttrName()});
  printer << " ";
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
}

} // namespace heddle

#endif // HEDDLE_DIALECT_ENTRYTEXT_H
