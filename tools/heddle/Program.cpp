//===- Program.cpp - A program being compiled -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Command.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ProgramOptions::ProgramOptions(cl::SubCommand &command)
    : file(cl::Positional, cl::Required, cl::sub(command),
           cl::value_desc("FILE"), cl::desc("FILE")),
      settings("set", cl::sub(command), cl::value_desc("NAME=VALUE"),
               cl::desc("Fix an alias or a shape parameter of the program")) {}

std::unique_ptr<Program> Program::load(StringRef file,
                                       ArrayRef<std::string> settings) {
  Expected<Source> source = loadSource(file, settings);
  if (!source) {
    reportBadInput(toString(source.takeError()));
    return nullptr;
  }
  auto program = std::make_unique<Program>();
  program->source = std::move(*source);
  program->context = pipeline::createContext();
  program->printer.emplace(*program->context, program->source);
  program->parsed = pipeline::parse(program->source, *program->context);
  if (!program->parsed)
    return nullptr;
  auto rung = pipeline::detectRung(program->module());
  if (failed(rung))
    return nullptr;
  program->detected = *rung;
  return program;
}
