//===- Diagnostic.cpp - The catalogue of errors and remarks ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Diagnostic.h"

#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Check.h"
#include "heddle/Support/Diagnostics/Cluster.h"
#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Hopper.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/Diagnostics/Task.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Support/Diagnostics/Ttir.h"
#include "heddle/Support/Diagnostics/Tuner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

// Defines what the headers declare.
namespace heddle::diag {
#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice)                      \
  const Kind name = {Outcome::outcome, #name, summary, advice};
#include "heddle/Support/Diagnostics/Aref.def"
#include "heddle/Support/Diagnostics/Check.def"
#include "heddle/Support/Diagnostics/Cluster.def"
#include "heddle/Support/Diagnostics/Flow.def"
#include "heddle/Support/Diagnostics/Hopper.def"
#include "heddle/Support/Diagnostics/Program.def"
#include "heddle/Support/Diagnostics/Run.def"
#include "heddle/Support/Diagnostics/Sched.def"
#include "heddle/Support/Diagnostics/Sparse.def"
#include "heddle/Support/Diagnostics/Task.def"
#include "heddle/Support/Diagnostics/Tile.def"
#include "heddle/Support/Diagnostics/Ttir.def"
#include "heddle/Support/Diagnostics/Tuner.def"
#undef HEDDLE_DIAGNOSTIC
} // namespace heddle::diag

using namespace heddle::diag;
using llvm::StringRef;

namespace {

#define HEDDLE_DIAGNOSTIC(outcome, name, summary, advice) &name,
const Kind *const kProgram[] = {
#include "heddle/Support/Diagnostics/Program.def"
};
const Kind *const kTile[] = {
#include "heddle/Support/Diagnostics/Tile.def"
};
const Kind *const kTtir[] = {
#include "heddle/Support/Diagnostics/Ttir.def"
};
const Kind *const kTask[] = {
#include "heddle/Support/Diagnostics/Task.def"
};
const Kind *const kSched[] = {
#include "heddle/Support/Diagnostics/Sched.def"
};
const Kind *const kAref[] = {
#include "heddle/Support/Diagnostics/Aref.def"
};
const Kind *const kHopper[] = {
#include "heddle/Support/Diagnostics/Cluster.def"
#include "heddle/Support/Diagnostics/Hopper.def"
};
const Kind *const kCheck[] = {
#include "heddle/Support/Diagnostics/Check.def"
};
const Kind *const kRun[] = {
#include "heddle/Support/Diagnostics/Run.def"
};
const Kind *const kSparse[] = {
#include "heddle/Support/Diagnostics/Flow.def"
#include "heddle/Support/Diagnostics/Sparse.def"
};
const Kind *const kTuner[] = {
#include "heddle/Support/Diagnostics/Tuner.def"
};
#undef HEDDLE_DIAGNOSTIC

const Chapter kChapters[] = {
    {"Programs and settings", kProgram},
    {"Triton's programs", kTtir},
    {"Tasks and mappings", kTask},
    {"The tile rung", kTile},
    {"Schedules", kSched},
    {"Processes and rings", kAref},
    {"The machine", kHopper},
    {"Checking", kCheck},
    {"Running", kRun},
    {"Sparse einsums", kSparse},
    {"Tuning", kTuner},
};

StringRef nameOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Remark:
    return "remark";
  case Outcome::Declined:
    return "declined";
  case Outcome::BadInput:
    return "error";
  case Outcome::Objected:
    return "objection";
  }
  llvm_unreachable("an outcome without a name");
}

} // namespace

int heddle::diag::exitCode(Outcome outcome) {
  switch (outcome) {
  case Outcome::Remark:
    return 0;
  case Outcome::Declined:
    return 2;
  case Outcome::BadInput:
    return 3;
  case Outcome::Objected:
    return 1;
  }
  llvm_unreachable("an outcome without an exit code");
}

std::string Kind::id() const {
  std::string text = symbol;
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

llvm::ArrayRef<Chapter> heddle::diag::catalogue() { return kChapters; }

const Kind *heddle::diag::findKind(StringRef id) {
  for (const Chapter &chapter : kChapters)
    for (const Kind *kind : chapter.kinds)
      if (kind->id() == id)
        return kind;
  return nullptr;
}

std::string heddle::diag::withId(const Kind &kind, const llvm::Twine &message) {
  // What follows the first line are details.
  std::string text = message.str();
  return text.insert(std::min(text.find('\n'), text.size()),
                     " [" + kind.id() + "]");
}

llvm::Error heddle::diag::makeError(const Kind &kind,
                                    const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 withId(kind, message));
}

const Kind *heddle::diag::kindOfMessage(StringRef message) {
  message = message.split('\n').first;
  if (!message.consume_back("]"))
    return nullptr;
  return findKind(message.drop_front(message.rfind('[') + 1));
}

void heddle::diag::printKind(const Kind &kind, llvm::raw_ostream &os) {
  os << nameOf(kind.outcome) << " [" << kind.id() << "]: " << kind.summary
     << ".\n\n"
     << kind.advice << "\n";
}

void heddle::diag::printReference(llvm::raw_ostream &os) {
  os << "# Errors and remarks\n\n"
     << "Made by `heddle explain --errors`; the text is in "
        "`include/heddle/Support/Diagnostics/`.\n\n"
     << "Every message ends with its id in brackets, and `heddle explain "
        "--error ID` prints what stands here. An *error*\nmeans that the "
        "program, a file or the command line is at fault (exit code 3). "
        "*Declined* means that heddle\ncannot compile a program of the "
        "language (2). An *objection* means that the result is wrong or that "
        "heddle\nhas a bug (1). A *remark* says that an optimisation was "
        "declined and why; the result is right (0).\n";
  for (const Chapter &chapter : kChapters) {
    os << "\n## " << chapter.title << "\n";
    for (const Kind *kind : chapter.kinds)
      os << "\n### " << kind->id() << "\n*" << nameOf(kind->outcome) << "* – "
         << kind->summary << ".\n\n"
         << kind->advice << "\n";
  }
}
