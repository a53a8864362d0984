# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch.conv2d of few channels, whose windows are unfolded from spans of the image: on the emulator
against float64, bit by bit; infinities and NaNs beside windows; launches of one kernel; and the reasons for
which runs are written to memory in place of it."""

import unittest
from unittest import mock

import torch

import heddle.torch
from heddle import _conv_ops, _conv_programs, _conv_torch
from layers import EAGER, FIRST, LAST, Case, integers, layer_of, operands, result_programs

# With the program that takes them. Rows of a multiple of 8 elements have a rim or none; others are one row
# with all the images.
CASES = (
    ("unfold", Case((2, 3, 7, 16), (8, 3, 3, 3), {"padding": 1})),
    ("unfold", Case((1, 1, 6, 72), (5, 1, 5, 5), {"padding": 2, "dilation": (2, 1)}, torch.bfloat16)),
    ("unfold", Case((1, 4, 9, 9), (9, 4, 3, 3), {"stride": 2}, torch.float16, (FIRST, LAST))),
    ("unfold", Case((3, 3, 7, 11), (40, 3, 2, 4), {"dilation": (3, 1)})),
    ("unfold", Case((1, 4, 5, 10), (16, 4, 2, 4), {"padding": "same"}, torch.bfloat16, (FIRST, FIRST))),
    ("unfold", Case((1, 3, 2, 8), (8, 3, 3, 3), {"padding": (2, 5)})),
    ("unfold", Case((2, 3, 6, 9), (8, 3, 2, 3), {"stride": (1, 3), "padding": (3, 0)})),
    ("unfold", Case((1, 8, 3, 5), (8, 8, 1, 1), {})),
    ("unfold", Case((1, 20, 4, 6), (8, 20, 2, 3), {"padding": (1, 2)})),
    ("unfold", Case((1, 1, 1, 3), (1, 1, 1, 1), {})),
    ("unfold_pairs", Case((2, 3, 23, 27), (96, 3, 11, 11), {"stride": 4})),
    ("unfold_pairs", Case((1, 3, 19, 21), (70, 3, 11, 11), {"stride": 4}, torch.bfloat16, (FIRST, LAST))),
    ("unfold_rows", Case((2, 3, 5, 104), (8, 3, 3, 3), {"padding": 1})),
    ("unfold_rows", Case((1, 4, 6, 67), (20, 4, 3, 3), {}, torch.bfloat16, (FIRST, LAST))),
    ("unfold_shared", Case((2, 3, 13, 16), (16, 3, 7, 7), {"stride": 2, "padding": 3})),
    ("unfold_shared", Case((2, 3, 15, 17), (64, 3, 7, 7), {"stride": 2}, torch.bfloat16, (FIRST, LAST))),
    ("unfold_shared", Case((1, 2, 8, 12), (9, 2, 7, 4), {"stride": (2, 1), "padding": (3, 1)})),
    ("unfold_pairs", Case((1, 5, 4, 16), (80, 5, 3, 13), {"stride": 2, "padding": 1})),
)
ALIGNED, FLAT, PAIRED = CASES[0][1], CASES[3][1], CASES[10][1]
# The layer, and why it is not unfolded.
WRITTEN = (
    (Case((1, 3, 5, 8), (8, 3, 3, 3), {"padding": 1}, torch.float32),
     "elements are f32, and the programs are for f16 and bf16"),
    (Case((1, 12, 2, 12), (8, 12, 1, 11), {}),
     "a window row has 132 elements, and a tile that is unfolded at most 128"),
    (Case((1, 9, 2, 9), (8, 9, 1, 2), {"stride": (1, 4)}),
     "64 windows that begin 36 elements apart span more than 2048 elements"),
    (Case((1, 3, 5, 5), (8, 3, 3, 3), {"padding": 1}),
     "a row of the image has 15 elements, no multiple of 8, and a rim on its sides"),
)  # fmt: skip


def result_of(image, weight, options):
    """heddle's result and float64's, which has NaNs where infinities meet zeros."""
    found = heddle.torch.conv2d(image, weight, **options)
    image, weight = image.double(), weight.double()
    return found, EAGER(image, weight, **options).to(found.dtype)


def is_equal(found, wanted):
    return torch.equal(found.nan_to_num(nan=12345), wanted.nan_to_num(nan=12345))


class Unfolded(unittest.TestCase):
    def setUp(self):
        _conv_ops.declined.clear()

    def test_results(self):
        for program, case in CASES:
            with self.subTest(case=case), torch.no_grad():
                self.assertEqual([one.name for one in result_programs(case)], [program])
                self.assertTrue(is_equal(*result_of(*operands(case), case.options)))
        self.assertEqual(heddle.torch.declined(), [])

    def test_a_tile_of_its_own(self):
        """Several groups of warps share a tile, as on a GPU."""
        for window, bm in ((3, 128), (4, 256)):
            case = Case((1, 3, 4, 256), (64, 3, window, 3), {"padding": (1, 0)})
            (program,) = result_programs(case)
            self.assertEqual([program.settings[size] for size in ("BM", "BN", "BK")], [bm, 64, 16])
            with mock.patch.object(_conv_programs, "smallest", lambda program: program), torch.no_grad():
                self.assertTrue(is_equal(*result_of(*operands(case), case.options)))

    def with_others(self, case, value):
        """The case with elements that few windows have: the last of a row, the first of an image and what lies
        beside them."""
        image, weight = (operand.detach() for operand in operands(case))
        rows, columns = image.shape[2:]
        for one, channel, row, column in ((0, 0, rows // 2, columns - 1), (0, -1, rows - 1, columns - 1),
                                          (-1, 0, 0, 0), (-1, -1, rows // 2, columns // 2)):  # fmt: skip
            image[one, channel, row, column] = value
        return image, weight

    def test_infinities_stay_in_their_windows(self):
        for case in (ALIGNED, FLAT, PAIRED):
            for value in (float("inf"), float("nan")):
                with self.subTest(case=case, value=value):
                    found, wanted = result_of(*self.with_others(case, value), case.options)
                    self.assertTrue(is_equal(found, wanted))
                    self.assertTrue(found.isfinite().any() and not found.isfinite().all())

    def test_a_run_too_long_is_seen_by_infinities_alone(self):
        """Filters behind a run are zeros, so that what it has too much is multiplied by those."""
        made = _conv_programs.unfold_program

        def longer(layer, *rest):
            program = made(layer, *rest)
            return program._replace(settings={**program.settings, "size": program.settings["size"] + layer.channels})

        with mock.patch.object(_conv_programs, "unfold_program", longer):
            self.assertTrue(is_equal(*result_of(*(one.detach() for one in operands(FLAT)), FLAT.options)))
            self.assertFalse(is_equal(*result_of(*self.with_others(FLAT, float("inf")), FLAT.options)))

    def test_a_wrong_begin_is_seen(self):
        made = _conv_programs.unfold_program
        for name in ("pad", "padH", "step", "strideH"):

            def other(*layer, name=name):
                program = made(*layer)
                changed = {name: program.settings[name] + 1, "span": "tensor<512x!in>"}  # room for a step more
                return program._replace(settings={**program.settings, **changed})

            with self.subTest(name=name), mock.patch.object(_conv_programs, "unfold_program", other):
                self.assertFalse(is_equal(*result_of(*(one.detach() for one in operands(ALIGNED)), ALIGNED.options)))

    def test_one_kernel_for_all_images_of_a_width(self):
        _conv_torch._compiled.cache_clear()
        for images, rows, seed in ((2, 7, 0), (1, 4, 1), (3, 5, 2), (2, 7, 3)):
            case = ALIGNED._replace(image=(images, 3, rows, 16))
            image, weight = (operand.detach() for operand in operands(case, seed))
            self.assertTrue(is_equal(*result_of(image, weight, case.options)))
        self.assertEqual(_conv_torch._compiled.cache_info().misses, 1)

    def test_begins_at_any_address(self):
        """An image that begins at no multiple of 16 bytes, and filters that lie otherwise."""
        case = FLAT
        image, weight = (operand.detach() for operand in operands(case))
        whole = torch.cat([image[:1, :, :1], image[:1, :, :1]]).flatten()
        shifted = torch.cat([whole[:1], image.permute(0, 2, 3, 1).flatten()])[1:]
        view = shifted.view(3, 7, 11, 3).permute(0, 3, 1, 2)
        self.assertNotEqual(view.data_ptr() % 16, 0)
        self.assertTrue(torch.equal(view, image))
        self.assertTrue(is_equal(*result_of(view, weight.transpose(2, 3).contiguous().transpose(2, 3), case.options)))

    def test_gradients(self):
        """Those of the image are by blocks, of filters by what im2win writes."""
        image, weight = operands(PAIRED)
        found = heddle.torch.conv2d(image, weight, **PAIRED.options)
        upstream = integers(found.shape, torch.float16, 7)
        found = torch.autograd.grad(found, (image, weight), upstream)
        x, f = (operand.detach().double().requires_grad_() for operand in (image, weight))
        wanted = torch.autograd.grad(EAGER(x, f, **PAIRED.options), (x, f), upstream.double())
        for one, other in zip(found, wanted):
            self.assertTrue(torch.equal(one, other.half()))

    def test_what_is_written_to_memory(self):
        for case, reason in WRITTEN:
            _conv_torch._say_why_not_unfolded.cache_clear()
            with self.subTest(reason=reason), torch.no_grad(), self.assertLogs("heddle.torch", "INFO") as logs:
                for _ in range(2):
                    self.assertTrue(is_equal(*result_of(*operands(case), case.options)))
                self.assertEqual([one.name for one in result_programs(case)], ["im2win", "rows"])
                self.assertEqual([record.getMessage() for record in logs.records],
                                 ["windows are written to memory first: " + reason])
        self.assertEqual(heddle.torch.declined(), [])

    def test_an_array_of_many_elements(self):
        """Places in the one row of all images have 32 bits; those in images' rows do not."""
        layer = layer_of(FLAT)
        many = 2**31 // (7 * 33)
        self.assertEqual(_conv_programs.why_not_unfolded(layer, (many, 7, 11), "f16"), "")
        self.assertEqual(_conv_programs.why_not_unfolded(layer, (many + 1, 7, 11), "f16"),
                         "a row of the image has 33 elements, no multiple of 8, and all images 2147483648 or more")
        self.assertEqual(_conv_programs.why_not_unfolded(layer_of(ALIGNED), (2**31, 7, 16), "f16"), "")


if __name__ == "__main__":
    unittest.main()
