//===- SavedProgram.cpp - Compiled programs as bytes ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line that names the form, a line of JSON, and the object. Slots and kinds
// are held against their ranges, so that a program that was read runs as safely
// as one that was made.
//
//===----------------------------------------------------------------------===//

#include "heddle/Cpu/SavedProgram.h"

#include "heddle/Support/JsonReader.h"

#include "llvm/Support/raw_ostream.h"

using namespace heddle;
using namespace heddle::cpu;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kForm = "heddle sparse program 2\n";
static constexpr int64_t kMostSlots = 1 << 20;

static json::Value toJson(const Step &step) {
  return json::Object{{"kind", int64_t(step.kind)},
                      {"result", step.result},
                      {"operands", json::Array(step.operands)},
                      {"number", step.number},
                      {"zeroed", step.isZeroed},
                      {"text", step.text}};
}

std::string heddle::cpu::write(const SavedProgram &saved) {
  const HostProgram &program = saved.program;
  json::Array arguments, steps, results;
  for (const HostProgram::Argument &argument : program.arguments)
    arguments.push_back(json::Object{{"name", argument.name},
                                     {"bytes", argument.elementBytes}});
  for (const Step &step : program.steps)
    steps.push_back(toJson(step));
  for (const HostProgram::Result &result : program.results)
    results.push_back(json::Object{{"name", result.name},
                                   {"array", result.array},
                                   {"count", result.count},
                                   {"bytes", result.elementBytes}});
  std::string text = kForm.str();
  llvm::raw_string_ostream os(text);
  os << json::Value(json::Object{{"processor", saved.processor},
                                 {"cycles", saved.cycles},
                                 {"name", program.name},
                                 {"slots", program.slots},
                                 {"arguments", std::move(arguments)},
                                 {"steps", std::move(steps)},
                                 {"results", std::move(results)}})
     << "\n"
     << saved.object;
  return text;
}

namespace {

class Reader {
public:
  explicit Reader(HostProgram &program) : program(program) {}

  void argument(const strict::Node &node) {
    HostProgram::Argument argument;
    strict::ObjectReader reader(node);
    reader.required("name",
                    [&](const auto &name) { argument.name = name.text(); });
    reader.required("bytes", [&](const auto &bytes) {
      argument.elementBytes = int(bytes.integer(0, 8));
    });
    program.arguments.push_back(std::move(argument));
  }

  void step(const strict::Node &node) {
    Step step;
    strict::ObjectReader reader(node);
    reader.required("kind", [&](const auto &kind) {
      step.kind = Step::Kind(kind.integer(0, int64_t(Step::Kind::Launch)));
    });
    reader.required("result", [&](const auto &result) {
      step.result = int(result.integer(-1, program.slots - 1));
    });
    reader.required("operands", [&](const auto &operands) {
      operands.list([&](const strict::Node &operand) {
        step.operands.push_back(slot(operand));
      });
      if (step.operands.size() < leastOperands(step.kind))
        operands.expected("the operands of such a step");
    });
    reader.required("number", [&](const auto &number) {
      step.number = number.integer(INT64_MIN, INT64_MAX);
    });
    reader.required("zeroed", [&](const auto &zeroed) {
      step.isZeroed = zeroed.boolean();
    });
    reader.required("text", [&](const auto &text) { step.text = text.text(); });
    program.steps.push_back(std::move(step));
  }

  void result(const strict::Node &node) {
    HostProgram::Result result;
    strict::ObjectReader reader(node);
    reader.required("name",
                    [&](const auto &name) { result.name = name.text(); });
    reader.required("array",
                    [&](const auto &array) { result.array = slot(array); });
    reader.required("count",
                    [&](const auto &count) { result.count = slot(count); });
    reader.required("bytes", [&](const auto &bytes) {
      result.elementBytes = int(bytes.integer(1, 8));
    });
    program.results.push_back(std::move(result));
  }

private:
  int slot(const strict::Node &node) {
    return int(node.integer(0, program.slots - 1));
  }

  static size_t leastOperands(Step::Kind kind) {
    switch (kind) {
    case Step::Kind::Add:
    case Step::Kind::Multiply:
    case Step::Kind::Divide:
    case Step::Kind::Read:
      return 2;
    case Step::Kind::Allocate:
    case Step::Kind::Limit:
      return 1;
    default:
      return 0;
    }
  }

  HostProgram &program;
};

} // namespace

bool heddle::cpu::read(llvm::StringRef bytes, SavedProgram &saved,
                       std::string &error) {
  if (!bytes.consume_front(kForm)) {
    error = "these are not the bytes of a saved program, or of another version";
    return false;
  }
  auto [text, object] = bytes.split('\n');
  SavedProgram made;
  HostProgram &program = made.program;
  error =
      strict::parse(text, "the saved program", [&](const strict::Node &node) {
        Reader parts(program);
        strict::ObjectReader reader(node);
        reader.required("processor", [&](const auto &name) {
          made.processor = name.text();
        });
        reader.required("cycles", [&](const auto &cycles) {
          if (std::optional<double> number = cycles.json().getAsNumber())
            made.cycles = *number;
          else
            cycles.expected("a number");
        });
        reader.required("name",
                        [&](const auto &name) { program.name = name.text(); });
        reader.required("slots", [&](const auto &slots) {
          program.slots = int(slots.integer(0, kMostSlots));
        });
        auto list = [&](const char *key, auto read) {
          reader.required(key, [&](const auto &node) { node.list(read); });
        };
        list("arguments",
             [&](const strict::Node &node) { parts.argument(node); });
        list("steps", [&](const strict::Node &node) { parts.step(node); });
        list("results", [&](const strict::Node &node) { parts.result(node); });
        if (int64_t(program.arguments.size()) > program.slots)
          node.expected("a slot for each argument");
      });
  if (!error.empty())
    return false;
  made.object = object.str();
  saved = std::move(made);
  return true;
}
