// A display as its terminal meets it, and who has one.

import { expect, test } from 'vitest';
import { plain, strong } from '../../../runtime/cli/terminal/line.ts';
import { LiveDisplay } from '../../../runtime/cli/terminal/live.ts';
import { hasColour, hasDisplay } from '../../../runtime/cli/terminal/output.ts';
import { file, Screen } from './screen.ts';

test('a frame overwrites the one before; an equal frame is not written', () => {
  const screen = new Screen();
  const live = new LiveDisplay(screen, false);
  live.show([[plain('one')], [plain('two')]]);
  screen.written = [];
  live.show([[plain('one')], [strong('two')]]);
  expect(screen.text).toBe('');
  live.show([[plain('three')]]);
  expect(screen.text).toContain('\x1b[2A\rthree\x1b[0K\n\x1b[0J');
});

test('a resize redraws everything, and the end shows the cursor', () => {
  const screen = new Screen();
  const live = new LiveDisplay(screen, false);
  live.show([[plain('one')]]);
  screen.resize(60);
  live.show([[plain('one')]]);
  expect(screen.written.at(-1)).toContain('\x1b[2J\x1b[Hone');
  live.end();
  expect(screen.written.at(-1)).toBe('\x1b[?25h');
  expect(screen.listeners).toBe(0);
});

test('colour needs a terminal, and no NO_COLOR', () => {
  const [screen, pipe] = [new Screen(), file()];
  expect(hasColour(screen, {})).toBe(true);
  expect(hasColour(screen, { NO_COLOR: '' })).toBe(true);
  expect(hasColour(screen, { NO_COLOR: '1' })).toBe(false);
  expect(hasDisplay(screen, { NO_COLOR: '1' })).toBe(true);
  expect(hasDisplay(screen, { TERM: 'dumb' })).toBe(false);
  expect(hasColour(pipe, {})).toBe(false);
});
