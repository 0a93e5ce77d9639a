// Layout widgets: rows, columns, margins and space. They draw nothing.

import type { Box, Size } from '../../../core/screen.ts';
import { box, inset } from '../../box.ts';
import { type ChildWidget, extendWidget, type Widget } from './widget.ts';

export interface Arrangement {
  readonly gap?: number;
  readonly margin?: number;
  readonly grow?: number;
  /** Alignment across the axis; children are stretched by default. */
  readonly align?: 'stretch' | 'start' | 'centre' | 'end';
}

type Axis = 'row' | 'column';

/** Caches the last answer: during layout every container measures its children several times with one width. */
export function memoizeByWidth<Answer>(ask: (width: number) => Answer): (width: number) => Answer {
  let last: { readonly width: number; readonly answer: Answer } | undefined;
  return width => {
    if (last?.width !== width) last = { width, answer: ask(width) };
    return last.answer;
  };
}

export const row = (children: readonly Widget[], arrangement: Arrangement = {}): Widget =>
  arranged('row', children, arrangement);

export const column = (children: readonly Widget[], arrangement: Arrangement = {}): Widget =>
  arranged('column', children, arrangement);

/** Empty space that takes what is left. */
export const space = (): Widget => ({ paintKey: '', grow: 1, measure: () => ({ width: 0, height: 0 }) });

export const gap = (width: number, height = width): Widget => ({
  paintKey: '',
  measure: () => ({ width, height }),
});

export const growing = (widget: Widget, grow = 1): Widget => extendWidget(widget, { grow });

/** Overrides the measured width, height or both. */
export const sized = (widget: Widget, { width, height }: Partial<Size>): Widget =>
  extendWidget(widget, {
    measure: memoizeByWidth(within => {
      const natural = widget.measure(width ?? within);
      return { width: width ?? natural.width, height: height ?? natural.height };
    }),
  });

function arranged(axis: Axis, children: readonly Widget[], arrangement: Arrangement): Widget {
  const { gap: between = 4, margin = 0, grow, align = 'stretch' } = arrangement;
  const gaps = between * Math.max(0, children.length - 1);
  const sizesWithin = memoizeByWidth(width => measured(axis, children, width, gaps));
  return {
    paintKey: '',
    grow,
    measure: width => {
      let along = gaps;
      let across = 0;
      for (const { size } of sizesWithin(width - 2 * margin)) {
        along += lengthOf(axis, size);
        across = Math.max(across, breadthOf(axis, size));
      }
      const [wide, high] = axis === 'row' ? [along, across] : [across, along];
      return { width: wide + 2 * margin, height: high + 2 * margin };
    },
    children: within => {
      const inner = margin === 0 ? within : inset(within, margin);
      return placed(axis, sizesWithin(inner.width), inner, between, align);
    },
  };
}

const lengthOf = (axis: Axis, { width, height }: Size): number => (axis === 'row' ? width : height);
const breadthOf = (axis: Axis, { width, height }: Size): number => (axis === 'row' ? height : width);

interface MeasuredWidget {
  readonly widget: Widget;
  readonly size: Size;
}

/** Natural sizes. In a row, growing children are measured with the space that the others leave. */
function measured(
  axis: Axis,
  children: readonly Widget[],
  width: number,
  gaps: number,
): readonly MeasuredWidget[] {
  if (axis === 'column') return children.map(widget => ({ widget, size: widget.measure(width) }));
  let left = width - gaps;
  let shares = 0;
  const fixed = children.map(widget => {
    const { grow = 0 } = widget;
    const size = widget.grow === undefined ? widget.measure(width) : undefined;
    if (size !== undefined) left -= size.width;
    shares += grow;
    return { widget, size, grow };
  });
  return fixed.map(({ widget, size, grow }) => ({
    widget,
    size: size ?? widget.measure(Math.max(0, Math.floor((left * grow) / shares))),
  }));
}

function placed(
  axis: Axis,
  children: readonly MeasuredWidget[],
  inner: Box,
  between: number,
  align: NonNullable<Arrangement['align']>,
): readonly ChildWidget[] {
  const breadth = breadthOf(axis, inner);
  let left = lengthOf(axis, inner) - between * Math.max(0, children.length - 1);
  let sharesLeft = 0;
  for (const { widget, size } of children) {
    if (widget.grow === undefined) left -= lengthOf(axis, size);
    else sharesLeft += widget.grow;
  }
  left = Math.max(0, left);
  let at = axis === 'row' ? inner.x : inner.y;
  return children.map(({ widget, size }) => {
    let length = lengthOf(axis, size);
    if (widget.grow !== undefined) {
      length = sharesLeft > 0 ? Math.floor((left * widget.grow) / sharesLeft) : 0;
      left -= length;
      sharesLeft -= widget.grow;
    }
    const across = align === 'stretch' ? breadth : Math.min(breadthOf(axis, size), breadth);
    const offset =
      align === 'end' ? breadth - across : align === 'centre' ? Math.floor((breadth - across) / 2) : 0;
    const child =
      axis === 'row' ? box(at, inner.y + offset, length, across) : box(inner.x + offset, at, across, length);
    at += length + between;
    return { widget, box: child };
  });
}
