# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse.program: statements with masks, functions and semirings on torch tensors, beside
what PyTorch computes densely, and what it says to statements and operands that do not fit."""

import pathlib
import sys
import unittest

import torch

import heddle.sparse
from tensors import dense, stored, thin, whole

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "sparse"))
import networks  # noqa: E402

ATTENTION = """
    S(i, j) += 0.25 * Q(i, d) * K(j, d) where M(i, j)   # scores
    m(i) += S(i, j) over "max-plus"
    E(i, j) += S(i, j) - m(i) where S(i, j) then exp

    d(i) += E(i, j)
    O(i, c) += E(i, j) * reciprocal(d(i)) * V(j, c)
"""


class Statements(unittest.TestCase):
    def near(self, found, wanted):
        self.assertEqual(found.dtype, wanted.dtype)
        most = 1e-12 if found.dtype == torch.float64 else 1e-4
        self.assertLessEqual(float((whole(found) - wanted).abs().max()) if wanted.numel() else 0, most)

    def test_a_layer(self):
        layer = heddle.sparse.program("H(i, k) += A(i, j) * B(j, k) + b(k) then relu")
        for dtype in (torch.float32, torch.float64):
            for layout in ("csr", "narrow", "csc", "coo"):
                for rows, inner, width in ((9, 7, 5), (40, 30, 64), (1, 7, 17), (0, 7, 5)):
                    a, b, bias = thin(rows, inner, dtype=dtype), dense(inner, width, dtype=dtype), dense(width, dtype=dtype)
                    found = layer(A=stored(a, layout), B=b, b=bias)
                    self.near(found, torch.relu(a @ b + bias))
                    self.near(layer(A=stored(a, layout), B=dense(width, inner, dtype=dtype).t(), b=bias),
                              torch.relu(a @ dense(width, inner, dtype=dtype).t() + bias))

    def test_attention(self):
        attend = heddle.sparse.program(ATTENTION)
        for queries, keys, width in ((12, 15, 4), (33, 20, 32), (5, 1, 1)):
            there = thin(queries, keys, density=0.4) != 0
            there[:, 0] = True
            q, k, v = dense(queries, width), dense(keys, width, seed=2), dense(keys, 3, seed=3)
            scores = (0.25 * q @ k.t()).masked_fill(~there, -torch.inf)
            found = attend(M=stored(there.double(), "csr"), Q=q, K=k, V=v)
            self.near(found, torch.softmax(scores, 1) @ v)

    def test_a_part_of_heads(self):
        attend = heddle.sparse.program(ATTENTION)
        parts = dense(12, 3, 4).transpose(0, 1)
        mask = torch.ones(12, 12, dtype=torch.float64).to_sparse_csr()
        for part in parts:
            self.near(attend(M=mask, Q=part, K=part, V=part), torch.softmax(0.25 * part @ part.t(), 1) @ part)

    def test_a_sparse_result(self):
        scores = heddle.sparse.program("S(i, j) += Q(i, d) * K(j, d) where M(i, j)")
        mask = thin(9, 7) != 0
        found = scores(M=stored(mask.double(), "csr"), Q=dense(9, 5), K=dense(7, 5, seed=2))
        self.assertEqual(found.layout, torch.sparse_csr)
        self.near(found, mask * (dense(9, 5) @ dense(7, 5, seed=2).t()))
        scaled = heddle.sparse.program("S(i, j) += A(i, j) * r(i)")
        a = thin(9, 7)
        self.near(scaled(A=stored(a, "csr"), r=dense(9)), a * dense(9)[:, None])

    def test_a_program_is_kept_and_its_operands_change(self):
        layer = heddle.sparse.program("H(i, k) += A(i, j) * B(j, k)")
        a = stored(thin(9, 7), "csr")
        for _ in range(3):
            b = dense(7, 5)
            self.near(layer(A=a, B=b), whole(a) @ b)
            a.values().mul_(2)
        self.assertEqual(len(layer._calls), 1)
        self.assertIn('einsum.nest "H" term 0', layer.plan_of(A=a, B=b))

    def test_what_does_not_fit(self):
        a, b = stored(thin(9, 7), "csr"), dense(7, 5)
        product = "C(i, k) += A(i, j) * B(j, k)"
        texts = [
            (3, TypeError, "statements are a text, not 3"),
            ("", ValueError, "the text has no statement"),
            ("C = A", ValueError, "statement 1 is not of the form 'C(i, k) += A(i, j) * B(j, k)': 'C = A'"),
            ("C(i) += 3", ValueError, "statement 1 names no tensor: 'C(i) += 3'"),
            (f"{product}\n{product}", ValueError, "statement 2 gives C, which there is already"),
            ("A(i, j) += A(i, j)", ValueError, "statement 1 gives A, which there is already"),
        ]
        for text, kind, sentence in texts:
            with self.assertRaises(kind) as raised:
                heddle.sparse.program(text)
            self.assertEqual(str(raised.exception), sentence)
        calls = [
            (product, {"A": a}, TypeError, "the operand B is missing"),
            (product, {"A": a, "B": b, "X": b}, TypeError, "X is no operand of the statements, which are A, B"),
            (product, {"A": a, "B": 3.0}, TypeError, "operand B is no torch tensor"),
            (product, {"A": a, "B": b[:6]}, ValueError, "statement 1: j is 7 in A and 6 in B"),
            (product, {"A": a, "B": b[0]}, ValueError, "statement 1: B has 1 axes and 2 indices"),
            ("C(i, m) += A(i, j) * B(j, k)", {"A": a, "B": b}, ValueError,
             "statement 1: the result has the index m, which no operand has"),
            (product, {"A": a, "B": b.float()}, TypeError, "operand B has elements of float32 and A of float64"),
            (product, {"A": a, "B": b.clone().requires_grad_()}, TypeError,
             "operand B asks for a gradient, and statements have none; give einsum its products, or compute "
             "under torch.no_grad()"),
        ]
        for text, operands, kind, sentence in calls:
            with self.subTest(sentence=sentence), self.assertRaises(kind) as raised:
                heddle.sparse.program(text)(**operands)
            self.assertEqual(str(raised.exception), sentence)
        # What only the compiler knows.
        with self.assertRaisesRegex(ValueError, "einsum-function"):
            heddle.sparse.program("C(i, j) += A(i, j) then exp")(A=a)


class Networks(unittest.TestCase):
    """bench/sparse/networks.py, whose systems models.py compares."""

    def test_published_sizes(self):
        found = [networks.longformer_mask(length).values().numel() for length in networks.LENGTHS]
        # 131 n - 4290; as published for 512 and 4096, and not for the two between.
        self.assertEqual(found, [62782, 129854, 263998, 532286])
        for name in ("Cora", "CiteSeer"):
            nodes, edges, *_ = networks.GRAPHS[name]
            graph = networks.GCN(name, torch.Generator().manual_seed(0)).graph
            self.assertEqual(graph.values().numel(), nodes + edges)
            self.assertTrue(torch.equal(graph.to_dense(), graph.to_dense().t()))

    def test_systems_agree(self):
        generator = torch.Generator().manual_seed(0)
        for network in (networks.GCN("Cora", generator), networks.Autoencoder("784-1024-512", 0.95, generator),
                        networks.Longformer(130, generator)):
            network.prepare_dense()
            network.prepare_fused(heddle.sparse.program)
            with torch.no_grad():
                wanted = network(*network.inputs)
                for system in ("dense", "fused", "sampled"):
                    if hasattr(network, system):
                        found = getattr(network, system)(*network.inputs)
                        self.assertLess(float((found - wanted).abs().max() / wanted.abs().max()), 1e-4, system)


if __name__ == "__main__":
    unittest.main()
