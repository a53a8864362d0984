//===- Writer.cpp - The text of a kernel, and numbers in it ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

using namespace heddle::adversary;

std::string heddle::adversary::typeOf(int width) {
  return width ? "i" + std::to_string(width) : "index";
}

int heddle::adversary::bitsOfType(const std::string &type) {
  return type == "index" ? 64 : std::stoi(type.substr(1));
}

Num Writer::constant(const std::string &type, int64_t value) {
  Num result{fresh(), type, bitsOfType(type)};
  std::string text = std::to_string(wrap(result.width, value));
  if (type == "i1")
    text = value & 1 ? "true" : "false";
  line(result.name + " = arith.constant " + text +
       (type == "i1" ? "" : " : " + type));
  return result;
}

Num Writer::number(const std::string &type, int64_t value) {
  if (!choice.percent(trickyPercent))
    return constant(type, value);
  int64_t is = 0;
  Num expression = closed(type, is, 2);
  int width = expression.width;
  int64_t off = wrap(width, int64_t(uint64_t(value) - uint64_t(is)));
  if (off == 0 && choice.percent(50))
    return expression;
  return binary("addi", expression, constant(type, off));
}

Num Writer::binary(const std::string &op, const Num &a, const Num &b) {
  Num result{fresh(), a.type, a.width};
  line(result.name + " = arith." + op + " " + a.name + ", " + b.name + " : " +
       a.type);
  return result;
}

Num Writer::compare(const std::string &predicate, const Num &a, const Num &b) {
  Num result{fresh(), "i1", 1};
  line(result.name + " = arith.cmpi " + predicate + ", " + a.name + ", " +
       b.name + " : " + a.type);
  return result;
}

Num Writer::select(const Num &condition, const Num &a, const Num &b) {
  Num result{fresh(), a.type, a.width};
  line(result.name + " = arith.select " + condition.name + ", " + a.name +
       ", " + b.name + " : " + a.type);
  return result;
}

Num Writer::cast(const Num &a, const std::string &type, bool isSigned) {
  if (a.type == type)
    return a;
  int to = bitsOfType(type);
  bool isIndex = a.type == "index" || type == "index";
  std::string op = isIndex        ? isSigned ? "index_cast" : "index_castui"
                   : to < a.width ? "trunci"
                   : isSigned     ? "extsi"
                                  : "extui";
  Num result{fresh(), type, to};
  line(result.name + " = arith." + op + " " + a.name + " : " + a.type + " to " +
       type);
  return result;
}

std::string Writer::randomType() {
  return choice.of({"i1", "i8", "i16", "i32", "i64", "index", "i2", "i5"});
}

int64_t Writer::interesting(int width) {
  int64_t least = wrap(width, int64_t(uint64_t(1) << (width - 1)));
  return wrap(width, choice.of<int64_t>({0,          1,
                                         2,          3,
                                         -1,         -2,
                                         7,          127,
                                         128,        255,
                                         256,        65535,
                                         2147483647, 2147483648,
                                         4294967295, 4294967296,
                                         4294967297, 1ll << 62,
                                         least,      least + 1,
                                         ~least,     choice.between(-9, 9)}));
}

static Arith arithOf(const std::string &name) {
  static const std::pair<const char *, Arith> all[] = {
      {"addi", Arith::Add},
      {"subi", Arith::Sub},
      {"muli", Arith::Mul},
      {"divsi", Arith::DivS},
      {"divui", Arith::DivU},
      {"remsi", Arith::RemS},
      {"remui", Arith::RemU},
      {"minsi", Arith::MinS},
      {"minui", Arith::MinU},
      {"maxsi", Arith::MaxS},
      {"maxui", Arith::MaxU},
      {"xori", Arith::Xor},
      {"andi", Arith::And},
      {"ori", Arith::Or},
      {"shli", Arith::Shl},
      {"shrsi", Arith::ShrS},
      {"shrui", Arith::ShrU},
      {"ceildivsi", Arith::CeilDivS},
      {"ceildivui", Arith::CeilDivU},
      {"floordivsi", Arith::FloorDivS},
      {"eq", Arith::Eq},
      {"ne", Arith::Ne},
      {"slt", Arith::Slt},
      {"sle", Arith::Sle},
      {"sgt", Arith::Sgt},
      {"sge", Arith::Sge},
      {"ult", Arith::Ult},
      {"ule", Arith::Ule},
      {"ugt", Arith::Ugt},
      {"uge", Arith::Uge}};
  for (const auto &[own, arith] : all)
    if (name == own)
      return arith;
  return Arith::Add;
}

