// The victims among the processes of a run.

import { expect, test } from 'vitest';
import { victimsAmong } from '../../../../runtime/bench/survive/kills/processes.ts';

const command = (...words: string[]) => `${words.join('\0')}\0`;
const ALL = [
  { pid: 1, command: command('/usr/bin/node', '--single-threaded-gc', '/dist/host.js') },
  { pid: 2, command: command('/usr/bin/node', '/dist/worker.js') },
  { pid: 3, command: command('/usr/bin/node', '/dist/worker.js') },
  { pid: 4, command: command('/usr/bin/node', '/dist/trainer.js') },
  { pid: 5, command: command('/usr/bin/chromium', '--headless', '--remote-debugging-pipe') },
  { pid: 6, command: command('/usr/bin/chromium', '--type=renderer', '--remote-debugging-pipe') },
];

test.each([
  ['host', [1]],
  ['worker', [2, 3]],
  ['trainer', [4]],
  ['browser', [5]],
  ['index', []],
] as const)('the processes of the victim %s are %o', (victim, pids) => {
  expect(victimsAmong(ALL, victim).map(({ pid }) => pid)).toEqual(pids);
});
