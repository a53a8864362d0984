//===- Campaign.cpp - Many programs, one summary --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <vector>

using namespace llvm;
using namespace heddle::fuzz;

std::string heddle::fuzz::reasonOf(StringRef message) {
  // Names are what hangs on %, @ and quotes; numbers may join into 64x32xf16.
  std::string reason;
  StringRef rest = message.take_until([](char c) { return c == '\n'; });
  while (!rest.empty()) {
    char c = rest.front();
    bool inWord = !reason.empty() && isAlnum(reason.back());
    if (isDigit(c) && !inWord) {
      reason += 'N';
      rest = rest.drop_while([](char d) { return isAlnum(d) || d == '.'; });
    } else if (c == '"') {
      reason += "NAME";
      rest = rest.drop_front().drop_until([](char d) { return d == '"'; });
      rest = rest.drop_front(!rest.empty());
    } else {
      reason += c;
      rest = rest.drop_front();
    }
  }
  return reason;
}

void Tally::add(const Outcome &outcome) {
  ++counts[size_t(outcome.verdict)];
  if (outcome.verdict == Verdict::Declined)
    ++reasons[reasonOf(outcome.message)];
}

int64_t Tally::total() const {
  int64_t sum = 0;
  for (int64_t count : counts)
    sum += count;
  return sum;
}

bool Tally::isFine() const {
  return count(Verdict::Agree) + count(Verdict::Declined) == total();
}

void Tally::print(raw_ostream &os) const {
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto &[reason, count] : reasons)
    sorted.push_back({-count, reason});
  llvm::sort(sorted);
  for (const auto &[count, reason] : sorted)
    os << format("%5d declined: ", int(-count)) << reason << "\n";
  os << total() << " programs: " << count(Verdict::Agree) << " agree, "
     << count(Verdict::Declined) << " declined, " << count(Verdict::Disagree)
     << " disagree, " << count(Verdict::Broken) << " broken, "
     << count(Verdict::Invalid) << " invalid, " << count(Verdict::Crash)
     << " crash, " << count(Verdict::Hang) << " hang\n";
}
