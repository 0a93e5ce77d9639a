// A view onto something taller than itself, with a scroll bar. How far it is scrolled belongs to the application.

import { box, intersection, right } from '../../box.ts';
import type { Widget } from './widget.ts';

export const BAR = 9;
/** How far one notch of the wheel goes. */
const NOTCH = 11;

interface ScrollOptions {
  readonly key: string;
  /** Pixels by which the content is shifted up. */
  readonly offset: number;
  readonly change: (offset: number) => void;
}

export function scrolled(content: Widget, { key, offset, change }: ScrollOptions): Widget {
  const heightWithin = (width: number): number => content.measure(width - BAR).height;
  const furthest = (width: number, height: number): number => Math.max(0, heightWithin(width) - height);
  return {
    paintKey: 'scrolled',
    grow: 1,
    measure: width => ({ width, height: Math.min(40, heightWithin(width)) }),
    on: {
      wheel: (direction, notches, area) => {
        const by = direction === 'down' ? notches * NOTCH : direction === 'up' ? -notches * NOTCH : 0;
        change(Math.max(0, Math.min(furthest(area.width, area.height), offset + by)));
      },
    },
    children: area => {
      const height = heightWithin(area.width);
      const limit = Math.max(0, height - area.height);
      const shift = Math.min(offset, limit);
      const inner = box(area.x, area.y - shift, area.width - BAR, Math.max(height, area.height));
      const view = box(area.x, area.y, area.width - BAR, area.height);
      const bar = box(right(area) - BAR, area.y, BAR, area.height);
      return [
        { widget: content, box: inner, clip: intersection(view, area) },
        { widget: scrollBar(key, shift, limit, change), box: bar },
      ];
    },
  };
}

/** A bar alone; `offset` of at most `limit` pixels are above what is shown. */
export function scrollBar(
  key: string,
  offset: number,
  limit: number,
  change: (offset: number) => void,
): Widget {
  const thumb = (height: number) => {
    const length = limit === 0 ? height : Math.max(10, Math.round((height * height) / (height + limit)));
    const top = limit === 0 ? 0 : Math.round((offset / limit) * (height - length));
    return { top, length };
  };
  const set = (wanted: number) => change(Math.max(0, Math.min(limit, Math.round(wanted))));
  return {
    opaque: true,
    paintKey: `bar ${offset} ${limit}`,
    describe:
      limit > 0
        ? { role: 'scrollbar', name: key, value: String(Math.round((100 * offset) / limit)) }
        : undefined,
    on: {
      // Beside the thumb a press goes one page that way.
      press: (at, _hands, area) => {
        const { top, length } = thumb(area.height);
        if (at.y < area.y + top) set(offset - area.height + NOTCH);
        else if (at.y >= area.y + top + length) set(offset + area.height - NOTCH);
      },
      drag: (from, to, area) => {
        const { length } = thumb(area.height);
        set(offset + ((to.y - from.y) * limit) / Math.max(1, area.height - length));
      },
      wheel: (direction, notches) => set(offset + (direction === 'down' ? notches : -notches) * NOTCH),
    },
    measure: () => ({ width: BAR, height: 20 }),
    paint: ({ surface, box: area, theme }) => {
      const { top, length } = thumb(area.height);
      surface.fill(area, theme.shade);
      if (limit === 0) return;
      const knob = box(area.x + 1, area.y + top, area.width - 2, length);
      surface.fill(knob, theme.button);
      surface.frame(knob, theme.buttonEdge);
    },
  };
}
