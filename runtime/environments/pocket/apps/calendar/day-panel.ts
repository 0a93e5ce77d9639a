// What stands beside the month: the chosen day's name, its events, and what can be done to the one chosen.

import { column, growing, row } from '../../toolkit/boxes.ts';
import { button, label, panel } from '../../toolkit/controls.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent } from '../../world.ts';
import { type DayListOptions, dayList } from './day-list.ts';

interface DayPanelOptions extends DayListOptions {
  readonly title: string;
  readonly events: readonly CalendarEvent[];
  readonly scrolled: number;
  readonly scroll: (offset: number) => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

export function dayPanel(options: DayPanelOptions): Widget {
  const { title, events, edit, remove } = options;
  const list = scrolled(dayList(events, options), {
    key: 'Events',
    offset: options.scrolled,
    change: options.scroll,
  });
  const none = growing(column([label('No events', { faint: true })], { margin: 4 }));
  const enabled = events.some(event => event.id === options.chosen);
  return column(
    [
      label(title, { bold: true }),
      panel(events.length === 0 ? none : list, { field: true }),
      row([
        growing(button('Edit...', { enabled, press: edit })),
        growing(button('Delete...', { enabled, press: remove })),
      ]),
    ],
    { gap: 3 },
  );
}
