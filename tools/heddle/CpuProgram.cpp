//===- CpuProgram.cpp - Programs of kernels as C functions ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same steps as cpu::execute, each a line or two of C over an array of
// numbers of 64 bits: addresses, extents and counts alike.
//
//===----------------------------------------------------------------------===//

#include "CpuProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using cpu::Step;

const char heddle::tool::kProgramSupport[] = R"(
#ifndef HEDDLE_PARALLEL
#define HEDDLE_PARALLEL
/** The caller's threads: calls work(context, part) for each part below `parts`,
    on any threads, and returns when all are done. */
typedef void (*heddle_parallel)(void (*work)(void *context, int part),
                                void *context, int parts);

typedef struct heddle_launch_ {
  const char *(*run)(const int64_t *, int64_t, int64_t, void *, void *);
  const int64_t *words;
  int64_t shape[5];
  int parts;
  const char *fault;
} heddle_launch_;

static inline void heddle_share_(void *context, int part) {
  heddle_launch_ *launch = (heddle_launch_ *)context;
  const int64_t *shape = launch->shape;
  char *scratch = (char *)calloc((size_t)shape[1] + 64, 1);
  char *tiles = (char *)malloc((size_t)shape[3] + 64);
  const char *fault = "there is no memory for a worker's tiles";
  if (scratch && tiles)
    fault = launch->run(launch->words, shape[0] * part / launch->parts,
                        shape[0] * (part + 1) / launch->parts,
                        scratch + (64 - (uintptr_t)scratch % 64) % 64,
                        tiles + (64 - (uintptr_t)tiles % 64) % 64);
  if (fault)
    __atomic_store_n(&launch->fault, fault, __ATOMIC_RELAXED);
  free(scratch);
  free(tiles);
}

static inline const char *heddle_run_(
    const char *(*run)(const int64_t *, int64_t, int64_t, void *, void *),
    void (*shape)(const int64_t *, int64_t *), const int64_t *words,
    heddle_parallel parallel, int parts) {
  heddle_launch_ launch = {run, words, {0, 0, 0, 0, 0}, 1, 0};
  shape(words, launch.shape);
  if (launch.shape[4])
    return (const char *)(intptr_t)launch.shape[4];
  if (parallel && parts > 1) {
    launch.parts = parts;
    parallel(heddle_share_, &launch, parts);
  } else {
    heddle_share_(&launch, 0);
  }
  return launch.fault;
}

/** Of whole lines, and one more, since vectors are loaded a line at a time. */
static inline int heddle_allocate_(int64_t count, int64_t size, int zeroed,
                                   int64_t *address) {
  int64_t bytes;
  void *memory;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > INT64_MAX / 2)
    return 0;
  bytes = (bytes + 64) / 64 * 64;
  memory = aligned_alloc(64, (size_t)bytes);
  if (memory && zeroed)
    memset(memory, 0, (size_t)bytes);
  *address = (int64_t)(intptr_t)memory;
  return memory != 0;
}
#endif
)";

/// "float" of !tile.ptr<f32>; "int64_t" of an index.
static StringRef typeName(mlir::Type type) {
  auto pointer = dyn_cast<tile::PtrType>(type);
  if (!pointer)
    return "int64_t";
  mlir::Type element = pointer.getElementType();
  switch (element.getIntOrFloatBitWidth()) {
  case 64:
    return element.isF64() ? "double" : "int64_t";
  case 32:
    return element.isF32() ? "float" : "int32_t";
  case 16:
    return element.isInteger() ? "int16_t" : "uint16_t"; // f16, bf16: bits
  default:
    return "int8_t";
  }
}

namespace {

class Writer {
public:
  Writer(const cpu::HostProgram &steps, raw_ostream &os)
      : steps(steps), os(os) {}

  void step(const Step &step) {
    auto slot = [&](size_t i) {
      return "v_[" + itostr(step.operands[i]) + "]";
    };
    std::string to = "v_[" + itostr(step.result) + "]";
    switch (step.kind) {
    case Step::Kind::Constant:
      os << "  " << to << " = INT64_C(" << step.number << ");\n";
      return;
    case Step::Kind::Add:
    case Step::Kind::Multiply:
      failIf(formatv("__builtin_{0}_overflow({1}, {2}, &{3})",
                     step.kind == Step::Kind::Add ? "add" : "mul", slot(0),
                     slot(1), to),
             "a size exceeds 64 bits");
      return;
    case Step::Kind::Divide:
      os << formatv("  {0} = {1} ? {2} / {1} : 0;\n", to, slot(1), slot(0));
      return;
    case Step::Kind::Allocate:
      failIf(formatv("!heddle_allocate_({0}, {1}, {2}, &{3})", slot(0),
                     step.number, step.isZeroed ? 1 : 0, to),
             "there is no memory for an array");
      return;
    case Step::Kind::Read:
      os << formatv("  {0} = ((const int{1}_t *)(intptr_t){2})[{3}];\n", to,
                    8 * step.number, slot(0), slot(1));
      return;
    case Step::Kind::Limit:
      failIf(formatv("{0} > INT64_C({1})", slot(0), step.number),
             "there are more " + step.text + ", than can be counted");
      return;
    case Step::Kind::Launch:
      launch(step);
      return;
    }
  }

