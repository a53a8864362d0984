//===- Writer.cpp - Text of a program under construction ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace heddle;
using namespace heddle::fuzz;
using llvm::formatv;

int64_t Type::elements() const {
  int64_t count = 1;
  for (const Extent &extent : shape)
    count *= extent.size;
  return count;
}

static std::string spellTile(const Shape &shape, const std::string &element) {
  std::string text = "tensor<";
  std::vector<std::string> names;
  bool named = false;
  for (const Extent &extent : shape) {
    named |= !extent.name.empty();
    text += (extent.name.empty() ? std::to_string(extent.size) : "?") + "x";
    names.push_back('"' + extent.name + '"');
  }
  text += element;
  if (named)
    text += ", #tile.shape<" + llvm::join(names, ", ") + ">";
  return text + ">";
}

std::string Type::spell() const {
  std::string element(factsOf(kind).spelling);
  return isTile() ? spellTile(shape, element) : element;
}

std::string heddle::fuzz::spellPointers(const Type &type) {
  std::string element =
      "!tile.ptr<" + std::string(factsOf(type.kind).spelling) + ">";
  return type.isTile() ? spellTile(type.shape, element) : element;
}

void Writer::line(const std::string &text) {
  body += std::string(size_t(2 * depth), ' ') + text + "\n";
}

Value Writer::define(Type type, Bound bound, const std::string &right) {
  Value value{fresh(), std::move(type), bound};
  line(value.name + " = " + right);
  pool.push_back(value);
  return value;
}

bool Writer::isUsed(const Value &value) const {
  int found = 0;
  for (size_t at = body.find(value.name); at != std::string::npos;
       at = body.find(value.name, at + 1)) {
    char after = body[at + value.name.size()]; // a line ends in a newline
    found += !llvm::isDigit(after) && after != '#';
  }
  // A result of several has no definition under its own name.
  return found > (llvm::StringRef(value.name).contains('#') ? 0 : 1);
}

static Kind kindOf(manifest::ElementType element) {
  for (int kind = 0; kind <= int(Kind::Index); ++kind)
    if (factsOf(Kind(kind)).stored == element)
      return Kind(kind);
  return Kind::F32;
}

std::string heddle::fuzz::spellView(Kind kind,
                                    const std::vector<std::string> &extents,
                                    const std::vector<int> &order) {
  std::string text = "!tile.view<";
  for (const std::string &extent : extents)
    text += extent + "x";
  text += factsOf(kind).spelling;
  auto axes =
      llvm::map_range(order, [](int axis) { return std::to_string(axis); });
  if (order.size() > 1)
    text += ", #tile.order<" + llvm::join(axes, ", ") + ">";
  return text + ">";
}

Memory Writer::addArgument(ArgumentPlan plan, std::vector<bool> staticExtents) {
  Kind kind = kindOf(plan.declared.element);
  bool pointer = plan.declared.kind == manifest::Argument::Kind::Pointer;
  std::string letter = pointer ? "p" : plan.declared.written ? "o" : "a";
  plan.declared.name = letter + std::to_string(plans.size());
  plan.declared.rank = int(plan.declared.order.size());
  Memory memory{"%" + plan.declared.name, "", plans.size()};
  if (pointer) {
    memory.type =
        ("!tile.ptr<" + llvm::StringRef(factsOf(kind).spelling) + ">").str();
  } else {
    std::vector<std::string> extents;
    for (auto [axis, extent] : llvm::enumerate(plan.shape))
      extents.push_back(axis < staticExtents.size() && staticExtents[axis]
                            ? std::to_string(extent)
                            : "?");
    memory.type = spellView(kind, extents, plan.declared.order);
  }
  arguments.push_back(memory.name + ": " + memory.type);
  plans.push_back(std::move(plan));
  return memory;
}

Value Writer::addScalar(Kind kind, double number) {
  ArgumentPlan plan;
  plan.declared.kind = manifest::Argument::Kind::Scalar;
  plan.declared.element = *factsOf(kind).stored;
  plan.declared.name = "s" + std::to_string(plans.size());
  plan.scalar = number;
  Value value{"%" + plan.declared.name,
              {kind, {}},
              {number, number, number == int64_t(number) ? 0 : -4}};
  arguments.push_back(value.name + ": " + value.type.spell());
  plans.push_back(std::move(plan));
  return value;
}

Extent Writer::addParameter(int64_t size, const std::vector<int64_t> &legal) {
  std::string name = "B" + std::to_string(parameters.size());
  auto numbers =
      llvm::map_range(legal, [](int64_t n) { return std::to_string(n); });
  parameters.push_back(formatv("tile.param @{0} : {{{1}} = {2}", name,
                               llvm::join(numbers, ", "), size));
  return {size, name};
}

Program Writer::finish(const std::string &head) const {
  Program program;
  program.arguments = plans;
  program.text = "// " + head + "\n";
  for (const ArgumentPlan &plan : plans)
    program.text += print(plan) + "\n";
  for (const std::string &parameter : parameters)
    program.text += parameter + "\n";
  program.text += "tile.kernel @generated(" + llvm::join(arguments, ", ") +
                  ") {\n" + body + "}\n";
  return program;
}
