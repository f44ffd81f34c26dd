;; Dot products of many codes with one, by the processor's wide instructions: 16 numbers a step, where JavaScript takes
;; one. Codes are rows of 128 bytes with sign, the query is 128 numbers of 16 bits, products are numbers of 32 bits.
;; `npm run build` makes dist/services/face/search/dot-products.wasm of it.
(module
  ;; The caller says where in it codes, query and products are.
  (memory (export "memory") 9)
  (func (export "multiply") (param $row i32) (param $end i32) (param $query i32) (param $product i32)
    (local $sum v128)
    (local $code v128)
    (loop $rows
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $code (v128.load offset=0 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=0 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=16 (local.get $query)))))
      (local.set $code (v128.load offset=16 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=32 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=48 (local.get $query)))))
      (local.set $code (v128.load offset=32 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=64 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=80 (local.get $query)))))
      (local.set $code (v128.load offset=48 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=96 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=112 (local.get $query)))))
      (local.set $code (v128.load offset=64 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=128 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=144 (local.get $query)))))
      (local.set $code (v128.load offset=80 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=160 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=176 (local.get $query)))))
      (local.set $code (v128.load offset=96 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=192 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=208 (local.get $query)))))
      (local.set $code (v128.load offset=112 (local.get $row)))
      (local.set $sum
        (i32x4.add
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $code))
              (v128.load offset=224 (local.get $query))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $code))
            (v128.load offset=240 (local.get $query)))))
      (i32.store
        (local.get $product)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $product (i32.add (local.get $product) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (i32.const 128)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $end))))))
