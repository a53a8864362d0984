//===- SparseCheck.cpp - Runs the command of a sparse program -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process of the tool for each command, as users start it: its exit code and
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

namespace {

/// What a process of the tool left behind.
struct Run {
  int code = 0;
  std::string output, errors;
};

} // namespace

/// What the tool's exit code and messages say of the program.
static Outcome judge(const Run &run, bool hasFewSlots) {
  StringRef errors = run.errors;
  std::string message = run.errors + run.output;
  if (run.code == 0)
    return {};
  if (errors.contains("bug in heddle"))
    return {Verdict::Broken, "heddle", message};
  if (run.code == 1 && hasFewSlots && errors.contains("[deadlock]"))
    return {};
  // Not run to its end, which says nothing about the result.
  if (run.code == 1 && errors.contains("[step-limit]"))
    return {Verdict::Declined, "heddle", "more steps than a run may have"};
  if (run.code == 1)
    return {Verdict::Disagree, "heddle", message};
  // Refusals that the drawn programs are meant to reach; another one is news.
  if (run.code == 2 &&
      contains(errors, {"[einsum-no-plan]", "[einsum-no-kernel]",
                        "[no-expansion]", "[flow-unsupported]"}))
    return {Verdict::Declined, "heddle", reasonOf(errors)};
  if (run.code == 2)
    return {Verdict::Broken, "heddle", message};
  return {Verdict::Invalid, "heddle", message};
}

/// The words of a command with the file's path in its place.
static SmallVector<StringRef> wordsOf(StringRef command, StringRef path) {
  SmallVector<StringRef> words;
  command.split(words, ' ', -1, false);
  for (StringRef &word : words)
    if (word == "FILE")
      word = path;
  return words;
}

/// How many rings have the fewest slots, one less of which is a deadlock.
static int64_t countTight(StringRef output) {
  int64_t rings = 0;
  StringRef rest = output.split("with one slot less, each of ").second;
  return rest.consumeInteger(10, rings) ? 0 : rings;
}

Outcome heddle::fuzz::checkSparse(const fuzz::Program &program,
                                  const std::string &heddle, int seconds) {
  Scratch input("mlir"), output("out"), errors("err");
  if (!writeFile(input.path, program.text).empty())
    return {Verdict::Crash, "", "no file for the program"};
  Outcome agreed;
  for (StringRef line : split(StringRef(program.text), '\n')) {
    if (!line.consume_front(kCommand))
      break;
    SmallVector<StringRef> arguments = {heddle};
    append_range(arguments, wordsOf(line, input.path));
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
              "heddle", reason + ": " + line.str()};
    Run run = {code, output.read(), errors.read()};
    auto [rest, slots] = line.split("--slots=");
    Outcome outcome = judge(run, !slots.empty() && isDigit(slots[0]));
    if (outcome.verdict == Verdict::Declined)
      return outcome;
    if (outcome.verdict != Verdict::Agree) {
      outcome.message += "by: heddle " + line.str();
      return outcome;
    }
    if (int64_t rings = countTight(run.output))
      agreed.message = std::to_string(rings) + " tight rings";
  }
  return agreed;
}
