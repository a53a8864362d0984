// From FROM to TO.
tile.kernel @cast(%x: !tile.view<?xFROM>, %y: !tile.view<?xTO>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %a = tile.load %x[%c0] : !tile.view<?xFROM> -> tensor<32xFROM>
    %b = tile.cast %a : tensor<32xFROM> -> tensor<32xTO>
    tile.store %b, %y[%c0] : tensor<32xTO>, !tile.view<?xTO>
  }
}
