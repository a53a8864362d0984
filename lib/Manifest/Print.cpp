//===- Print.cpp - Manifest to KERNEL.json --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The writer. Fields come in the order of the structures, and whatever fits a
// line stands on one line: the file is meant to be read and diffed.
//
//===----------------------------------------------------------------------===//

#include "ExprSpelling.h"
#include "heddle/Manifest/Manifest.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle::manifest;
using llvm::json::OStream;

/// A named pair such as "dim": ["a", 0].
static void printPair(OStream &out, const char *key, const std::string &name,
                      int64_t number) {
  out.attributeArray(key, [&] {
    out.value(name);
    out.value(number);
  });
}

static void print(OStream &out, const Expr &expr) {
  switch (expr.op) {
  case Expr::Op::Constant:
    return out.value(expr.constant);
  case Expr::Op::SmCount:
    return out.value("sm_count");
  case Expr::Op::Dim:
    return out.object([&] { printPair(out, "dim", expr.argument, expr.axis); });
  case Expr::Op::Scalar:
    return out.object([&] { out.attribute("scalar", expr.argument); });
  default:
    break;
  }
  out.object([&] {
    out.attributeArray(exprOpRow(expr.op)->spelling, [&] {
      for (const Expr &operand : expr.operands)
        print(out, operand);
    });
  });
}

static void print(OStream &out, int number) { out.value(number); }
static void print(OStream &out, const std::string &text) { out.value(text); }

template <typename List>
static void printList(OStream &out, const char *key, const List &list) {
  out.attributeArray(key, [&] {
    for (const auto &element : list)
      print(out, element);
  });
}

static const char *spelling(Argument::Kind kind) {
  switch (kind) {
  case Argument::Kind::View:
    return "view";
  case Argument::Kind::Pointer:
    return "pointer";
  case Argument::Kind::Scalar:
    return "scalar";
  }
  return "";
}

static void print(OStream &out, const Argument &argument) {
  out.object([&] {
    out.attribute("name", argument.name);
    out.attribute("kind", spelling(argument.kind));
    out.attribute("element", spelling(argument.element));
    if (argument.kind == Argument::Kind::View) {
      out.attribute("rank", argument.rank);
      printList(out, "order", argument.order);
    }
    if (argument.kind != Argument::Kind::Scalar)
      out.attribute("written", argument.written);
  });
}

static void print(OStream &out, const MadeView &made) {
  out.object([&] {
    out.attributeBegin("view");
    print(out, made.view);
    out.attributeEnd();
    if (made.isWorkspace()) {
      out.attribute("workspace", true);
      if (made.cleared)
        out.attribute("cleared", true);
      return printList(out, "extents", made.extents);
    }
    out.attribute("pointer", made.pointer);
    out.attributeBegin("offset");
    print(out, made.offset);
    out.attributeEnd();
    printList(out, "extents", made.extents);
    printList(out, "strides", made.strides);
    if (made.view.farAxis >= 0)
      out.attribute("far_axis", made.view.farAxis);
  });
}

static void print(OStream &out, const Precondition &condition) {
  out.object([&] {
    switch (condition.kind) {
    case Precondition::Kind::Tma:
      return out.attribute("tma", condition.view);
    case Precondition::Kind::Aligned:
      return printPair(out, "aligned", condition.view, condition.bytes);
    case Precondition::Kind::Rows:
      return printPair(out, "rows", condition.view, condition.bytes);
    case Precondition::Kind::AtLeast:
      out.attributeArray("at_least", [&] {
        print(out, condition.expr);
        out.value(condition.bytes);
      });
      if (!condition.message.empty())
        out.attribute("message", condition.message);
      return;
    }
  });
}

static void print(OStream &out, const Assertion &assertion) {
  out.object([&] {
    out.attributeBegin("value");
    print(out, assertion.value);
    out.attributeEnd();
    out.attributeBegin("at_least");
    print(out, assertion.bound);
    out.attributeEnd();
    out.attribute("message", assertion.message);
  });
}

static void printExprs(OStream &out, const char *name,
                       const std::vector<Expr> &exprs) {
  out.attributeArray(name, [&] {
    for (const Expr &expr : exprs)
      print(out, expr);
  });
}

static void printTensorMap(OStream &out, const TensorMapRecipe &recipe) {
  out.attribute("tensor_map", recipe.view);
  printList(out, "box", recipe.box);
  if (!recipe.steps.empty())
    printList(out, "steps", recipe.steps);
  if (recipe.im2col)
    out.attributeObject("im2col", [&] {
      out.attribute("pixels", recipe.im2col->pixels);
      printExprs(out, "first", recipe.im2col->first);
      printExprs(out, "count", recipe.im2col->count);
    });
  out.attribute("swizzle_bytes", recipe.swizzleBytes);
  out.attribute("l2_promotion_bytes", recipe.l2PromotionBytes);
}

