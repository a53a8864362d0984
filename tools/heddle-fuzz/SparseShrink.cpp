//===- SparseShrink.cpp - A smaller sparse program that fails so ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands are words, the program is a module. Edits of either are made on
// a copy and kept where the outcome stays. A statement is taken out by making
// an operand of its result, which then holds random elements; so a fault of a
// later statement needs none before it.
//
//===----------------------------------------------------------------------===//

#include "SparseShrink.h"

#include "Campaign.h"
#include "SparseProgram.h"

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace heddle;
using namespace heddle::fuzz;
using llvm::StringRef;

namespace {

using Words = std::vector<std::string>;
using Commands = std::vector<Words>;

constexpr StringRef kComment = "//$ ";

/// A statement whose parts can be taken out.
struct Parts {
  struct Factor {
    mlir::Value tensor;
    mlir::Attribute access, functions;
  };
  struct Term {
    double coefficient = 1;
    std::vector<Factor> factors;
  };
  std::vector<Term> terms;
  std::optional<Factor> mask;
  mlir::StringAttr semiring;
  mlir::ArrayAttr then;

  explicit Parts(einsum::StatementOp op);
  /// In place of the statement.
  void write(einsum::StatementOp op) const;
};

class SparseShrinker {
public:
  SparseShrinker(const Outcome &failure, const std::string &heddle, int seconds)
      : failure(failure), heddle(heddle), seconds(seconds),
        context(pipeline::createContext()),
        quiet(context.get(),
              [](mlir::Diagnostic &) { return mlir::success(); }) {}
  fuzz::Program run(const fuzz::Program &program);

private:
  using Edit = llvm::function_ref<bool(mlir::ModuleOp, Commands &)>;

  bool parse(const fuzz::Program &program);
  /// Makes the edit on a copy, and keeps it if that fails in the same way.
  bool attempt(Edit edit);
  bool isSame(const Outcome &outcome) const;
  bool shrinkCommands();
  bool shrinkReturns();
  bool shrinkStatements();
  bool shrinkParts(size_t number);
  bool shrinkExtents();