  /// A result's array becomes the caller's; an operand's is copied.
  void give(const cpu::HostProgram::Result &result, StringRef type) {
    std::string array = "v_[" + itostr(result.array) + "]";
    std::string count = "v_[" + itostr(result.count) + "]";
    if (!isAllocated(result.array)) {
      failIf(formatv("!heddle_allocate_({0}, {1}, 0, &copy_)", count,
                     result.elementBytes),
             "there is no memory for a result");
      os << formatv("  memcpy((void *)(intptr_t)copy_, (void *)(intptr_t){0}, "
                    "(size_t)({1} * {2}));\n",
                    array, count, result.elementBytes);
      array = "copy_";
    }
    os << formatv("  results->{0} = ({1} *)(intptr_t){2};\n", result.name, type,
                  array)
       << formatv("  results->{0}_count = {1};\n", result.name, count);
    if (array != "copy_")
      os << "  " << array << " = 0;\n";
  }

  void declareKernels() {
    StringSet<> seen;
    os << "\n";
    for (const Step &step : steps.steps)
      if (step.kind == Step::Kind::Launch && seen.insert(step.text).second)
        os << formatv(
            "const char *{0}_run(const int64_t *, int64_t, int64_t, void *, "
            "void *);\nvoid {0}_shape(const int64_t *, int64_t *);\n",
            step.text);
  }

private:
  bool isAllocated(int slot) const {
    return any_of(steps.steps, [&](const Step &step) {
      return step.kind == Step::Kind::Allocate && step.result == slot;
    });
  }

  void failIf(const Twine &condition, const Twine &sentence) {
    os << "  if (" << condition << ") {\n    fault_ = \"" << sentence
       << "\";\n    goto done_;\n  }\n";
  }

  void launch(const Step &step) {
    os << "  {\n    const int64_t words_[] = {";
    for (auto [number, slot] : enumerate(step.operands))
      os << (number ? ", " : "") << "v_[" << slot << "]";
    os << (step.operands.empty() ? "0" : "") << "};\n"
       << formatv("    fault_ = heddle_run_({0}_run, {0}_shape, words_, "
                  "parallel, parts);\n  }\n  if (fault_)\n    goto done_;\n",
                  step.text);
  }

  const cpu::HostProgram &steps;
  raw_ostream &os;
};

} // namespace

void heddle::tool::writeProgram(const CpuProgram &program, raw_ostream &os) {
  const cpu::HostProgram &steps = program.steps;
  mlir::Block &entry = tile::ProgramOp(program.op).getEntry();
  auto gives = cast<tile::GiveOp>(entry.back());
  Writer writer(steps, os);
  writer.declareKernels();
  os << "\n/** What " << steps.name
     << "_call gives: arrays for the caller to free(), and their lengths. */\n"
     << "typedef struct " << steps.name << "_results {\n";
  for (auto [result, array] : zip(steps.results, gives.getArrays()))
    os << "  " << typeName(array.getType()) << " *" << result.name
       << ";\n  int64_t " << result.name << "_count;\n";
  os << "} " << steps.name << "_results;\n\n"
     << "/** Operands by their arrays, level by level, and their extents.\n"
        "    `parallel` may be null; the bits are the same for any number of\n"
        "    parts. Null, or why it cannot run; then there are no results. */\n"
     << "static inline const char *" << steps.name
     << "_call(heddle_parallel parallel, int parts";
  for (auto [argument, value] : zip(steps.arguments, entry.getArguments()))
    os << ",\n    " << (argument.elementBytes ? "const " : "")
       << typeName(value.getType()) << (argument.elementBytes ? " *" : " ")
       << argument.name;
  os << ",\n    " << steps.name << "_results *results) {\n  int64_t v_["
     << std::max(steps.slots, 1) << "], copy_ = 0;\n  const char *fault_ = 0;\n"
     << "  memset(v_, 0, sizeof v_);\n  memset(results, 0, sizeof *results);\n"
     << "  (void)copy_;\n  (void)parallel;\n  (void)parts;\n";
  for (auto [slot, argument] : enumerate(steps.arguments))
    os << "  v_[" << slot << "] = (int64_t)"
       << (argument.elementBytes ? "(intptr_t)" : "") << argument.name << ";\n";
  for (const Step &step : steps.steps)
    writer.step(step);
  for (auto [result, array] : zip(steps.results, gives.getArrays()))
    writer.give(result, typeName(array.getType()));
  os << "  goto done_;\ndone_:\n  if (fault_) {\n";
  for (const cpu::HostProgram::Result &result : steps.results)
    os << "    free(results->" << result.name << ");\n";
  os << "    memset(results, 0, sizeof *results);\n  }\n";
  for (const Step &step : steps.steps)
    if (step.kind == Step::Kind::Allocate)
      os << "  free((void *)(intptr_t)v_[" << step.result << "]);\n";
  os << "  return fault_;\n}\n";
}
