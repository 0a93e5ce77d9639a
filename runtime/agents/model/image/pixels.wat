;; The loops over pixels of the image encoder, sixteen bytes at a time. `node scripts/wasm.mjs` writes pixels-wasm.ts from this file.
;;
;; A colour is a word: red in its lowest byte, then green and blue; the highest byte is ignored. Loops read and write whole blocks of
;; 16 bytes, so every buffer has room behind its end. The caller owns the memory.
(module
  (memory (export "memory") 1)

  ;; Hashes `rows` rows of `stride` bytes, a multiple of 64, under a mask for each word. Compares with the 32 bytes per row at `hashes`,
  ;; stores the new ones, and writes 1 for each row that differs to `changed`, or else 0.
  (func (export "hashRows") (param $from i32) (param $stride i32) (param $rows i32) (param $mask i32)
    (param $hashes i32) (param $changed i32)
    (local $m v128) (local $x v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $one v128) (local $other v128) (local $end i32)
    (local.set $m (i32x4.splat (local.get $mask)))
    (local.set $one (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1))
    (local.set $other (v128.const i32x4 0x85ebca77 0x85ebca77 0x85ebca77 0x85ebca77))
    (loop $row
      ;; Two hashes of every fourth block: eight chains that the processor computes side by side.
      (local.set $a (v128.const i32x4 1 2 3 4))
      (local.set $b (v128.const i32x4 5 6 7 8))
      (local.set $c (v128.const i32x4 9 10 11 12))
      (local.set $d (v128.const i32x4 13 14 15 16))
      (local.set $e (v128.const i32x4 17 18 19 20))
      (local.set $f (v128.const i32x4 21 22 23 24))
      (local.set $g (v128.const i32x4 25 26 27 28))
      (local.set $h (v128.const i32x4 29 30 31 32))
      (local.set $end (i32.add (local.get $from) (local.get $stride)))
      (loop $block
        (local.set $x (v128.and (v128.load (local.get $from)) (local.get $m)))
        (local.set $a (i32x4.mul (v128.xor (local.get $a) (local.get $x)) (local.get $one)))
        (local.set $a (v128.xor (local.get $a) (i32x4.shr_u (local.get $a) (i32.const 15))))
        (local.set $b (i32x4.mul (v128.xor (local.get $b) (local.get $x)) (local.get $other)))
        (local.set $b (v128.xor (local.get $b) (i32x4.shr_u (local.get $b) (i32.const 13))))
        (local.set $x (v128.and (v128.load offset=16 (local.get $from)) (local.get $m)))
        (local.set $c (i32x4.mul (v128.xor (local.get $c) (local.get $x)) (local.get $one)))
        (local.set $c (v128.xor (local.get $c) (i32x4.shr_u (local.get $c) (i32.const 15))))
        (local.set $d (i32x4.mul (v128.xor (local.get $d) (local.get $x)) (local.get $other)))
        (local.set $d (v128.xor (local.get $d) (i32x4.shr_u (local.get $d) (i32.const 13))))
        (local.set $x (v128.and (v128.load offset=32 (local.get $from)) (local.get $m)))
        (local.set $e (i32x4.mul (v128.xor (local.get $e) (local.get $x)) (local.get $one)))
        (local.set $e (v128.xor (local.get $e) (i32x4.shr_u (local.get $e) (i32.const 15))))
        (local.set $f (i32x4.mul (v128.xor (local.get $f) (local.get $x)) (local.get $other)))
        (local.set $f (v128.xor (local.get $f) (i32x4.shr_u (local.get $f) (i32.const 13))))
        (local.set $x (v128.and (v128.load offset=48 (local.get $from)) (local.get $m)))
        (local.set $g (i32x4.mul (v128.xor (local.get $g) (local.get $x)) (local.get $one)))
        (local.set $g (v128.xor (local.get $g) (i32x4.shr_u (local.get $g) (i32.const 15))))
        (local.set $h (i32x4.mul (v128.xor (local.get $h) (local.get $x)) (local.get $other)))
        (local.set $h (v128.xor (local.get $h) (i32x4.shr_u (local.get $h) (i32.const 13))))
        (local.set $from (i32.add (local.get $from) (i32.const 64)))
        (br_if $block (i32.lt_u (local.get $from) (local.get $end))))
      (local.set $a (i32x4.add (i32x4.mul (local.get $a) (local.get $other)) (local.get $c)))
      (local.set $a (i32x4.add (i32x4.mul (local.get $a) (local.get $one)) (local.get $e)))
      (local.set $a (i32x4.add (i32x4.mul (local.get $a) (local.get $other)) (local.get $g)))
      (local.set $b (i32x4.add (i32x4.mul (local.get $b) (local.get $one)) (local.get $d)))
      (local.set $b (i32x4.add (i32x4.mul (local.get $b) (local.get $other)) (local.get $f)))
      (local.set $b (i32x4.add (i32x4.mul (local.get $b) (local.get $one)) (local.get $h)))
      (i32.store8 (local.get $changed)
        (v128.any_true
          (v128.or
            (v128.xor (local.get $a) (v128.load (local.get $hashes)))
            (v128.xor (local.get $b) (v128.load offset=16 (local.get $hashes))))))
      (v128.store (local.get $hashes) (local.get $a))
      (v128.store offset=16 (local.get $hashes) (local.get $b))
      (local.set $hashes (i32.add (local.get $hashes) (i32.const 32)))
      (local.set $changed (i32.add (local.get $changed) (i32.const 1)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $row (local.get $rows))))

  ;; Three bytes per pixel become words.
  (func (export "expandRow") (param $from i32) (param $count i32) (param $to i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $to) (i32.mul (local.get $count) (i32.const 4))))
    (loop $block
      (v128.store (local.get $to)
        (i8x16.shuffle 0 1 2 16 3 4 5 16 6 7 8 16 9 10 11 16
          (v128.load (local.get $from)) (v128.const i32x4 0 0 0 0)))
      (local.set $from (i32.add (local.get $from) (i32.const 12)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $block (i32.lt_u (local.get $to) (local.get $end)))))

  ;; Words become three bytes per pixel.
  (func (export "packRow") (param $from i32) (param $count i32) (param $to i32)
    (local $x v128) (local $end i32)
    (local.set $end (i32.add (local.get $from) (i32.mul (local.get $count) (i32.const 4))))
    (loop $block
      (local.set $x (v128.load (local.get $from)))
      (v128.store (local.get $to)
        (i8x16.shuffle 0 1 2 4 5 6 8 9 10 12 13 14 3 7 11 15 (local.get $x) (local.get $x)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 12)))
      (br_if $block (i32.lt_u (local.get $from) (local.get $end)))))

  ;; The weighted sum of the four colours of a block, added to `sum`. `weights` are four words.
  (func $addFour (param $x v128) (param $weights i32) (param $sum v128) (result v128)
    (local $low v128) (local $high v128)
    (local.set $low (i16x8.extend_low_i8x16_u (local.get $x)))
    (local.set $high (i16x8.extend_high_i8x16_u (local.get $x)))
    (i32x4.add
      (i32x4.add
        (i32x4.add
          (local.get $sum)
          (i32x4.mul (i32x4.extend_low_i16x8_u (local.get $low)) (v128.load32_splat (local.get $weights))))
        (i32x4.mul (i32x4.extend_high_i16x8_u (local.get $low)) (v128.load32_splat offset=4 (local.get $weights))))
      (i32x4.add
        (i32x4.mul (i32x4.extend_low_i16x8_u (local.get $high)) (v128.load32_splat offset=8 (local.get $weights)))
        (i32x4.mul (i32x4.extend_high_i16x8_u (local.get $high)) (v128.load32_splat offset=12 (local.get $weights))))))

  ;; Resizes a row of colours along the row. Pixel i of the result is the sum of `taps` colours, a multiple of 4, from byte
  ;; `starts[i]`, times the weights from `weights[i * taps]`, which are multiples of 2^-22.
  (func (export "widenRow") (param $from i32) (param $starts i32) (param $weights i32) (param $taps i32)
    (param $count i32) (param $to i32)
    (local $x v128) (local $same v128) (local $sum v128) (local $at i32) (local $end i32) (local $last i32)
    (local.set $end (i32.add (local.get $to) (i32.mul (local.get $count) (i32.const 4))))
    (local.set $taps (i32.mul (local.get $taps) (i32.const 4)))
    (loop $pixel
      (local.set $at (i32.add (local.get $from) (i32.load (local.get $starts))))
      (local.set $x (v128.load (local.get $at)))
      (local.set $last (i32.add (local.get $weights) (local.get $taps)))
      (local.set $same (i32x4.splat (i32x4.extract_lane 0 (local.get $x))))
      (if
        ;; Most colours of a desktop equal their neighbours. Rounding absorbs the error of the weights.
        (i32.and
          (i32.eq (local.get $taps) (i32.const 16))
          (i32x4.all_true (i32x4.eq (local.get $x) (local.get $same))))
        (then
          (local.set $weights (local.get $last))
          (if
            ;; Four pixels at once, if the eight colours that they come from are equal.
            (i32.and
              (i32.le_u (i32.add (local.get $to) (i32.const 16)) (local.get $end))
              (i32.and
                (i32.le_u
                  (i32.sub (i32.load offset=12 (local.get $starts)) (i32.load (local.get $starts)))
                  (i32.const 16))
                (i32x4.all_true (i32x4.eq (v128.load offset=16 (local.get $at)) (local.get $same)))))
            (then
              (v128.store (local.get $to) (local.get $x))
              (local.set $weights (i32.add (local.get $weights) (i32.const 48)))
              (local.set $starts (i32.add (local.get $starts) (i32.const 16)))
              (local.set $to (i32.add (local.get $to) (i32.const 16)))
              (br_if $pixel (i32.lt_u (local.get $to) (local.get $end)))
              (return))
            (else (v128.store32_lane 0 (local.get $to) (local.get $x)))))
        (else
          (local.set $sum (v128.const i32x4 0x200000 0x200000 0x200000 0x200000))
          (loop $tap
            (local.set $sum (call $addFour (v128.load (local.get $at)) (local.get $weights) (local.get $sum)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
            (br_if $tap (i32.lt_u (local.get $weights) (local.get $last))))
          (local.set $sum (i32x4.shr_s (local.get $sum) (i32.const 22)))
          (local.set $sum (i16x8.narrow_i32x4_s (local.get $sum) (local.get $sum)))
          (v128.store32_lane 0 (local.get $to) (i8x16.narrow_i16x8_u (local.get $sum) (local.get $sum)))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (br_if $pixel (i32.lt_u (local.get $to) (local.get $end)))))

  ;; One row of the result from `taps` rows of `stride` bytes each, with one weight per row.
  (func (export "blendRows") (param $from i32) (param $stride i32) (param $weights i32) (param $taps i32)
    (param $bytes i32) (param $to i32)
    (local $x v128) (local $first v128) (local $different v128) (local $w v128) (local $low v128) (local $high v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $at i32) (local $tap i32) (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $bytes)))
    (loop $block
      (local.set $first (v128.load (local.get $from)))
      (local.set $different (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $from))
      (local.set $tap (local.get $taps))
      (loop $compare
        (local.set $different
          (v128.or (local.get $different) (v128.xor (local.get $first) (v128.load (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $tap (i32.sub (local.get $tap) (i32.const 1)))
        (br_if $compare (local.get $tap)))
      (if (v128.any_true (local.get $different))
        (then
          (local.set $a (v128.const i32x4 0x200000 0x200000 0x200000 0x200000))
          (local.set $b (local.get $a))
          (local.set $c (local.get $a))
          (local.set $d (local.get $a))
          (local.set $at (local.get $from))
          (local.set $tap (i32.const 0))
          (loop $add
            (local.set $x (v128.load (local.get $at)))
            (local.set $w
              (v128.load32_splat (i32.add (local.get $weights) (i32.mul (local.get $tap) (i32.const 4)))))
            (local.set $low (i16x8.extend_low_i8x16_u (local.get $x)))
            (local.set $high (i16x8.extend_high_i8x16_u (local.get $x)))
            (local.set $a
              (i32x4.add (local.get $a) (i32x4.mul (i32x4.extend_low_i16x8_u (local.get $low)) (local.get $w))))
            (local.set $b
              (i32x4.add (local.get $b) (i32x4.mul (i32x4.extend_high_i16x8_u (local.get $low)) (local.get $w))))
            (local.set $c
              (i32x4.add (local.get $c) (i32x4.mul (i32x4.extend_low_i16x8_u (local.get $high)) (local.get $w))))
            (local.set $d
              (i32x4.add (local.get $d) (i32x4.mul (i32x4.extend_high_i16x8_u (local.get $high)) (local.get $w))))
            (local.set $at (i32.add (local.get $at) (local.get $stride)))
            (local.set $tap (i32.add (local.get $tap) (i32.const 1)))
            (br_if $add (i32.lt_u (local.get $tap) (local.get $taps))))
          (v128.store (local.get $to)
            (i8x16.narrow_i16x8_u
              (i16x8.narrow_i32x4_s
                (i32x4.shr_s (local.get $a) (i32.const 22)) (i32x4.shr_s (local.get $b) (i32.const 22)))
              (i16x8.narrow_i32x4_s
                (i32x4.shr_s (local.get $c) (i32.const 22)) (i32x4.shr_s (local.get $d) (i32.const 22))))))
        (else (v128.store (local.get $to) (local.get $first))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $block (i32.lt_u (local.get $to) (local.get $end)))))

  ;; Whether the row of `stride` bytes differs from the row above it.
  (func $differsFromAbove (param $at i32) (param $stride i32) (result i32)
    (local $end i32) (local $blocks i32)
    (local.set $end (i32.add (local.get $at) (local.get $stride)))
    (local.set $blocks (i32.add (local.get $at) (i32.and (local.get $stride) (i32.const -16))))
    (block $rest
      (loop $block
        (br_if $rest (i32.ge_u (local.get $at) (local.get $blocks)))
        (if
          (v128.any_true
            (v128.xor
              (v128.load (local.get $at))
              (v128.load (i32.sub (local.get $at) (local.get $stride)))))
          (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $block)))
    (block $equal
      (loop $byte
        (br_if $equal (i32.ge_u (local.get $at) (local.get $end)))
        (if
          (i32.ne
            (i32.load8_u (local.get $at))
            (i32.load8_u (i32.sub (local.get $at) (local.get $stride))))
          (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $byte)))
    (i32.const 0))

  ;; The filter with the most zeros among the red bytes of every eighth pixel; the simpler one of equals. 0: none, 1: sub, 2: up.
  (func $cheapestFilter (param $at i32) (param $stride i32) (result i32)
    (local $end i32) (local $none i32) (local $sub i32) (local $up i32) (local $value i32)
    (local.set $end (i32.add (local.get $at) (local.get $stride)))
    (local.set $at (i32.add (local.get $at) (i32.const 24)))
    (block $counted
      (loop $sample
        (br_if $counted (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $value (i32.load8_u (local.get $at)))
        (local.set $none (i32.add (local.get $none) (i32.eqz (local.get $value))))
        (local.set $sub
          (i32.add (local.get $sub)
            (i32.eq (local.get $value) (i32.load8_u (i32.sub (local.get $at) (i32.const 3))))))
        (local.set $up
          (i32.add (local.get $up)
            (i32.eq (local.get $value) (i32.load8_u (i32.sub (local.get $at) (local.get $stride))))))
        (local.set $at (i32.add (local.get $at) (i32.const 24)))
        (br $sample)))
    (if
      (i32.and
        (i32.gt_u (local.get $up) (local.get $sub)) (i32.gt_u (local.get $up) (local.get $none)))
      (then (return (i32.const 2))))
    (i32.gt_u (local.get $sub) (local.get $none)))

  ;; Filters `rows` rows for compression. The row above the first one lies before `from`. Each result has its filter and `stride` bytes.
  (func (export "filterRows") (param $from i32) (param $stride i32) (param $rows i32) (param $to i32)
    (local $filter i32) (local $distance i32) (local $at i32) (local $end i32) (local $out i32)
    (loop $row
      (local.set $end (i32.add (local.get $from) (local.get $stride)))
      (local.set $out (i32.add (local.get $to) (i32.const 1)))
      (if (call $differsFromAbove (local.get $from) (local.get $stride))
        (then
          (local.set $filter (call $cheapestFilter (local.get $from) (local.get $stride)))
          (i32.store8 (local.get $to) (local.get $filter))
          (if (local.get $filter)
            (then
              (local.set $distance
                (select (i32.const 3) (local.get $stride) (i32.eq (local.get $filter) (i32.const 1))))
              (local.set $at (local.get $from))
              (loop $block
                (v128.store (local.get $out)
                  (i8x16.sub
                    (v128.load (local.get $at))
                    (v128.load (i32.sub (local.get $at) (local.get $distance)))))
                (local.set $at (i32.add (local.get $at) (i32.const 16)))
                (local.set $out (i32.add (local.get $out) (i32.const 16)))
                (br_if $block (i32.lt_u (local.get $at) (local.get $end))))
              ;; The first pixel has no neighbour.
              (if (i32.eq (local.get $filter) (i32.const 1))
                (then
                  (i32.store16 offset=1 (local.get $to) (i32.load16_u (local.get $from)))
                  (i32.store8 offset=3 (local.get $to) (i32.load8_u offset=2 (local.get $from))))))
            (else (memory.copy (local.get $out) (local.get $from) (local.get $stride)))))
        (else
          (i32.store8 (local.get $to) (i32.const 2))
          (memory.fill (local.get $out) (i32.const 0) (local.get $stride))))
      (local.set $from (local.get $end))
      (local.set $to (i32.add (i32.add (local.get $to) (local.get $stride)) (i32.const 1)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $row (local.get $rows))))

  (func $sumOf (param $x v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $x)) (i32x4.extract_lane 1 (local.get $x)))
      (i32.add (i32x4.extract_lane 2 (local.get $x)) (i32x4.extract_lane 3 (local.get $x)))))

  ;; The checksum of zlib streams, of bytes from the start of a stream.
  (func (export "adler32") (param $at i32) (param $length i32) (result i32)
    (local $low i32) (local $high i32) (local $end i32) (local $stop i32) (local $blocks i32)
    (local $x v128) (local $sums v128) (local $before v128) (local $weighted v128)
    (local.set $low (i32.const 1))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (block $done
      (loop $part
        ;; The sums of 5,552 bytes fit a word.
        (local.set $stop (i32.add (local.get $at) (i32.const 5552)))
        (if (i32.gt_u (local.get $stop) (local.get $end))
          (then
            (local.set $stop
              (i32.add (local.get $at) (i32.and (i32.sub (local.get $end) (local.get $at)) (i32.const -16))))))
        (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
        (local.set $blocks (i32.sub (local.get $stop) (local.get $at)))
        (local.set $sums (v128.const i32x4 0 0 0 0))
        (local.set $before (local.get $sums))
        (local.set $weighted (local.get $sums))
        (loop $block
          (local.set $x (v128.load (local.get $at)))
          (local.set $before (i32x4.add (local.get $before) (local.get $sums)))
          (local.set $sums
            (i32x4.add (local.get $sums)
              (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $x)))))
          (local.set $weighted
            (i32x4.add (local.get $weighted)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_u (local.get $x)) (v128.const i16x8 16 15 14 13 12 11 10 9))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_u (local.get $x)) (v128.const i16x8 8 7 6 5 4 3 2 1)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $block (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $high
          (i32.rem_u
            (i32.add
              (i32.add (local.get $high) (i32.mul (local.get $low) (local.get $blocks)))
              (i32.add
                (i32.mul (call $sumOf (local.get $before)) (i32.const 16))
                (call $sumOf (local.get $weighted))))
            (i32.const 65521)))
        (local.set $low
          (i32.rem_u (i32.add (local.get $low) (call $sumOf (local.get $sums))) (i32.const 65521)))
        (br $part)))
    (block $summed
      (loop $byte
        (br_if $summed (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $low (i32.add (local.get $low) (i32.load8_u (local.get $at))))
        (local.set $high (i32.add (local.get $high) (local.get $low)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $byte)))
    (i32.or
      (i32.shl (i32.rem_u (local.get $high) (i32.const 65521)) (i32.const 16))
      (i32.rem_u (local.get $low) (i32.const 65521))))

  ;; Base64 of `length` bytes, a multiple of three: twelve bytes become sixteen letters.
  (func (export "base64") (param $from i32) (param $length i32) (param $to i32)
    (local $x v128) (local $end i32)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (loop $block
      ;; Three bytes per word, the first one highest.
      (local.set $x
        (i8x16.shuffle 2 1 0 16 5 4 3 16 8 7 6 16 11 10 9 16
          (v128.load (local.get $from)) (v128.const i32x4 0 0 0 0)))
      ;; Six bits per byte.
      (local.set $x
        (v128.or
          (v128.or
            (i32x4.shr_u (local.get $x) (i32.const 18))
            (v128.and
              (i32x4.shr_u (local.get $x) (i32.const 4)) (v128.const i32x4 0x3f00 0x3f00 0x3f00 0x3f00)))
          (v128.or
            (v128.and
              (i32x4.shl (local.get $x) (i32.const 10))
              (v128.const i32x4 0x3f0000 0x3f0000 0x3f0000 0x3f0000))
            (v128.and
              (i32x4.shl (local.get $x) (i32.const 24))
              (v128.const i32x4 0x3f000000 0x3f000000 0x3f000000 0x3f000000)))))
      ;; The distance to its letter: 0 for a to z, 1 to 10 for digits, 11 for +, 12 for /, 13 for A to Z.
      (v128.store (local.get $to)
        (i8x16.add (local.get $x)
          (i8x16.swizzle (v128.const i8x16 71 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -19 -16 65 0 0)
            (v128.or
              (i8x16.sub_sat_u (local.get $x)
                (v128.const i8x16 51 51 51 51 51 51 51 51 51 51 51 51 51 51 51 51))
              (v128.and
                (i8x16.lt_u (local.get $x)
                  (v128.const i8x16 26 26 26 26 26 26 26 26 26 26 26 26 26 26 26 26))
                (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))))))
      (local.set $from (i32.add (local.get $from) (i32.const 12)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $block (i32.lt_u (local.get $from) (local.get $end))))))
