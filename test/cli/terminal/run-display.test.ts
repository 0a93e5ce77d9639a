// A run as a terminal meets it, and as a file does that takes its place.

import { expect, onTestFinished, test } from 'vitest';
import { RunDisplay } from '../../../runtime/cli/terminal/run-display.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';
import { playedState, STARTED } from '../../server/played-state.ts';
import { file, Screen } from './screen.ts';

const ADDRESS = 'http://127.0.0.1:43215/#0123456789abcdef0123456789abcdef';

function watching(screen = new Screen()) {
  const clock = new VirtualClock(STARTED + 700_000);
  const environment = { NO_COLOR: '1' };
  const watch = new RunDisplay({ output: screen, environment, clock, address: ADDRESS });
  onTestFinished(() => watch.end());
  return { screen, clock, watch };
}

test('the address is shown before the first state', () => {
  const { screen } = watching();
  expect(screen.text).toContain(ADDRESS);
  expect(screen.text).toContain('starting   starting its processes');
});

test('a narrow display prints the address above itself, also after a resize', () => {
  const screen = new Screen();
  screen.columns = 50;
  const { watch } = watching(screen);
  expect(screen.written[1]).toContain(`${ADDRESS}\n`);
  screen.resize(48);
  watch.show(playedState(700));
  expect(screen.written.at(-1)).toContain(`\x1b[2J\x1b[H${ADDRESS}\n`);
});

test('waiting times grow without a new state', async () => {
  const { screen, clock, watch } = watching();
  const waiting = [{ module: 'trainer', reason: 'a batch', since: STARTED + 698_000 }];
  watch.show(playedState(700, { waiting }));
  expect(screen.text).not.toContain('waiting');
  await clock.run(STARTED + 704_000);
  expect(screen.written.at(-1)).toContain('waiting       0:06 trainer, for a batch');
});

test('a notice stays above the display', () => {
  const { screen, watch } = watching();
  watch.show(playedState(700));
  screen.written = [];
  watch.notice('The index was rebuilt.');
  expect(screen.written[0]).toContain('A\r\x1b[0J  The index was rebuilt.\n');
  expect(screen.written[1]).toContain('8:20 left');
  expect(screen.written[1]).not.toContain('A\r');
});

test('a requested stop is shown at once, even before the first state', () => {
  const { screen, watch } = watching();
  watch.stopping();
  expect(screen.written.at(-1)).toContain('stopping   after its processes have started');
  watch.show(playedState(700));
  expect(screen.written.at(-1)).toContain('stopping      writing a checkpoint');
});

test('after the end nothing is drawn, and the cursor is visible', async () => {
  const { screen, clock, watch } = watching();
  watch.show(playedState(700));
  watch.end();
  watch.end();
  expect(screen.written.at(-1)).toBe('\x1b[?25h');
  const { length } = screen.written;
  watch.show(playedState(701));
  await clock.run(STARTED + 800_000);
  expect(screen.written).toHaveLength(length);
  expect(screen.listeners).toBe(0);
});

test('without a terminal it prints lines without escape sequences', () => {
  const { screen, watch } = watching(file());
  for (let second = 0; second < 40; second++) watch.show(playedState(second));
  watch.notice('The index was rebuilt.');
  watch.end();
  expect(screen.text.split('\n').map(line => line.slice(0, 24))).toEqual([
    "Open the 'url' of '.dart",
    'Run 2026-11-20-120000-da',
    '0:00 of 20:00  running ·',
    '0:30 of 20:00  running ·',
    'The index was rebuilt.',
    '',
  ]);
  expect(screen.text).not.toContain('\x1b');
});

const TOWER: HostState = {
  ...{ name: 'tower', status: 'playing', isLocal: false, desktops: 8, playing: 8, workers: 1 },
  ...{ steps: 0, stepsPerS: 0, version: '1', sinceMs: STARTED, seenMs: STARTED },
};

test.each([
  ['a file', file],
  ['a terminal', () => new Screen()],
])('in %s each host that joins or leaves has a line', (_name, output) => {
  const { screen, watch } = watching(output());
  for (const hosts of [[], [TOWER], [TOWER], []]) watch.show(playedState(700, { hosts }));
  expect(screen.text.match(/host tower[\w ,]*desktops/g)).toEqual([
    'host tower joined, with 8 desktops',
    'host tower left, with 8 desktops',
  ]);
});
