//===- EventNames.cpp - Which instructions are events, and their names ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EventNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using llvm::StringRef;

namespace heddle {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
struct Kind {
  StringRef ptx;       ///< how the opcode begins
  StringRef intrinsic; ///< how the intrinsic's name begins, after "llvm.nvvm."
  unsigned numbers;    ///< leading operands that are part of the event
};
} // namespace

/// A name that begins with another one's comes first.
static constexpr Kind kKinds[] = {
    {"mbarrier.init", "mbarrier.init", 0},
    {"mbarrier.try_wait", "mbarrier.try.wait", 0},
    {"mbarrier.test_wait", "mbarrier.test.wait", 0},
    {"mbarrier.arrive.expect_tx", "mbarrier.arrive.expect.tx", 0},
    {"mbarrier.arrive", "mbarrier.arrive", 0},
    {"fence.mbarrier_init", "fence.mbarrier_init", 0},
    {"fence.proxy.async", "fence.proxy.async", 0},
    {"cp.async.cg", "cp.async.cg", 0},
    {"cp.async.mbarrier.arrive.noinc", "cp.async.mbarrier.arrive.noinc", 0},
    {"cp.async.wait_all", "cp.async.wait.all", 0},
    {"cp.async.bulk.commit_group", "cp.async.bulk.commit.group", 0},
    {"cp.async.bulk.wait_group.read", "cp.async.bulk.wait.group.read", 1},
    {"cp.async.bulk.wait_group", "cp.async.bulk.wait.group", 1},
    {"wgmma.fence", "wgmma.fence", 0},
    {"wgmma.commit_group", "wgmma.commit_group", 0},
    {"wgmma.wait_group", "wgmma.wait_group", 1},
    {"bar.sync", "barrier.cta.sync.aligned", 2},
    {"bar.arrive", "barrier.cta.arrive.aligned", 2},
    {"bar.warp.sync", "bar.warp.sync", 0},
    {"setmaxnreg.inc", "setmaxnreg.inc", 1},
    {"setmaxnreg.dec", "setmaxnreg.dec", 1},
    {"elect.sync", "elect.sync", 0},
};

/// What else synchronises is an event by its full name: if only one side knows
/// it by that name, the comparison says so.
static constexpr StringRef kFamilies[] = {
    "mbarrier.", "cp.async.", "cp.reduce.",   "wgmma.",
    "bar.",      "barrier.",  "fence.proxy.", "setmaxnreg."};

static bool isInFamily(StringRef name) {
  return llvm::any_of(
      kFamilies, [&](StringRef family) { return name.starts_with(family); });
}

static std::string nameTensorReduction(StringRef dimensions) {
  return ("cp.reduce.async.bulk.tensor." + dimensions + " add").str();
}

static std::string nameTensorCopy(StringRef dimensions, bool load) {
  return ("cp.async.bulk.tensor." + dimensions + (load ? " load" : " store"))
      .str();
}

//===----------------------------------------------------------------------===//
// Statements of PTX
//===----------------------------------------------------------------------===//

/// The number that an operand is, or "?" for a register.
static std::string nameNumber(StringRef operand) {
  operand = operand.trim();
  int64_t value = 0;
  return operand.getAsInteger(10, value) ? "?" : operand.str();
}

std::optional<std::string> nameEvent(StringRef opcode, StringRef operands) {
  StringRef rest = opcode;
  if (rest.consume_front("cp.async.bulk.tensor.")) {
    auto [dimensions, path] = rest.split('.');
    return nameTensorCopy(dimensions, path.starts_with("shared"));
  }
  if (rest.consume_front("cp.reduce.async.bulk.tensor.") &&
      rest.contains(".add."))
    return nameTensorReduction(rest.split('.').first);
  for (const Kind &kind : kKinds) {
    if (!opcode.starts_with(kind.ptx))
      continue;
    std::string name = kind.ptx.str();
    for (unsigned i = 0; i < kind.numbers && !operands.empty(); ++i) {
      auto [first, others] = operands.split(',');
      name += (i ? ", " : " ") + nameNumber(first);
      operands = others;
    }
    return name;
  }
  if (isInFamily(opcode))
    return opcode.str();
  return std::nullopt;
}

