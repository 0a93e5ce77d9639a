// The panel beside the month: the selected day, its events and their buttons.

import { bottom, box } from '../../../box.ts';
import { fitText } from '../../font.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import { button, label, panel } from '../../toolkit/controls.ts';
import { emptyNote, listRow, rows, withArrowKeys } from '../../toolkit/rows.ts';
import { type ScrollState, scrolled } from '../../toolkit/scroll.ts';
import { extendWidget, type MenuItem, type Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent } from '../../world.ts';
import { eventName } from './agenda.ts';

export const EVENT_PAYLOAD = 'event';
const EVENT_HEIGHT = 23;

interface DayPanelOptions {
  readonly title: string;
  readonly events: readonly CalendarEvent[];
  /** The id of the selected event. */
  readonly chosen: number | undefined;
  readonly choose: (id: number) => void;
  readonly menu: () => readonly MenuItem[];
  /** Formats a time. */
  readonly time: (time: string) => string;
  readonly scroll: ScrollState;
  readonly edit: (id: number | undefined) => void;
  readonly remove: () => void;
}

export function dayPanel(options: DayPanelOptions): Widget {
  const { title, events, chosen, scroll, edit, remove } = options;
  const list = rows(events.map((event, index) => eventRow(event, index, options)));
  const content = events.length === 0 ? growing(emptyNote('No events', 4)) : scrolled(list, 'Events', scroll);
  const enabled = events.some(event => event.id === chosen);
  return column(
    [
      label(title, { bold: true }),
      panel(content, { field: true }),
      row([
        growing(button('Edit...', { enabled, press: () => edit(chosen) })),
        growing(button('Delete...', { enabled, press: remove })),
      ]),
    ],
    { gap: 3 },
  );
}

const keyOf = ({ id }: CalendarEvent): string => `event ${id}`;

/** An event in two lines: its time and its title. */
function eventRow(event: CalendarEvent, index: number, options: DayPanelOptions): Widget {
  const { events, chosen, choose, edit, menu, time } = options;
  const isChosen = event.id === chosen;
  const plain = listRow(eventName(event), {
    key: keyOf(event),
    chosen: isChosen,
    press: () => choose(event.id),
    double: () => edit(event.id),
    menu,
    payload: { kind: EVENT_PAYLOAD, name: String(event.id) },
  });
  const row = withArrowKeys(plain, events, index, keyOf, ({ id }) => choose(id));
  return extendWidget(row, {
    paintKey: `${plain.paintKey} ${time(event.time)}`,
    measure: width => ({ width, height: EVENT_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, isChosen ? theme.selection : theme.field);
      const colour = isChosen ? theme.selectionText : theme.text;
      surface.fill(box(area.x + 2, area.y + 3, 2, EVENT_HEIGHT - 7), theme.warning);
      surface.text(time(event.time), area.x + 7, area.y + 3, isChosen ? colour : theme.faint);
      surface.text(fitText(event.title, area.width - 9), area.x + 7, area.y + 13, colour);
      surface.fill(box(area.x, bottom(area) - 1, area.width, 1), theme.shade);
      if (focused) surface.frame(area, theme.accent);
    },
  });
}
