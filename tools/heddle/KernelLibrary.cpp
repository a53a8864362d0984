//===- KernelLibrary.cpp - Kernels as a C header and an object ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object holds each kernel's texts and the place of its handle. The
// header's functions are inline: they make the handle once a process, whichever
// thread comes first, and hand the arguments to the runtime.
//
//===----------------------------------------------------------------------===//

#include "KernelLibrary.h"

#include "DataObject.h"

#include "heddle/Run/ElementFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static const char kPrologue[] =
    R"(/* Made by heddle; needs libheddle_runtime and no CUDA library to link. */

#ifndef {0}
#define {0}

#include "heddle/runtime.h"

#ifndef HEDDLE_TENSOR
#define HEDDLE_TENSOR
/** Memory of the device with its shape and strides in elements. Only as many
    axes count as the kernel's argument has. */
)";

const char heddle::tool::kTensorAndBegin[] = R"(typedef struct heddle_tensor {
  void *data;
  int64_t shape[HEDDLE_MAX_RANK];
  int64_t strides[HEDDLE_MAX_RANK];
} heddle_tensor;
#endif

#ifdef __cplusplus
extern "C" {
#endif
)";

const char heddle::tool::kEnd[] = R"(
#ifdef __cplusplus
}
#endif

#endif
)";

static const char kHandle[] = R"(
extern const char heddle_{0}_ptx[{1}];
extern const char heddle_{0}_manifest[{2}];
extern heddle_kernel *heddle_{0}_handle;

/** The kernel for the functions of heddle/runtime.h. */
static inline heddle_status {0}_kernel(heddle_kernel **kernel) {{
  heddle_kernel *made = 0, *none = 0;
  heddle_status status;
  *kernel = __atomic_load_n(&heddle_{0}_handle, __ATOMIC_ACQUIRE);
  if (*kernel)
    return HEDDLE_OK;
  status = heddle_kernel_create(heddle_{0}_ptx, {1}, heddle_{0}_manifest, {2}, &made);
  if (status != HEDDLE_OK)
    return status;
  *kernel = made;
  if (!__atomic_compare_exchange_n(&heddle_{0}_handle, &none, made, 0,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {{
    heddle_kernel_destroy(made); /* another thread was first */
    *kernel = none;
  }
  return HEDDLE_OK;
}

/** Loads it for the current device, which the first launch there does else. */
static inline heddle_status {0}_load(void) {{
  heddle_kernel *kernel;
  heddle_status status = {0}_kernel(&kernel);
  return status != HEDDLE_OK ? status : heddle_kernel_load(kernel);
}
)";

static StringRef scalarType(manifest::ElementType element) {
  using manifest::ElementType;
  switch (element) {
  case ElementType::F32:
    return "float";
  case ElementType::F64:
    return "double";
  case ElementType::I8:
    return "int8_t";
  case ElementType::I16:
    return "int16_t";
  case ElementType::I32:
    return "int32_t";
  case ElementType::I64:
    return "int64_t";
  default:
    return "uint16_t"; // the bits of f16 or bf16
  }
}

std::string heddle::tool::parameter(const manifest::Argument &argument) {
  switch (argument.kind) {
  case manifest::Argument::Kind::View:
    return "heddle_tensor " + argument.name;
  case manifest::Argument::Kind::Pointer:
    return (argument.written ? "void *" : "const void *") + argument.name;
  case manifest::Argument::Kind::Scalar:
    return (scalarType(argument.element) + " " + argument.name).str();
  }
  return "";
}

void heddle::tool::packArgument(const manifest::Argument &argument,
                                raw_ostream &os) {
  StringRef name = argument.name;
  switch (argument.kind) {
  case manifest::Argument::Kind::Pointer:
    os << "  *word_++ = (uint64_t)" << name << ";\n";
    return;
  case manifest::Argument::Kind::Scalar:
    // Code for a processor reads all bits of an index.
    if (isIntegral(argument.element))
      os << "  *word_++ = (uint64_t)" << name << ";\n";
    else
      os << "  __builtin_memcpy(word_++, &" << name << ", sizeof " << name
         << ");\n";
    return;
  case manifest::Argument::Kind::View:
    os << "  *word_++ = (uint64_t)" << name << ".data;\n";
    for (StringRef field : {"shape", "strides"})
      for (size_t axis = 0; axis < argument.order.size(); ++axis)
        os << "  *word_++ = (uint64_t)" << name << "." << field << "[" << axis
           << "];\n";
    return;
  }
}

size_t heddle::tool::wordCount(const manifest::Manifest &manifest) {
  size_t count = 0;
  for (const manifest::Argument &argument : manifest.arguments)
    count += 1 + (argument.kind == manifest::Argument::Kind::View
                      ? 2 * argument.order.size()
                      : 0);
  return count;
}

std::string heddle::tool::describeArgument(const manifest::Argument &argument) {
  std::string text =
      argument.name + ": " + manifest::spelling(argument.element);
  if (argument.kind == manifest::Argument::Kind::View)
    text += ", " + itostr(argument.order.size()) + " axes, axis " +
            itostr(argument.order.front()) + " without gaps";
  return text + (argument.written ? ", written" : "");
}

static void writeLaunch(const manifest::Manifest &manifest, raw_ostream &os) {
  os << "\n/** Launches on the stream and does not wait.";
  for (const manifest::Argument &argument : manifest.arguments)
    os << "\n    " << describeArgument(argument);
  os << " */\nstatic inline heddle_status " << manifest.kernel
     << "_launch(heddle_stream stream_";
  for (const manifest::Argument &argument : manifest.arguments)
    os << ", " << parameter(argument);
  os << ") {\n  uint64_t words_[" << std::max<size_t>(1, wordCount(manifest))
     << "] = {0}, *word_ = words_;\n"
     << "  heddle_kernel *kernel_;\n"
     << "  heddle_status status_ = " << manifest.kernel
     << "_kernel(&kernel_);\n  if (status_ != HEDDLE_OK)\n    return "
        "status_;\n";
  for (const manifest::Argument &argument : manifest.arguments)
    packArgument(argument, os);
  os << "  return heddle_kernel_launch_words(kernel_, words_, (size_t)(word_ - "
        "words_), stream_);\n}\n";
}

std::string heddle::tool::guardOf(StringRef name) {
  std::string guard = "HEDDLE_KERNELS_";
  for (char c : name)
    guard += isAlnum(c) ? toUpper(c) : '_';
  return guard + "_H";
}

KernelLibrary
heddle::tool::makeKernelLibrary(StringRef name,
                                ArrayRef<pipeline::CompiledKernel> kernels) {
  KernelLibrary library;
  raw_string_ostream os(library.header);
  os << formatv(kPrologue, guardOf(name)) << kTensorAndBegin;
  std::vector<DataSymbol> symbols;
  for (const pipeline::CompiledKernel &kernel : kernels) {
    manifest::Manifest manifest;
    std::string fault;
    bool isRead = manifest::parse(kernel.manifest, manifest, fault);
    assert(isRead && "heddle wrote it");
    (void)isRead;
    os << formatv(kHandle, kernel.name, kernel.ptx.size(),
                  kernel.manifest.size());
    writeLaunch(manifest, os);
    symbols.push_back({"heddle_" + kernel.name + "_ptx", kernel.ptx});
    symbols.push_back({"heddle_" + kernel.name + "_manifest", kernel.manifest});
    symbols.push_back(
        {"heddle_" + kernel.name + "_handle", "", sizeof(void *)});
  }
  os << kEnd;
  library.object = makeDataObject(symbols);
  return library;
}
