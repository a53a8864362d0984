//===- NvvmInstructions.cpp - Memory, threads and asynchronous units --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Instructions.h that needs the headers of the llvm and nvvm
// dialects, which are slow to compile. Instructions that upstream lacks, or
// whose upstream form LLVM or ptxas handles badly, are inline asm with a note
// on the reason.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "KernelFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace heddle::tonvvm {

static constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3,
                          kSharedCluster = 7;
static constexpr const char *kSharedSymbol = "heddle_shared";

static Type pointerType(Code &code, unsigned space) {
  return LLVM::LLVMPointerType::get(code.builder.getContext(), space);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void declareShared(ModuleOp module) {
  if (module.lookupSymbol(kSharedSymbol))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedSymbol, Attribute(),
                         /*alignment=*/1024, kShared);
}

Operation *createKernelFunction(OpBuilder &builder, Location loc,
                                ModuleOp module, StringRef name,
                                ArrayRef<Type> scalars, int64_t tensorMaps,
                                int64_t threads, int64_t blocks) {
  declareShared(module);
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types(tensorMaps, LLVM::LLVMPointerType::get(context));
  for (Type type : scalars)
    types.push_back(type ? type
                         : Type(LLVM::LLVMPointerType::get(context, kGlobal)));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  // setmaxnreg is ignored unless ptxas knows how many blocks share the
  // registers.
  if (blocks)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(int32_t(blocks)));
  Type descriptor = LLVM::LLVMArrayType::get(builder.getI8Type(), 128);
  for (int64_t i = 0; i < tensorMaps; ++i) {
    function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(descriptor));
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(64));
    function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                        builder.getUnitAttr());
  }
  function.addEntryBlock(builder);
  return function;
}

void createReturn(OpBuilder &builder, Location loc) {
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value Code::pack(ValueRange elements) {
  auto type =
      VectorType::get(int64_t(elements.size()), elements.front().getType());
  Value vector = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, element, i32(i));
  return vector;
}

SmallVector<Value> Code::unpack(Value vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getNumElements();
       ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, i32(i)));
  return elements;
}

Value Code::packInt(ValueRange elements) {
  unsigned bits =
      elements.size() * elements.front().getType().getIntOrFloatBitWidth();
  Value vector = elements.size() == 1 ? elements.front() : pack(elements);
  Type type = builder.getIntegerType(bits);
  return vector.getType() == type
             ? vector
             : Value(LLVM::BitcastOp::create(builder, loc, type, vector));
}

SmallVector<Value> Code::unpackInt(Value bits, Type element, int64_t count) {
  if (count == 1)
    return {bits.getType() == element
                ? bits
                : Value(LLVM::BitcastOp::create(builder, loc, element, bits))};
  return unpack(LLVM::BitcastOp::create(builder, loc,
                                        VectorType::get(count, element), bits));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Type Code::sharedPointer() { return pointerType(*this, kShared); }
Type Code::globalPointer() { return pointerType(*this, kGlobal); }
Type Code::genericPointer() { return pointerType(*this, kGeneric); }

Value Code::sharedBase() {
  return LLVM::AddressOfOp::create(builder, loc, sharedPointer(),
                                   kSharedSymbol);
}
Value Code::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}
Value Code::advance(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}
// An address in shared memory also names the block of the cluster, which ptxas
// keeps in a vector register; with it all descriptors end up there, four copies
// to uniform registers a product. The bits that a descriptor has are the same
// in every block, and ptxas sees it when they are masked where they come from.
Value Code::descriptorBase() {
  const std::string symbol = kSharedSymbol;
  auto op = LLVM::InlineAsmOp::create(
      builder, loc, TypeRange(builder.getI32Type()), ValueRange(),
      builder.getStringAttr("{\n\t.reg .b32 base;\n\tmov.u32 base, " + symbol +
                            ";\n\tshr.u32 base, base, 4;\n\t"
                            "and.b32 $0, base, 16383;\n\t}"),
      builder.getStringAttr("=r"), UnitAttr(), UnitAttr(),
      LLVM::TailCallKindAttr::get(builder.getContext(),
                                  LLVM::tailcallkind::TailCallKind::None),
      LLVM::AsmDialectAttr(), ArrayAttr());
  return op->getResult(0);
}
Value Code::holdUniform(Value value) {
  return freshAsm("redux.sync.or.b32 $0, $1, 0xffffffff;",
                  {builder.getI32Type()}, {value})[0];
}
Value Code::load(Type type, Value pointer, int64_t alignment) {
  return LLVM::LoadOp::create(builder, loc, type, pointer, alignment);
}
void Code::store(Value value, Value pointer, int64_t alignment) {
  LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
}

