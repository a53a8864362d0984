//===- Sparse.cpp - heddle_sparse_* ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Einsum programs for a caller in C: text and sizes in, machine code kept
// behind a handle, runs on the caller's arrays. A compilation goes through the
// guard like any other; a run does not, because a thread for each would cost
// more than small programs do.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Cpu/SavedProgram.h"
#include "heddle/Machine/Processor.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Sparse.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

using namespace heddle;
using namespace heddle::compiler;
using namespace llvm;

struct heddle_sparse_program {
  pipeline::CpuPrograms compiled;
  std::unique_ptr<cpu::Pool> pool;
  std::mutex mutex;
  double cycles = 0; ///< modelled
  std::vector<int64_t> slots;
  std::string message;

  const cpu::HostProgram &host() const { return compiled.programs[0]; }

  /// With 0 workers the work decides: a second one must save more time than it
  /// takes to wake it and to wait for it.
  void hire(int workers, const machine::Processor &processor) {
    if (workers == 0 && cycles < 2 * processor.forkJoin)
      workers = 1;
    if (workers == 0)
      workers = int(std::max(1u, std::thread::hardware_concurrency()));
    pool = std::make_unique<cpu::Pool>(workers);
  }
};

static heddle_outcome refuse(heddle_result &result, const diag::Kind &kind,
                             const Twine &message) {
  result.messages += "error: " + diag::withId(kind, message) + "\n";
  return static_cast<heddle_outcome>(diag::exitCode(kind.outcome));
}

/// Statistics of each statement from the flat list of the interface. Empty, and
/// `error` says why, if it does not fit the program.
static ProgramStatistics readSizes(einsum::ProgramOp program,
                                   ArrayRef<int64_t> sizes,
                                   std::string &error) {
  std::map<std::string, std::vector<int64_t>> extents, counts;
  for (auto [argument, name] :
       zip(program.getEntry().getArguments(), program.getArgNames())) {
    auto type = cast<mlir::RankedTensorType>(argument.getType());
    size_t rank = size_t(type.getRank());
    if (sizes.size() < 2 * rank) {
      error = "there are too few sizes for the program's operands";
      return {};
    }
    std::string text = cast<mlir::StringAttr>(name).getValue().str();
    extents[text] = std::vector<int64_t>(sizes.begin(), sizes.begin() + rank);
    counts[text] =
        std::vector<int64_t>(sizes.begin() + rank, sizes.begin() + 2 * rank);
    sizes = sizes.drop_front(2 * rank);
    for (int64_t size : extents[text])
      if (size < 0)
        error = text + " has the extent " + std::to_string(size);
  }
  if (!sizes.empty())
    error = "there are more sizes than the program's operands have";
  ProgramStatistics all;
  for (auto op : program.getEntry().getOps<einsum::StatementOp>()) {
    sparse::Statement statement = describeStatement(op);
    sparse::Statistics known;
    known.extents.assign(statement.indices.size(), -1);
    known.counts = counts;
    for (const auto &term : statement.terms)
      for (const sparse::Access &access : term)
        for (auto [axis, index] : enumerate(access.indices)) {
          int64_t extent = extents.at(access.tensor)[axis];
          int64_t &found = known.extents[index];
          if (found >= 0 && found != extent)
            error = statement.indices[index] + " is " + std::to_string(found) +
                    " and, in " + access.tensor + ", " + std::to_string(extent);
          found = extent;
        }
    for (int index : statement.result.indices)
      extents[statement.result.tensor].push_back(known.extents[index]);
    all.push_back(std::move(known));
  }
  return all;
}

