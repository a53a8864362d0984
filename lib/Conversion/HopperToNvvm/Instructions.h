//===- Instructions.h - One call per machine instruction ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansion to threads speaks to the llvm and nvvm dialects through this
// class only: their headers are slow to compile, and what an instruction may be
// moved across is decided here once. Everything that synchronises either is an
// intrinsic that reads and writes all memory or inline asm with side effects
// and a memory clobber, so LLVM keeps its order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INSTRUCTIONS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INSTRUCTIONS_H

#include "mlir/IR/Builders.h"

namespace heddle::tonvvm {

using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

/// What holds a number of `type` in a thread: index has 32 bits on this
/// machine, and 8-bit floats are bits without arithmetic.
Type registerType(Type type);

/// Writes instructions at the builder's insertion point, all with one location.
class Code {
public:
  Code(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  // Scalars. Integer operations take operands of one width.
  Value i32(int64_t value);
  Value i64(int64_t value);
  Value i1(bool value);
  Value f32(double value);
  Value zero(Type type);
  /// A number of an attribute in a register of `type`, which may be narrower
  /// than the attribute's integer, or an integer for the bits of a float.
  Value constant(mlir::Attribute value, Type type);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b);
  Value sub(Value a, Value b);
  Value sub(Value a, int64_t b);
  Value mul(Value a, Value b);
  Value mul(Value a, int64_t b);
  Value bitAnd(Value a, int64_t b);
  Value bitAnd(Value a, Value b);
  Value bitOr(Value a, int64_t b);
  Value bitXor(Value a, Value b);
  Value bitXor(Value a, int64_t b);
  Value shiftRight(Value a, int64_t bits); ///< logical
  Value divide(Value a, Value b);          ///< unsigned
  Value divide(Value a, int64_t b);        ///< unsigned
  Value remainder(Value a, int64_t b);     ///< unsigned
  Value isEqual(Value a, int64_t b);
  Value isMultiple(Value a, int64_t of); ///< of a power of two
  Value isBelow(Value a, Value b);       ///< unsigned
  Value isBelow(Value a, int64_t b);
  Value isNotNegative(Value a);
  Value logicalNot(Value a);
  Value signExtend(Value a); ///< i32 to i64
  /// An integer of another width.
  Value resize(Value a, Type to, bool isSigned);
  Value select(Value condition, Value a, Value b);
  Value fadd(Value a, Value b);
  Value fsub(Value a, Value b);
  Value fmul(Value a, Value b);
  Value fma(Value a, Value b, Value c);
  Value extend(Value a); ///< f16, bf16 to f32

  // Structured control flow; `body` emits the region.
  void ifThen(Value condition, llvm::function_ref<void()> body);
  void ifElse(Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise);
  /// for i = from to below step: body(i), i32.
  void forLoop(Value from, int64_t below, int64_t step,
               llvm::function_ref<void(Value)> body);

  // Vectors of scalars that live in one or more whole registers.
  Value pack(ValueRange elements); ///< vector of the elements
  llvm::SmallVector<Value> unpack(Value vector);
  Value packInt(ValueRange elements); ///< the same bits as an integer
  llvm::SmallVector<Value> unpackInt(Value bits, Type element, int64_t count);
  Value truncatePair(Value low, Value high, Type to); ///< vector<2>, one cvt

  // Memory.
  Type sharedPointer();
  Type globalPointer();
  Type genericPointer();
  Value sharedBase(); ///< of dynamic shared memory
  Value advance(Value pointer, Value bytes);
  Value advance(Value pointer, int64_t bytes);
  Value sharedDistance(Value pointer, Value from); ///< bytes, i32
  /// sharedBase() as wgmma's descriptors have it, in units of 16 bytes; i32.
  Value descriptorBase();
  /// An i32 that all lanes have alike, in a register that lasts. ptxas computes
  /// anew behind each wait what it can see through, the base of descriptors
  /// among it, and the number of the block in its cluster is read slowly.
  Value holdUniform(Value value);
  Value counter(); ///< address of an i32 of the thread's own, zero
  Value load(Type type, Value pointer, int64_t alignment);
  void store(Value value, Value pointer, int64_t alignment);
  /// Reads if `condition`, else gives zero bits. The type is an integer or
  /// float of 8 to 64 bits.
  Value loadGlobalIf(Value condition, Type type, Value pointer);
  void storeGlobalIf(Value condition, Value value, Value pointer);
  /// Adds to an i32 in shared memory, all threads at once.
  void addShared(Value pointer, Value value);
  /// The same for `count` neighbours, of 16 bytes at most together, in one
  /// access; the pointer is a multiple of their size.
  llvm::SmallVector<Value> loadGlobalRunIf(Value condition, Type element,
                                           int64_t count, Value pointer);
  void storeGlobalRunIf(Value condition, ValueRange elements, Value pointer);
  /// An atomic update, "atom" + `name`, if `condition`; gives what was there
  /// before, else zero bits. `operands` have the type of the element.
  Value atomicIf(Value condition, const std::string &name, Value pointer,
                 ValueRange operands);
  Value intToPointer(Value address); ///< i64 to global memory
  Value pointerToInt(Value pointer);
  void storeMatrix(Value pointer, ValueRange registers, bool transposed);
  llvm::SmallVector<Value> loadMatrix(Value pointer, int64_t count,
                                      bool transposed);