void Code::addShared(Value pointer, Value value) {
  LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, pointer,
                            value, LLVM::AtomicOrdering::monotonic, "block");
}

/// The register class of a value in inline asm.
static std::string asmClass(Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  if (isa<LLVM::LLVMPointerType>(type))
    return "l";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "b";
  case 64:
    return "l";
  case 32:
    return "r";
  default:
    return "h";
  }
}

/// An integer of the width that ld.global and st.global name.
static Type accessType(Code &code, Type type) {
  return code.builder.getIntegerType(type.getIntOrFloatBitWidth());
}

// Inline asm, because LLVM would branch around each access instead of
// predicating it.
Value Code::loadGlobalIf(Value condition, Type type, Value pointer) {
  Type bits = accessType(*this, type);
  std::string width = ".b" + std::to_string(bits.getIntOrFloatBitWidth());
  std::string clear = bits.getIntOrFloatBitWidth() == 8 ? ".b16" : width;
  Type held = bits.getIntOrFloatBitWidth() == 8 ? builder.getI16Type() : bits;
  Value value = freshAsm("mov" + clear + " $0, 0;\n\t@$1 ld.global" + width +
                             " $0, [$2];",
                         {held}, {condition, pointer})[0];
  if (held != bits)
    value = LLVM::TruncOp::create(builder, loc, bits, value);
  return unpackInt(value, type, 1)[0];
}

void Code::storeGlobalIf(Value condition, Value value, Value pointer) {
  Value bits = packInt({value});
  std::string width =
      ".b" + std::to_string(bits.getType().getIntOrFloatBitWidth());
  if (bits.getType().isInteger(8))
    bits = LLVM::ZExtOp::create(builder, loc, builder.getI16Type(), bits);
  freshAsm("@$0 st.global" + width + " [$1], $2;", {},
           {condition, pointer, bits});
}

/// How many words of which width one access of `bits` has.
static std::pair<int64_t, int64_t> cutIntoWords(int64_t bits, Type element) {
  int64_t width = std::max<int64_t>(element.getIntOrFloatBitWidth(),
                                    std::min<int64_t>(bits, 32));
  return {bits / width, width};
}

/// "{$2,$3}" for two operands from number 2 on, "$2" for one.
static std::string listOperands(int64_t first, int64_t count) {
  std::string list;
  for (int64_t i = 0; i < count; ++i)
    list += (i ? ",$" : "$") + std::to_string(first + i);
  return count == 1 ? list : "{" + list + "}";
}

static std::string accessSuffix(int64_t words, int64_t width) {
  return (words == 1 ? "" : ".v" + std::to_string(words)) + ".b" +
         std::to_string(width);
}

SmallVector<Value> Code::loadGlobalRunIf(Value condition, Type element,
                                         int64_t count, Value pointer) {
  if (count == 1)
    return {loadGlobalIf(condition, element, pointer)};
  auto [words, width] =
      cutIntoWords(count * element.getIntOrFloatBitWidth(), element);
  std::string text;
  for (int64_t i = 0; i < words; ++i)
    text +=
        "mov.b" + std::to_string(width) + " $" + std::to_string(i) + ", 0;\n\t";
  text += "@$" + std::to_string(words) + " ld.global" +
          accessSuffix(words, width) + " " + listOperands(0, words) + ", [$" +
          std::to_string(words + 1) + "];";
  SmallVector<Type> types(words, builder.getIntegerType(width));
  SmallVector<Value> elements;
  for (Value word : freshAsm(text, types, {condition, pointer}))
    llvm::append_range(elements, unpackInt(word, element, count / words));
  return elements;
}

