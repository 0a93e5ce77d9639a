// Convolution of images [batch, channels, height, width]. With respect to the image its gradient is a transposed
// convolution of dy; with respect to the kernel it is a convolution of the image by dy, batch and channels swapped.

import type { Value } from '../graph.ts';
import { at, type Inference, type Operation, only, typeOf } from '../operation.ts';
import type { TensorShape } from '../shape.ts';
import { concat, slice, split, transpose } from './arrange.ts';
import { reduceSum } from './reduce.ts';

export interface ConvOptions {
  readonly bias?: Value;
  readonly stride?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  /** Rows of zeros above and below, columns left and right. */
  readonly padding?: readonly [number, number];
  readonly groups?: number;
}

export function conv(x: Value, kernel: Value, options: ConvOptions = {}): Value {
  const { bias, stride = [1, 1], dilation = [1, 1], padding = [0, 0], groups = 1 } = options;
  const attributes = {
    strides: stride,
    dilations: dilation,
    pads: [...padding, ...padding],
    group: groups,
  };
  const operation: Operation = {
    type: 'Conv',
    infer: inference => [
      { dtype: typeOf(inference, 'floats'), shape: resultOf(inference, x, kernel, options) },
    ],
    gradient: (_node, [dy]) => {
      if (dy === undefined) return [];
      const gradients = [ofImage(x, kernel, dy, attributes), ofKernel(x, kernel, dy, attributes)];
      return bias ? [...gradients, reduceSum(dy, [0, 2, 3])] : gradients;
    },
  };
  return only(x.graph.apply(operation, bias ? [x, kernel, bias] : [x, kernel], attributes));
}

/** The extent of `count` rows at a distance of `step`. */
const span = (count: number, step: number): number => (count - 1) * step + 1;

/** Number of window positions along an axis. */
const places = (size: number, window: number, stride: number, dilation: number, padding: number): number =>
  Math.floor((size + 2 * padding - span(window, dilation)) / stride) + 1;

function resultOf({ refuse }: Inference, x: Value, kernel: Value, options: ConvOptions): TensorShape {
  const { bias, stride = [1, 1], dilation = [1, 1], padding = [0, 0], groups = 1 } = options;
  const whole = (numbers: readonly number[], least: number) =>
    numbers.every(each => Number.isInteger(each) && each >= least);
  if (!whole([...stride, ...dilation, groups], 1) || !whole(padding, 0)) {
    refuse('strides, dilations and groups must be whole numbers from 1, paddings from 0');
  }
  const [batch, channels, ...size] = x.shape;
  const [features, perGroup, ...window] = kernel.shape;
  if (batch === undefined || features === undefined || size.length !== 2 || window.length !== 2) {
    return refuse('image and kernel need four axes');
  }
  if (typeof channels !== 'number' || typeof perGroup !== 'number' || typeof features !== 'number') {
    return refuse('channels must have a known size');
  }
  if (channels !== perGroup * groups || features % groups !== 0) {
    refuse(`the kernel's ${perGroup} channels in ${groups} group(s) do not fit the image's ${channels}`);
  }
  if (bias && bias.shape.join() !== `${features}`) refuse(`the bias must have ${features} numbers`);
  const out = size.map((dim, side) => {
    const extent = window[side];
    if (typeof dim !== 'number' || typeof extent !== 'number')
      return refuse('height and width must be known');
    const count = places(dim, extent, at(stride, side), at(dilation, side), at(padding, side));
    return count >= 1 ? count : refuse('the kernel is larger than the image');
  });
  return [batch, features, ...out];
}

interface ConvAttributes {
  readonly [name: string]: number | readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly pads: readonly number[];
  readonly group: number;
}

function ofImage(x: Value, kernel: Value, dy: Value, attributes: ConvAttributes): Value {
  const { strides, dilations, pads } = attributes;
  // A stride can leave rows at the far edge outside every window; the output padding adds them as zeros.
  const untouched = [0, 1].map(side => {
    const covered =
      span(known(dy, side + 2), at(strides, side)) + span(known(kernel, side + 2), at(dilations, side)) - 1;
    return known(x, side + 2) + 2 * at(pads, side) - covered;
  });
  const operation: Operation = { type: 'ConvTranspose', infer: () => [{ dtype: x.dtype, shape: x.shape }] };
  return only(x.graph.apply(operation, [dy, kernel], { ...attributes, output_padding: untouched }));
}

function ofKernel(x: Value, kernel: Value, dy: Value, attributes: ConvAttributes): Value {
  const { strides, dilations, pads, group } = attributes;
  if (group > 1) {
    const images = split(x, new Array<number>(group).fill(known(x, 1) / group), 1);
    const parts = split(dy, new Array<number>(group).fill(known(dy, 1) / group), 1);
    const kernels = split(kernel, new Array<number>(group).fill(known(kernel, 0) / group), 0);
    const one = { ...attributes, group: 1 };
    return concat(
      images.map((image, index) => ofKernel(image, at(kernels, index), at(parts, index), one)),
      0,
    );
  }
  // Strides become dilations, and dilations become strides.
  const swapped = { strides: dilations, dilations: strides, pads, group: 1 };
  const [height, width] = [known(kernel, 2), known(kernel, 3)];
  const extent = [0, 1].map(side =>
    places(known(x, side + 2), known(dy, side + 2), at(dilations, side), at(strides, side), at(pads, side)),
  );
  const operation: Operation = {
    type: 'Conv',
    infer: () => [{ dtype: x.dtype, shape: [known(x, 1), known(dy, 1), ...extent] }],
  };
  const product = only(
    x.graph.apply(operation, [transpose(x, [1, 0, 2, 3]), transpose(dy, [1, 0, 2, 3])], swapped),
  );
  const rows = slice(product, { axis: 2, start: 0, end: height });
  return transpose(slice(rows, { axis: 3, start: 0, end: width }), [1, 0, 2, 3]);
}

function known(x: Value, axis: number): number {
  const size = x.shape[axis];
  if (typeof size === 'number') return size;
  throw new RangeError(`Axis ${axis} of '${x.name}' has no static size after validation.`);
}
