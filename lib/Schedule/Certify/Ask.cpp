//===- Ask.cpp - Runs an SMT solver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs an SMT solver on a query and reads one word of its answer. It is the
// only file of the certifier that starts a program: certificates can be read
// and bounds checked on a machine that has no solver.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Certify.h"
#include "heddle/Support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle::schedule;

Answer heddle::schedule::ask(const std::string &program,
                             const std::string &query, unsigned seconds,
                             std::string &reason) {
  auto fail = [&](const std::string &why) {
    reason = why;
    return Answer::Unknown;
  };
  ErrorOr<std::string> path = sys::findProgramByName(program);
  if (!path)
    return fail("there is no program '" + program + "'");
  SmallString<128> question, reply;
  int descriptor;
  if (std::error_code error =
          sys::fs::createTemporaryFile("heddle", "smt2", descriptor, question))
    return fail("no temporary file: " + error.message());
  FileRemover removeQuestion(question);
  raw_fd_ostream(descriptor, /*shouldClose=*/true) << query;
  if (std::error_code error =
          sys::fs::createTemporaryFile("heddle", "answer", reply))
    return fail("no temporary file: " + error.message());
  FileRemover removeReply(reply);
  std::string problem;
  StringRef arguments[] = {*path, question};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(reply),
                                          StringRef()};
  int status = sys::ExecuteAndWait(*path, arguments, std::nullopt, redirects,
                                   seconds, 0, &problem);
  std::string unread;
  auto buffer = heddle::readFile(reply, unread);
  StringRef answer = buffer ? buffer->getBuffer().trim() : "";
  if (status == 0 && answer == "unsat")
    return Answer::Unsat;
  if (status == 0 && answer == "sat")
    return Answer::Sat;
  if (status == -2 && problem.find("timed out") != std::string::npos)
    return fail("'" + program + "' found no answer in " +
                std::to_string(seconds) + " s");
  return fail("'" + program + "' answers \"" + answer.take_front(80).str() +
              "\"" + (problem.empty() ? "" : " (" + problem + ")"));
}
