//===- EinsumOperands.cpp - What an einsum program is run on --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EinsumOperands.h"

#include "MatrixMarket.h"

#include "heddle/Sparse/Generate.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostic.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/Files.h"
#include "heddle/Support/MachineMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

OperandOptions::OperandOptions(cl::SubCommand &command)
    : densities("density", cl::sub(command), cl::value_desc("NAME=NUMBER"),
                cl::desc("How much of a sparse operand is there, from 0 to 1 "
                         "(default 0.01)")),
      patterns("pattern", cl::sub(command), cl::value_desc("NAME=PATTERN"),
               cl::desc("Where a sparse operand's elements are: uniform "
                        "(default), skewed, empty, full or one")),
      elements("elements", cl::sub(command), cl::value_desc("NAME=FILE"),
               cl::desc("What an operand holds: lines of its coordinates, from "
                        "0, and a value; # begins a comment. FILE.mtx is read "
                        "as Matrix Market, and gives its sizes, too")) {}

static Error refuse(const Twine &message) {
  return diag::makeError(diag::einsum_operands, message);
}

/// NAME=VALUE texts by name, each of which must be `known`.
static Expected<std::map<std::string, std::string>>
splitAll(ArrayRef<std::string> texts, ArrayRef<std::string> known,
         StringRef option) {
  std::map<std::string, std::string> values;
  for (StringRef text : texts) {
    auto [name, value] = text.split('=');
    if (!is_contained(known, name.str()))
      return refuse("--" + option + " names " + name +
                    ", and the program's operands are " +
                    join(known.begin(), known.end(), ", "));
    if (!values.try_emplace(name.str(), value.str()).second)
      return refuse("--" + option + " names " + name + " twice");
  }
  return values;
}

static Expected<std::vector<int64_t>> parseExtents(StringRef name,
                                                   StringRef text) {
  constexpr int64_t kMost = int64_t(1) << 40;
  std::vector<int64_t> extents;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0 || extent > kMost)
      return refuse("--view gives " + name + " the sizes " + text +
                    "; sizes are numbers joined by x, as 512x256");
    extents.push_back(extent);
  }
  // Storage of the other axes stands even where one has no places.
  int64_t count = 1;
  for (int64_t extent : extents)
    count = satMul(count, std::max<int64_t>(extent, 1));
  if (count == INT64_MAX)
    return refuse(name + " of " + text +
                  " has more elements than 64 bits number");
  return extents;
}

Expected<std::vector<sparse::Entry>>
heddle::tool::parseElements(StringRef text, StringRef name, StringRef path,
                            ArrayRef<int64_t> extents) {
  std::vector<sparse::Entry> entries;
  SmallVector<StringRef> lines, words;
  text.split(lines, '\n');
  for (auto [number, line] : enumerate(lines)) {
    words.clear();
    line.split('#').first.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty())
      continue;
    sparse::Entry entry;
    bool isFine = words.size() == extents.size() + 1 &&
                  !words.back().trim().getAsDouble(entry.value);
    for (size_t axis = 0; isFine && axis < extents.size(); ++axis) {
      int64_t &coordinate = entry.coordinates.emplace_back();
      isFine = !words[axis].getAsInteger(10, coordinate) && coordinate >= 0 &&
               coordinate < extents[axis];
    }
    if (!isFine)
      return refuse("line " + Twine(number + 1) + " of " + path +
                    " is no element of " + name + ": it takes " +
                    Twine(extents.size()) +
                    " coordinates from 0, below the sizes that --view gives, "
                    "and a value");
    entries.push_back(std::move(entry));
  }
  return entries;
}

static bool isMarket(StringRef path) { return path.ends_with(".mtx"); }

/// The text of the file that holds the elements of `name`.
static Expected<std::unique_ptr<MemoryBuffer>> readText(StringRef name,
                                                        StringRef path) {
  std::string reason;
  auto buffer = readFile(path.str(), reason);
  if (!buffer)
    return refuse("the elements of " + name + " are in " + path +
                  ", which cannot be read: " + reason);
  return buffer;
}

static Expected<MarketMatrix> readMarket(StringRef name, StringRef path) {
  auto buffer = readText(name, path);
  if (!buffer)
    return buffer.takeError();
  return readMatrixMarket((*buffer)->getBuffer(), path);
}

static Expected<std::vector<sparse::Entry>>
readElements(StringRef name, StringRef path, ArrayRef<int64_t> extents) {
  auto buffer = readText(name, path);
  if (!buffer)
    return buffer.takeError();
  return parseElements((*buffer)->getBuffer(), name, path, extents);
}

namespace {
/// What the command line says of one operand.
struct Asked {
  std::string name, file; ///< no file: its elements are generated
  mlir::RankedTensorType type;
  std::vector<int64_t> extents;
  double density = 0.01;
  sparse::Pattern pattern = sparse::Pattern::Uniform;
};

/// NAME=VALUE of each option, by name.
struct AskedOptions {
  std::map<std::string, std::string> sizes, densities, patterns, elements;
};
} // namespace

