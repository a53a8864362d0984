//===- Pins.cpp - Lines that a schedule has to keep -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute that holds pins, `[{name = "pipeline", value = 4 : i64, at =
// loc(...)}]`, and its rules: a name that there is, with a value of its kind.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Sched/Pins.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::sched;

static constexpr PinKind kKinds[] = {
    {kPinPipeline, PinSubject::Kernel, PinValue::Number, 1},
    {kPinGroups, PinSubject::Kernel, PinValue::Number, 1},
    {kPinSharedBytes, PinSubject::Kernel, PinValue::Number, 1},
    {kPinSchedule, PinSubject::Kernel, PinValue::Word, 0},
    {kPinSpecialised, PinSubject::Kernel, PinValue::Flag, 0},
    {kPinRing, PinSubject::Argument, PinValue::Flag, 0},
    {kPinRegisters, PinSubject::Kernel, PinValue::Flag, 0},
    {kPinSplitK, PinSubject::Kernel, PinValue::Word, 0},
    {kPinCluster, PinSubject::Kernel, PinValue::Number, 2},
    {kPinDeterministic, PinSubject::Kernel, PinValue::Flag, 0},
    {kPinMachine, PinSubject::Kernel, PinValue::Word, 0},
    {kPinBlocks, PinSubject::Kernel, PinValue::Number, 1},
    {kPinBlockOrder, PinSubject::Kernel, PinValue::Number, 1},
    {kPinPersistent, PinSubject::Kernel, PinValue::Flag, 0},
    {kPinTogether, PinSubject::Kernel, PinValue::Names, 0},
    {kPinApart, PinSubject::Kernel, PinValue::Names, 0},
    {kPinWarps, PinSubject::Named, PinValue::Number, 1},
    {kPinRegisters, PinSubject::Named, PinValue::Number, 0},
    {kPinDepth, PinSubject::Named, PinValue::Number, 1},
    {kPinInterval, PinSubject::Named, PinValue::Number, 1},
    {kPinTurns, PinSubject::Named, PinValue::Word, 0},
    {kPinAhead, PinSubject::Named, PinValue::Flag, 0},
    {kPinTail, PinSubject::Named, PinValue::Flag, 0},
    {kPinOrderOf, PinSubject::Named, PinValue::Word, 0},
    {kPinProcess, PinSubject::Named, PinValue::Word, 0},
    {kPinStart, PinSubject::Named, PinValue::Number, 0},
    {kPinLatency, PinSubject::Named, PinValue::Number, 0},
    {kPinVia, PinSubject::Named, PinValue::Word, 0},
    {kPinLate, PinSubject::Named, PinValue::Flag, 0},
};

bool heddle::sched::isMeant(StringRef name, StringRef operation) {
  return name == operation ||
         (operation.consume_front(name) && operation.consume_front(".") &&
          !operation.empty() && llvm::all_of(operation, llvm::isDigit));
}

bool heddle::sched::arePaired(StringRef a, StringRef first, StringRef b,
                              StringRef second) {
  if (!isMeant(a, first) || !isMeant(b, second))
    return false;
  if (a == first && b == second)
    return true;
  StringRef one = a == first ? StringRef() : first.drop_front(a.size()),
            other = b == second ? StringRef() : second.drop_front(b.size());
  return one.empty() || other.empty() || one == other;
}

const PinKind *heddle::sched::findPinKind(StringRef name, PinSubject subject) {
  for (const PinKind &kind : kKinds)
    if (kind.name == name && kind.subject == subject)
      return &kind;
  return nullptr;
}

bool heddle::sched::isValueOf(const PinKind &kind, Attribute value) {
  switch (kind.value) {
  case PinValue::Flag:
    return isa<BoolAttr>(value);
  case PinValue::Word:
    return isa<StringAttr>(value);
  case PinValue::Names: {
    auto names = dyn_cast<ArrayAttr>(value);
    return names && names.size() >= 2 &&
           llvm::all_of(names,
                        [](Attribute name) { return isa<StringAttr>(name); });
  }
  case PinValue::Number: {
    // What is larger is no number of cycles, bytes or slots.
    constexpr int64_t kMost = int64_t(1) << 40;
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isInteger(64) &&
           number.getInt() >= kind.least && number.getInt() <= kMost;
  }
  }
  llvm_unreachable("a value of no kind");
}

std::string heddle::sched::spell(const PinKind &kind) {
  switch (kind.value) {
  case PinValue::Flag:
    return "true or false";
  case PinValue::Word:
    return "a word in quotes";
  case PinValue::Names:
    return "a list of two or more names";
  case PinValue::Number:
    return "a number of at least " + std::to_string(kind.least);
  }
  llvm_unreachable("a value of no kind");
}

std::string Pin::spelling() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"' << name << '"';
  if (argument >= 0)
    os << " of argument " << argument;
  else if (!of.empty())
    os << " of \"" << of << '"';
  os << " = ";
  if (auto integer = dyn_cast<IntegerAttr>(value);
      integer && !isa<BoolAttr>(value))
    os << integer.getInt();
  else
    os << value;
  return text;
}

FailureOr<SmallVector<Pin>> heddle::sched::readPins(Operation *kernel) {
  SmallVector<Pin> pins;
  Attribute all = kernel->getAttr(kPins);
  if (!all)
    return pins;
  auto malformed = [&](Attribute line) {
    return report(kernel, diag::pin_form)
           << line << " is no line that a plan can keep";
  };
  auto list = dyn_cast<ArrayAttr>(all);
  if (!list)
    return malformed(all);
  for (Attribute line : list) {
    auto fields = dyn_cast<DictionaryAttr>(line);
    auto name = fields ? fields.getAs<StringAttr>("name") : StringAttr();
    Attribute value = fields ? fields.get("value") : Attribute();
    auto at = fields ? fields.getAs<LocationAttr>("at") : LocationAttr();
    auto argument =
        fields ? fields.getAs<IntegerAttr>("argument") : IntegerAttr();
    int64_t index =
        argument && argument.getType().isInteger(64) ? argument.getInt() : -1;
    auto of = fields ? fields.getAs<StringAttr>("of") : StringAttr();
    PinSubject subject = of           ? PinSubject::Named
                         : index >= 0 ? PinSubject::Argument
                                      : PinSubject::Kernel;
    const PinKind *kind =
        name ? findPinKind(name.getValue(), subject) : nullptr;
    if (!kind || !value || !isValueOf(*kind, value))
      return malformed(line);
    pins.push_back({name.getValue(), value,
                    at ? Location(at) : kernel->getLoc(), index,
                    of ? of.getValue() : StringRef()});
  }
  return pins;
}

ArrayAttr heddle::sched::writePins(MLIRContext *context, ArrayRef<Pin> pins) {
  Builder builder(context);
  SmallVector<Attribute> lines;
  for (const Pin &pin : pins) {
    NamedAttrList fields;
    fields.append("name", builder.getStringAttr(pin.name));
    fields.append("value", pin.value);
    fields.append("at", LocationAttr(pin.place));
    if (pin.argument >= 0)
      fields.append("argument", builder.getI64IntegerAttr(pin.argument));
    if (!pin.of.empty())
      fields.append("of", builder.getStringAttr(pin.of));
    lines.push_back(fields.getDictionary(context));
  }
  return builder.getArrayAttr(lines);
}
