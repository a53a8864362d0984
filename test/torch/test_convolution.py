# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch.conv2d beside torch.nn.functional.conv2d, on the emulator: small layers whose operands
are small integers, so that results and gradients are float64's bit for bit after rounding; formats,
torch.compile, autocast, gradients of gradients, and every sentence that refuses."""

import contextlib
import io
import logging
import pathlib
import re
import unittest
import warnings
from unittest import mock

import torch

import heddle.torch
from heddle import _conv_ops, _conv_programs, _conv_torch
from layers import EAGER, FIRST, LAST, Case, exact, integers, layer_of, operands, result_programs
from tensors import dense

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/convolution.md"

# Ragged extents; of each program one at least, both elements, all pairs of formats.
CASES = (
    Case((2, 16, 7, 6), (24, 16, 3, 3), {"padding": 1}),
    Case((1, 8, 9, 8), (9, 8, 1, 1), {}, torch.bfloat16, (FIRST, FIRST)),
    Case((1, 3, 9, 8), (8, 3, 3, 3), {"stride": 2, "padding": (1, 0)}, torch.float16, (LAST, FIRST)),
    Case((2, 5, 6, 5), (7, 5, 2, 3), {"padding": "same"}, torch.bfloat16, (FIRST, LAST)),
    Case((1, 16, 9, 7), (8, 16, 3, 2), {"stride": (2, 1), "padding": (0, 2), "dilation": (1, 2)}),
    Case((1, 16, 5, 8), (9, 16, 2, 4), {"padding": "same", "dilation": (1, 3)}),
    Case((1, 24, 8, 7), (16, 24, 3, 3), {"stride": (1, 2), "padding": "valid"}, torch.float16, (FIRST, FIRST)),
)
# Groups that begin at whole tiles; outputs do so for the image's gradient, too, but in the last.
GROUPS = (
    Case((1, 96, 5, 5), (96, 48, 1, 2), {"groups": 2}),
    Case((2, 32, 7, 6), (64, 16, 3, 2), {"padding": (1, 0), "dilation": (2, 1), "groups": 2}, torch.bfloat16, (LAST, FIRST)),
    Case((1, 48, 6, 7), (48, 16, 3, 3), {"padding": 2, "groups": 3}, torch.float16, (FIRST, FIRST)),
    Case((1, 64, 7, 6), (18, 32, 3, 1), {"stride": (2, 1), "groups": 2}),
)
SMALL = Case((1, 16, 5, 5), (8, 16, 3, 3), {"padding": 1})


class Convolution(unittest.TestCase):
    def setUp(self):
        _conv_ops.declined.clear()

    def compare(self, case):
        image, weight = operands(case)
        result = heddle.torch.conv2d(image, weight, **case.options)
        upstream = integers(result.shape, case.dtype, 2)
        found = result.detach(), *torch.autograd.grad(result, (image, weight), upstream)
        for one, wanted in zip(found, exact(image, weight, case.options, upstream)):
            self.assertTrue(torch.equal(one, wanted.to(case.dtype)), case)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(result.stride(), EAGER(image, weight, **case.options).stride())
        return found

    def test_results_and_gradients(self):
        for case in CASES:
            with self.subTest(case=case):
                self.compare(case)
        self.assertEqual(heddle.torch.declined(), [])

    def test_groups(self):
        for case in GROUPS:
            with self.subTest(case=case):
                self.compare(case)
        # The filters' gradients, and one image's, of which the last says why.
        self.assertEqual({(name, count) for name, _, count in heddle.torch.declined() if "filters" in name},
                         {("conv2d's gradient of the filters", 3), ("conv2d's gradient of the filters", 1)})
        self.assertEqual([one for one in heddle.torch.declined() if "image" in one[0]], [(
            "conv2d's gradient of the image", "a layer in groups has a program for it with a stride of 1 and outputs "
            "that fill tiles of 16; it has a stride of 2 x 1, and each group 9 outputs", 1)])

    def test_small_groups_are_pytorchs(self):
        """Infinities of one group do not reach another."""
        image, weight = torch.ones(1, 8, 4, 4).half(), torch.ones(8, 4, 3, 3).half()
        image[:, :4] = float("inf")
        found = heddle.torch.conv2d(image, weight, padding=1, groups=2)
        self.assertTrue(torch.equal(found, EAGER(image, weight, padding=1, groups=2)))
        self.assertTrue(found[:, 4:].isfinite().all())

    def test_tf32(self):
        for case in (CASES[0], CASES[2], CASES[4], GROUPS[1]):
            with self.subTest(case=case):
                self.compare(case._replace(dtype=torch.float32))
        self.assertEqual([(name, count) for name, _, count in heddle.torch.declined()],
                         [("conv2d's gradient of the filters", 4)])

    def test_tf32_has_no_low_bits(self):
        image, weight = (torch.ones_like(value).float() for value in operands(SMALL))
        wanted = EAGER(image, weight)
        image *= 1 + 2.0**-12
        self.assertTrue(torch.equal(heddle.torch.conv2d(image, weight), wanted))
        self.assertFalse(torch.equal(EAGER(image, weight), wanted))
        precision = torch.backends.cudnn.conv.fp32_precision
        self.addCleanup(setattr, torch.backends.cudnn.conv, "fp32_precision", precision)
        torch.backends.cudnn.conv.fp32_precision = "ieee"
        self.assertTrue(torch.equal(heddle.torch.conv2d(image, weight), EAGER(image, weight)))
        self.assertEqual(heddle.torch.declined(), [(
            "conv2d", "elements are float32, which heddle multiplies as TF32 only, and "
            "torch.backends.cudnn.conv.fp32_precision does not allow that", 1)])

    def test_a_wrong_start_of_groups_is_seen(self):
        image, weight = operands(GROUPS[0])
        right = heddle.torch.conv2d(image, weight, groups=2)
        programs = _conv_programs.group_programs

        def deeper(layer, element):  # 64 do not divide the 48 channels of a group
            return [one._replace(settings={**one.settings, "BK": 64}) for one in programs(layer, element)]

        with mock.patch.object(_conv_programs, "group_programs", deeper):
            self.assertFalse(torch.equal(heddle.torch.conv2d(image, weight, groups=2), right))

    def test_the_cases_take_every_program(self):
        taken = set()
        for case in CASES:
            made = result_programs(case)
            for programs in (_conv_programs.data_programs, _conv_programs.weight_programs):
                made += programs(layer_of(case), "f16")
            taken |= {program.name for program in made}
        self.assertEqual(taken, {
            "forward", "im2win", "rows", "unfold", "data_gradient", "data_gradient_blocks", "block_filters", "data_gradient_phase",
            "weight_gradient_rows", "weight_gradient_row", "sum_parts"})

    def test_a_wrong_rim_is_seen(self):
        image, weight = operands(SMALL)
        right = heddle.torch.conv2d(image, weight, padding=1)
        rims = mock.patch.object(_conv_programs, "_rims", lambda layer: {"pad": 1, "padH": 0, "end": 1, "endH": 2})
        with rims:
            self.assertFalse(torch.equal(heddle.torch.conv2d(image, weight, padding=1), right))

    def test_a_bias_and_one_image(self):
        image, weight = operands(SMALL)
        bias = integers((8,), torch.float16, 5).requires_grad_()
        result = heddle.torch.conv2d(image[0], weight, bias, padding=1)
        wanted = EAGER(image.double()[0], weight.double(), bias.double(), padding=1)
        self.assertTrue(torch.equal(result, wanted.half()))
        upstream = integers(result.shape, torch.float16, 6)
        (found,) = torch.autograd.grad(result, bias, upstream)
        self.assertFalse(heddle.torch.conv2d(image, weight.detach()).relu_().isnan().any())  # may be written in place
        self.assertTrue(torch.equal(found, upstream.double().sum((1, 2)).half()))

    def test_rounding(self):
        for dtype, digits in ((torch.float16, 11), (torch.bfloat16, 8)):
            image, weight = dense(*SMALL.image, dtype=dtype), dense(*SMALL.weight, dtype=dtype, seed=2)
            result = heddle.torch.conv2d(image, weight, padding=1).double()
            wanted = EAGER(image.double(), weight.double(), padding=1)
            self.assertTrue(bool(((result - wanted).abs() <= wanted.abs() * 2.0**-digits + 1e-4).all()))

    def test_sums_in_parts(self):
        case = Case((1, 16, 18, 18), (8, 16, 1, 2), {})
        image, weight = operands(case)
        upstream = integers((1, 8, 18, 17), torch.float16, 2)
        layer = _conv_torch.layer_of(case.weight, torch.float16, (1, 1), (0, 0, 0, 0), (1, 1), 1)
        with mock.patch.object(_conv_programs, "parts_of", lambda *_: 2):
            found = _conv_torch.gradient_of_filters(layer, image.detach(), upstream)
        self.assertTrue(torch.equal(found, exact(image, weight, {}, upstream)[2].half()))
        self.assertEqual(_conv_programs.parts_of(layer, 4096, 1), 1)
        self.assertGreater(_conv_programs.parts_of(layer, 4096, 8), 1)

    def test_gradients_have_the_formats_of_the_result(self):
        for formats in ((LAST, FIRST), (FIRST, FIRST)):
            for found in self.compare(SMALL._replace(formats=formats)):
                self.assertTrue(found.is_contiguous(memory_format=formats[0]))

    def test_slices_and_negated_tensors(self):
        image, weight = operands(SMALL)
        wide = torch.cat([image, image], 1).detach()
        wanted = heddle.torch.conv2d(image.detach(), weight, padding=1)
        for view in (wide[:, 16:], torch._neg_view(-image.detach()), image.detach().transpose(2, 3).contiguous().transpose(2, 3)):
            self.assertTrue(torch.equal(heddle.torch.conv2d(view, weight, padding=1), wanted))

    def test_empty(self):
        for image, weight in (((0, 4, 5, 5), (6, 4, 3, 3)), ((2, 0, 5, 5), (6, 0, 3, 3)), ((2, 4, 5, 5), (0, 4, 3, 3))):
            x, f = (torch.ones(shape, dtype=torch.float16, requires_grad=True) for shape in (image, weight))
            result = heddle.torch.conv2d(x, f, torch.ones(weight[0], dtype=torch.float16))
            self.assertEqual(result.shape, (image[0], weight[0], 3, 3))
            self.assertTrue(bool((result == 1).all()))  # the bias
            result.sum().backward()
            self.assertEqual((x.grad.shape, f.grad.shape), (image, weight))
            self.assertFalse(x.grad.any() or f.grad.any())

    def test_compiled_whole(self):
        def layer(image, weight, bias):
            return torch.relu(heddle.torch.conv2d(image, weight, bias, padding=1))

        compiled = torch.compile(layer, backend="aot_eager", fullgraph=True)
        image, weight = operands(SMALL)
        bias = integers((8,), torch.float16, 5)
        wanted = layer(image, weight, bias)
        found = compiled(image, weight, bias)
        self.assertTrue(torch.equal(found, wanted))
        self.assertEqual(found.stride(), wanted.stride())
        for one, other in zip(*(torch.autograd.grad(value.sum(), (image, weight)) for value in (found, wanted))):
            self.assertTrue(torch.equal(one, other))
        with self.assertRaisesRegex(Exception, "weight is for 16"):
            compiled(image[:, :8], weight, bias)

    def test_compiled_for_any_number_of_images(self):
        compiled = torch.compile(lambda x, f: heddle.torch.conv2d(x, f, padding=1), backend="aot_eager",
                                 fullgraph=True, dynamic=True)
        for images in (1, 2, 3):
            image, weight = operands(SMALL._replace(image=(images, 16, 5, 5)), seed=images)
            self.assertTrue(torch.equal(compiled(image, weight), EAGER(image.double(), weight.double(), padding=1).half()))

    def test_autocast(self):
        image, weight = (value.detach().float().requires_grad_() for value in operands(SMALL))
        bias = integers((8,), torch.float32, 5)

        def run(call, *values):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return call(*values, padding=1)

        whole = torch.compile(lambda *values: run(heddle.torch.conv2d, *values), backend="aot_eager", fullgraph=True)
        wanted = run(EAGER, image, weight, bias)
        for result in (run(heddle.torch.conv2d, image, weight, bias), whole(image, weight, bias)):
            self.assertEqual(result.dtype, wanted.dtype)
            self.assertTrue(torch.equal(result, wanted))
            gradients = torch.autograd.grad(result.float().sum(), (image, weight))
            self.assertEqual([one.dtype for one in gradients], [torch.float32] * 2)
        self.assertEqual(heddle.torch.declined(), [])
        double = image.detach().double(), weight.detach().double()
        self.assertEqual(run(heddle.torch.conv2d, *double).dtype, run(EAGER, *double).dtype)

    def test_opcheck(self):
        image, weight = operands(SMALL)
        upstream = integers((1, 8, 5, 5), torch.float16, 2).requires_grad_()
        geometry = [1, 1], [1, 1, 1, 1], [1, 1], 1, True
        torch.library.opcheck(_conv_ops.conv2d, (image, weight, *geometry))
        torch.library.opcheck(_conv_ops.conv2d_image, (upstream, weight, list(image.shape), *geometry))
        torch.library.opcheck(_conv_ops.conv2d_filters, (image, upstream, list(weight.shape), *geometry))

    def test_differences(self):
        """The operators' derivatives, of first and second order, of what PyTorch computes in float64."""
        for options in ({"padding": "same", "dilation": (1, 2)}, {"stride": (2, 1), "padding": (1, 0), "groups": 2}):
            image = dense(1, 4, 4, 3).requires_grad_()
            weight = dense(2, 4 // options.get("groups", 1), 2, 2, seed=2).requires_grad_()
            self.assertTrue(torch.autograd.gradcheck(lambda *one: heddle.torch.conv2d(*one, **options), (image, weight)))
            self.assertTrue(torch.autograd.gradgradcheck(lambda *one: heddle.torch.conv2d(*one, **options), (image, weight)))

    def test_gradients_of_gradients(self):
        image, weight = operands(SMALL)
        result = heddle.torch.conv2d(image, weight, padding=1)
        (first,) = torch.autograd.grad(result.sum(), image, create_graph=True)
        (found,) = torch.autograd.grad(first.sum(), weight)
        x, f = (value.detach().double().requires_grad_() for value in (image, weight))
        (first,) = torch.autograd.grad(EAGER(x, f, padding=1).sum(), x, create_graph=True)
        (wanted,) = torch.autograd.grad(first.sum(), f)
        self.assertTrue(torch.equal(found, wanted.half()))
        self.assertEqual(heddle.torch.declined(), [])

    def test_what_pytorch_computes(self):
        image, weight = (value.detach() for value in operands(SMALL))
        cases = (
            ((image.double(), weight.double()), {"padding": 1},
             "elements are torch.float64; heddle multiplies images of float16, bfloat16, and float32 as TF32"),
            ((image[:, :1].expand(1, 20, 5, 5), weight[:1, :1].expand(20, 1, 3, 3)), {"groups": 20},
             "there are 20 groups of 1 channels, and a tile has 16: those of other groups in it would be multiplied by "
             "zeros, which is slow, and makes NaNs of their infinities"),
        )
        for values, options, reason in cases:
            with self.assertLogs("heddle.torch", logging.WARNING) as logs:
                found = [heddle.torch.conv2d(*values, **options) for _ in range(2)]
            self.assertEqual([record.getMessage() for record in logs.records], [f"conv2d is computed by PyTorch: {reason}"])
            self.assertIn(("conv2d", reason, 2), heddle.torch.declined())
            self.assertTrue(torch.equal(found[0].double(), EAGER(*(one.double() for one in values), **options)))

    def test_what_the_compiler_declines(self):
        image, weight = (value.detach() for value in operands(SMALL))
        refused = heddle.CompileError(heddle.compiler._compiler_capi.DECLINED, "error: no tile [an-id]\n")
        self.addCleanup(_conv_torch._compiled.cache_clear)
        _conv_torch._compiled.cache_clear()
        with mock.patch.object(heddle.compiler, "compile", side_effect=refused) as compile:
            for _ in range(2):
                found = heddle.torch.conv2d(image, weight, padding=1)
            self.assertEqual(compile.call_count, 1)
        self.assertTrue(torch.equal(found, EAGER(image, weight, padding=1)))
        self.assertEqual(heddle.torch.declined(), [("conv2d", "error: no tile [an-id]", 2)])

    def test_what_is_refused(self):
        x, f = torch.zeros(2, 4, 5, 6, dtype=torch.float16), torch.zeros(6, 4, 3, 3, dtype=torch.float16)
        bias = torch.zeros(6, dtype=torch.float16)
        cases = (
            (TypeError, "weight is no tensor, but of type list", (x, [1]), {}),
            (TypeError, "input is no tensor, but of type int", (3, f), {}),
            (TypeError, "weight is stored as torch.sparse_coo; pass to_dense() of it", (x, f.to_sparse()), {}),
            (TypeError, "weight is on meta and input on cpu; move all to one device by .to()", (x, f.to("meta")), {}),
            (TypeError, "weight has elements of torch.float32 and input of torch.float16", (x, f.float()), {}),
            (TypeError, "bias has elements of torch.float32 and input of torch.float16", (x, f, bias.float()), {}),
            (ValueError, "weight has 3 axes; filters are outputs x channels x rows x columns", (x, f[0]), {}),
            (ValueError, "input has 2 axes; it is images x channels x rows x columns, or one image", (x[0, 0], f), {}),
            (ValueError, "weight has windows of 3 x 0 places; there is at least one", (x, f[..., :0]), {}),
            (ValueError, "input has 3 channels, and weight is for 4", (x[:, :3], f), {}),
            (ValueError, "input has 4 channels, and weight is for 4 in each of 2 groups", (x, f), {"groups": 2}),
            (ValueError, "weight has 6 outputs, which 4 groups do not divide", (x, f[:, :1]), {"groups": 4}),
            (ValueError, "groups is 0; it is a whole number of at least 1", (x, f), {"groups": 0}),
            (ValueError, "bias has the shape (5,); there is one number for each of the 6 outputs", (x, f, bias[:5]), {}),
            (ValueError, "stride is 0, and it is at least 1", (x, f), {"stride": 0}),
            (ValueError, "dilation is (1, -1), and it is at least 1", (x, f), {"dilation": (1, -1)}),
            (ValueError, "padding is -1, and it is at least 0", (x, f), {"padding": -1}),
            (ValueError, "padding is 'full'; a word is 'valid' or 'same'", (x, f), {"padding": "full"}),
            (ValueError, "padding='same' is for a stride of 1, and the stride is (2, 2)", (x, f),
             {"padding": "same", "stride": 2}),
            (TypeError, "stride is 1.5; it is a whole number, or one for rows and one for columns", (x, f), {"stride": 1.5}),
            (TypeError, "padding is (1, 2, 3); it is a whole number, or one for rows and one for columns", (x, f),
             {"padding": (1, 2, 3)}),
            (ValueError, "a window spans 3 x 7 places, and input with its padding has 5 x 6", (x, f), {"dilation": (1, 3)}),
            (ValueError, "a window spans 3 x 3 places, and input with its padding has 2 x 8", (x[:, :, :0], f), {"padding": 1}),
        )
        for kind, text, values, options in cases:
            with self.subTest(text=text), self.assertRaises(kind) as raised:
                heddle.torch.conv2d(*values, **options)
            self.assertEqual(str(raised.exception), text)

    def test_the_lines_of_the_page(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        names = {}
        for block in blocks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(block, names)
        self.assertEqual(names["layer"].weight.grad.shape, names["layer"].weight.shape)


if __name__ == "__main__":
    unittest.main()
