// The remainder of two floats is exact on each device, however large the quotient is, and has the sign of the number that is
// divided, where it is zero, too.
// DEFINE: %{view} = --view x=24 --view by=24 --view y=24 --view sign=24
// DEFINE: %{large} = --values x=-0.0,-6,6,5.9604645e-8,inf,-inf,nan,1,3e38,3.4e38,-3.4e38,1e-45,2.5,-2.5,0.3,1,1,1,1e30,1e30,7,8388609,16777215,4 --values by=3,3,-3,2,1,1,1,0,1e-45,7,0.3,3e-45,inf,-inf,0.1,0.1,0.3333333,nan,3,1.1,-7,0.75,0.9999999,-0.0
// RUN: heddle run %s %{view} --device=emulator %{large} | FileCheck %s
// RUN: heddle run %s %{view} --device=cpu %{large} | FileCheck %s
// RUN: heddle run %s %{view} --device=emulator --set t=bf16 %{large} | FileCheck %s
// RUN: heddle run %s %{view} --device=cpu --set t=bf16 %{large} | FileCheck %s
// DEFINE: %{small} = --values x=-0.0,-6,6,5.9604645e-8,inf,-inf,nan,1,65504,65504,-65504,6e-8,2.5,-2.5,0.3,1,1,1,60000,60000,7,2049,4095,4 --values by=3,3,-3,2,1,1,1,0,6e-8,7,0.3,1.8e-7,inf,-inf,0.1,0.1,0.3333,nan,3,1.1,-7,0.75,0.999,-0.0
// RUN: heddle run %s %{view} --device=emulator --set t=f16 %{small} | FileCheck %s
// RUN: heddle run %s %{view} --device=cpu --set t=f16 %{small} | FileCheck %s
// DEFINE: %{double} = --values x=-0.0,-6,6,1e-310,inf,-inf,nan,1,1.7e308,1.7e308,-1.7e308,5e-324,2.5,-2.5,0.3,1,1,1,1e300,1e300,7,9007199254740991,4503599627370497,4 --values by=3,3,-3,2,1,1,1,0,5e-324,7,0.3,1.5e-323,inf,-inf,0.1,0.1,0.3333333333333333,nan,3,1.1,-7,0.75,0.9999999999999999,-0.0
// RUN: heddle run %s %{view} --device=emulator --set t=f64 %{double} | FileCheck %s
// RUN: heddle run %s %{view} --device=cpu --set t=f64 %{double} | FileCheck %s
// CHECK: y (24x{{b?f[136][642]?}}): equal to the oracle; right
// CHECK: sign (24x{{b?f[136][642]?}}): equal to the oracle; right
!t = f32
!v = !tile.view<?x!t>
!tile = tensor<32x!t>
tile.kernel @remainder(%x: !v, %by: !v, %y: !v, %sign: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : !t
  tile.parallel (%i) to (%c1) {
    %one = tile.splat %f1 : !t -> !tile
    %n = tile.load %x[%c0] : !v -> !tile
    %d = tile.load %by[%c0] : !v -> !tile
    %rest = arith.remf %n, %d : !tile
    tile.store %rest, %y[%c0] : !tile, !v
    %signed = math.copysign %one, %rest : !tile
    %is_number = arith.cmpf ord, %rest, %rest : !tile
    %known = arith.select %is_number, %signed, %one : tensor<32xi1>, !tile
    tile.store %known, %sign[%c0] : !tile, !v
  }
}
