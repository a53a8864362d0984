//===- heddle-opt.cpp - Runs single passes on text ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's driver with heddle's dialects and passes. What it would read or nest
// without a bound is looked at here, before.
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Registry.h"
#include "heddle/Support/BigStack.h"
#include "heddle/Support/Files.h"
#include "heddle/Support/Nesting.h"
#include "heddle/Support/StandardStreams.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;

static constexpr int kBadUse = 3;

/// About a million operations, for whose chains there is a stack.
static constexpr uint64_t kLongestProgram = uint64_t(16) << 20;

static int fail(const Twine &message) {
  errs() << "heddle-opt: " << message << "\n";
  return kBadUse;
}

/// What MLIR's own driver would read without a bound.
static std::string objectionTo(StringRef argument) {
  if (argument.starts_with("@"))
    return "arguments are not read from files, as '" + argument.str() +
           "' asks for";
  if (auto fault = findDeepNesting(argument))
    return "an argument is too long: " + fault->message;
  return "";
}

/// The first file that a location of `text` names and that is no file: MLIR's
/// driver opens it to quote a line.
static std::string findSpecialFile(StringRef text) {
  for (size_t end = text.find("\":"); end != StringRef::npos;
       end = text.find("\":", end + 1)) {
    size_t begin = text.take_front(end).rfind('"');
    if (begin == StringRef::npos)
      continue;
    std::string path;
    for (StringRef rest = text.slice(begin + 1, end); !rest.empty();) {
      bool isHex = rest.size() > 2 && rest[0] == '\\' && isHexDigit(rest[1]) &&
                   isHexDigit(rest[2]);
      path += isHex ? char(hexFromNibbles(rest[1], rest[2])) : rest[0];
      rest = rest.drop_front(isHex ? 3 : 1);
    }
    if (sys::fs::exists(path) && !sys::fs::is_regular_file(path))
      return path;
  }
  return "";
}

static int run(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string objection = objectionTo(argv[i]); !objection.empty())
      return fail(objection);
  mlir::DialectRegistry registry;
  heddle::pipeline::registerDialects(registry);
  heddle::pipeline::registerPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "heddle's pass driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  std::string reason;
  auto buffer = readFile(input, reason, kLongestProgram);
  if (!buffer)
    return fail(input + ": cannot be read: " + reason);
  if (auto fault = findDeepNesting(buffer->getBuffer()))
    return fail(input + ":" + Twine(fault->line) + ":" + Twine(fault->column) +
                ": " + fault->message);
  if (std::string path = findSpecialFile(buffer->getBuffer()); !path.empty())
    return fail(input + ": a location names '" + path + "', which is no file");
  std::string text;
  raw_string_ostream stream(text);
  mlir::LogicalResult result =
      mlir::MlirOptMain(stream, std::move(buffer), registry, config);
  if (output == "-")
    outs() << text;
  else if (failed(result))
    ; // as upstream's driver, which keeps an output only of what succeeded
  else if (reason = writeFile(output, text); !reason.empty())
    return fail(output + ": cannot be written: " + reason);
  return mlir::asMainReturnCode(result);
}

int main(int argc, char **argv) {
  takeStandardStreams("heddle-opt");
  InitLLVM init(argc, argv);
  outliveFileLimit();
  return runOnBigStack([&] { return run(argc, argv); });
}
