//===- CommandLine.h - Options whose numbers have a range --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: argv. Out: LLVM's options with their values, or one sentence. Every
// number of a tool is a `NumberOption` with a range, so that a negative count
// or one that nothing could serve is refused here and means nothing further
// down.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_COMMANDLINE_H
#define HEDDLE_SUPPORT_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle {

/// What the number options said of the command line that is being parsed: the
/// first sentence, without an id. LLVM's parsers only know how to print.
std::string &numberComplaint();

/// Each reads all of `text` and says whether it is within the range; if not,
/// notes the complaint.
bool parseNumber(llvm::StringRef option, llvm::StringRef text, int64_t low,
                 int64_t high, int64_t &value);
bool parseNumber(llvm::StringRef option, llvm::StringRef text, uint64_t low,
                 uint64_t high, uint64_t &value);
bool parseNumber(llvm::StringRef option, llvm::StringRef text, double low,
                 double high, double &value);

/// LLVM's own parsers are final; one of them prints the values.
template <class T> class NumberParser : public llvm::cl::basic_parser<T> {
public:
  explicit NumberParser(llvm::cl::Option &option)
      : llvm::cl::basic_parser<T>(option), printer(option) {}

  operator const llvm::cl::parser<T> &() const { return printer; }
  llvm::StringRef getValueName() const override {
    return printer.getValueName();
  }

  void setRange(T lowest, T highest) {
    low = lowest;
    high = highest;
  }

  bool parse(llvm::cl::Option &, llvm::StringRef name, llvm::StringRef text,
             T &value) {
    using Wide = std::conditional_t<
        std::is_floating_point_v<T>, double,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    Wide wide{};
    if (!parseNumber(name, text, Wide(low), Wide(high), wide))
      return true;
    value = T(wide);
    return false;
  }

private:
  llvm::cl::parser<T> printer;
  T low = std::numeric_limits<T>::lowest();
  T high = std::numeric_limits<T>::max();
};

/// A number on the command line: `NumberOption<int> n("n", within(1, 9), ...)`.
template <class T>
using NumberOption = llvm::cl::opt<T, false, NumberParser<T>>;

template <class T> struct Within {
  T low, high;
  template <class Option> void apply(Option &option) const {
    option.getParser().setRange(low, high);
  }
};

template <class T> Within<T> within(T low, T high) { return {low, high}; }

/// LLVM's parser of options. Arguments are not read from files (`@FILE`), whose
/// size nobody bounds. False with what is wrong, "" if LLVM has printed it.
bool parseCommandLine(int argc, const char *const *argv,
                      llvm::StringRef overview, std::string &complaint);

} // namespace heddle

#endif // HEDDLE_SUPPORT_COMMANDLINE_H
