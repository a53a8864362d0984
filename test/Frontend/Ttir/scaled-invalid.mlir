// RUN: heddle-opt %s --ttir-to-tile --split-input-file --verify-diagnostics

tt.func public @kind(%o: !tt.ptr<f32>) {
  %a = arith.constant dense<1> : tensor<64x64xi8>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{an operand of e2m3 is not imported; use e4m3, e5m2, e2m1, bf16 or fp16 [ttir-use]}}
  %d = tt.dot_scaled %a, %a, %c lhs = e2m3 rhs = e4m3 {fastMath = false} : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func public @axes(%o: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<2x64x64xbf16>
  %c = arith.constant dense<0.0> : tensor<2x64x64xf32>
  // expected-error @+1 {{a scaled dot of more than 2 axes is not imported; loop over the leading ones [ttir-use]}}
  %d = tt.dot_scaled %a, %a, %c lhs = bf16 rhs = bf16 {fastMath = false} : tensor<2x64x64xbf16> * tensor<2x64x64xbf16> -> tensor<2x64x64xf32>
  tt.return
}

// -----

tt.func public @scales(%o: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %s = arith.constant dense<127> : tensor<64x4xi8>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{one scale is for 32 numbers along K [ttir-use]}}
  %d = tt.dot_scaled %a scale %s, %a, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<64x64xf8E4M3FN>, tensor<64x4xi8> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  tt.return
}