  const Outcome &failure;
  const std::string &heddle;
  int seconds;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::ScopedDiagnosticHandler quiet;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Commands commands;
};

Parts::Parts(einsum::StatementOp op)
    : semiring(op.getSemiringAttr()), then(op.getThenAttr()) {
  auto none = mlir::ArrayAttr::get(op.getContext(), {});
  unsigned at = 0;
  for (auto [number, count] : llvm::enumerate(op.getTerms())) {
    Term &term = terms.emplace_back();
    if (op.getCoefficients())
      term.coefficient = (*op.getCoefficients())[number];
    for (int64_t i = 0; i < count; ++i, ++at)
      term.factors.push_back(
          {op.getOperand(at), op.getAccesses()[at],
           op.getFunctions() ? (*op.getFunctions())[at] : none});
  }
  if (op.getMasked())
    mask = Factor{op.getOperand(at), op.getAccesses()[at], none};
}

void Parts::write(einsum::StatementOp op) const {
  mlir::OpBuilder builder(op);
  llvm::SmallVector<mlir::Attribute> accesses, functions;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int64_t> counts;
  llvm::SmallVector<double> coefficients;
  for (const Term &term : terms) {
    counts.push_back(int64_t(term.factors.size()));
    coefficients.push_back(term.coefficient);
    for (const Factor &factor : term.factors) {
      operands.push_back(factor.tensor);
      accesses.push_back(factor.access);
      functions.push_back(factor.functions);
    }
  }
  if (mask) {
    operands.push_back(mask->tensor);
    accesses.push_back(mask->access);
  }
  bool isPlain = llvm::all_of(functions, [](mlir::Attribute list) {
    return llvm::cast<mlir::ArrayAttr>(list).empty();
  });
  bool areOnes =
      llvm::all_of(coefficients, [](double number) { return number == 1; });
  auto made = einsum::StatementOp::create(
      builder, op.getLoc(), op.getType(), op.getNameAttr(), op.getOutputAttr(),
      builder.getArrayAttr(accesses), builder.getDenseI64ArrayAttr(counts),
      semiring, isPlain ? mlir::ArrayAttr() : builder.getArrayAttr(functions),
      areOnes ? mlir::DenseF64ArrayAttr()
              : builder.getDenseF64ArrayAttr(coefficients),
      mask ? builder.getUnitAttr() : mlir::UnitAttr(), then, operands);
  op.replaceAllUsesWith(made.getResult());
  op.erase();
}

einsum::ProgramOp programIn(mlir::ModuleOp module) {
  return *module.getOps<einsum::ProgramOp>().begin();
}

std::vector<einsum::StatementOp> statementsIn(mlir::ModuleOp module) {
  auto all = programIn(module).getEntry().getOps<einsum::StatementOp>();
  return {all.begin(), all.end()};
}

/// Writes down again what the program takes and returns.
void setTypes(einsum::ProgramOp program,
              llvm::ArrayRef<mlir::Attribute> names) {
  mlir::Builder builder(program.getContext());
  mlir::Block &entry = program.getEntry();
  program.setArgNamesAttr(builder.getArrayAttr(names));
  program.setFunctionType(builder.getFunctionType(
      entry.getArgumentTypes(), entry.getTerminator()->getOperandTypes()));
}

/// Of `--view=NAME=2x3`, the sizes; "" if the tensor has none.
std::string sizesOf(const Words &words, StringRef name) {
  for (StringRef word : words)
    if (word.consume_front("--view=") && word.consume_front(name) &&
        word.consume_front("="))
      return word.str();
  return "";
}

/// Removes what the commands say of a tensor.
void forget(Commands &commands, StringRef name) {
  for (Words &words : commands)
    llvm::erase_if(words, [&](const std::string &word) {
      StringRef rest = word;
      return (rest.consume_front("--view=") ||
              rest.consume_front("--pattern=") ||
              rest.consume_front("--density=")) &&
             rest.split('=').first == name;
    });
}

/// Removes statements and arguments that nobody reads.
void eraseDead(mlir::ModuleOp module, Commands &commands) {
  einsum::ProgramOp program = programIn(module);
  std::vector<einsum::StatementOp> statements = statementsIn(module);
  for (size_t i = statements.size(); i-- > 0;)
    if (statements[i]->use_empty()) {
      statements[i].erase();
      for (Words &words : commands)
        for (std::string &word : words) {
          StringRef rest = word;
          llvm::SmallVector<StringRef> regions;
          if (!rest.consume_front("--regions="))
            continue;
          rest.split(regions, ',');
          if (i < regions.size() && regions.size() > 1)
            regions.erase(regions.begin() + ptrdiff_t(i));
          word = "--regions=" + llvm::join(regions, ",");
        }
    }
  mlir::Block &entry = program.getEntry();
  std::vector<mlir::Attribute> names(program.getArgNames().begin(),
                                     program.getArgNames().end());
  for (unsigned i = entry.getNumArguments(); i-- > 0;)
    if (entry.getArgument(i).use_empty()) {
      forget(commands, llvm::cast<mlir::StringAttr>(names[i]).getValue());
      entry.eraseArgument(i);
      names.erase(names.begin() + i);
    }
  setTypes(program, names);
}

/// Makes an operand of a statement's result; false if its extents are unknown.
bool makeOperand(einsum::StatementOp op, Commands &commands) {
  auto program = op->getParentOfType<einsum::ProgramOp>();
  std::string sizes;
  for (mlir::Attribute index : op.getOutput()) {
    std::string extent;
    for (auto [operand, access] : llvm::zip(op.getOperands(), op.getAccesses()))
      for (auto [axis, name] :
           llvm::enumerate(llvm::cast<mlir::ArrayAttr>(access))) {
        std::string known = sizesOf(commands.front(), einsum::nameOf(operand));
        llvm::SmallVector<StringRef> extents;
        StringRef(known).split(extents, 'x');
        if (name == index && axis < extents.size())
          extent = extents[axis].str();
      }
    if (extent.empty())
      return false;
    sizes += (sizes.empty() ? "" : "x") + extent;
  }
  if (sizes.empty())
    return false;
  std::string name = op.getName().str();
  std::vector<mlir::Attribute> names(program.getArgNames().begin(),
                                     program.getArgNames().end());
  names.push_back(op.getNameAttr());
  op.getResult().replaceAllUsesWith(
      program.getEntry().addArgument(op.getType(), op.getLoc()));
  setTypes(program, names);
  bool isSparse =
      bool(llvm::cast<mlir::RankedTensorType>(op.getType()).getEncoding());
  for (Words &words : commands) {
    words.push_back("--view=" + name + "=" + sizes);
    if (isSparse)
      words.push_back("--density=" + name + "=0.3");
  }
  return true;
}

bool SparseShrinker::isSame(const Outcome &outcome) const {
  auto idOf = [](StringRef message) {
    return message.split("error: ").second.split('[').second.split(']').first;
  };
  if (outcome.verdict != failure.verdict)
    return false;
  return outcome.verdict == Verdict::Declined
             ? reasonOf(outcome.message) == reasonOf(failure.message)
             : idOf(outcome.message) == idOf(failure.message);
}

std::string textOf(mlir::ModuleOp module, const Commands &commands) {
  std::string text;
  for (const Words &words : commands)
    text += kComment.str() + llvm::join(words, " ") + "\n";
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text + "\n";
}

bool SparseShrinker::parse(const fuzz::Program &program) {
  for (StringRef line : llvm::split(StringRef(program.text), '\n')) {
    if (!line.consume_front(kComment))
      break;
    llvm::SmallVector<StringRef> words;
    line.split(words, ' ', -1, false);
    Words &command = commands.emplace_back();
    for (StringRef word : words)
      command.push_back(word.str());
  }
  Source source;
  source.path = "shrunk.mlir";
  source.text = program.text;
  module = pipeline::parse(source, *context);
  return module && !commands.empty();
}

bool SparseShrinker::attempt(Edit edit) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  Commands others = commands;
  if (!edit(*copy, others))
    return false;
  eraseDead(*copy, others);
  if (statementsIn(*copy).empty() || failed(mlir::verify(*copy)))
    return false;
  fuzz::Program candidate;
  candidate.text = textOf(*copy, others);
  if (!isSame(checkSparse(candidate, heddle, seconds)))
    return false;
  module = std::move(copy);
  commands = std::move(others);
  return true;
}

