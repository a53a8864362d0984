//===- Parse.cpp - KERNEL.json to Manifest --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader. Here stands what one field alone can get wrong (kind, range,
// spelling); what needs two fields (names, axes, ranks) stands in Verify.cpp.
//
//===----------------------------------------------------------------------===//

#include "ExprSpelling.h"
#include "heddle/Manifest/Manifest.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/Support/Error.h"
#include <climits>

using namespace heddle;
using namespace heddle::manifest;
using strict::Node;
using strict::ObjectReader;
namespace json = llvm::json;

// Declared together because the templates below reach them by name.
static void read(const Node &node, Expr &expr);
static void read(const Node &node, ElementType &out);
static void read(const Node &node, Argument::Kind &kind);
static void read(const Node &node, Argument &argument);
static void read(const Node &node, MadeView &made);
static void read(const Node &node, Precondition &condition);
static void read(const Node &node, Assertion &assertion);
static void read(const Node &node, Param &param);
static void read(const Node &node, Process &process);
static void read(const Node &node, Ring &ring);
static void read(const Node &node, Stamp &stamp);
static void read(const Node &node, NamedBarrier &barrier);
static void read(const Node &node, Variant &variant);

static void read(const Node &node, std::string &out) { out = node.text(); }
static void read(const Node &node, bool &out) { out = node.boolean(); }

template <typename Int> static auto into(Int &out, int64_t min, int64_t max) {
  return [&out, min, max](const Node &node) {
    out = static_cast<Int>(node.integer(min, max));
  };
}
template <typename T> static auto into(T &out) {
  return [&out](const Node &node) { read(node, out); };
}
template <typename T> static auto listInto(std::vector<T> &out) {
  return [&out](const Node &node) {
    node.list([&](const Node &element) { read(element, out.emplace_back()); });
  };
}
static auto intListInto(std::vector<int> &out, int min, int max) {
  return [&out, min, max](const Node &node) {
    node.list([&](const Node &element) {
      out.push_back(static_cast<int>(element.integer(min, max)));
    });
  };
}

/// ["name", number], the form of dims, strides and alignments.
static void readPair(const Node &node, std::string &name, int64_t &number,
                     int64_t min, int64_t max, const std::string &what) {
  std::vector<Node> pair = node.tuple(2, what);
  if (pair.empty())
    return;
  name = pair[0].text();
  number = pair[1].integer(min, max);
}

static void readAxis(const Node &node, std::string &name, int &axis) {
  int64_t number = 0;
  readPair(node, name, number, 0, kMaxRank - 1, "[\"view\", axis]");
  axis = static_cast<int>(number);
}

static void readOperation(const Node &node, llvm::StringRef key,
                          const json::Value &value, Expr &expr) {
  Node operand = node.at(value, key.str());
  if (key == "dim") {
    expr.op = Expr::Op::Dim;
    return readAxis(operand, expr.argument, expr.axis);
  }
  if (key == "scalar") {
    expr.op = Expr::Op::Scalar;
    return read(operand, expr.argument);
  }
  std::optional<Expr::Op> op = exprOpFromSpelling(key);
  if (!op)
    return node.expected("an expression");
  expr.op = *op;
  const json::Array *operands = value.getAsArray();
  bool isNary = isNaryOp(*op);
  if (!operands || operands->size() < 2 || (!isNary && operands->size() != 2))
    return operand.expected(isNary ? "a list of at least 2 operands"
                                   : "a list of 2 operands");
  operand.list(
      [&](const Node &child) { read(child, expr.operands.emplace_back()); });
}

static void read(const Node &node, Expr &expr) {
  const json::Value &value = node.json();
  if (std::optional<int64_t> number = strict::toInteger(value)) {
    expr.constant = *number;
    return;
  }
  if (value.getAsString() == llvm::StringRef("sm_count")) {
    expr.op = Expr::Op::SmCount;
    return;
  }
  const json::Object *object = value.getAsObject();
  if (object && object->size() == 1)
    return readOperation(node, object->begin()->first, object->begin()->second,
                         expr);
  node.expected(
      "an expression (an integer, \"sm_count\", or an object with one "
      "operation such as {\"ceildiv\": [{\"dim\": [\"c\", 0]}, 128]})");
}

static void read(const Node &node, ElementType &out) {
  if (std::optional<ElementType> type = elementTypeFromSpelling(node.text()))
    out = *type;
  else
    node.expected("an element type (f16, bf16, f32, f64, i8, i16, i32, i64, "
                  "e4m3 or e5m2)");
}

