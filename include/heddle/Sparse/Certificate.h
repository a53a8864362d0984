//===- Certificate.h - Why a plan was chosen, to be checked -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a planner claims of a term, as JSON: statement, sizes, the processor's
// figures, every legal nest with its iterations and cycles, and the orders that
// have none. python/heddle/plan_certificate.py checks it and shares no code
// with the planner.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_CERTIFICATE_H
#define HEDDLE_SPARSE_CERTIFICATE_H

#include "heddle/Sparse/Plan.h"
#include "heddle/Sparse/Tensor.h"

namespace heddle::sparse {

/// `candidates` are those of plan() for the term. The positions and coordinates
/// of `operands` are written too, if they are few, so that the counts can be
/// found again by walking them.
std::string
writeCertificate(const Statement &statement, int term,
                 const Statistics &statistics,
                 const std::vector<Candidate> &candidates,
                 const std::map<std::string, const Tensor *> &operands);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_CERTIFICATE_H
