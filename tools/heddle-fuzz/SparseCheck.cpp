//===- SparseCheck.cpp - Runs the command of a sparse program -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process of the tool for each program, as users start it: its exit code and
// the id of its message are the verdict.
//
//===----------------------------------------------------------------------===//

#include "SparseProgram.h"

#include "heddle/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::fuzz;

static constexpr StringLiteral kCommand = "//$ heddle ";

bool heddle::fuzz::isSparse(const fuzz::Program &program) {
  return StringRef(program.text).starts_with(kCommand);
}

namespace {

/// A file that goes with this object.
class Scratch {
public:
  explicit Scratch(StringRef suffix) {
    SmallString<128> name;
    if (!sys::fs::createTemporaryFile("heddle-fuzz", suffix, name))
      remover.setFile(name);
    path = name.str().str();
  }
  std::string read() const {
    std::string reason;
    auto buffer = readFile(path, reason);
    return buffer ? buffer->getBuffer().str() : "";
  }
  std::string path;

private:
  FileRemover remover;
};

} // namespace

static bool contains(StringRef text, ArrayRef<StringRef> ids) {
  return any_of(ids, [&](StringRef id) { return text.contains(id); });
}

/// The first error without its place and with one name for all tensors, indices
/// and words, so that equal reasons count as one.
static std::string reasonOf(StringRef errors) {
  SmallVector<StringRef> words;
  errors.split("error: ").second.split('\n').first.split(words, ' ');
  std::string reason;
  for (StringRef word : words) {
    StringRef bare = word.rtrim(",;:");
    bool isTensor = bare.size() == 2 && StringRef("TRM").contains(bare[0]) &&
                    isDigit(bare[1]);
    bool isIndex = bare.size() == 1 && StringRef("ijkl").contains(bare[0]);
    reason += reason.empty() ? "" : " ";
    reason +=
        isTensor || isIndex ? "X" + word.substr(bare.size()).str() : word.str();
  }
  return reason;
}

/// What the tool's exit code and messages say of the program.
static Outcome judge(int code, StringRef output, StringRef errors) {
  std::string message = (errors + output).str();
  if (code == 0)
    return {};
  if (errors.contains("bug in heddle"))
    return {Verdict::Broken, "heddle", message};
  if (code == 1)
    return {Verdict::Disagree, "heddle", message};
  // Refusals that the drawn programs are meant to reach; another one is news.
  if (code == 2 && contains(errors, {"[einsum-no-plan]", "[einsum-no-kernel]",
                                     "[no-expansion]"}))
    return {Verdict::Declined, "heddle", reasonOf(errors)};
  if (code == 2)
    return {Verdict::Broken, "heddle", message};
  return {Verdict::Invalid, "heddle", message};
}

Outcome heddle::fuzz::checkSparse(const fuzz::Program &program,
                                  const std::string &heddle, int seconds) {
  Scratch input("mlir"), output("out"), errors("err");
  if (!writeFile(input.path, program.text).empty())
    return {Verdict::Crash, "", "no file for the program"};
  StringRef line = StringRef(program.text).split('\n').first;
  SmallVector<StringRef> words;
  line.drop_front(kCommand.size()).split(words, ' ', -1, false);
  SmallVector<StringRef> arguments = {heddle};
  for (StringRef word : words)
    arguments.push_back(word == "FILE" ? StringRef(input.path) : word);
  std::string reason;
  bool hasFailed = false;
  int code = sys::ExecuteAndWait(
      heddle, arguments, std::nullopt,
      {StringRef(""), StringRef(output.path), StringRef(errors.path)},
      unsigned(seconds), 0, &reason, &hasFailed);
  if (hasFailed)
    return {Verdict::Crash, "", heddle + ": " + reason};
  if (code == -2)
    return {StringRef(reason).contains("timed out") ? Verdict::Hang
                                                    : Verdict::Crash,
            "heddle", reason};
  return judge(code, output.read(), errors.read());
}