static void read(const Node &node, Argument::Kind &kind) {
  std::string text = node.text();
  if (text == "view")
    kind = Argument::Kind::View;
  else if (text == "pointer")
    kind = Argument::Kind::Pointer;
  else if (text == "scalar")
    kind = Argument::Kind::Scalar;
  else
    node.expected("\"view\", \"pointer\" or \"scalar\"");
}

static void read(const Node &node, Argument &argument) {
  ObjectReader object(node);
  object.required("name", into(argument.name));
  object.required("kind", into(argument.kind));
  object.required("element", into(argument.element));
  if (argument.kind == Argument::Kind::View) {
    object.required("rank", into(argument.rank, 1, kMaxRank));
    object.required("order", intListInto(argument.order, 0, kMaxRank - 1));
  }
  if (argument.kind != Argument::Kind::Scalar)
    object.optional("written", into(argument.written));
}

static void read(const Node &node, MadeView &made) {
  ObjectReader object(node);
  object.required("view", into(made.view));
  if (object.has("workspace")) {
    bool is = true;
    object.required("workspace", into(is));
    object.optional("cleared", into(made.cleared));
    object.required("extents", listInto(made.extents));
    return;
  }
  object.required("pointer", into(made.pointer));
  object.required("offset", into(made.offset));
  object.required("extents", listInto(made.extents));
  object.required("strides", listInto(made.strides));
  object.optional("far_axis", into(made.view.farAxis, 0, kMaxRank - 1));
}

static void read(const Node &node, Precondition &condition) {
  ObjectReader object(node);
  using Kind = Precondition::Kind;
  if (object.has("aligned")) {
    object.required("aligned", [&](const Node &value) {
      condition.kind = Kind::Aligned;
      readPair(value, condition.view, condition.bytes, 1, 1 << 20,
               "[\"view\", bytes]");
    });
  } else if (object.has("rows")) {
    object.required("rows", [&](const Node &value) {
      condition.kind = Kind::Rows;
      readPair(value, condition.view, condition.bytes, 1, 1 << 20,
               "[\"view\", bytes]");
    });
  } else if (object.has("at_least")) {
    object.required("at_least", [&](const Node &value) {
      condition.kind = Kind::AtLeast;
      std::vector<Node> pair = value.tuple(2, "[expression, integer]");
      if (pair.empty())
        return;
      read(pair[0], condition.expr);
      condition.bytes = pair[1].integer(INT64_MIN, INT64_MAX);
    });
    if (object.has("message"))
      object.required("message", into(condition.message));
  } else {
    condition.kind = Kind::Tma;
    object.required("tma", into(condition.view));
  }
}

static void read(const Node &node, Assertion &assertion) {
  ObjectReader object(node);
  object.required("value",
                  [&](const Node &value) { read(value, assertion.value); });
  object.required("at_least",
                  [&](const Node &value) { read(value, assertion.bound); });
  object.required("message", into(assertion.message));
}

static void read(const Node &node, Im2colRecipe &im2col) {
  ObjectReader object(node);
  object.required("pixels", into(im2col.pixels, 1, 1024));
  object.required("first", listInto(im2col.first));
  object.required("count", listInto(im2col.count));
}

static void readTensorMap(ObjectReader &object, Param &param) {
  TensorMapRecipe &recipe = param.tensorMap;
  param.kind = Param::Kind::TensorMap;
  object.required("tensor_map", into(recipe.view));
  param.argument = recipe.view;
  object.required("box", intListInto(recipe.box, 1, 256));
  if (object.has("steps"))
    object.required("steps", intListInto(recipe.steps, 1, 8));
  if (object.has("im2col"))
    object.required("im2col", [&](const Node &value) {
      read(value, recipe.im2col.emplace());
    });
  object.required("swizzle_bytes", into(recipe.swizzleBytes, 0, 128));
  object.required("l2_promotion_bytes", into(recipe.l2PromotionBytes, 0, 256));
}

