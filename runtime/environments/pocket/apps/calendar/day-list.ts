// The events of one day, in two lines each, which can be chosen, opened and dragged.

import { bottom, box } from '../../../box.ts';
import { fitText } from '../../font.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent } from '../../world.ts';
import { nameOf } from './agenda.ts';

export const EVENT_CARGO = 'event';
const HEIGHT = 23;

export interface DayListOptions {
  readonly chosen: number | undefined;
  readonly choose: (id: number) => void;
  readonly open: (id: number) => void;
  readonly menu: () => readonly MenuItem[];
  /** How the list writes a time. */
  readonly time: (time: string) => string;
}

const keyOf = (id: number): string => `event ${id}`;

export const dayList = (events: readonly CalendarEvent[], options: DayListOptions): Widget =>
  rows(events.map((event, index) => eventRow(event, events, index, options)));

function eventRow(
  event: CalendarEvent,
  all: readonly CalendarEvent[],
  index: number,
  { chosen, choose, open, menu, time }: DayListOptions,
): Widget {
  const isChosen = event.id === chosen;
  const plain = listRow(nameOf(event), {
    key: keyOf(event.id),
    chosen: isChosen,
    press: () => choose(event.id),
    double: () => open(event.id),
    menu,
    payload: { kind: EVENT_CARGO, name: String(event.id) },
  });
  return extendWidget(plain, {
    paintKey: `${plain.paintKey} ${time(event.time)}`,
    on: {
      ...plain.on,
      stroke: (stroke, ui, area) => {
        const next = all[index + ({ up: -1, down: 1 }[stroke] ?? 0)];
        if (stroke !== 'up' && stroke !== 'down') return plain.on?.stroke?.(stroke, ui, area) ?? false;
        if (next !== undefined) {
          choose(next.id);
          ui.focus(keyOf(next.id));
        }
        return true;
      },
    },
    measure: width => ({ width, height: HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, isChosen ? theme.selection : theme.field);
      const colour = isChosen ? theme.selectionText : theme.text;
      surface.fill(box(area.x + 2, area.y + 3, 2, HEIGHT - 7), theme.warning);
      surface.text(time(event.time), area.x + 7, area.y + 3, isChosen ? colour : theme.faint);
      surface.text(fitText(event.title, area.width - 9), area.x + 7, area.y + 13, colour);
      surface.fill(box(area.x, bottom(area) - 1, area.width, 1), theme.shade);
      if (focused) surface.frame(area, theme.accent);
    },
  });
}