static heddle_outcome compileTo(StringRef text, ArrayRef<int64_t> sizes,
                                int workers, heddle_sparse_program **made,
                                heddle_result &result) {
  Expected<Source> source = applySettings("<einsum>", text, {});
  if (!source)
    return refuse(result, diag::usage, toString(source.takeError()));
  auto context = pipeline::createContext();
  raw_string_ostream stream(result.messages);
  pipeline::DiagnosticPrinter printer(*context, *source, stream);
  auto failure = [&] {
    int status = diag::exitCode(printer.worst());
    return status ? static_cast<heddle_outcome>(status) : HEDDLE_INTERNAL;
  };
  auto module = pipeline::parse(*source, *context);
  if (!module)
    return failure();
  auto programs = to_vector(module->getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return refuse(result, diag::einsum_program,
                  "the text has " + Twine(programs.size()) +
                      " einsum programs; there must be one");
  storeOperandsAgain(*module);
  std::string error;
  ProgramStatistics statistics = readSizes(programs[0], sizes, error);
  if (!error.empty())
    return refuse(result, diag::einsum_operands, error);
  // Compiled for this processor alone, so planned for it, too.
  auto host = std::make_shared<machine::Processor>(
      machine::processorFor(sys::getHostCPUName().str()));
  for (sparse::Statistics &known : statistics)
    known.machine = host;
  double cycles = 0;
  if (failed(addPlans(*module, statistics, nullptr, &cycles)))
    return failure();
  result.schedule = pipeline::print(*module);
  if (failed(pipeline::lower(*module, pipeline::Rung::Einsum,
                             pipeline::Rung::Tile)))
    return failure();
  auto compiled = pipeline::compileForCpu(*module);
  if (failed(compiled))
    return failure();
  auto program = std::make_unique<heddle_sparse_program>();
  program->compiled = std::move(*compiled);
  program->cycles = cycles;
  program->hire(workers, *host);
  *made = program.release();
  return HEDDLE_FINE;
}

heddle_outcome heddle_sparse_compile(const char *source, size_t source_size,
                                     const int64_t *sizes, size_t n_sizes,
                                     int workers,
                                     heddle_sparse_program **program,
                                     heddle_result **result) noexcept {
  return enter(result, [&](heddle_result &texts) {
    if (!source || !program || (!sizes && n_sizes) ||
        source_size > kMostTextBytes || n_sizes > 4096 || workers < 0 ||
        workers > 1024)
      return refuse(texts, diag::usage,
                    "a pointer is null, or a size beyond its limit");
    *program = nullptr;
    return compileTo(StringRef(source, source_size),
                     ArrayRef<int64_t>(sizes, n_sizes), workers, program,
                     texts);
  });
}

heddle_outcome heddle_sparse_save(const heddle_sparse_program *program,
                                  void **bytes, size_t *size) noexcept {
  return enterOr(HEDDLE_INTERNAL, [&] {
    if (!program || !bytes || !size)
      return HEDDLE_BAD_INPUT;
    std::string saved =
        cpu::write({program->host(), cpu::hostProcessor(), program->cycles,
                    program->compiled.jit->object()});
    *size = saved.size();
    *bytes = std::malloc(saved.size());
    if (!*bytes)
      return HEDDLE_INTERNAL;
    std::memcpy(*bytes, saved.data(), saved.size());
    return HEDDLE_FINE;
  });
}

static heddle_outcome loadFrom(StringRef bytes, int workers,
                               heddle_sparse_program **made,
                               heddle_result &result) {
  cpu::SavedProgram saved;
  std::string error;
  if (!cpu::read(bytes, saved, error))
    return refuse(result, diag::usage, error);
  if (saved.processor != cpu::hostProcessor())
    return refuse(result, diag::usage,
                  "the saved program is for another processor");
  auto program = std::make_unique<heddle_sparse_program>();
  program->compiled.jit = cpu::Jit::load(saved.object, error);
  if (!program->compiled.jit)
    return refuse(result, diag::usage, "no machine code: " + error);
  program->compiled.programs.push_back(std::move(saved.program));
  program->cycles = saved.cycles;
  program->hire(workers, machine::processorFor(sys::getHostCPUName().str()));
  *made = program.release();
  return HEDDLE_FINE;
}

heddle_outcome heddle_sparse_load(const void *bytes, size_t size, int workers,
                                  heddle_sparse_program **program,
                                  heddle_result **result) noexcept {
  return enter(result, [&](heddle_result &texts) {
    if (!bytes || !program || size > kMostTextBytes || workers < 0 ||
        workers > 1024)
      return refuse(texts, diag::usage,
                    "a pointer is null, or a size beyond its limit");
    *program = nullptr;
    return loadFrom(StringRef(static_cast<const char *>(bytes), size), workers,
                    program, texts);
  });
}

/// Whether the program has as many arguments and results, and ran.
static bool execute(heddle_sparse_program &program, ArrayRef<int64_t> arguments,
                    size_t results, cpu::Arrays &arrays) {
  const cpu::HostProgram &host = program.host();
  program.message.clear();
  if (arguments.size() != host.arguments.size() ||
      results != host.results.size()) {
    program.message = "the program takes " +
                      std::to_string(host.arguments.size()) +
                      " arguments and gives " +
                      std::to_string(host.results.size()) + " arrays";
    return false;
  }
  program.slots.assign(arguments.begin(), arguments.end());
  return cpu::execute(
      host, program.slots, arrays,
      [&](const std::string &kernel, const std::vector<int64_t> &given,
          std::string &error) {
        return program.compiled.jit->launch(kernel, given, *program.pool,
                                            error);
      },
      program.message);
}

static heddle_outcome run(heddle_sparse_program &program,
                          ArrayRef<int64_t> arguments,
                          MutableArrayRef<int64_t> results) {
  std::lock_guard lock(program.mutex);
  const cpu::HostProgram &host = program.host();
  cpu::Arrays arrays;
  if (!execute(program, arguments, results.size() / 2, arrays))
    return HEDDLE_BAD_INPUT;
  for (auto [number, result] : enumerate(host.results)) {
    auto *array = reinterpret_cast<void *>(program.slots[result.array]);
    // An array that is not the run's own belongs to an operand: it is copied,
    // so that each has one owner.
    void *own = arrays.release(array);
    int64_t bytes = program.slots[result.count] * result.elementBytes;
    if (!own) {
      own = std::malloc(size_t(std::max<int64_t>(bytes, 1)));
      if (!own) {
        program.message = "there is no memory for the result's positions";
        return HEDDLE_BAD_INPUT;
      }
      if (bytes) // an array without elements may have no address
        std::memcpy(own, array, size_t(bytes));
    }
    results[2 * number] = int64_t(own);
    results[2 * number + 1] = program.slots[result.count];
  }
  return HEDDLE_FINE;
}

/// The one result whose array no operand has; null if there are none or more.
static const cpu::HostProgram::Result *ownResult(const cpu::HostProgram &host) {
  const cpu::HostProgram::Result *own = nullptr;
  for (const cpu::HostProgram::Result &result : host.results)
    if (size_t(result.array) >= host.arguments.size()) {
      if (own)
        return nullptr;
      own = &result;
    }
  return own ? own : host.results.size() == 1 ? &host.results[0] : nullptr;
}

static heddle_outcome runInto(heddle_sparse_program &program,
                              ArrayRef<int64_t> arguments, void *memory,
                              int64_t bytes) {
  std::lock_guard lock(program.mutex);
  const cpu::HostProgram &host = program.host();
  const cpu::HostProgram::Result *result = ownResult(host);
  if (!result) {
    program.message = "the program gives " +
                      std::to_string(host.results.size()) +
                      " arrays, more than one of which no operand has";
    return HEDDLE_BAD_INPUT;
  }
  cpu::Arrays arrays;
  arrays.lend(result->array, memory, bytes);
  if (!execute(program, arguments, host.results.size(), arrays))
    return HEDDLE_BAD_INPUT;
  int64_t made = program.slots[result->count] * result->elementBytes;
  if (made != bytes) {
    program.message = "the result has " + std::to_string(made) +
                      " bytes and the memory for it " + std::to_string(bytes);
    return HEDDLE_BAD_INPUT;
  }
  // The result may be an array of an operand.
  auto *array = reinterpret_cast<const void *>(program.slots[result->array]);
  if (array != memory && bytes)
    std::memcpy(memory, array, size_t(bytes));
  return HEDDLE_FINE;
}

static heddle_outcome refuseCall(heddle_sparse_program *program) {
  if (program) {
    std::lock_guard lock(program->mutex);
    program->message = "a pointer is null, or a size beyond its limit";
  }
  return HEDDLE_BAD_INPUT;
}

heddle_outcome heddle_sparse_run_into(heddle_sparse_program *program,
                                      const int64_t *arguments,
                                      size_t n_arguments, void *memory,
                                      size_t bytes) noexcept {
  return enterOr(HEDDLE_INTERNAL, [&] {
    if (!program || !arguments || (!memory && bytes) || bytes > INT64_MAX)
      return refuseCall(program);
    return runInto(*program, ArrayRef<int64_t>(arguments, n_arguments), memory,
                   int64_t(bytes));
  });
}

heddle_outcome heddle_sparse_run(heddle_sparse_program *program,
                                 const int64_t *arguments, size_t n_arguments,
                                 int64_t *results, size_t n_results) noexcept {
  return enterOr(HEDDLE_INTERNAL, [&] {
    if (!program || !arguments || !results || n_results % 2)
      return refuseCall(program);
    return run(*program, ArrayRef<int64_t>(arguments, n_arguments),
               MutableArrayRef<int64_t>(results, n_results));
  });
}

namespace {

/// The arrays of a matrix stored by rows, and what they must keep to.
template <typename Index> struct Rows {
  const Index *positions, *coordinates;
  int64_t rows, columns, count;

  bool doFall() const {
    bool isFalling = false;
    for (int64_t row = 0; row < rows; ++row)
      isFalling |= positions[row + 1] < positions[row];
    return isFalling;
  }
  bool areOutside() const {
    bool isOutside = false;
    for (int64_t i = 0; i < count; ++i)
      isOutside |= coordinates[i] < 0 || coordinates[i] >= columns;
    return isOutside;
  }
  /// Coordinates may fall where a row begins and nowhere else.
  bool areUnsorted() const {
    int64_t falls = 0, allowed = 0;
    for (int64_t i = 1; i < count; ++i)
      falls += coordinates[i] <= coordinates[i - 1];
    for (int64_t row = 0; row < rows; ++row) {
      int64_t begin = positions[row];
      if (begin > 0 && begin < positions[row + 1])
        allowed += coordinates[begin] <= coordinates[begin - 1];
    }
    return falls != allowed;
  }

  std::string nameFall() const {
    int64_t row = 0;
    while (positions[row + 1] >= positions[row])
      ++row;
    return "positions fall: row " + std::to_string(row) + " begins at " +
           std::to_string(positions[row]) + " and ends at " +
           std::to_string(positions[row + 1]);
  }
  std::string nameOutside() const {
    int64_t at = 0;
    while (coordinates[at] >= 0 && coordinates[at] < columns)
      ++at;
    int64_t row = std::upper_bound(positions, positions + rows + 1, Index(at)) -
                  positions - 1;
    return "a coordinate is outside of the matrix: row " + std::to_string(row) +
           " has " + std::to_string(coordinates[at]) + ", and " +
           (columns ? "0 to " + std::to_string(columns - 1) + " are there"
                    : "none is there");
  }
  std::string nameOrder() const {
    int64_t row = 0, at = 1;
    for (;; ++row) {
      for (at = positions[row] + 1; at < positions[row + 1]; ++at)
        if (coordinates[at] <= coordinates[at - 1])
          return "coordinates of a row are not sorted, or repeated: in row " +
                 std::to_string(row) + ", " + std::to_string(coordinates[at]) +
                 " follows " + std::to_string(coordinates[at - 1]);
    }
  }
};

} // namespace

/// First in loops that become vectors: a matrix is checked whenever it is new,
/// beside products that read it once. Where one finds a fault, a slower loop
/// names the first.
template <typename Index>
static std::string findFault(const Rows<Index> &matrix) {
  int64_t first = matrix.positions[0], last = matrix.positions[matrix.rows];
  if (first != 0 || last != matrix.count)
    return "positions do not go from 0 to the number of elements, " +
           std::to_string(matrix.count) + ", but from " +
           std::to_string(first) + " to " + std::to_string(last);
  if (matrix.doFall())
    return matrix.nameFall();
  if (matrix.areOutside())
    return matrix.nameOutside();
  return matrix.areUnsorted() ? matrix.nameOrder() : "";
}

const char *heddle_sparse_fault_of_rows(const void *positions,
                                        const void *coordinates, int bits,
                                        int64_t rows, int64_t columns,
                                        int64_t count) noexcept {
  return enterOr("the check failed", [&] {
    if (!positions || (!coordinates && count) || rows < 0 || columns < 0 ||
        count < 0 || (bits != 32 && bits != 64))
      return "a pointer is null, or a size beyond its limit";
    auto find = [&](auto *index) {
      using Index = std::remove_pointer_t<decltype(index)>;
      return findFault(Rows<Index>{static_cast<const Index *>(positions),
                                   static_cast<const Index *>(coordinates),
                                   rows, columns, count});
    };
    static thread_local std::string fault;
    fault = bits == 32 ? find((int32_t *)nullptr) : find((int64_t *)nullptr);
    return fault.empty() ? nullptr : fault.c_str();
  });
}

const char *
heddle_sparse_message(const heddle_sparse_program *program) noexcept {
  return enterOr("", [&] { return program ? program->message.c_str() : ""; });
}

void heddle_sparse_free(void *array) noexcept {
  enterOr(0, [&] {
    std::free(array);
    return 0;
  });
}

void heddle_sparse_destroy(heddle_sparse_program *program) noexcept {
  enterOr(0, [&] {
    delete program;
    return 0;
  });
}