static void read(const Node &node, Param &param) {
  ObjectReader object(node);
  auto axis = [&](const Node &value) {
    readAxis(value, param.argument, param.axis);
  };
  if (object.has("tensor_map")) {
    readTensorMap(object, param);
  } else if (object.has("dim")) {
    param.kind = Param::Kind::Dim;
    object.required("dim", axis);
  } else if (object.has("stride")) {
    param.kind = Param::Kind::Stride;
    object.required("stride", axis);
  } else if (object.has("scalar")) {
    param.kind = Param::Kind::Scalar;
    object.required("scalar", into(param.argument));
  } else if (object.has("trap_record")) {
    param.kind = Param::Kind::TrapRecord;
    bool is = true;
    object.required("trap_record", into(is));
  } else if (object.has("pointer")) {
    param.kind = Param::Kind::Pointer;
    object.required("pointer", into(param.argument));
  } else {
    node.expected("an object with tensor_map, pointer, dim, stride, scalar or "
                  "trap_record");
  }
}

static void read(const Node &node, Process &process) {
  ObjectReader object(node);
  object.required("name", into(process.name));
  object.required("first_warp", into(process.firstWarp, 0, 31));
  object.required("warp_count", into(process.warpCount, 1, 32));
  object.required("registers", into(process.registers, 0, 255));
}

static void read(const Node &node, Ring &ring) {
  ObjectReader object(node);
  object.required("name", into(ring.name));
  object.required("depth", into(ring.depth, 1, INT_MAX));
  object.required("slot_bytes", into(ring.slotBytes, 0, INT_MAX));
  object.required("offset", into(ring.offset, 0, INT_MAX));
  object.required("full_barrier", into(ring.fullBarrier, 0, INT_MAX));
  object.required("empty_barrier", into(ring.emptyBarrier, 0, INT_MAX));
  object.required("full_arrivals", into(ring.fullArrivals, 0, INT_MAX));
  object.required("empty_arrivals", into(ring.emptyArrivals, 0, INT_MAX));
  object.required("producers", listInto(ring.producers));
  object.required("consumers", listInto(ring.consumers));
}

static void read(const Node &node, NamedBarrier &barrier) {
  ObjectReader object(node);
  object.required("id", into(barrier.id, 0, 15));
  object.required("threads", into(barrier.threads, 1, 1024));
  object.required("purpose", into(barrier.purpose));
}

static void read(const Node &node, Stamp &stamp) {
  ObjectReader object(node);
  object.required("process", into(stamp.process));
  object.required("activity", into(stamp.activity));
  object.required("names", listInto(stamp.names));
}

static void read(const Node &node, Variant &variant) {
  ObjectReader object(node);
  object.required("entry", into(variant.entry));
  object.required("requires", listInto(variant.requires_));
  object.optional("cycles", [&](const Node &value) {
    read(value, variant.cycles.emplace());
  });
  object.required("threads", into(variant.threads, 1, 1024));
  object.required("cluster", [&](const Node &value) {
    std::vector<Node> sizes = value.tuple(3, "three sizes");
    for (size_t i = 0; i < sizes.size(); ++i)
      variant.cluster[i] = static_cast<int>(sizes[i].integer(1, 16));
  });
  object.required("shared_bytes", into(variant.sharedBytes, 0, INT_MAX));
  object.required("grid", [&](const Node &value) {
    std::vector<Node> sizes = value.tuple(3, "three expressions");
    for (size_t i = 0; i < sizes.size(); ++i)
      read(sizes[i], variant.grid[i]);
  });
  object.required("params", listInto(variant.params));
  object.optional("processes", listInto(variant.processes));
  object.optional("rings", listInto(variant.rings));
  object.optional("named_barriers", listInto(variant.namedBarriers));
  object.optional("stamps", listInto(variant.stamps));
  object.optional("step", into(variant.step));
  object.optional("then", into(variant.then));
}

static void read(const Node &node, Manifest &manifest) {
  ObjectReader object(node);
  object.required("schema", [](const Node &value) {
    if (value.text() != kSchema)
      value.expected(
          std::string("\"") + kSchema +
          "\" (compile the kernel again with this version of heddle)");
  });
  object.required("kernel", into(manifest.kernel));
  object.required("target", into(manifest.target));
  object.required("source", into(manifest.source));
  object.required("arguments", listInto(manifest.arguments));
  object.optional("made_views", listInto(manifest.madeViews));
  object.optional("assertions", listInto(manifest.assertions));
  object.required("variants", listInto(manifest.variants));
}

bool heddle::manifest::parse(const std::string &text, Manifest &manifest,
                             std::string &error) {
  Manifest result;
  error = strict::parse(text, "the manifest",
                        [&](const Node &node) { read(node, result); });
  if (!error.empty())
    return false;
  if (!verify(result, error))
    return false;
  manifest = std::move(result);
  return true;
}
