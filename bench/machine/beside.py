# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of one warp group while another one keeps the tensor core busy: cycles an
instruction, to be held against instruction.*.groups1."""

import arithmetic
import tensor
from kernels import Kernel

# Long enough that the products last while the instructions are timed.
PRODUCTS = 4
COLUMNS = 128


def kernel(text, in_registers):
    body, registers, setup, keep = arithmetic.parts(text, arithmetic.CHAINS)
    product, more_registers, more_setup, more_keep, shared = tensor.parts(COLUMNS, in_registers, 1)
    both = "@%%second bra SECOND;\n%s\nbra NEXT;\nSECOND:\n%s\nNEXT:" % (body, "\n".join([product] * PRODUCTS))
    setup += "\n" + more_setup + "\nsetp.ge.u32 %second, %thread, 128;\n"
    registers += "\n" + more_registers + "\n.reg .pred %second;"
    return Kernel(both, registers, setup, tensor.DRAIN, keep + "\n" + more_keep, threads=256, shared=shared)


def measure():
    for name, text in arithmetic.INSTRUCTIONS.items():
        for form, in_registers in (("ss", False), ("rs", True)):
            yield "%s.beside_%s" % (name, form), kernel(text, in_registers), arithmetic.CHAINS * arithmetic.LENGTH