void Code::storeGlobalRunIf(Value condition, ValueRange elements,
                            Value pointer) {
  if (elements.size() == 1)
    return storeGlobalIf(condition, elements.front(), pointer);
  Type element = elements.front().getType();
  auto [words, width] =
      cutIntoWords(elements.size() * element.getIntOrFloatBitWidth(), element);
  SmallVector<Value> operands = {condition, pointer};
  for (int64_t i = 0; i < words; ++i)
    operands.push_back(packInt(
        elements.slice(i * elements.size() / words, elements.size() / words)));
  freshAsm("@$0 st.global" + accessSuffix(words, width) + " [$1], " +
               listOperands(2, words) + ";",
           {}, operands);
}

Value Code::atomicIf(Value condition, const std::string &name, Value pointer,
                     ValueRange operands) {
  Type element = operands.front().getType();
  Type bits = accessType(*this, element);
  SmallVector<Value> inputs = {condition, pointer};
  std::string list;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    inputs.push_back(packInt({operand}));
    list += ", $" + std::to_string(i + 3);
  }
  Value old =
      freshAsm("mov.b" + std::to_string(bits.getIntOrFloatBitWidth()) +
                   " $0, 0;\n\t@$1 atom" + name + " $0, [$2]" + list + ";",
               {bits}, inputs)[0];
  return unpackInt(old, element, 1)[0];
}

Value Code::intToPointer(Value address) {
  return LLVM::IntToPtrOp::create(builder, loc, globalPointer(), address);
}
Value Code::pointerToInt(Value pointer) {
  return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
}

static NVVM::LdStMatrixShapeAttr matrixShape(Code &code) {
  return NVVM::LdStMatrixShapeAttr::get(code.builder.getContext(), 8, 8);
}

void Code::storeMatrix(Value pointer, ValueRange registers, bool transposed) {
  NVVM::StMatrixOp::create(builder, loc, pointer, registers,
                           transposed ? NVVM::MMALayout::col
                                      : NVVM::MMALayout::row,
                           matrixShape(*this), NVVM::LdStMatrixEltType::B16);
}

