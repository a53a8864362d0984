#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse.enable(): PyTorch's sparse operators in programs as they stand, beside
PyTorch's own kernels.

    run.py LIBHEDDLE.SO test_enable.py            checks the table of docs/sparse.md, too
    HEDDLE_WRITE=1 run.py ... test_enable.py      writes it
"""

import os
import pathlib
import threading
import unittest

import torch

import heddle.sparse
from tensors import dense, stored, thin, whole

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "sparse.md"
MARK = "<!-- table test/torch/test_enable.py -->\n"
KINDS = (torch.float32, torch.float64)


def coo(whole_tensor):
    """Not coalesced: each element in two parts."""
    found = whole_tensor.to_sparse().coalesce()
    return torch.sparse_coo_tensor(torch.cat([found.indices()] * 2, 1),
                                   torch.cat([found.values() * 0.25, found.values() * 0.75]), found.shape)


# What heddle takes: name -> a function of a type and sizes that gives a call and its operands.
def products(layouts):
    for layout in layouts:
        yield f"{layout} @ strided", lambda dtype, m, k, n, layout=layout: (
            torch.mm, stored(thin(m, k, dtype=dtype), layout), dense(k, n, dtype=dtype))


TAKEN = {
    **dict(products(("csr", "csc", "narrow", "coo"))),
    "coo, not coalesced @ strided": lambda dtype, m, k, n: (
        torch.mm, coo(thin(m, k, dtype=dtype)), dense(k, n, dtype=dtype)),
    "bsr @ strided": lambda dtype, m, k, n: (
        torch.mm, stored(thin(2 * m, 2 * k, dtype=dtype), "bsr"), dense(2 * k, n, dtype=dtype)),
    "csr @ transposed": lambda dtype, m, k, n: (
        torch.mm, stored(thin(m, k, dtype=dtype), "csr"), dense(n, k, dtype=dtype).t()),
    "csr @ every second column": lambda dtype, m, k, n: (
        torch.mm, stored(thin(m, k, dtype=dtype), "csr"), dense(k, 2 * n, dtype=dtype)[:, ::2]),
    "strided @ csr": lambda dtype, m, k, n: (
        torch.mm, dense(m, k, dtype=dtype), stored(thin(k, n, dtype=dtype), "csr")),
    "strided @ csc": lambda dtype, m, k, n: (
        torch.mm, dense(m, k, dtype=dtype), stored(thin(k, n, dtype=dtype), "csc")),
    "csr @ csr": lambda dtype, m, k, n: (
        torch.mm, stored(thin(m, k, dtype=dtype), "csr"), stored(thin(k, n, dtype=dtype, seed=3), "csr")),
    "coo @ coo": lambda dtype, m, k, n: (
        torch.sparse.mm, stored(thin(m, k, dtype=dtype), "coo"), stored(thin(k, n, dtype=dtype, seed=3), "coo")),
    "csr @ vector": lambda dtype, m, k, n: (torch.mv, stored(thin(m, k, dtype=dtype), "csr"), dense(k, dtype=dtype)),
    "coo @ vector": lambda dtype, m, k, n: (torch.mv, stored(thin(m, k, dtype=dtype), "coo"), dense(k, dtype=dtype)),
    "torch.sparse.mm": lambda dtype, m, k, n: (
        torch.sparse.mm, stored(thin(m, k, dtype=dtype), "csr"), dense(k, n, dtype=dtype)),
    "addmm": lambda dtype, m, k, n: (
        lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=-2), dense(m, n, dtype=dtype, seed=5),
        stored(thin(m, k, dtype=dtype), "csr"), dense(k, n, dtype=dtype)),
    "torch.sparse.addmm of coo": lambda dtype, m, k, n: (
        torch.sparse.addmm, dense(m, n, dtype=dtype, seed=5), stored(thin(m, k, dtype=dtype), "coo"),
        dense(k, n, dtype=dtype)),
    "sampled_addmm": lambda dtype, m, k, n: (
        lambda p, a, b: torch.sparse.sampled_addmm(p, a, b, beta=2.0, alpha=0.5),
        stored(thin(m, n, dtype=dtype), "csr"), dense(m, k, dtype=dtype), dense(k, n, dtype=dtype)),
    "sampled_addmm of a transposed matrix": lambda dtype, m, k, n: (
        torch.sparse.sampled_addmm, stored(thin(m, n, dtype=dtype), "csr"), dense(m, k, dtype=dtype),
        dense(n, k, dtype=dtype).t()),
    "torch.sparse.mm, reduce='sum'": lambda dtype, m, k, n: (
        lambda a, b: torch.sparse.mm(a, b, "sum"), stored(thin(m, k, dtype=dtype), "csr"), dense(k, n, dtype=dtype)),
    "torch.sparse.mm, reduce='mean'": lambda dtype, m, k, n: (
        lambda a, b: torch.sparse.mm(a, b, "mean"), stored(thin(m, k, dtype=dtype), "csr"), dense(k, n, dtype=dtype)),
    "bmm of coo": lambda dtype, m, k, n: (
        torch.bmm, stored(thin(3, m, k, dtype=dtype), "coo"), dense(3, k, n, dtype=dtype)),
}
# What stays with PyTorch, one call for each reason.
FALLS_BACK = {
    "`mm` of integers": lambda: torch.mm(stored(thin(4, 6).mul(9).long(), "coo"), dense(6, 2).mul(9).long()),
    "`mm` of complex elements": lambda: torch.mm(stored(thin(4, 6).to(torch.complex128), "csr"),
                                                 dense(6, 2).to(torch.complex128)),
    "`mm` of BSR and BSR": lambda: torch.mm(stored(thin(4, 6), "bsr"), stored(thin(6, 2), "bsr")),
    "`mm` of CSR and CSC": lambda: torch.mm(stored(thin(4, 6), "csr"), stored(thin(6, 2), "csc")),
    "`addmm` of three CSR matrices": lambda: torch.addmm(*(stored(thin(4, 4, seed=seed), "csr") for seed in range(3))),
    "`mm` of CSC and CSC": lambda: torch.mm(stored(thin(4, 6), "csc"), stored(thin(6, 2), "csc")),
    "`mm` of COO with dense dimensions": lambda: torch.mm(thin(4, 6).to_sparse(1), dense(6, 2)),
    "`mm` with columns that are not sorted": lambda: torch.mm(torch.sparse_csr_tensor(
        torch.tensor([0, 2]), torch.tensor([3, 1]), dense(2), (1, 6), check_invariants=False), dense(6, 2)),
    "`torch.sparse.mm(a, b, reduce=\"amax\")`": lambda: torch.sparse.mm(stored(thin(4, 6), "csr"), dense(6, 2), "amax"),
    "`sampled_addmm` of batches": lambda: torch.sparse.sampled_addmm(
        torch.stack([torch.ones(4, 4)] * 2).double().to_sparse_csr(), dense(2, 4, 3), dense(2, 3, 4)),
    "`mm` of sizes that do not fit": lambda: torch.mm(stored(thin(4, 6), "csr"), dense(5, 2)),
}


def outcome(call):
    """(result, kind of exception) of a call."""
    try:
        return whole(call()), None
    except Exception as error:
        return None, type(error)


class Enable(unittest.TestCase):
    def setUp(self):
        heddle.sparse.enable()
        self.addCleanup(heddle.sparse.disable)

    def reasons(self):
        return {(name, reason): calls for name, reason, calls in heddle.sparse.declined()}

    def by_torch(self, call):
        heddle.sparse.disable()
        try:
            return call()
        finally:
            heddle.sparse.enable()

    def near(self, found, wanted):
        self.assertEqual((found.layout, found.shape, found.dtype), (wanted.layout, wanted.shape, wanted.dtype))
        if found.layout == torch.sparse_coo:
            self.assertEqual(found.is_coalesced(), wanted.is_coalesced())
        found, wanted = whole(found), whole(wanted)
        most = 1e-12 if found.dtype == torch.float64 else 1e-4
        self.assertLessEqual(float((found - wanted).abs().max()) if wanted.numel() else 0, most)

    def test_taken_like_torchs_own(self):
        for name, make in TAKEN.items():
            for dtype in KINDS:
                for sizes in ((9, 7, 5), (1, 1, 1), (33, 65, 17), (0, 4, 3), (4, 0, 3), (4, 3, 0), (300, 200, 64)):
                    with self.subTest(name=name, dtype=dtype, sizes=sizes):
                        function, *operands = make(dtype, *sizes)
                        before = self.reasons()
                        found = function(*operands)
                        self.assertEqual(self.reasons(), before)
                        try:
                            wanted = self.by_torch(lambda: function(*operands))
                        except RuntimeError:  # PyTorch itself does not take it
                            wanted = function(*map(whole, operands))
                        self.near(found, wanted)
                        self.near(function(*operands), wanted)

    def test_short_elements(self):
        """PyTorch has no kernels for most of them; heddle's round once."""
        for dtype in (torch.float16, torch.bfloat16):
            for layout in ("csr", "csc", "coo"):
                a, b, before = thin(9, 7, dtype=dtype), dense(7, 5, dtype=dtype), self.reasons()
                found = torch.sparse.mm(stored(a, layout), b)
                wanted = a.double() @ b.double()
                allowed = wanted.abs() * torch.finfo(dtype).eps / 2 + 1e-5
                self.assertTrue(found.dtype == dtype and bool(((found.double() - wanted).abs() <= allowed).all()))
                self.assertEqual(self.reasons(), before)

    def test_matrices_without_elements_and_with_all(self):
        for density in (0.0, 1.0):
            for layout in ("csr", "csc", "coo"):
                a, b = stored(thin(6, 5, density=density), layout), dense(5, 4)
                self.near(a @ b, whole(a) @ b)

    def test_gradients_are_torchs(self):
        for layout in ("csr", "coo"):
            def train():
                a = stored(thin(12, 9), layout).requires_grad_()
                b = dense(9, 4).requires_grad_()
                torch.sparse.mm(a, b).square().sum().backward()
                return whole(a.grad), b.grad

            before = self.reasons()
            found = train()
            self.assertEqual(self.reasons(), before)
            for mine, its in zip(found, self.by_torch(train)):
                self.near(mine, its)

    def test_gradcheck(self):
        a = stored(thin(6, 5), "csr")
        self.assertTrue(torch.autograd.gradcheck(lambda b: a @ b, [dense(5, 3).requires_grad_()]))
        pattern = stored(thin(6, 4), "csr")
        self.assertTrue(torch.autograd.gradcheck(
            lambda x, y: torch.sparse.sampled_addmm(pattern, x, y).to_dense(),
            [dense(6, 3).requires_grad_(), dense(3, 4).requires_grad_()]))

    def test_values_written_in_place(self):
        a, b = stored(thin(9, 7), "csr"), dense(7, 3)
        first = a @ b
        a.values().mul_(2)
        self.near(a @ b, 2 * first)
        c = stored(thin(9, 7), "coo")
        c @ b
        c.values().mul_(-1)
        self.near(c @ b, -first)
        b.zero_()
        self.assertEqual(float((a @ b).abs().sum()), 0)

    def test_a_sum_that_is_multiplied_by_zero_is_not_read(self):
        a, b = stored(thin(4, 3), "csr"), dense(3, 2)
        self.near(torch.addmm(torch.full((4, 2), float("nan"), dtype=torch.float64), a, b, beta=0), whole(a) @ b)

    def test_threads(self):
        a, b = stored(thin(200, 150), "csr"), dense(150, 8)
        wanted, faults = whole(a) @ b, []

        def work():
            for _ in range(50):
                if float(((a @ b) - wanted).abs().max()) > 1e-12:
                    faults.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def test_disable_gives_back(self):
        a, b = stored(thin(4, 6), "csr"), stored(thin(6, 2), "csc")
        torch.mm(a, b)
        before = self.reasons()
        heddle.sparse.disable()
        torch.mm(a, b)
        self.assertEqual(self.reasons(), before)

    def test_what_falls_back(self):
        rows = ["| call | reason |\n", "|---|---|\n"]
        for name, call in FALLS_BACK.items():
            with self.subTest(name=name):
                before = self.reasons()
                found, kind = outcome(call)
                new = [reason for reason, calls in self.reasons().items() if calls != before.get(reason)]
                self.assertTrue(new, "nothing was declined")
                wanted, its_kind = self.by_torch(lambda: outcome(call))
                self.assertEqual(kind, its_kind)
                if wanted is not None:
                    self.assertTrue(torch.allclose(found.to(torch.complex128), wanted.to(torch.complex128)))
                its = " (PyTorch refuses it, too)" if its_kind else ""
                reason = min(new, key=lambda found: found in before)[1]
                rows.append(f"| {name} | {reason}{its} |\n")
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(MARK)
        table, end, after = rest.partition("<!-- end -->")
        if os.environ.get("HEDDLE_WRITE"):
            PAGE.write_text(before + MARK + "".join(rows) + end + after, encoding="utf-8")
            return
        self.assertEqual(table, "".join(rows), "HEDDLE_WRITE=1 writes the table")


if __name__ == "__main__":
    unittest.main()
