//===- user.c - What uses a library of tasks ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the header that heddle_add_tasks() made. Out: an object that names the
// function of its kernel, so that the header compiles as C.
//
//===----------------------------------------------------------------------===//

#include "product.h"

void *use(void) { return (void *)&dual_gemm_launch; }
