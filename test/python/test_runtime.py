# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.runtime without a device: plans, packing and errors.

    PYTHONPATH=python python3 -m unittest discover -s test/python
"""

import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import heddle.runtime
from heddle import _capi, _dlpack, _values, _words

MANIFEST = {
    "schema": "heddle-manifest-1",
    "kernel": "scale",
    "target": "sm_90a",
    "source": "scale.mlir",
    "arguments": [
        {"name": "x", "kind": "view", "element": "f32", "rank": 2, "order": [1, 0], "written": True},
        {"name": "factor", "kind": "scalar", "element": "f32"},
        {"name": "table", "kind": "pointer", "element": "i32"},
    ],
    "variants": [
        {
            "entry": "scale",
            "requires": [],
            "threads": 128,
            "cluster": [1, 1, 1],
            "shared_bytes": 0,
            "grid": [{"ceildiv": [{"dim": ["x", 0]}, 4]}, 1, 1],
            "params": [{"pointer": "x"}, {"stride": ["x", 0]}, {"scalar": "factor"}, {"pointer": "table"}],
        }
    ],
}
PTX = """
.version 8.6
.target sm_90a
.visible .entry scale(.param .u64 x, .param .u64 stride, .param .f32 factor, .param .u64 table)
.reqntid 128
{
}
"""


class FakeTensor:
    """What torch.Tensor shows of itself."""

    def __init__(self, shape, strides, dtype="torch.float32", is_cuda=True):
        self.shape, self._strides, self.dtype, self.is_cuda = shape, strides, dtype, is_cuda

    def data_ptr(self):
        return 0x1000

    def stride(self):
        return self._strides


class FakeArray:
    def __init__(self, **fields):
        self.__cuda_array_interface__ = fields


class Capsule:
    """An array by DLPack alone, of before versions."""

    def __init__(self, shape, strides, device=2, dtype=(2, 32)):
        numbers = lambda values: (ctypes.c_int64 * len(values))(*values)
        self.shape, self.strides = numbers(shape), strides and numbers(strides)
        self.tensor = _dlpack._Tensor(
            data=0x1000, device_type=device, ndim=len(shape), code=dtype[0], bits=dtype[1], lanes=1,
            shape=self.shape, strides=self.strides, byte_offset=16,
        )  # fmt: skip
        self.streams = []

    def __dlpack_device__(self):
        return self.tensor.device_type, 0

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


def view_info(rank):
    info = _capi.ArgumentInfo()
    info.name, info.kind, info.rank = b"v", _capi.VIEW, rank
    return info


class PackerTest(unittest.TestCase):
    def test_ranks_are_not_exchanged(self):
        vector, matrix = FakeTensor((7,), (1,)), FakeTensor((3, 5), (5, 1))
        packer = _words.Packer([view_info(2), view_info(1)])
        self.assertIsNone(packer(matrix, vector))  # nothing is known of their types
        packer.accept((matrix, vector))
        self.assertEqual(
            struct.unpack("=8q", packer(matrix, vector)), (0x1000, 3, 5, 5, 1, 0x1000, 7, 1)
        )
        # As many words, in other places.
        self.assertIsNone(packer(vector, matrix))


def library_missing():
    try:
        heddle.runtime.library()
    except OSError as error:
        return str(error)
    return ""


@unittest.skipIf(library_missing(), library_missing())
class KernelTest(unittest.TestCase):
    def setUp(self):
        self.kernel = heddle.runtime.Kernel.from_text(PTX, json.dumps(MANIFEST))

    def tearDown(self):
        self.kernel.close()

    def test_introspection(self):
        self.assertEqual(self.kernel.name, "scale")
        self.assertEqual(
            self.kernel.arguments[0],
            {"name": "x", "kind": "view", "dtype": "f32", "rank": 2, "order": (1, 0), "written": True},
        )
        self.assertEqual(self.kernel.variants[0]["threads"], 128)

    def test_plan_from_tensor_and_interface(self):
        tensor = FakeTensor((10, 8), (8, 1))
        self.assertEqual(self.kernel.plan(tensor, 2.0, 0x2000, sm_count=1), (0, (3, 1, 1)))
        array = FakeArray(shape=(9, 8), typestr="<f4", data=(0x1000, False), strides=(64, 4))
        self.assertEqual(self.kernel.plan(array, 2.0, 0x2000, sm_count=1), (0, (3, 1, 1)))
        array = FakeArray(shape=(0, 8), typestr="<f4", data=(0, False))
        self.assertEqual(self.kernel.plan(array, 2.0, 0x2000, sm_count=1), (0, (0, 1, 1)))

    def test_arrays_by_dlpack(self):
        shown = Capsule((10, 8), (8, 1))
        self.assertEqual(self.kernel.plan(shown, 2.0, 0x2000, sm_count=1), (0, (3, 1, 1)))
        self.assertEqual(shown.streams, [1])
        self.assertEqual(
            self.kernel.plan(Capsule((9, 8), None), 2.0, 0x2000, sm_count=1), (0, (3, 1, 1))
        )
        with self.assertRaisesRegex(TypeError, "'x' is in host memory"):
            self.kernel.plan(Capsule((9, 8), None, device=1), 2.0, 0x2000, sm_count=1)
        with self.assertRaisesRegex(TypeError, "'x' is on a DLPack device of type 10"):
            self.kernel.plan(Capsule((9, 8), None, device=10), 2.0, 0x2000, sm_count=1)
        with self.assertRaisesRegex(TypeError, r"'x' has DLPack type \(5, 64, 1\)"):
            self.kernel.plan(Capsule((9, 8), None, dtype=(5, 64)), 2.0, 0x2000, sm_count=1)

    def test_describe_shows_the_scalar(self):
        text = self.kernel.describe(FakeTensor((10, 8), (8, 1)), 1.0, 0x2000, sm_count=1)
        self.assertIn("scalar 'factor': %d" % 0x3F800000, text)

    def test_errors(self):
        tensor = FakeTensor((10, 8), (8, 1))
        with self.assertRaisesRegex(TypeError, r"takes 3 arguments \(x, factor, table\), but 1"):
            self.kernel.plan(tensor)
        with self.assertRaisesRegex(heddle.runtime.ArgumentError, "'x' is f16, but the kernel"):
            self.kernel.plan(FakeTensor((1, 1), (1, 1), "torch.float16"), 1.0, 1, sm_count=1)
        with self.assertRaisesRegex(TypeError, "'x' is in host memory"):
            self.kernel.plan(FakeTensor((1, 1), (1, 1), is_cuda=False), 1.0, 1, sm_count=1)
        with self.assertRaisesRegex(TypeError, "'x' is list; a view needs"):
            self.kernel.plan([1.0], 1.0, 1, sm_count=1)
        with self.assertRaisesRegex(TypeError, "'factor' is 'two', but the kernel takes"):
            self.kernel.plan(tensor, "two", 1, sm_count=1)
        read_only = FakeArray(shape=(9, 8), typestr="<f4", data=(0x1000, True))
        with self.assertRaisesRegex(TypeError, "'x' is read-only"):
            self.kernel.plan(read_only, 1.0, 1, sm_count=1)

    def test_only_the_interface_is_exported(self):
        for name in ("heddle_internal_set_driver_path", "_ZN4llvm4json5parseENS_9StringRefE"):
            self.assertFalse(hasattr(heddle.runtime.library(), name), name)

    def test_bad_manifest(self):
        with self.assertRaisesRegex(heddle.runtime.ManifestError, "schema: the field is missing"):
            heddle.runtime.Kernel.from_text("", "{}")

    def test_manifest_of_other_ptx(self):
        with self.assertRaisesRegex(heddle.runtime.ManifestError, "PTX has no entry 'scale'"):
            heddle.runtime.Kernel.from_text(PTX.replace("scale", "other"), json.dumps(MANIFEST))

    def test_written_views_do_not_overlap(self):
        with self.assertRaisesRegex(heddle.runtime.ArgumentError, "'x' is written, but elements"):
            self.kernel.plan(FakeTensor((10, 8), (0, 1)), 1.0, 0x2000, sm_count=1)


LOADS = """
import json, logging, sys
import heddle.runtime