/// One of the commands, without the options that it does not need.
bool SparseShrinker::shrinkCommands() {
  bool changed = false;
  for (size_t i = 0; commands.size() > 1 && i < commands.size(); ++i)
    changed |= attempt([&](mlir::ModuleOp, Commands &commands) {
      commands = {commands[i]};
      return true;
    });
  for (size_t at = commands.front().size(); at-- > 0;) {
    StringRef word = commands.front()[at];
    if (commands.size() == 1 && word.starts_with("--") &&
        !word.starts_with("--view="))
      changed |= attempt([&](mlir::ModuleOp, Commands &commands) {
        commands.front().erase(commands.front().begin() + ptrdiff_t(at));
        return true;
      });
  }
  return changed;
}

bool SparseShrinker::shrinkReturns() {
  bool changed = false;
  auto returned = [](mlir::ModuleOp module) {
    return programIn(module).getEntry().getTerminator();
  };
  for (unsigned i = returned(*module)->getNumOperands(); i-- > 0;)
    changed |= attempt([&](mlir::ModuleOp module, Commands &) {
      mlir::Operation *op = returned(module);
      if (op->getNumOperands() == 1)
        return false;
      op->eraseOperand(i);
      return true;
    });
  return changed;
}

/// From the end, since what is left out there takes its producers along.
bool SparseShrinker::shrinkStatements() {
  bool changed = false;
  for (size_t i = statementsIn(*module).size(); i-- > 0;) {
    changed |= attempt([&](mlir::ModuleOp module, Commands &commands) {
      auto statements = statementsIn(module);
      return i < statements.size() && makeOperand(statements[i], commands);
    });
    if (i < statementsIn(*module).size())
      changed |= shrinkParts(i);
  }
  return changed;
}

