import { expect, test } from 'vitest';
import { firstDifference } from '../../../runtime/bench/endpoint/parity.ts';
import type { Action } from '../../../runtime/core/action.ts';

const wait: Action = { kind: 'wait' };
const type = (text: string): Action => ({ kind: 'type', text });

test('equal episodes do not differ', () => {
  expect(firstDifference([wait, type('a')], [wait, type('a')])).toBeUndefined();
});

test('the first difference has its step and both actions', () => {
  expect(firstDifference([wait, type('a'), wait], [wait, type('b'), type('c')])).toEqual({
    ...{ step: 2, direct: type('a'), endpoint: type('b') },
  });
});

test('an episode that is longer differs in its next action', () => {
  expect(firstDifference([wait], [wait, type('b')])).toEqual({ step: 2, endpoint: type('b') });
  expect(firstDifference([wait, wait], [wait])).toEqual({ step: 2, direct: wait });
});