logging.basicConfig(format="%(name)s: %(levelname)s: %(message)s")
heddle.runtime.use_library(sys.argv[1])
manifest = sys.argv[2]
kernel = heddle.runtime.Kernel.from_text(sys.argv[3], manifest)
x = heddle.runtime.Buffer((8, 8), "f32")
print(kernel.remarks)
for _ in range(3):
    kernel(x, 2.0, x.data_ptr())
print([(one["id"], one["variant"]) for one in kernel.remarks])
"""


@unittest.skipUnless(os.environ.get("FAKE_DRIVER"), "no recording driver")
class RemarksTest(unittest.TestCase):
    """What the driver's compiler says, in a process that finds the recording driver."""

    def test_they_go_to_the_log_once(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.environ["FAKE_DRIVER"], os.path.join(folder, "libcuda.so.1"))
            log = os.path.join(folder, "log")
            with open(log, "w", encoding="utf-8") as file:
                file.write(
                    "ptxas info    : Function properties for scale\n"
                    "ptxas         .     8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
                )
            done = subprocess.run(
                [sys.executable, "-c", LOADS, heddle.runtime.library()._name, json.dumps(MANIFEST), PTX],
                env=dict(
                    os.environ,
                    LD_LIBRARY_PATH=folder,
                    FAKE_DRIVER_LOG=log,
                    PYTHONPATH=os.path.dirname(os.path.dirname(heddle.__file__)),
                ),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
        self.assertEqual(done.stdout, "[]\n[('spilled-registers', 'scale')]\n", done.stderr)
        self.assertEqual(
            done.stderr,
            "heddle.runtime: WARNING: kernel 'scale', variant 'scale': the driver's compiler ran out "
            "of registers; a thread stores 12 bytes of them to memory and loads 16 back "
            "[spilled-registers]\n",
        )


class ValuesTest(unittest.TestCase):
    def test_packed_strides(self):
        self.assertEqual(_values.packed_strides((2, 3, 4)), (12, 4, 1))
        self.assertEqual(_values.packed_strides((2, 0, 4)), (4, 4, 1))

    def test_scalar_bits(self):
        self.assertEqual(_values.scalar_bits(1.0, 0, "s"), 0x3C00)
        self.assertEqual(_values.scalar_bits(-2, 6, "s"), 0xFFFFFFFE)
        # Those of a kernel have no sign of their own.
        self.assertEqual(_values.scalar_bits(0xFFFFFFFE, 6, "s"), 0xFFFFFFFE)
        self.assertEqual(_values.scalar_bits(2**64 - 1, 7, "s"), 2**64 - 1)
        self.assertEqual(_values.scalar_bits(1.0, 1, "s"), 0x3F80)
        # To nearest even: 1 + 2^-8 is halfway between 1 and 1 + 2^-7.
        self.assertEqual(_values.scalar_bits(1.0 + 2.0**-8, 1, "s"), 0x3F80)
        self.assertEqual(_values.scalar_bits(1.0 + 3 * 2.0**-8, 1, "s"), 0x3F82)
        nan = _values.scalar_bits(float("nan"), 1, "s")
        value = struct.unpack("<f", struct.pack("<I", nan << 16))[0]
        self.assertNotEqual(value, value)
        with self.assertRaisesRegex(TypeError, "'s' is 300, but the kernel takes a scalar of type i8"):
            _values.scalar_bits(300, 4, "s")

    def test_dtype_names(self):
        self.assertEqual(_values.dtype_index("torch.bfloat16"), 1)
        self.assertEqual(_values.dtype_index("<class 'numpy.float32'>"), 2)
        with self.assertRaises(TypeError):
            _values.dtype_index("torch.complex64")


if __name__ == "__main__":
    unittest.main()
