//===- WriteCertificates.cpp - KERNEL.cert.json of a program --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem is exported anew from the program and the schedule read from its
// table, so that what is certified is what is compiled, edited or not.
//
//===----------------------------------------------------------------------===//

#include "WriteCertificates.h"

#include "Command.h"
#include "WriteText.h"

#include "heddle/Schedule/Certificate.h"
#include "heddle/Support/Diagnostics/Check.h"
#include "heddle/Transforms/ReadPlan.h"

#include "llvm/Support/Path.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static int write(sched::PlanOp plan, const machine::Costs &costs,
                 StringRef folder) {
  schedule::Certificate certificate{plan.getKernel().str(), {}};
  for (const PlannedLoop &loop : readPlan(plan, costs)) {
    if (!loop.isPipelined)
      continue;
    if (std::string reason = schedule::certify(loop.problem, loop.solution);
        !reason.empty())
      return fail(diag::certificate_fault,
                  "@" + certificate.kernel + ", loop " + loop.problem.loop +
                      ": the schedule is not legal: " + reason);
    certificate.loops.push_back(
        schedule::certificateOf(loop.problem, loop.solution));
  }
  SmallString<128> path(folder);
  sys::path::append(path, certificate.kernel + ".cert.json");
  return writeText(path, schedule::toJson(certificate));
}

int heddle::tool::writeCertificates(mlir::ModuleOp module,
                                    const machine::Costs &costs,
                                    StringRef folder) {
  int status = kFine;
  module.walk([&](sched::PlanOp plan) {
    if (status == kFine)
      status = write(plan, costs, folder);
  });
  return status;
}
