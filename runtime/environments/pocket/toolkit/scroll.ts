// A view onto a taller content, with a scroll bar. The application owns the scroll position.

import { box, intersection, right } from '../../box.ts';
import type { Widget } from './widget.ts';

export const BAR_WIDTH = 9;
const PIXELS_PER_NOTCH = 11;

/** `offset`: pixels by which the content is shifted up. The scroll bar and the wheel write it. */
export interface ScrollState {
  offset: number;
}

export function scrolled(content: Widget, key: string, state: ScrollState): Widget {
  const heightWithin = (width: number): number => content.measure(width - BAR_WIDTH).height;
  const change = (offset: number): void => {
    state.offset = offset;
  };
  return {
    paintKey: 'scrolled',
    grow: 1,
    measure: width => ({ width, height: Math.min(40, heightWithin(width)) }),
    on: {
      wheel: (direction, notches, { width, height }) => {
        const by = { up: -notches, down: notches, left: 0, right: 0 }[direction] * PIXELS_PER_NOTCH;
        const limit = Math.max(0, heightWithin(width) - height);
        change(Math.max(0, Math.min(limit, state.offset + by)));
      },
    },
    children: area => {
      const height = heightWithin(area.width);
      const limit = Math.max(0, height - area.height);
      const shift = Math.min(state.offset, limit);
      const inner = box(area.x, area.y - shift, area.width - BAR_WIDTH, Math.max(height, area.height));
      const view = box(area.x, area.y, area.width - BAR_WIDTH, area.height);
      const bar = box(right(area) - BAR_WIDTH, area.y, BAR_WIDTH, area.height);
      return [
        { widget: content, box: inner, clip: intersection(view, area) },
        { widget: scrollBar(key, shift, limit, change), box: bar },
      ];
    },
  };
}

/** A scroll bar alone: `offset` of at most `limit` pixels are above the visible part. */
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
      // A press above or below the thumb scrolls by one page.
      press: (at, _ui, area) => {
        const { top, length } = thumb(area.height);
        if (at.y < area.y + top) set(offset - area.height + PIXELS_PER_NOTCH);
        else if (at.y >= area.y + top + length) set(offset + area.height - PIXELS_PER_NOTCH);
      },
      drag: (from, to, area) => {
        const { length } = thumb(area.height);
        set(offset + ((to.y - from.y) * limit) / Math.max(1, area.height - length));
      },
      wheel: (direction, notches) =>
        set(offset + (direction === 'down' ? notches : -notches) * PIXELS_PER_NOTCH),
    },
    measure: () => ({ width: BAR_WIDTH, height: 20 }),
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
