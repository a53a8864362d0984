//===- CheckCertificate.cpp - heddle check --certificate ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckCertificate.h"

#include "Command.h"

#include "heddle/Schedule/Certificate.h"
#include "heddle/Support/Diagnostics/Check.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Files.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

/// One loop's verdict; returns its exit code.
static int report(const std::string &kernel,
                  const schedule::CertifiedLoop &loop, StringRef solver) {
  std::string place = "@" + kernel + ", loop " + loop.problem.loop;
  schedule::Verdict verdict = schedule::recheck(loop, solver.str());
  switch (verdict.kind) {
  case schedule::Verdict::Certified:
    outs() << place << ": certified: " << verdict.text << "\n";
    return kFine;
  case schedule::Verdict::NotRechecked:
    return fail(diag::certificate_unproved, place + ": " + verdict.text);
  case schedule::Verdict::Objected:
    return fail(diag::certificate_fault, place + ": " + verdict.text);
  }
  return kFine;
}

int heddle::tool::checkCertificate(StringRef path, StringRef solver) {
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return fail(diag::file_unreadable, path + ": cannot be read: " + reason);
  schedule::Certificate certificate;
  if (std::string error = schedule::fromJson(buffer->getBuffer(), certificate);
      !error.empty())
    return fail(diag::certificate_format, path + ": " + error);
  if (!certificate.pinned.empty()) {
    outs() << "@" << certificate.kernel << ": made under "
           << certificate.pinned.size() << " pinned line"
           << (certificate.pinned.size() == 1 ? "" : "s")
           << "; what is optimal is so under them, too:\n";
    for (const std::string &line : certificate.pinned)
      outs() << "  " << line << "\n";
  }
  int status = kFine,
      objected = diag::exitCode(diag::certificate_fault.outcome);
  for (const schedule::CertifiedLoop &loop : certificate.loops) {
    int code = report(certificate.kernel, loop, solver);
    outs().flush();
    status = code == objected || status == objected ? objected
                                                    : std::max(status, code);
  }
  if (certificate.loops.empty())
    outs() << "@" << certificate.kernel << ": no loop is pipelined\n";
  return status;
}
