// Convolution of images [batch, channels, height, width]. With respect to the image its gradient is a transposed
// convolution of dy; with respect to the kernel it is a convolution of the image by dy, batch and channels swapped.

import type { Value } from '../graph.ts';
import { at, type Operation, only } from '../operation.ts';
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
    infer: ({ refuse }) => {
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
        const room = dim + 2 * at(padding, side) - at(dilation, side) * (extent - 1) - 1;
        return room >= 0
          ? Math.floor(room / at(stride, side)) + 1
          : refuse('the kernel is larger than the image');
      });
      return [{ dtype: x.dtype, shape: [batch, features, ...out] }];
    },
    gradient: (_node, [dy]) => {
      if (dy === undefined) return [];
      const gradients = [ofImage(x, kernel, dy, attributes), ofKernel(x, kernel, dy, attributes)];
      return bias ? [...gradients, reduceSum(dy, [0, 2, 3])] : gradients;
    },
  };
  return only(x.graph.apply(operation, bias ? [x, kernel, bias] : [x, kernel], attributes));
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
  // A stride can leave rows at the far edge that no window touched; the output padding gives them back, as zeros.
  const untouched = [0, 1].map(side => {
    const reach = at(dilations, side) * (known(kernel, side + 2) - 1) + 1;
    return known(x, side + 2) - ((known(dy, side + 2) - 1) * at(strides, side) + reach - 2 * at(pads, side));
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
  // Steps between windows become steps inside them, and the other way round.
  const swapped = { strides: dilations, dilations: strides, pads, group: 1 };
  const [height, width] = [known(kernel, 2), known(kernel, 3)];
  const extent = [0, 1].map(side => {
    const reach = at(strides, side) * (known(dy, side + 2) - 1) + 1;
    return Math.floor((known(x, side + 2) + 2 * at(pads, side) - reach) / at(dilations, side)) + 1;
  });
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
  throw new RangeError(`Axis ${axis} of '${x.name}' was checked to have a known size, and has none.`);
}
