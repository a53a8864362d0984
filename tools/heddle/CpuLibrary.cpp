//===- CpuLibrary.cpp - CPU kernels as a C header and an object -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuLibrary.h"

#include "KernelLibrary.h"

#include "heddle/runtime.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static const char kPrologue[] =
    R"(/* Made by heddle for one kind of processor; link with -lm. */

#ifndef {0}
#define {0}

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef HEDDLE_MAX_RANK
#define HEDDLE_MAX_RANK {1}
#endif
#ifndef HEDDLE_TENSOR
#define HEDDLE_TENSOR
/** Memory with its shape and strides in elements. Only as many axes count as
    the kernel's argument has. */
)";

static const char kRun[] = R"(  {0}_shape((const int64_t *)words_, shape_);
  if (shape_[4])
    return (const char *)(intptr_t)shape_[4];
  scratch_ = (char *)calloc((size_t)shape_[1] + 64, 1);
  tiles_ = (char *)malloc((size_t)shape_[3] + 64);
  if (scratch_ && tiles_)
    fault_ = {0}_run((const int64_t *)words_, shape_[0] * part_ / parts_,
                     shape_[0] * (part_ + 1) / parts_,
                     scratch_ + (64 - (uintptr_t)scratch_ % 64) % 64,
                     tiles_ + (64 - (uintptr_t)tiles_ % 64) % 64);
  else
    fault_ = "there is no memory for the tiles of {0}";
  free(scratch_);
  free(tiles_);
  return fault_;
}
)";

static void writeKernel(const manifest::Manifest &kernel, raw_ostream &os) {
  const std::string &name = kernel.kernel;
  os << "\nconst char *" << name
     << "_run(const int64_t *, int64_t, int64_t, void *, void *);\nvoid "
     << name << "_shape(const int64_t *, int64_t *);\n"
     << "\n/** Runs share `part_` of `parts_`: any threads may run the shares, "
        "and the bits\n    are the same for any number of them. Null, or why "
        "it cannot run.";
  for (const manifest::Argument &argument : kernel.arguments)
    os << "\n    " << describeArgument(argument);
  os << " */\nstatic inline const char *" << name
     << "_part(int part_, int parts_";
  for (const manifest::Argument &argument : kernel.arguments)
    os << ", " << parameter(argument);
  os << ") {\n  uint64_t words_[" << std::max<size_t>(1, wordCount(kernel))
     << "] = {0}, *word_ = words_;\n  int64_t shape_[5] = {0};\n"
     << "  char *scratch_, *tiles_;\n  const char *fault_ = 0;\n"
     << "  (void)word_;\n";
  for (const manifest::Argument &argument : kernel.arguments)
    packArgument(argument, os);
  os << formatv(kRun, name);
  os << "\n/** All of it, on this thread. */\nstatic inline const char *"
     << name << "_call(";
  for (auto [number, argument] : enumerate(kernel.arguments))
    os << (number ? ", " : "") << parameter(argument);
  os << (kernel.arguments.empty() ? "void" : "") << ") {\n  return " << name
     << "_part(0, 1";
  for (const manifest::Argument &argument : kernel.arguments)
    os << ", " << argument.name;
  os << ");\n}\n";
}

std::string heddle::tool::makeCpuHeader(StringRef name,
                                        ArrayRef<manifest::Manifest> kernels,
                                        ArrayRef<CpuProgram> programs) {
  std::string text;
  raw_string_ostream os(text);
  os << formatv(kPrologue, guardOf(name), HEDDLE_MAX_RANK) << kTensorAndBegin;
  for (const manifest::Manifest &kernel : kernels)
    writeKernel(kernel, os);
  if (!programs.empty())
    os << kProgramSupport;
  for (const CpuProgram &program : programs)
    writeProgram(program, os);
  os << kEnd;
  return text;
}
