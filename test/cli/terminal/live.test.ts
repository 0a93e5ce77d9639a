// A display as its terminal meets it, and who has one.

import { expect, test } from 'vitest';
import { plain, strong } from '../../../runtime/cli/terminal/line.ts';
import { LiveDisplay } from '../../../runtime/cli/terminal/live.ts';
import { hasColour, hasDisplay, joinHint, widthOfOutput } from '../../../runtime/cli/terminal/output.ts';
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
  live.end();
});

test('a resize redraws everything, and the end shows the cursor', () => {
  const screen = new Screen();
  const live = new LiveDisplay(screen, false);
  live.show([[plain('one')]]);
  screen.resize(60);
  live.show([[plain('one')]]);
  expect(screen.written.at(-1)).toContain('\x1b[2J\x1b[H\x1b[?7lone');
  live.end();
  expect(screen.written.at(-1)).toBe('\x1b[?25h');
  expect(screen.listeners).toBe(0);
});

test('a resize keeps the last lines above the frame, as many as the terminal has rows', () => {
  const screen = new Screen();
  screen.rows = 2;
  const live = new LiveDisplay(screen, false);
  live.above([[plain('a')], [plain('b')]]);
  live.show([[plain('one')]]);
  screen.resize(60);
  live.above([[plain('c')]]);
  live.show([[plain('one')]]);
  expect(screen.written.at(-1)).toContain('\x1b[2J\x1b[Hb\nc\n\x1b[?7lone');
  live.end();
});

test('a line of a frame never wraps', () => {
  const screen = new Screen();
  const live = new LiveDisplay(screen, false);
  live.show([[plain('文件')]]);
  expect(screen.written.at(-1)).toBe('\x1b[?2026h\x1b[?7l文件\x1b[0K\n\x1b[0J\x1b[?7h\x1b[?2026l');
  live.end();
});

test('the exit of the process shows the cursor, once', () => {
  const screen = new Screen();
  const before = process.listeners('exit');
  const live = new LiveDisplay(screen, false);
  const added = process.listeners('exit').filter(each => !before.includes(each));
  expect(added).toHaveLength(1);
  for (const exit of added) exit.call(process, 130);
  live.end();
  expect(screen.text).toBe('\x1b[?25l\x1b[?25h');
  expect(process.listeners('exit')).toEqual(before);
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

test('a terminal without a size has the width of a file', () => {
  const screen = new Screen();
  screen.columns = 0;
  expect(widthOfOutput(screen)).toBe(97);
});

test('every shell reads the command by which other machines join, and only a terminal shows it', () => {
  const address = 'https://10.0.0.1:7070/#token';
  const hint = (program: string) => joinHint(new Screen(), program, address);
  expect(hint('dartboard')).toBe(`Other machines join with: dartboard join "${address}"`);
  for (const program of ['npx dartboard', 'node dist/main.js'])
    expect(hint(program)).toBe(`Other machines join with: npx dartboard join "${address}"`);
  expect(joinHint(file(), 'dartboard', address)).not.toContain(address);
});