int64_t &heddle::tool::generatedElementsLimit() {
  // An element with its coordinates takes some 64 bytes while it is made.
  constexpr int64_t kMost = 50'000'000, kBytes = 64;
  static int64_t limit = std::min(kMost, machineMemory() / (2 * kBytes));
  return limit;
}

/// Refuses extents of another rank or size than the program has, and more
/// elements than are generated.
static Error check(const Asked &asked) {
  const std::string &name = asked.name;
  if (int64_t(asked.extents.size()) != asked.type.getRank())
    return refuse(name + " has " + Twine(asked.type.getRank()) +
                  " axes, and --view gives it " + Twine(asked.extents.size()) +
                  " sizes");
  for (auto [axis, extent] : enumerate(asked.type.getShape()))
    if (!mlir::ShapedType::isDynamic(extent) && extent != asked.extents[axis])
      return refuse("axis " + Twine(axis) + " of " + name + " is " +
                    Twine(extent) + " in the program and " +
                    Twine(asked.extents[axis]) + " in --view");
  double elements = asked.density;
  for (int64_t extent : asked.extents)
    elements *= double(extent);
  if (asked.file.empty() && elements > double(generatedElementsLimit()))
    return refuse(name + " would have " + Twine(int64_t(elements)) +
                  " elements; at most " + Twine(generatedElementsLimit()) +
                  " are generated");
  return Error::success();
}

static Expected<Asked> readAsked(const std::string &name,
                                 mlir::RankedTensorType type,
                                 const AskedOptions &options) {
  auto given = [&](const std::map<std::string, std::string> &values) {
    auto found = values.find(name);
    return found == values.end() ? StringRef() : StringRef(found->second);
  };
  Asked asked;
  asked.name = name;
  asked.type = type;
  asked.file = given(options.elements).str();
  std::string sizes = given(options.sizes).str();
  bool isScalar = type.getRank() == 0 && !options.sizes.count(name);
  if (!options.sizes.count(name) && !isScalar) {
    if (!isMarket(asked.file))
      return refuse("--view " + name + "=SIZES is missing: it gives " + name +
                    " its sizes, as --view " + name + "=512x256");
    auto matrix = readMarket(name, asked.file);
    if (!matrix)
      return matrix.takeError();
    sizes = std::to_string(matrix->extents[0]) + "x" +
            std::to_string(matrix->extents[1]);
  }
  if (!isScalar) {
    auto extents = parseExtents(name, sizes);
    if (!extents)
      return extents.takeError();
    asked.extents = *extents;
  }
  StringRef density = given(options.densities);
  if (options.densities.count(name) &&
      (density.getAsDouble(asked.density) ||
       !(asked.density >= 0 && asked.density <= 1)))
    return refuse("the density of " + name + " is a number from 0 to 1, not " +
                  density);
  auto pattern = std::optional(sparse::Pattern::Uniform);
  if (options.patterns.count(name))
    pattern =
        StringSwitch<std::optional<sparse::Pattern>>(given(options.patterns))
            .Case("uniform", sparse::Pattern::Uniform)
            .Case("skewed", sparse::Pattern::Skewed)
            .Case("empty", sparse::Pattern::Empty)
            .Case("full", sparse::Pattern::Full)
            .Case("one", sparse::Pattern::One)
            .Default(std::nullopt);
  if (!pattern)
    return refuse("the pattern of " + name +
                  " is uniform, skewed, empty, full or one, not " +
                  given(options.patterns));
  asked.pattern =
      describeFormat(type).isDense() ? sparse::Pattern::Full : *pattern;
  if (asked.pattern == sparse::Pattern::Full)
    asked.density = 1;
  if (Error error = check(asked))
    return error;
  return asked;
}

static Expected<Operand> makeOperand(const Asked &asked, uint64_t seed,
                                     bool integers) {
  const std::string &name = asked.name;
  Operand operand;
  operand.name = name;
  if (isMarket(asked.file)) {
    auto matrix = readMarket(name, asked.file);
    if (!matrix)
      return matrix.takeError();
    if (matrix->extents != asked.extents)
      return refuse(name + " is " + Twine(matrix->extents[0]) + "x" +
                    Twine(matrix->extents[1]) + " in " + asked.file +
                    ", and --view gives it other sizes");
    operand.entries = std::move(matrix->entries);
  } else if (asked.file.empty()) {
    operand.entries = sparse::generate(asked.extents, asked.pattern,
                                       asked.density, seed, integers);
  } else {
    auto entries = readElements(name, asked.file, asked.extents);
    if (!entries)
      return entries.takeError();
    operand.entries = std::move(*entries);
  }
  std::string error;
  sparse::Format format = describeFormat(asked.type);
  sparse::Element element = describeElement(asked.type.getElementType());
  if (!sparse::Tensor::build(format, element, asked.extents, operand.entries,
                             operand.tensor, error))
    return refuse(name + ": " + error);
  // The oracle gets what kernels get: rounded values, and the zeros of a dense
  // level below a sparse one.
  operand.entries = operand.tensor.entries();
  return operand;
}

