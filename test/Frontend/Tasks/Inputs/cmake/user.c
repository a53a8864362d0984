// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product.h"

// What the library of tasks has to offer.
void *use(void) { return (void *)&dual_gemm_launch; }