  // Threads.
  Value threadIndex();
  /// The same, read here: what is computed from it is computed here too, and no
  /// registers hold it along a loop.
  Value threadIndexHere();
  Value blockIndex();
  Value gridSize();
  Value warpUniform(Value value); ///< the value of lane 0
  Value elect();
  Value shuffleXor(Value word, int64_t laneMask); ///< 32 bits
  Value shuffleFrom(Value word, Value lane);      ///< 32 bits
  Value shuffleWide(Value value, Value lane);     ///< of 16 to 64 bits
  void trapIf(Value condition);
  Value globalTimer(); ///< nanoseconds, i64
  /// Whether `to` is more than `distance` behind `from`; all i64.
  Value isAfter(Value to, Value from, int64_t distance);
  /// The first thread with the condition that comes to `record` writes `words`
  /// behind its first one, visible to the host, and traps.
  void trapIfFirst(Value condition, Value record, ValueRange words);
  void syncWarp();
  void barrier(mlir::Value id, int64_t threads);
  void setRegisters(int64_t count, bool increase);

  // Asynchronous units.
  void initBarrier(Value pointer, int64_t arrivals);
  void fenceBarrierInit();
  void arrive(Value pointer);
  void arriveExpect(Value pointer, int64_t bytes);
  Value tryWait(Value pointer, Value parity);
  /// `whileWaiting` is emitted behind each try that fails.
  void waitBarrier(Value pointer, Value parity,
                   llvm::function_ref<void()> whileWaiting = nullptr);
  void fenceAsync();
  /// Until an i32 in global memory is `count`; behind it comes what others did
  /// before they raised it, for the copy engine, too.
  void awaitCount(Value pointer, Value count);
  /// Adds one behind all that the thread knows of, the copy engine's part too.
  void raiseCount(Value pointer);
  /// 16 bytes to shared memory, of which `bytes` are read and the rest zero;
  /// all are read if it is null.
  void copyAsync(Value shared, Value global, Value bytes);
  /// Arrives when the thread's copies so far are there.
  void arriveWithCopies(Value barrier);
  void waitForCopies();
  void prefetchTensorMap(Value map);
  /// In im2col mode with `run`, i32 that fit 16 bits.
  void tmaLoad(Value shared, Value map, Value barrier, ValueRange coordinates,
               ValueRange run);
  void tmaStore(Value map, Value shared, ValueRange coordinates, bool add);
  void tmaCommit();
  void tmaStoreWait(int64_t pending, bool onlyRead);

  // Inline asm with side effects. `tied` values come back in results of the
  // same types; they are operands $0 .. $n-1 of the text, the inputs follow
  // after $2n.
  llvm::SmallVector<Value> tiedAsm(const std::string &text, ValueRange tied,
                                   ValueRange inputs);
  /// Results without a value before; operands $0 .. $n-1, the inputs from $n
  /// on.
  llvm::SmallVector<Value> freshAsm(const std::string &text,
                                    llvm::ArrayRef<Type> results,
                                    ValueRange inputs);
  void plainAsm(const std::string &text);

  /// A pure intrinsic of LLVM, by name.
  Value intrinsic(llvm::StringRef name, Type result, ValueRange arguments);

private:
  llvm::SmallVector<Value> makeAsm(const std::string &text,
                                   std::string constraints,
                                   llvm::ArrayRef<Type> results,
                                   ValueRange operands);
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INSTRUCTIONS_H
