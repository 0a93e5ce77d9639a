import { expect, test } from 'vitest';
import { actionError } from '../../runtime/core/action-error.ts';

const SIZE = { width: 320, height: 240 };

test('impossible actions have an error', () => {
  expect(actionError({ kind: 'click', at: { x: 320, y: 0 } }, SIZE)).toBe(
    'click at (320, 0) is off the screen of 320x240; use a point on it',
  );
  expect(actionError({ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 0, y: -1 } }, SIZE)).toContain(
    'drag at (0, -1)',
  );
  expect(actionError({ kind: 'type', text: 'a\u0007' }, SIZE)).toContain('U+0007');
  expect(actionError({ kind: 'type', text: 'ä\n\t€' }, SIZE)).toBeUndefined();
});