// Every kernel's text is read two or three times, so these look at each byte
// once.

/// Without blanks and braces, which only open and close scopes.
static StringRef skipSpace(StringRef text) {
  auto isSpace = [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '{' || c == '}';
  };
  size_t at = 0;
  while (at < text.size() && isSpace(text[at]))
    ++at;
  return text.drop_front(at);
}

static StringRef firstWord(StringRef text) {
  size_t end = 0;
  while (end < text.size() && text[end] != ' ' && text[end] != '\t')
    ++end;
  return text.take_front(end);
}

/// `text` does not begin with space.
static Statement parseStatement(StringRef text) {
  Statement result;
  StringRef word = firstWord(text);
  auto drop = [&] {
    text = skipSpace(text.drop_front(word.size()));
    word = firstWord(text);
  };
  if (word.ends_with(":")) {
    result.label = word.drop_back();
    drop();
  }
  if (word.starts_with("@")) {
    result.predicated = true;
    drop();
  }
  result.opcode = word;
  result.operands = text.drop_front(word.size()).trim();
  return result;
}

static StringRef withoutComment(StringRef line) {
  for (size_t at = line.find('/'); at != StringRef::npos;
       at = line.find('/', at + 1))
    if (line.substr(at).starts_with("//"))
      return line.take_front(at);
  return line;
}

/// What stands in front of `separator`, which `text` loses with it.
static StringRef takeUntil(StringRef &text, char separator) {
  size_t end = text.find(separator);
  StringRef front = text.take_front(end);
  text = text.substr(end == StringRef::npos ? text.size() : end + 1);
  return front;
}

void forEachStatement(StringRef text,
                      llvm::function_ref<void(const Statement &)> visit) {
  while (!text.empty()) {
    StringRef line = withoutComment(takeUntil(text, '\n'));
    while (!line.empty()) {
      StringRef statement = skipSpace(takeUntil(line, ';'));
      if (!statement.empty())
        visit(parseStatement(statement));
    }
  }
}

//===----------------------------------------------------------------------===//
// Calls of LLVM IR
//===----------------------------------------------------------------------===//

static std::optional<std::string> nameIntrinsic(const llvm::CallInst &call,
                                                StringRef name) {
  StringRef rest = name;
  if (rest.consume_front("cp.async.bulk.tensor.") &&
      (rest.starts_with("g2s.") || rest.starts_with("s2g.")))
    return nameTensorCopy(rest.rsplit('.').second, rest.starts_with("g2s."));
  if (rest.consume_front("reduce.add."))
    return nameTensorReduction(rest.rsplit('.').second);
  for (const Kind &kind : kKinds) {
    if (!name.starts_with(kind.intrinsic))
      continue;
    std::string event = kind.ptx.str();
    for (unsigned i = 0; i < kind.numbers && i < call.arg_size(); ++i) {
      auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
      event += (i ? ", " : " ") +
               (constant ? std::to_string(constant->getSExtValue()) : "?");
    }
    return event;
  }
  if (isInFamily(name))
    return name.str();
  return std::nullopt;
}

void addEvents(const llvm::CallInst &call, std::vector<std::string> &events) {
  if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return forEachStatement(
        assembly->getAsmString(), [&](const Statement &statement) {
          if (std::optional<std::string> event =
                  nameEvent(statement.opcode, statement.operands))
            events.push_back(*event);
        });
  const llvm::Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : StringRef();
  if (!name.consume_front("llvm.nvvm."))
    return;
  if (std::optional<std::string> event = nameIntrinsic(call, name))
    events.push_back(*event);
}

} // namespace heddle
