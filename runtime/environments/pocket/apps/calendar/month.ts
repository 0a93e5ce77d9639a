// The views of the calendar: a month whose days can be selected and receive dropped events, and the events of one day.

import { bottom, box, inset, right } from '../../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../../font.ts';
import { button } from '../../toolkit/controls.ts';
import { type EventHandlers, extendWidget, type Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent } from '../../world.ts';
import { type CalendarDay, dateText, WEEKDAYS, weeksOf } from './dates.ts';

/** The key of the selected day, which is the only day that Tab reaches. */
export const DAYS = 'Days';
export const CELL_WIDTH = 25;
const HEAD_HEIGHT = 11;

/** Six weeks around a day; `turn` shows another month. */
export function month(
  visible: CalendarDay,
  turn: (months: number) => void,
  cellOf: (day: CalendarDay) => Widget,
): Widget {
  const weeks = weeksOf(visible);
  return {
    paintKey: 'month',
    on: { wheel: direction => turn(direction === 'up' || direction === 'left' ? -1 : 1) },
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
        widget: cellOf(day),
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

interface DayLook {
  readonly isChosen: boolean;
  readonly isToday: boolean;
  readonly inMonth: boolean;
  /** The number of its events. */
  readonly count: number;
}

export function dayCell(day: CalendarDay, look: DayLook, on: EventHandlers): Widget {
  const { isChosen, isToday, inMonth, count } = look;
  const date = dateText(day);
  const notes = [
    ...(isToday ? ['today'] : []),
    ...(count > 0 ? [`${count} event${count === 1 ? '' : 's'}`] : []),
  ];
  return {
    key: isChosen ? DAYS : undefined,
    paintKey: `day ${date} ${isChosen} ${isToday} ${inMonth} ${count}`,
    describe: { role: 'gridcell', name: date, value: notes.join(', '), states: isChosen ? ['selected'] : [] },
    on,
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

const ARROWS = {
  'Previous month': ['   x', '  xx', ' xxx', 'xxxx', ' xxx', '  xx', '   x'],
  'Next month': ['x   ', 'xx  ', 'xxx ', 'xxxx', 'xxx ', 'xx  ', 'x   '],
} as const;

/** A button with an arrow. */
export function arrow(name: keyof typeof ARROWS, press: () => void): Widget {
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

const EVENT_HEIGHT = 23;

/** The name of an event in lists. */
export const eventName = ({ time, title }: CalendarEvent): string => `${time} ${title}`;

/** The row of an event in two lines: its time and its title. */
export function eventRow(row: Widget, title: string, time: string, isChosen: boolean): Widget {
  return extendWidget(row, {
    paintKey: `${row.paintKey} ${time}`,
    measure: width => ({ width, height: EVENT_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, isChosen ? theme.selection : theme.field);
      const colour = isChosen ? theme.selectionText : theme.text;
      surface.fill(box(area.x + 2, area.y + 3, 2, EVENT_HEIGHT - 7), theme.warning);
      surface.text(time, area.x + 7, area.y + 3, isChosen ? colour : theme.faint);
      surface.text(fitText(title, area.width - 9), area.x + 7, area.y + 13, colour);
      surface.fill(box(area.x, bottom(area) - 1, area.width, 1), theme.shade);
      if (focused) surface.frame(area, theme.accent);
    },
  });
}