SmallVector<Value> Code::loadMatrix(Value pointer, int64_t count,
                                    bool transposed) {
  SmallVector<Type> types(count, builder.getI32Type());
  Type result =
      count == 1
          ? types[0]
          : Type(LLVM::LLVMStructType::getLiteral(builder.getContext(), types));
  Value value = NVVM::LdMatrixOp::create(
      builder, loc, result, pointer, uint32_t(count),
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      matrixShape(*this), NVVM::LdStMatrixEltType::B16);
  if (count == 1)
    return {value};
  SmallVector<Value> registers;
  for (int64_t i = 0; i < count; ++i)
    registers.push_back(LLVM::ExtractValueOp::create(builder, loc, value, i));
  return registers;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value Code::threadIndex() {
  return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
}
Value Code::threadIndexHere() {
  return makeAsm("mov.u32 $0, %tid.x;", "=r", {builder.getI32Type()}, {})
      .front();
}
Value Code::blockIndex() {
  return NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
}
Value Code::gridSize() {
  return NVVM::GridDimXOp::create(builder, loc, builder.getI32Type());
}

Value Code::warpUniform(Value value) {
  return NVVM::ShflOp::create(builder, loc, value.getType(), i32(-1), value,
                              i32(0), i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value Code::shuffleXor(Value value, int64_t laneMask) {
  return NVVM::ShflOp::create(builder, loc, value.getType(), i32(-1), value,
                              i32(laneMask), i32(31), NVVM::ShflKind::bfly,
                              UnitAttr());
}
Value Code::shuffleFrom(Value value, Value lane) {
  return NVVM::ShflOp::create(builder, loc, value.getType(), i32(-1), value,
                              lane, i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value Code::shuffleWide(Value value, Value lane) {
  Value bits = packInt({value});
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  SmallVector<Value> words = {bits};
  if (width == 64)
    words = unpackInt(bits, builder.getI32Type(), 2);
  else if (width < 32)
    words = {LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), bits)};
  for (Value &word : words)
    word = shuffleFrom(word, lane);
  bits = packInt(words);
  if (width < 32)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(width),
                                 bits);
  return unpackInt(bits, value.getType(), 1)[0];
}
void Code::trapIf(Value condition) { freshAsm("@$0 trap;", {}, {condition}); }
Value Code::globalTimer() {
  return freshAsm("mov.u64 $0, %globaltimer;", {builder.getI64Type()}, {})[0];
}

void Code::trapIfFirst(Value condition, Value record, ValueRange words) {
  // Another thread may have come earlier; it traps for all when its words are
  // written, so the others go on waiting.
  std::string text = "{\n\t.reg .pred first;\n\t.reg .b32 taken;\n\t"
                     "setp.ne.b32 first, 0, 0;\n\t"
                     "@$0 atom.relaxed.sys.global.cas.b32 taken, [$1], 0, 1;"
                     "\n\t@$0 setp.eq.b32 first, taken, 0;\n\t";
  for (size_t i = 0; i < words.size(); ++i)
    text += "@first st.volatile.global.b32 [$1+" + std::to_string(4 * i + 4) +
            "], $" + std::to_string(i + 2) + ";\n\t";
  SmallVector<Value> inputs = {condition, record};
  llvm::append_range(inputs, words);
  freshAsm(text + "@first membar.sys;\n\t@first trap;\n\t}", {}, inputs);
}

Value Code::counter() {
  Value place = LLVM::AllocaOp::create(builder, loc, genericPointer(),
                                       builder.getI32Type(), i32(1), 4);
  store(i32(0), place, 4);
  return place;
}

Value Code::elect() {
  return NVVM::ElectSyncOp::create(builder, loc, builder.getI1Type(), Value());
}
void Code::syncWarp() { NVVM::SyncWarpOp::create(builder, loc, i32(-1)); }
void Code::barrier(Value id, int64_t threads) {
  // Not nvvm.barrier: in LLVM 22 its text cannot be read back when a location
  // follows, because the parser takes `loc(...)` for the optional reduction.
  LLVM::CallIntrinsicOp::create(
      builder, loc,
      builder.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.count"),
      ValueRange{id, i32(threads)});
}
void Code::setRegisters(int64_t count, bool increase) {
  NVVM::SetMaxRegisterOp::create(builder, loc, uint32_t(count),
                                 increase
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

//===----------------------------------------------------------------------===//
// Asynchronous units
//===----------------------------------------------------------------------===//

void Code::initBarrier(Value pointer, int64_t arrivals) {
  NVVM::MBarrierInitOp::create(builder, loc, pointer, i32(arrivals), Value());
}
void Code::fenceBarrierInit() {
  NVVM::FenceMbarrierInitOp::create(builder, loc);
}
void Code::arrive(Value pointer) {
  NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), pointer,
                                 Value());
}
void Code::arriveExpect(Value pointer, int64_t bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(builder, loc, Type(), pointer,
                                         i32(bytes), NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}
Value Code::tryWait(Value pointer, Value parity) {
  return NVVM::MBarrierTryWaitOp::create(
      builder, loc, builder.getI1Type(), pointer, parity, Value(),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false);
}
void Code::fenceAsync() {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}
void Code::copyAsync(Value shared, Value global, Value bytes) {
  NVVM::CpAsyncOp::create(builder, loc, shared, global, 16,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}
void Code::arriveWithCopies(Value barrier) {
  NVVM::CpAsyncMBarrierArriveOp::create(builder, loc, barrier, /*noinc=*/true);
}
void Code::waitForCopies() {
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.nvvm.cp.async.wait.all"),
      ValueRange());
}
void Code::prefetchTensorMap(Value map) {
  NVVM::PrefetchOp::create(builder, loc, NVVM::PrefetchCacheLevelAttr(),
                           NVVM::CacheEvictionPriorityAttr(), map, Value(),
                           builder.getUnitAttr());
}
void Code::tmaLoad(Value shared, Value map, Value barrier,
                   ValueRange coordinates, ValueRange run) {
  auto offsets = llvm::map_to_vector(run, [&](Value offset) {
    return resize(offset, builder.getI16Type(), /*isSigned=*/false);
  });
  Value target = LLVM::AddrSpaceCastOp::create(
      builder, loc, pointerType(*this, kSharedCluster), shared);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, loc, target, map, coordinates, barrier, offsets, Value(),
      Value(),
      run.empty() ? NVVM::TMALoadMode::TILE : NVVM::TMALoadMode::IM2COL,
      /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}
void Code::tmaStore(Value map, Value shared, ValueRange coordinates, bool add) {
  if (add) {
    NVVM::CpAsyncBulkTensorReduceOp::create(
        builder, loc, map, shared, NVVM::TMAReduxKind::ADD,
        NVVM::TMAStoreMode::TILE, coordinates, Value());
    return;
  }
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      builder, loc, map, shared, coordinates, Value(), NVVM::TMAStoreMode::TILE,
      Value());
}
void Code::tmaCommit() { NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc); }
void Code::tmaStoreWait(int64_t pending, bool onlyRead) {
  NVVM::CpAsyncBulkWaitGroupOp::create(builder, loc, uint32_t(pending),
                                       onlyRead ? builder.getUnitAttr()
                                                : UnitAttr());
}

//===----------------------------------------------------------------------===//
// Inline asm
//===----------------------------------------------------------------------===//

SmallVector<Value> Code::makeAsm(const std::string &text,
                                 std::string constraints,
                                 ArrayRef<Type> results, ValueRange operands) {
  Type type;
  if (results.size() == 1)
    type = results[0];
  else if (!results.empty())
    type = LLVM::LLVMStructType::getLiteral(builder.getContext(), results);
  auto op = LLVM::InlineAsmOp::create(
      builder, loc, type ? TypeRange(type) : TypeRange(), operands,
      builder.getStringAttr(text), builder.getStringAttr(constraints),
      builder.getUnitAttr(), UnitAttr(),
      LLVM::TailCallKindAttr::get(builder.getContext(),
                                  LLVM::tailcallkind::TailCallKind::None),
      LLVM::AsmDialectAttr(), ArrayAttr());
  if (results.size() <= 1)
    return SmallVector<Value>(op->getResults());
  SmallVector<Value> values;
  for (int64_t i = 0; i < int64_t(results.size()); ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(builder, loc, op->getResult(0), i));
  return values;
}

static void addConstraint(std::string &list, const std::string &constraint) {
  list += (list.empty() ? "" : ",") + constraint;
}

SmallVector<Value> Code::tiedAsm(const std::string &text, ValueRange tied,
                                 ValueRange inputs) {
  std::string constraints;
  // An input may equal what a tied value is at first, but not share a register
  // with it: the text may read it after it has written there.
  for (Value value : tied)
    addConstraint(constraints, "=&" + asmClass(value.getType()));
  for (size_t i = 0; i < tied.size(); ++i)
    addConstraint(constraints, std::to_string(i));
  for (Value value : inputs)
    addConstraint(constraints, asmClass(value.getType()));
  addConstraint(constraints, "~{memory}");
  SmallVector<Value> operands(tied);
  llvm::append_range(operands, inputs);
  return makeAsm(text, constraints, SmallVector<Type>(tied.getTypes()),
                 operands);
}

SmallVector<Value> Code::freshAsm(const std::string &text,
                                  ArrayRef<Type> results, ValueRange inputs) {
  std::string constraints;
  for (Type type : results)
    addConstraint(constraints, "=&" + asmClass(type));
  for (Value value : inputs)
    addConstraint(constraints, asmClass(value.getType()));
  addConstraint(constraints, "~{memory}");
  return makeAsm(text, constraints, results, inputs);
}

void Code::plainAsm(const std::string &text) {
  makeAsm(text, "~{memory}", {}, {});
}

Value Code::intrinsic(StringRef name, Type result, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(builder, loc, result,
                                       builder.getStringAttr(name), arguments)
      ->getResult(0);
}

} // namespace heddle::tonvvm