/// What is said of all operands, before the first is made: that takes time.
static Expected<std::vector<Asked>> readAll(einsum::ProgramOp program,
                                            ArrayRef<std::string> views,
                                            const OperandOptions &options) {
  std::vector<std::string> names;
  for (mlir::Attribute name : program.getArgNames())
    names.push_back(cast<mlir::StringAttr>(name).getValue().str());
  AskedOptions given;
  auto split = [&](StringRef option, const auto &texts,
                   std::map<std::string, std::string> &values) -> Error {
    auto found = splitAll(std::vector<std::string>(texts.begin(), texts.end()),
                          names, option);
    if (!found)
      return found.takeError();
    values = std::move(*found);
    return Error::success();
  };
  if (Error error = split("view", views, given.sizes))
    return error;
  if (Error error = split("density", options.densities, given.densities))
    return error;
  if (Error error = split("pattern", options.patterns, given.patterns))
    return error;
  if (Error error = split("elements", options.elements, given.elements))
    return error;
  std::vector<Asked> all;
  for (auto [name, argument] :
       zip_equal(names, program.getEntry().getArguments())) {
    auto asked = readAsked(
        name, cast<mlir::RankedTensorType>(argument.getType()), given);
    if (!asked)
      return asked.takeError();
    all.push_back(std::move(*asked));
  }
  return all;
}

Expected<std::vector<Operand>> heddle::tool::makeOperands(
    einsum::ProgramOp program, ArrayRef<std::string> views,
    const OperandOptions &options, uint64_t seed, bool integers) {
  auto all = readAll(program, views, options);
  if (!all)
    return all.takeError();
  std::vector<Operand> operands;
  for (auto [number, asked] : enumerate(*all)) {
    auto operand = makeOperand(asked, seed * 1000 + number, integers);
    if (!operand)
      return operand.takeError();
    operands.push_back(std::move(*operand));
  }
  return operands;
}

Expected<std::vector<int64_t>> heddle::tool::findExtents(
    const sparse::Statement &statement,
    const std::map<std::string, std::vector<int64_t>> &extents) {
  std::vector<int64_t> found(statement.indices.size(), -1);
  std::vector<std::string> where(statement.indices.size());
  for (const auto &term : statement.terms)
    for (const sparse::Access &access : term)
      for (auto [axis, index] : enumerate(access.indices)) {
        int64_t extent = extents.at(access.tensor)[axis];
        if (found[index] >= 0 && found[index] != extent)
          return refuse(statement.indices[index] + " is " +
                        Twine(found[index]) + " in " + where[index] + " and " +
                        Twine(extent) + " in " + access.tensor);
        found[index] = extent;
        where[index] = access.tensor;
      }
  return found;
}

Expected<ProgramStatistics>
heddle::tool::describeOperands(einsum::ProgramOp program,
                               const std::vector<Operand> &operands) {
  ProgramStatistics all;
  std::map<std::string, std::vector<int64_t>> extents, counts;
  for (const Operand &operand : operands) {
    extents[operand.name] = operand.tensor.extents;
    for (int level = 0; level < operand.tensor.format.rank(); ++level)
      counts[operand.name].push_back(operand.tensor.countOfLevel(level));
  }
  for (auto op : program.getEntry().getOps<einsum::StatementOp>()) {
    sparse::Statement statement = describeStatement(op);
    auto found = findExtents(statement, extents);
    if (!found)
      return found.takeError();
    for (int index : statement.result.indices)
      extents[statement.result.tensor].push_back((*found)[index]);
    sparse::Statistics &made = all.emplace_back();
    made.extents = *found;
    made.counts = counts;
  }
  return all;
}

Error heddle::tool::describeMachine(einsum::ProgramOp program, StringRef name,
                                    int workers,
                                    ProgramStatistics &statistics) {
  std::shared_ptr<machine::Processor> processor;
  if (!name.empty()) {
    processor = std::make_shared<machine::Processor>();
    std::string error;
    if (!machine::findProcessor(name.str(), *processor, error))
      return diag::makeError(diag::machine, error);
  }
  size_t number = 0;
  for (auto op : program.getEntry().getOps<einsum::StatementOp>())
    if (number++ >= statistics.size())
      statistics.push_back(sparse::Statistics::guess(describeStatement(op)));
  for (sparse::Statistics &known : statistics) {
    known.machine = processor;
    known.workers = workers;
  }
  return Error::success();
}

Expected<SoundOperands> heddle::tool::makeSoundOperands(
    einsum::ProgramOp program, ArrayRef<std::string> views,
    const OperandOptions &options, uint64_t seed, bool integers) {
  auto operands = makeOperands(program, views, options, seed, integers);
  if (!operands)
    return operands.takeError();
  auto statistics = describeOperands(program, *operands);
  if (!statistics)
    return statistics.takeError();
  for (const Operand &operand : *operands)
    if (std::string fault = operand.tensor.findFault(); !fault.empty())
      return refuse(operand.name + ": " + fault);
  return SoundOperands{std::move(*operands), std::move(*statistics)};
}