bool SparseShrinker::shrinkParts(size_t number) {
  auto edit = [&](llvm::function_ref<void(Parts &)> change) {
    return attempt([&](mlir::ModuleOp module, Commands &) {
      auto statements = statementsIn(module);
      if (number >= statements.size())
        return false;
      Parts parts(statements[number]);
      change(parts);
      parts.write(statements[number]);
      return true;
    });
  };
  Parts now(statementsIn(*module)[number]);
  bool changed = false;
  auto none = mlir::ArrayAttr::get(context.get(), {});
  if (now.mask)
    changed |= edit([](Parts &parts) { parts.mask.reset(); });
  if (now.then)
    changed |= edit([](Parts &parts) { parts.then = {}; });
  if (now.semiring)
    changed |= edit([](Parts &parts) { parts.semiring = {}; });
  for (size_t t = now.terms.size(); t-- > 0;) {
    if (now.terms.size() > 1 && edit([&](Parts &parts) {
          parts.terms.erase(parts.terms.begin() + ptrdiff_t(t));
        })) {
      now.terms.erase(now.terms.begin() + ptrdiff_t(t));
      changed = true;
      continue;
    }
    auto &factors = now.terms[t].factors;
    if (now.terms[t].coefficient != 1)
      changed |= edit([&](Parts &parts) { parts.terms[t].coefficient = 1; });
    for (size_t f = factors.size(); f-- > 0;) {
      if (factors.size() > 1 && edit([&](Parts &parts) {
            auto &list = parts.terms[t].factors;
            list.erase(list.begin() + ptrdiff_t(f));
          })) {
        factors.erase(factors.begin() + ptrdiff_t(f));
        changed = true;
      } else if (factors[f].functions != none) {
        changed |= edit(
            [&](Parts &parts) { parts.terms[t].factors[f].functions = none; });
      }
    }
  }
  return changed;
}

/// Those that are equal together, since indices share them.
bool SparseShrinker::shrinkExtents() {
  bool changed = false;
  std::set<int64_t, std::greater<>> extents;
  for (StringRef word : commands.front())
    if (word.consume_front("--view="))
      for (StringRef size : llvm::split(word.split('=').second, 'x'))
        if (int64_t extent = 0; !size.getAsInteger(10, extent) && extent > 1)
          extents.insert(extent);
  for (int64_t extent : extents)
    for (int64_t less : {extent / 2, extent - 1})
      if (attempt([&](mlir::ModuleOp, Commands &commands) {
            for (Words &words : commands)
              for (std::string &word : words) {
                StringRef rest = word;
                if (!rest.consume_front("--view="))
                  continue;
                auto [name, sizes] = rest.split('=');
                std::vector<std::string> made;
                for (StringRef size : llvm::split(sizes, 'x'))
                  made.push_back(size == std::to_string(extent)
                                     ? std::to_string(less)
                                     : size.str());
                word = "--view=" + name.str() + "=" + llvm::join(made, "x");
              }
            return true;
          })) {
        changed = true;
        break;
      }
  return changed;
}

fuzz::Program SparseShrinker::run(const fuzz::Program &program) {
  if (!parse(program))
    return program;
  bool changed = true;
  while (changed) {
    changed = shrinkCommands();
    changed |= shrinkReturns();
    changed |= shrinkStatements();
    changed |= shrinkExtents();
  }
  fuzz::Program best;
  best.text = textOf(*module, commands);
  return best;
}

} // namespace

fuzz::Program heddle::fuzz::shrinkSparse(const fuzz::Program &program,
                                         const Outcome &failure,
                                         const std::string &heddle,
                                         int seconds) {
  return SparseShrinker(failure, heddle, seconds).run(program);
}
