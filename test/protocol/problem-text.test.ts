// A problem as one line.

import { expect, test } from 'vitest';
import { problemText } from '../../runtime/protocol/problem-text.ts';

test.each([
  ['the trainer', 'The trainer (process 42) ended.', 'The trainer (process 42) ended.'],
  ['desktop d0', 'It hung. It is replaced.', 'desktop d0: It hung. It is replaced.'],
  // Another desktop.
  ['desktop d0', 'desktop d01 hung.', 'desktop d0: desktop d01 hung.'],
  ['the state', 'the state', 'the state'],
])('%s, %s', (thing, message, text) => {
  expect(problemText(thing, message)).toBe(text);
});
