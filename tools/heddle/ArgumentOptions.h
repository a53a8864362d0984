//===- ArgumentOptions.h - A kernel's arguments on the command line -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options --view, --scalar and --values: text of the command line goes in,
// the arguments of a launch come out. All commands that take sizes or data
// share these structs, so that one spelling and one set of errors holds for
// `run`, `emulate`, `simulate`, and the model's sizes in `compile` and
// `explain`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ARGUMENTOPTIONS_H
#define HEDDLE_TOOLS_HEDDLE_ARGUMENTOPTIONS_H

#include "heddle/Run/ArgumentData.h"

#include "llvm/Support/CommandLine.h"

namespace heddle::tool {

/// The options that give views their shapes and scalars their values.
struct ArgumentOptions {
  explicit ArgumentOptions(llvm::cl::SubCommand &command);

  /// The arguments of the manifest's kernel; memory is zeroed.
  llvm::Expected<std::vector<ArgumentData>>
  make(const manifest::Manifest &manifest,
       Backing backing = Backing::Memory) const;

  llvm::cl::list<std::string> views;
  llvm::cl::list<std::string> scalars;
};

/// The option that says what views hold; those without hold random numbers.
struct ContentOptions {
  explicit ContentOptions(llvm::cl::SubCommand &command);

  llvm::Error fill(std::vector<ArgumentData> &arguments) const;

  llvm::cl::list<std::string> contents;
};

/// The view of that name, which `option` asks for.
llvm::Expected<ArgumentData *> findView(std::vector<ArgumentData> &arguments,
                                        llvm::StringRef option,
                                        llvm::StringRef name);

/// Each of an option's texts, or the first error.
template <typename Spec>
llvm::Expected<std::vector<Spec>>
parseAll(const llvm::cl::list<std::string> &texts,
         llvm::Expected<Spec> (*parse)(llvm::StringRef)) {
  std::vector<Spec> specs;
  for (const std::string &text : texts) {
    llvm::Expected<Spec> spec = parse(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  return specs;
}

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_ARGUMENTOPTIONS_H
