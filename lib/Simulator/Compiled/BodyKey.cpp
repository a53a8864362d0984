//===- BodyKey.cpp - Processes that do the same ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes and types are unique in their context, so their addresses name
// them. A constant outside is part of the text: code has it as a number.
//
//===----------------------------------------------------------------------===//

#include "BodyKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

namespace {

class KeyWriter {
public:
  KeyWriter(aref::ProcessOp process, ConsumerOf consumerOf,
            ConsumerCount consumerCount)
      : process(process), consumerOf(consumerOf), consumerCount(consumerCount),
        os(key.text) {}

  BodyKey write() {
    writeRegion(process.getBody());
    return std::move(key);
  }

private:
  void writeType(Type type) { os << ":" << type.getAsOpaquePointer(); }

  void writeOutside(Value value) {
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    key.outside.push_back(value);
    os << "o";
    if (constant)
      os << constant.getValue().getAsOpaquePointer();
    if (isa<aref::RingType>(value.getType())) {
      unsigned count = consumerCount(value);
      os << "," << count;
      if (count)
        os << "," << consumerOf(value, process);
    }
    writeType(value.getType());
  }

  void writeValue(Value value) {
    auto [known, isNew] = numbers.try_emplace(value, numbers.size());
    os << " " << known->second;
    if (isNew)
      writeOutside(value);
  }

  void writeRegion(Region &region) {
    for (Block &block : region) {
      os << "{";
      for (BlockArgument argument : block.getArguments()) {
        numbers.try_emplace(argument, numbers.size());
        writeType(argument.getType());
      }
      for (Operation &op : block) {
        key.inside.push_back(&op);
        os << "\n"
           << op.getName().getAsOpaquePointer() << " "
           << op.getAttrDictionary().getAsOpaquePointer();
        for (Value operand : op.getOperands())
          writeValue(operand);
        for (Value result : op.getResults()) {
          numbers.try_emplace(result, numbers.size());
          writeType(result.getType());
        }
        for (Region &inner : op.getRegions())
          writeRegion(inner);
      }
      os << "}";
    }
  }

  aref::ProcessOp process;
  ConsumerOf consumerOf;
  ConsumerCount consumerCount;
  BodyKey key;
  llvm::raw_string_ostream os;
  llvm::DenseMap<Value, size_t> numbers;
};

} // namespace

BodyKey heddle::simulator::keyOf(aref::ProcessOp process, ConsumerOf consumerOf,
                                 ConsumerCount consumerCount) {
  return KeyWriter(process, consumerOf, consumerCount).write();
}
