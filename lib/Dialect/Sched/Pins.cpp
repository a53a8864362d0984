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

using namespace mlir;
using namespace heddle;
using namespace heddle::sched;

static bool isKindOf(StringRef name, Attribute value, int64_t argument) {
  bool isOfArgument = name == kPinRing;
  if (isOfArgument != (argument >= 0))
    return false;
  if (name == kPinSchedule)
    return isa<StringAttr>(value);
  if (name == kPinSpecialised || name == kPinRing || name == kPinRegisters)
    return isa<BoolAttr>(value);
  auto number = dyn_cast<IntegerAttr>(value);
  return llvm::is_contained({kPinPipeline, kPinGroups, kPinSharedBytes},
                            name) &&
         number && number.getType().isInteger(64) && number.getInt() >= 1;
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
    if (!name || !value || !isKindOf(name.getValue(), value, index))
      return malformed(line);
    pins.push_back(
        {name.getValue(), value, at ? Location(at) : kernel->getLoc(), index});
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
    lines.push_back(fields.getDictionary(context));
  }
  return builder.getArrayAttr(lines);
}
