//===- WriteCertificates.cpp - KERNEL.cert.json of a program --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteCertificates.h"

#include "Command.h"
#include "WriteText.h"
#include "heddle/Report/Certificates.h"

#include "heddle/Support/Diagnostics/Check.h"

#include "llvm/Support/Path.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

int heddle::tool::writeCertificates(mlir::ModuleOp module,
                                    const machine::Costs &costs,
                                    StringRef folder) {
  std::vector<schedule::Certificate> certificates;
  if (failed(certify(module, costs, certificates)))
    return diag::exitCode(diag::certificate_fault.outcome);
  for (const schedule::Certificate &certificate : certificates) {
    SmallString<128> path(folder);
    sys::path::append(path, certificate.kernel + ".cert.json");
    if (int status = writeText(path, schedule::toJson(certificate)))
      return status;
  }
  return kFine;
}
