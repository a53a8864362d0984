// A number that decides how many blocks there are.
tile.kernel @k(%out: !tile.view<?xi64>, %n: TYPE) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %minus4 = arith.constant -4 : index
  %c10 = arith.constant 10 : index
  BOUND
  tile.parallel (%i) to (%g) {
    %x = arith.constant dense<7> : tensor<1xi64>
    tile.store %x, %out[%i] : tensor<1xi64>, !tile.view<?xi64>
  }
}
