// The views of the calendar: a month whose days can be selected and receive dropped events, and the events of one day.

import { bottom, box, inset, right } from '../../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../../font.ts';
import { column, growing, row } from '../../toolkit/boxes.ts';
import { button, label, panel } from '../../toolkit/controls.ts';
import { emptyNote, listRow, rows, withArrowKeys } from '../../toolkit/rows.ts';
import { type ScrollState, scrolled } from '../../toolkit/scroll.ts';
import { type DragPayload, extendWidget, type MenuItem, onKeys, type Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent } from '../../world.ts';
import { type CalendarDay, dateText, monthTitle, WEEKDAYS, weeksOf } from './dates.ts';

/** The key of the selected day, which is the only day that Tab reaches. */
export const DAYS = 'Days';
export const CELL_WIDTH = 25;
const HEAD_HEIGHT = 11;

interface MonthOptions {
  readonly shown: CalendarDay;
  readonly chosen: string;
  readonly today: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly choose: (day: CalendarDay) => void;
  readonly create: () => void;
  readonly menu: (day: CalendarDay) => readonly MenuItem[];
  readonly drop: (payload: DragPayload, day: CalendarDay) => void;
  readonly turn: (months: number) => void;
}

export function month(options: MonthOptions): Widget {
  const weeks = weeksOf(options.shown);
  return {
    paintKey: 'month',
    on: {
      wheel: direction => options.turn(direction === 'up' || direction === 'left' ? -1 : 1),
    },
    measure: () => ({ width: 7 * CELL_WIDTH + 1, height: HEAD_HEIGHT + 6 * 20 + 1 }),
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, theme.field);
      surface.fill(box(area.x, area.y, area.width, HEAD_HEIGHT), theme.button);
      for (const [index, name] of WEEKDAYS.entries()) {
        const left = area.x + index * CELL_WIDTH + Math.floor((CELL_WIDTH - textWidth(name)) / 2);
        surface.text(name, left, area.y + 2, theme.text);
      }
    },
    children: area => {
      const height = Math.floor((area.height - HEAD_HEIGHT) / 6);
      return weeks.map((day, index) => ({
        widget: cell(day, options),
        box: box(
          area.x + (index % 7) * CELL_WIDTH,
          area.y + HEAD_HEIGHT + Math.floor(index / 7) * height,
          // One pixel more, so that neighbours share a border.
          CELL_WIDTH + 1,
          height + 1,
        ),
      }));
    },
  };
}

function cell(day: CalendarDay, options: MonthOptions): Widget {
  const date = dateText(day);
  const [isChosen, isToday] = [date === options.chosen, date === options.today];
  const inMonth = day.month === options.shown.month;
  const count = options.counts.get(date) ?? 0;
  const notes = [
    ...(isToday ? ['today'] : []),
    ...(count > 0 ? [`${count} event${count === 1 ? '' : 's'}`] : []),
  ];
  return {
    key: isChosen ? DAYS : undefined,
    paintKey: `day ${date} ${isChosen} ${isToday} ${inMonth} ${count}`,
    describe: { role: 'gridcell', name: date, value: notes.join(', '), states: isChosen ? ['selected'] : [] },
    on: {
      press: (_at, ui) => {
        options.choose(day);
        ui.focus(DAYS);
      },
      double: options.create,
      menu: () => options.menu(day),
      stroke: onKeys(['enter'], options.create),
      drop: payload => options.drop(payload, day),
    },
    measure: () => ({ width: CELL_WIDTH + 1, height: 20 }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, isChosen ? theme.selection : inMonth ? theme.field : theme.window);
      surface.frame(area, theme.shade);
      // Inside the border, which the neighbours draw over.
      if (focused) surface.frame(inset(area, 1), theme.accent);
      const number = String(day.day);
      if (isToday)
        surface.fill(box(area.x + 1, area.y + 1, textWidth(number) + 4, CAP_HEIGHT + 3), theme.accent);
      const colour = isToday
        ? theme.accentText
        : !inMonth
          ? theme.faint
          : isChosen
            ? theme.selectionText
            : theme.text;
      surface.text(number, area.x + 3, area.y + 3, colour);
      if (count === 0) return;
      // The number of events on a flag in the corner.
      const wide = textWidth(String(count)) + 5;
      const flag = box(right(area) - wide - 1, bottom(area) - CAP_HEIGHT - 4, wide, CAP_HEIGHT + 3);
      surface.fill(flag, theme.warning);
      surface.text(String(count), flag.x + 3, flag.y + 2, theme.field);
    },
  };
}

interface MonthBarOptions {
  readonly shown: CalendarDay;
  readonly turn: (months: number) => void;
  readonly today: () => void;
  readonly create: () => void;
}

export const monthBar = ({ shown, turn, today, create }: MonthBarOptions): Widget =>
  row(
    [
      arrow('Previous month', () => turn(-1)),
      arrow('Next month', () => turn(1)),
      growing(label(monthTitle(shown), { bold: true })),
      button('Today', { press: today }),
      button('New event...', { press: create }),
    ],
    { gap: 3 },
  );

const ARROWS = {
  'Previous month': ['   x', '  xx', ' xxx', 'xxxx', ' xxx', '  xx', '   x'],
  'Next month': ['x   ', 'xx  ', 'xxx ', 'xxxx', 'xxx ', 'xx  ', 'x   '],
} as const;

function arrow(name: keyof typeof ARROWS, press: () => void): Widget {
  const plain = button(name, { press });
  return extendWidget(plain, {
    measure: () => ({ width: 14, height: 14 }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, theme.button);
      surface.frame(area, focused ? theme.text : theme.buttonEdge);
      surface.bitmap(ARROWS[name], area.x + 5, area.y + Math.floor((area.height - 7) / 2), { x: theme.text });
    },
  });
}

export const EVENT_PAYLOAD = 'event';
const EVENT_HEIGHT = 23;

/** The name of an event in lists. */
export const eventName = ({ time, title }: CalendarEvent): string => `${time} ${title}`;

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
