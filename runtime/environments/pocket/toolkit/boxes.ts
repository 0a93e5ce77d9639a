// Widgets that only arrange others: rows, columns, margins, and space.

import type { Box, Size } from '../../../contracts/screen.ts';
import { box } from '../box.ts';
import type { Child, Widget } from './widget.ts';

export interface Arrangement {
  readonly gap?: number;
  readonly margin?: number;
  readonly grow?: number;
  /** Where children that do not grow across stand: stretched over the whole breadth unless told otherwise. */
  readonly align?: 'stretch' | 'start' | 'centre' | 'end';
}

type Axis = 'row' | 'column';

/** Every container asks what is in it for its size, several times over; each answers from memory after the first. */
export function remembered(measure: Widget['measure']): Widget['measure'] {
  let last: { readonly width: number; readonly size: Size } | undefined;
  return width => {
    if (last?.width !== width) last = { width, size: measure(width) };
    return last.size;
  };
}

export const row = (children: readonly Widget[], arrangement: Arrangement = {}): Widget =>
  arranged('row', children, arrangement);

export const column = (children: readonly Widget[], arrangement: Arrangement = {}): Widget =>
  arranged('column', children, arrangement);

/** Empty room, which takes what is left. */
export const space = (grow = 1): Widget => ({ look: '', grow, measure: () => ({ width: 0, height: 0 }) });

export const gap = (width: number, height = width): Widget => ({
  look: '',
  measure: () => ({ width, height }),
});

export const growing = (widget: Widget, grow = 1): Widget => ({ ...widget, grow });

/** At least, or exactly, so wide. */
export const sized = (widget: Widget, { width, height }: Partial<Size>): Widget => ({
  ...widget,
  measure: remembered(within => {
    const natural = widget.measure(width ?? within);
    return { width: width ?? natural.width, height: height ?? natural.height };
  }),
});

function arranged(axis: Axis, children: readonly Widget[], arrangement: Arrangement): Widget {
  const { gap: between = 4, margin = 0, grow, align = 'stretch' } = arrangement;
  const gaps = between * Math.max(0, children.length - 1);
  return {
    look: '',
    ...(grow !== undefined && { grow }),
    measure: remembered(width => {
      const sizes = measured(axis, children, width - 2 * margin, gaps);
      const along = sizes.reduce((sum, size) => sum + (axis === 'row' ? size.width : size.height), gaps);
      const across = Math.max(0, ...sizes.map(size => (axis === 'row' ? size.height : size.width)));
      const [wide, high] = axis === 'row' ? [along, across] : [across, along];
      return { width: wide + 2 * margin, height: high + 2 * margin };
    }),
    children: within => {
      const inner = box(
        within.x + margin,
        within.y + margin,
        within.width - 2 * margin,
        within.height - 2 * margin,
      );
      return placed(axis, children, inner, gaps, between, align);
    },
  };
}

/** Natural sizes; in a row, what grows is measured with the room that the others leave. */
function measured(axis: Axis, children: readonly Widget[], width: number, gaps: number): readonly Size[] {
  if (axis === 'column') return children.map(child => child.measure(width));
  const fixed = children.map(child => (child.grow === undefined ? child.measure(width) : undefined));
  const left = width - gaps - fixed.reduce((sum, size) => sum + (size?.width ?? 0), 0);
  const shares = children.reduce((sum, child) => sum + (child.grow ?? 0), 0);
  return children.map(
    (child, index) =>
      fixed[index] ?? child.measure(Math.max(0, Math.floor((left * (child.grow ?? 0)) / shares))),
  );
}

function placed(
  axis: Axis,
  children: readonly Widget[],
  inner: Box,
  gaps: number,
  between: number,
  align: NonNullable<Arrangement['align']>,
): readonly Child[] {
  const sizes = measured(axis, children, inner.width, gaps);
  const lengthOf = (size: Size) => (axis === 'row' ? size.width : size.height);
  const whole = axis === 'row' ? inner.width : inner.height;
  const breadth = axis === 'row' ? inner.height : inner.width;
  const used = children.reduce((sum, child, index) => {
    const size = sizes[index];
    return child.grow === undefined && size !== undefined ? sum + lengthOf(size) : sum;
  }, gaps);
  const shares = children.reduce((sum, child) => sum + (child.grow ?? 0), 0);
  let left = Math.max(0, whole - used);
  let sharesLeft = shares;
  let at = axis === 'row' ? inner.x : inner.y;
  return children.map((widget, index) => {
    const size = sizes[index] ?? { width: 0, height: 0 };
    let length = lengthOf(size);
    if (widget.grow !== undefined) {
      length = sharesLeft > 0 ? Math.floor((left * widget.grow) / sharesLeft) : 0;
      left -= length;
      sharesLeft -= widget.grow;
    }
    const natural = axis === 'row' ? size.height : size.width;
    const across = align === 'stretch' ? breadth : Math.min(natural, breadth);
    const offset =
      align === 'end' ? breadth - across : align === 'centre' ? Math.floor((breadth - across) / 2) : 0;
    const child =
      axis === 'row' ? box(at, inner.y + offset, length, across) : box(inner.x + offset, at, across, length);
    at += length + between;
    return { widget, box: child };
  });
}