static std::string predicateOf(Choice &choice) {
  return choice.of(
      {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"});
}

Num Writer::closed(const std::string &type, int64_t &value, int depth) {
  int width = bitsOfType(type);
  int kind = depth == 0 ? 0 : int(choice.below(10));
  if (kind < 2) {
    if ((width == 64 || width == 32) && choice.percent(1)) {
      // 2^64 and a little: its low bits.
      value = choice.below(4);
      Num wide{fresh(), "i128", 128}, low{fresh(), typeOf(width), width};
      line(wide.name + " = arith.constant 1844674407370955161" +
           std::to_string(6 + value) + " : i128");
      line(low.name + " = arith.trunci " + wide.name + " : i128 to " +
           low.type);
      return cast(low, type, true);
    }
    value = interesting(width);
    return constant(type, value);
  }
  if (kind < 5) {
    static const char *const ops[] = {
        "addi",  "subi",  "muli",      "divsi",     "divui",
        "remsi", "remui", "minsi",     "minui",     "maxsi",
        "maxui", "xori",  "andi",      "ori",       "shli",
        "shrsi", "shrui", "ceildivsi", "ceildivui", "floordivsi"};
    std::string op = ops[choice.below(20)];
    int64_t a = 0, b = 0;
    Num left = closed(type, a, depth - 1), right = closed(type, b, depth - 1);
    if (auto result = compute(arithOf(op), width, a, b)) {
      value = *result;
      return binary(op, left, right);
    }
    value = a;
    return left;
  }
  if (kind < 6 || (kind < 8 && width == 1)) {
    std::string inner = randomType(), predicate = predicateOf(choice);
    int64_t a = 0, b = 0;
    Num left = closed(inner, a, depth - 1), right = closed(inner, b, depth - 1);
    bool holds = *compute(arithOf(predicate), bitsOfType(inner), a, b) != 0;
    Num condition = compare(predicate, left, right);
    if (width == 1) {
      value = holds ? -1 : 0;
      return condition;
    }
    int64_t x = 0, y = 0;
    Num one = closed(type, x, depth - 1), other = closed(type, y, depth - 1);
    value = holds ? x : y;
    return select(condition, one, other);
  }
  std::string inner = randomType();
  if (inner == type)
    inner = type == "i8" ? "i32" : "i8";
  int64_t a = 0;
  Num from = closed(inner, a, depth - 1);
  bool isSigned = choice.percent(50);
  int fromWidth = from.width;
  value = width < fromWidth ? wrap(width, a)
          : isSigned        ? a
                            : int64_t(bitsOf(fromWidth, a));
  if ((inner == "index" || type == "index") || fromWidth != width)
    return cast(from, type, isSigned);
  value = a;
  return from;
}

Num Writer::guard(bool holds) {
  std::string type = randomType(), predicate = predicateOf(choice);
  int width = bitsOfType(type);
  if (choice.below(400) ==
      0) { // 2^64 + 1 is more than 1, whose low bits it has
    Num wide{fresh(), "i128", 128}, low{fresh(), "i128", 128};
    line(wide.name + " = arith.constant 18446744073709551617 : i128");
    line(low.name + " = arith.constant 1 : i128");
    return compare(holds ? "sgt" : "eq", wide, low);
  }
  int64_t is = 0;
  Num expression = closed(type, is, 2);
  auto beside = [&](uint64_t by) { // in the width's modular arithmetic
    return wrap(width, int64_t(uint64_t(is) + by));
  };
  int64_t other = choice.of<int64_t>(
      {is, is, beside(1), beside(-1), 0, wrap(width, 1), wrap(width, is & 0xff),
       wrap(width, int64_t(uint64_t(is) >> 32))});
  bool truth = *compute(arithOf(predicate), width, is, other) != 0;
  Num right = constant(type, other);
  Num condition = compare(predicate, expression, right);
  if (truth == holds)
    return condition;
  return binary("xori", condition, constant("i1", 1));
}

void Writer::guarded(bool holds, const std::function<void()> &body) {
  Num condition = guard(holds);
  open("scf.if " + condition.name + " {");
  body();
  close();
}
