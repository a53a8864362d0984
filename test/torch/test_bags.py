# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bags of embeddings: every mode, type and edge beside PyTorch's operator, what errors say, and a
recommender that is unmodified but for one line."""

import ctypes
import itertools
import mmap
import unittest

import torch
import torch.nn.functional as F

import heddle.sparse
from heddle import _sparse_bags
from tensors import dense

MODES = {"sum": _sparse_bags.SUM, "mean": _sparse_bags.MEAN, "max": _sparse_bags.MAX}
# Rounding to f32 in another order, and once to the type of the rows.
ERRORS = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}
ROWS = 20
OFFSETS = ([0], [0, 0, 3, 3, 17], [0, 30, 30], [0, 1, 2, 3], [])


def drawn(count, rows=ROWS, kind=torch.int64, seed=3):
    return torch.randint(0, rows, (count,), generator=torch.Generator().manual_seed(seed)).to(kind)


def at_the_end(values):
    """The same numbers in front of memory that must not be read."""
    size = -(-values.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    behind = ctypes.c_char.from_buffer(memory, size)
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(ctypes.addressof(behind)), mmap.PAGESIZE, 0)
    found = torch.frombuffer(memory, dtype=values.dtype, count=values.numel(), offset=size - values.nbytes)
    found.copy_(values)
    return found


class Bags(unittest.TestCase):
    def near(self, found, wanted, dtype):
        self.assertEqual((found.shape, found.dtype), (wanted.shape, dtype))
        if found.numel():
            most = ERRORS[dtype] * max(1.0, float(wanted.abs().max()))
            self.assertLessEqual(float((found.double() - wanted.double()).abs().max()), most)

    def test_modes_types_and_offsets(self):
        for (mode, number), dtype, kind, width in itertools.product(
                MODES.items(), ERRORS, (torch.int32, torch.int64), (1, 5, 16, 33)):
            table = dense(ROWS, width).to(dtype)
            for offsets in OFFSETS:
                for count in (30, 0):
                    given = torch.tensor([min(offset, count) for offset in offsets], dtype=kind)
                    if not given.numel() and count:
                        continue
                    indices = drawn(count, kind=kind)
                    with self.subTest(mode=mode, dtype=dtype, kind=kind, width=width, offsets=offsets, count=count):
                        wanted = F.embedding_bag(indices, table.double(), given, mode=mode)
                        self.near(_sparse_bags.bags(table, indices, given, number), wanted, dtype)

    def test_padding_and_weights(self):
        indices, table = drawn(30), dense(ROWS, 6).float()
        weights = dense(30, seed=5).float()
        for mode, padding, with_last in itertools.product(MODES, (0, int(indices[4]), ROWS - 1), (False, True)):
            given = torch.tensor([0, 0, 3, 30] if with_last else [0, 0, 3])
            for scales in (None, weights) if mode == "sum" else (None,):
                with self.subTest(mode=mode, padding=padding, with_last=with_last, weighted=scales is not None):
                    wanted = F.embedding_bag(indices, table, given, mode=mode, per_sample_weights=scales,
                                             include_last_offset=with_last, padding_idx=padding)
                    self.near(_sparse_bags.bags(table, indices, given, MODES[mode], scales, with_last, padding), wanted,
                              torch.float32)
        every = torch.full((4,), 7)
        for mode in MODES:  # no row counts
            found = _sparse_bags.bags(table, every, torch.tensor([0, 2]), MODES[mode], None, False, 7)
            self.assertEqual(int(found.count_nonzero()), 0)

    def test_one_row_and_large_strides(self):
        wide = dense(3, 40).float()
        for table in (dense(1, 8).float(), wide[:, 3:11], wide.t()[:8]):
            indices = torch.zeros(9, dtype=torch.int64)
            found = _sparse_bags.bags(table, indices, torch.tensor([0, 2, 2]), _sparse_bags.SUM)
            self.near(found, F.embedding_bag(indices, table.contiguous(), torch.tensor([0, 2, 2]), mode="sum"),
                      torch.float32)

    def test_rows_beyond_two_gigabytes(self):
        rows, width = (1 << 31) // 256 + 5, 128
        table = torch.empty(rows, width, dtype=torch.float16)  # 2 GiB, of which few pages are touched
        indices = torch.tensor([rows - 1, 0, rows - 3, rows - 1], dtype=torch.int32)
        table[indices.long()] = dense(4, width).half()
        for mode in MODES:
            wanted = F.embedding_bag(torch.arange(4), table[indices.long()].double(), torch.tensor([0, 1]), mode=mode)
            self.near(_sparse_bags.bags(table, indices, torch.tensor([0, 1], dtype=torch.int32), MODES[mode]), wanted,
                      torch.float16)

    def test_rows_asked_for_ahead_stay_inside(self):
        table = torch.randn(200_000, 8, generator=torch.Generator().manual_seed(1))  # in no core's own cache
        for lengths in ([0, 3, 0, 0, 50, 1, 0], [1], [0, 2], [7] * 40, [0, 0]):
            offsets = at_the_end(torch.tensor([0, *itertools.accumulate(lengths)], dtype=torch.int32))
            indices = drawn(int(offsets[-1]), 200_000, torch.int32)
            indices = at_the_end(indices) if indices.numel() else indices
            found = _sparse_bags.bags(table, indices, offsets, _sparse_bags.SUM, None, True)
            self.near(found, F.embedding_bag(indices, table, offsets, mode="sum", include_last_offset=True), torch.float32)
        self.assertTrue(any("ahead" in call.program.plan for call in _sparse_bags._calls.values()))

    def test_gradients(self):
        indices, offsets = drawn(12, 6), torch.tensor([0, 5, 5])
        weights = dense(12)
        for mode, padding in itertools.product(MODES, (-1, 2)):
            table = dense(6, 3).requires_grad_()
            scales = weights if mode == "sum" else None
            found = _sparse_bags.bags(table, indices, offsets, MODES[mode], scales, False, padding)
            wanted = F.embedding_bag(indices, table, offsets, mode=mode, per_sample_weights=scales,
                                     padding_idx=None if padding < 0 else padding)
            upstream = dense(*found.shape, seed=8)
            mine, its = (torch.autograd.grad(value, table, upstream)[0] for value in (found, wanted))
            self.near(mine, its, torch.float64)

    def test_what_errors_say(self):
        table = dense(5, 2)
        for indices, offsets, kind, text in (
                ([0, 4, 5], [0, 1, 1], IndexError,
                 "bags of users: position 2, of bag 2, is 5, and the table has rows 0 to 4"),
                ([0, -1], [0, 0], IndexError,
                 "bags of users: position 1, of bag 1, is -1, and the table has rows 0 to 4"),
                ([0, 1, 2], [0, 2, 1], ValueError, "bags of users: the offsets fall: bag 1 begins at 2 and ends at 1"),
                ([0, 1, 2], [1, 2], ValueError, "bags of users: the first offset is 1 and not 0"),
                ([0, 1, 2], [0, 4], ValueError, "bags of users: the offsets fall: bag 1 begins at 4 and ends at 3")):
            for given in (torch.int32, torch.int64):
                with self.assertRaises(kind) as caught:
                    _sparse_bags.bags(table, torch.tensor(indices, dtype=given), torch.tensor(offsets, dtype=given),
                                      _sparse_bags.SUM, name="users")
                self.assertEqual(str(caught.exception), text)


class Recommender(torch.nn.Module):
    """Bags of categories, a dense part, the products of all pairs, and layers behind: as published."""

    def __init__(self, rows=(50, 7, 300), width=16):
        super().__init__()
        self.tables = torch.nn.ModuleList([
            torch.nn.EmbeddingBag(count, width, mode=mode) for count, mode in zip(rows, ("sum", "mean", "max"))])
        self.bottom = torch.nn.Sequential(torch.nn.Linear(13, 32), torch.nn.ReLU(), torch.nn.Linear(32, width))
        self.top = torch.nn.Sequential(torch.nn.Linear(width + 6, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))

    def forward(self, numbers, *bags):
        first = self.bottom(numbers)
        parts = [table(indices, offsets) for table, indices, offsets in zip(self.tables, bags[::2], bags[1::2])]
        features = torch.stack([first, *parts], 1)
        pairs = features @ features.transpose(1, 2)
        low = torch.tril_indices(4, 4, -1)
        return torch.sigmoid(self.top(torch.cat([first, pairs[:, low[0], low[1]]], 1)))


def batch(model, size, seed):
    generator = torch.Generator().manual_seed(seed)
    given = [torch.randn(size, 13, generator=generator)]
    for table in model.tables:
        lengths = torch.randint(0, 9, (size,), generator=generator)
        given += [torch.randint(0, table.num_embeddings, (int(lengths.sum()),), generator=generator),
                  torch.cat([lengths.new_zeros(1), lengths.cumsum(0)[:-1]])]
    return given


class Whole(unittest.TestCase):
    def test_a_recommender(self):
        torch.manual_seed(1)
        model = Recommender().eval()
        compiled = heddle.sparse.compile(model)
        wide = Recommender().eval()
        wide.load_state_dict(model.state_dict())
        wide.double()
        mine, its = [], []
        with torch.no_grad():
            for seed in range(4):
                given = batch(model, 64, seed)
                wanted = wide(*(value.double() if value.is_floating_point() else value for value in given))
                mine.append(float((compiled(*given).double() - wanted).abs().max()))
                its.append(float((model(*given).double() - wanted).abs().max()))
        self.assertEqual(compiled.remarks, [])
        self.assertEqual([len(traces) for traces in compiled._traces.values()], [1])  # each batch is as long as it is
        self.assertLessEqual(max(mine), 1.5 * max(its))
        given = batch(model, 64, 9)
        given[3] = given[3].clone()
        given[3][5] = 7
        with self.assertRaisesRegex(IndexError, r"bags of tables\.1\.weight: position 5, of bag \d+, is 7, and the "
                                                "table has rows 0 to 6"):
            compiled(*given)

    def test_training(self):
        torch.manual_seed(2)
        model = Recommender()
        for table in model.tables:
            table.mode = "mean" if table.mode == "max" else table.mode
        compiled = heddle.sparse.compile(model)
        given, target = batch(model, 32, 5), torch.rand(32, 1)
        gradients = []
        for network in (compiled, model):
            model.zero_grad()
            F.mse_loss(network(*given), target).backward()
            gradients.append([value.grad.clone() for value in model.parameters()])
        for mine, its in zip(*gradients):
            self.assertLessEqual(float((mine - its).abs().max()), 1e-6)


    def test_lengths_that_differ(self):
        def layer(x, edges, weights):
            return torch.zeros_like(x).index_add(0, edges[1], x[edges[0]] * weights[:, None])

        def rows_of_a_list(x, places):
            return x.new_zeros(places.shape[0], x.shape[1]).index_add(0, places % 3, x[places])

        def longest(x, a, b):  # one trace takes equal lengths, another different ones
            return x[a].sum(0) + x[b].sum(0) + (a + b).sum() if a.shape == b.shape else x[a].sum(0)

        x = dense(9, 4)
        for function, given in (
                (layer, lambda n: (x, drawn(2 * n, 9).view(2, n), dense(max(n, 1))[:n])),
                (rows_of_a_list, lambda n: (x, drawn(n, 9))),
                (longest, lambda n: (x, drawn(n, 9), drawn(n + n % 2, 9)))):
            compiled = heddle.sparse.compile(function)
            for count in (5, 7, 2, 12, 1, 0, 5, 4):
                arguments = given(count)
                if function is rows_of_a_list and count in (1, 0, 2):
                    continue  # fewer rows than are added to
                with self.subTest(function=function.__name__, count=count):
                    self.assertLessEqual(float((compiled(*arguments) - function(*arguments)).abs().max()), 1e-12)


if __name__ == "__main__":
    unittest.main()
