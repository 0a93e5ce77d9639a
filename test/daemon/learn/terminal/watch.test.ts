// The display as its terminal meets it, and the lines that are written where there is none.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../runtime/daemon/clock.ts';
import { Watch } from '../../../../runtime/daemon/learn/terminal/watch.ts';
import { plain, strong } from '../../../../runtime/daemon/terminal/line.ts';
import { Live } from '../../../../runtime/daemon/terminal/live.ts';
import { hasColour, hasDisplay } from '../../../../runtime/daemon/terminal/output.ts';
import { Screen } from '../../terminal/screen.ts';
import { point, VIEW } from '../views.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a frame goes over the one before it, and an equal one is not written', () => {
  const screen = new Screen();
  const live = new Live(screen, false);
  live.show([[plain('one')], [plain('two')]]);
  screen.written = [];
  live.show([[plain('one')], [strong('two')]]);
  expect(screen.text).toBe('');
  live.show([[plain('three')]]);
  expect(screen.text).toContain('\x1b[2A\rthree\x1b[0K\n\x1b[0J');
});

test('after the terminal was resized all is drawn anew, and in the end the cursor is back', () => {
  const screen = new Screen();
  const live = new Live(screen, false);
  live.show([[plain('one')]]);
  screen.resize(60);
  live.show([[plain('one')]]);
  expect(screen.written.at(-1)).toContain('\x1b[2J\x1b[Hone');
  live.end();
  expect(screen.written.at(-1)).toBe('\x1b[?25h');
  expect(screen.listeners).toBe(0);
});

test('on a terminal time goes on by itself, and ends when it is told to', () => {
  const screen = new Screen();
  const watch = new Watch(screen, {}, systemClock, { ...VIEW, seconds: 0 });
  watch.runs();
  vi.advanceTimersByTime(61_000);
  expect(screen.text).toContain('3:59 left');
  watch.stands(61);
  watch.end();
  const { length } = screen.written;
  vi.advanceTimersByTime(10_000);
  expect(screen.written).toHaveLength(length);
  expect(screen.written.at(-2)).toContain('Done');
});

test('elsewhere there is a line every fifteen seconds, without an escape', () => {
  const screen = new Screen();
  screen.isTTY = false;
  const watch = new Watch(screen, {}, systemClock, { ...VIEW, curve: [] });
  watch.doing('playing');
  for (let second = 1; second <= 31; second++) {
    if (second === 16) watch.measured(point(16, 41));
    watch.counted(VIEW.counts, second);
  }
  watch.end();
  expect(screen.text).toBe(
    [
      'Dartboard learns to use a desktop: tier 1, 23 tasks, seed dartboard',
      '0:15 of 5:00  playing · 1,397 episodes · 1,386 updates · 745 deeds found · groups: 111 trained, 66 filtered',
      '0:30 of 5:00  playing · solved 41 of 92 · 45 % (26–65 %) · 1,397 episodes · 1,386 updates · 745 deeds found · groups: 111 trained, 66 filtered',
      '',
    ].join('\n'),
  );
});

test('colour needs a terminal that can show it, and nobody who asked for none', () => {
  const [screen, pipe] = [new Screen(), new Screen()];
  pipe.isTTY = false;
  expect(hasColour(screen, {})).toBe(true);
  expect(hasColour(screen, { NO_COLOR: '' })).toBe(true);
  expect(hasColour(screen, { NO_COLOR: '1' })).toBe(false);
  expect(hasDisplay(screen, { NO_COLOR: '1' })).toBe(true);
  expect(hasDisplay(screen, { TERM: 'dumb' })).toBe(false);
  expect(hasColour(pipe, {})).toBe(false);
});
