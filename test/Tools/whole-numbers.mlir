// Whole numbers of 64 bits are given, compared and printed as themselves: a double holds 53 bits.
// RUN: split-file %s %t
// DEFINE: %{k} = --device=emulator --view out=1 --scalar
// A number that a double does not hold arrives.
// RUN: heddle run %t/same.mlir %{k} n=9007199254740993 2>/dev/null | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %t/same.mlir %{k} n=9223372036854775807 2>/dev/null | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %t/same.mlir %{k} n=-9223372036854775808 2>/dev/null | FileCheck %s --check-prefix=RIGHT
// RUN: heddle compile %t/same.mlir -o %t/k.ptx
// RUN: heddle emulate %t/k.ptx --manifest=%t/k.json --view out=1 --scalar n=9007199254740993 --out out=%t/found.npy
// RUN: %python -c "import struct; print(struct.unpack('<q', open('%t/found.npy', 'rb').read()[-8:]))" | FileCheck %s --check-prefix=FOUND
// RIGHT: out (1xi64): equal to the oracle; right
// FOUND: 9007199254740993,
// A result that is off by one is wrong, also where both are the same double.
// RUN: not heddle run %t/more.mlir --oracle %t/same.mlir %{k} n=1152921504606846976 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: max error 1, {{.*}}WRONG in 1 of 1 elements, first at [0]: 1152921504606846977 for 1152921504606846976
// RUN: heddle emulate %t/k.ptx --manifest=%t/k.json --view out=1 --scalar n=9007199254740993 --expect out=%t/found.npy | FileCheck %s --check-prefix=EXPECTED
// RUN: not heddle emulate %t/k.ptx --manifest=%t/k.json --view out=1 --scalar n=9007199254740992 --expect out=%t/found.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// EXPECTED: out: max error 0, largest 9.01e+15; right
// OTHER: out: max error 1, {{.*}}WRONG in 1 of 1 elements, first at element 0: 9007199254740992 for 9007199254740993
// Nothing is rounded in silence.
// RUN: not heddle run %t/same.mlir %{k} n=1.5 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not heddle run %t/same.mlir %{k} n=9223372036854775808 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: heddle run %t/same.mlir %{k} n=1e3 2>/dev/null | FileCheck %s --check-prefix=RIGHT
// HALF: --scalar n is a number that does not fit i64
// FAR: --scalar n is a number that does not fit i64
// The elements of a view, from the command line and from a file.
// RUN: heddle run %t/copy.mlir --device=emulator --view x=3 --view out=3 --values x=9007199254740993,-1,9223372036854775807 2>/dev/null | FileCheck %s --check-prefix=COPY
// RUN: heddle compile %t/copy.mlir -o %t/c.ptx
// RUN: heddle emulate %t/c.ptx --manifest=%t/c.json --view x=1 --view out=1 --in x=%t/found.npy --expect out=%t/found.npy | FileCheck %s --check-prefix=EXPECTED
// RUN: not heddle run %t/copy.mlir --device=emulator --view x=1 --view out=1 --values x=0.5 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: %python -c "import struct; text = open('%t/found.npy', 'rb').read(); open('%t/half.npy', 'wb').write(text[:-8].replace(b'<i8', b'<f8') + struct.pack('<d', 1.5))" && not heddle emulate %t/c.ptx --manifest=%t/c.json --view x=1 --view out=1 --in x=%t/half.npy 2>&1 | FileCheck %s --check-prefix=FILE
// COPY: out (3xi64): equal to the oracle; right
// VALUE: --values x: 0.5 does not fit i64
// FILE: half.npy: element 0 is 1.5{{0*}}, which does not fit i64

//--- same.mlir
tile.kernel @k(%out: !tile.view<?xi64>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %tile = tile.splat %n : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}

//--- more.mlir
tile.kernel @k(%out: !tile.view<?xi64>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  tile.parallel (%i) to (%c1) {
    %next = arith.addi %n, %one : i64
    %tile = tile.splat %next : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}

//--- copy.mlir
tile.kernel @k(%x: !tile.view<?xi64>, %out: !tile.view<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %tile = tile.load %x[%c0] : !tile.view<?xi64> -> tensor<4xi64>
    tile.store %tile, %out[%c0] : tensor<4xi64>, !tile.view<?xi64>
  }
}