static void print(OStream &out, const Param &param) {
  out.object([&] {
    switch (param.kind) {
    case Param::Kind::TensorMap:
      return printTensorMap(out, param.tensorMap);
    case Param::Kind::Pointer:
      return out.attribute("pointer", param.argument);
    case Param::Kind::Dim:
      return printPair(out, "dim", param.argument, param.axis);
    case Param::Kind::Stride:
      return printPair(out, "stride", param.argument, param.axis);
    case Param::Kind::Scalar:
      return out.attribute("scalar", param.argument);
    case Param::Kind::TrapRecord:
      return out.attribute("trap_record", true);
    }
  });
}

static void print(OStream &out, const Process &process) {
  out.object([&] {
    out.attribute("name", process.name);
    out.attribute("first_warp", process.firstWarp);
    out.attribute("warp_count", process.warpCount);
    out.attribute("registers", process.registers);
  });
}

static void print(OStream &out, const Ring &ring) {
  out.object([&] {
    out.attribute("name", ring.name);
    out.attribute("depth", ring.depth);
    out.attribute("slot_bytes", ring.slotBytes);
    out.attribute("offset", ring.offset);
    out.attribute("full_barrier", ring.fullBarrier);
    out.attribute("empty_barrier", ring.emptyBarrier);
    out.attribute("full_arrivals", ring.fullArrivals);
    out.attribute("empty_arrivals", ring.emptyArrivals);
    printList(out, "producers", ring.producers);
    printList(out, "consumers", ring.consumers);
  });
}

static void print(OStream &out, const NamedBarrier &barrier) {
  out.object([&] {
    out.attribute("id", barrier.id);
    out.attribute("threads", barrier.threads);
    out.attribute("purpose", barrier.purpose);
  });
}

static void print(OStream &out, const Stamp &stamp) {
  out.object([&] {
    out.attribute("process", stamp.process);
    out.attribute("activity", stamp.activity);
    printList(out, "names", stamp.names);
  });
}

/// Prints through a stream without indentation: everything on one line.
template <typename Body> static void onOneLine(OStream &out, Body body) {
  out.rawValue([&](llvm::raw_ostream &raw) {
    OStream line(raw);
    body(line);
  });
}

template <typename List>
static void printLines(OStream &out, const char *key, const List &list) {
  out.attributeArray(key, [&] {
    for (const auto &element : list)
      onOneLine(out, [&](OStream &line) { print(line, element); });
  });
}

static void printVariant(OStream &out, const Variant &variant) {
  out.object([&] {
    out.attribute("entry", variant.entry);
    printLines(out, "requires", variant.requires_);
    if (variant.cycles) {
      out.attributeBegin("cycles");
      onOneLine(out, [&](OStream &line) { print(line, *variant.cycles); });
      out.attributeEnd();
    }
    out.attribute("threads", variant.threads);
    out.attributeBegin("cluster");
    onOneLine(out, [&](OStream &line) {
      line.array([&] {
        for (int size : variant.cluster)
          line.value(size);
      });
    });
    out.attributeEnd();
    out.attribute("shared_bytes", variant.sharedBytes);
    printLines(out, "grid", variant.grid);
    printLines(out, "params", variant.params);
    printLines(out, "processes", variant.processes);
    printLines(out, "rings", variant.rings);
    printLines(out, "named_barriers", variant.namedBarriers);
    if (!variant.stamps.empty())
      printLines(out, "stamps", variant.stamps);
    if (!variant.step.empty())
      out.attribute("step", variant.step);
    if (!variant.then.empty())
      out.attribute("then", variant.then);
  });
}

std::string heddle::manifest::print(const Manifest &manifest) {
  std::string text;
  llvm::raw_string_ostream raw(text);
  OStream out(raw, 2);
  out.object([&] {
    out.attribute("schema", kSchema);
    out.attribute("kernel", manifest.kernel);
    out.attribute("target", manifest.target);
    out.attribute("source", manifest.source);
    printLines(out, "arguments", manifest.arguments);
    if (!manifest.madeViews.empty())
      printLines(out, "made_views", manifest.madeViews);
    if (!manifest.assertions.empty())
      printLines(out, "assertions", manifest.assertions);
    out.attributeArray("variants", [&] {
      for (const Variant &variant : manifest.variants)
        printVariant(out, variant);
    });
  });
  raw << '\n';
  return text;
}
