import { expect, test } from 'vitest';
import { deadlineOf } from '../../../runtime/protocol/daemon/deadlines.ts';

test('the deletion of a run may take ten minutes, and a request without an entry has the deadline of its client', () => {
  expect(deadlineOf('run.delete', 60_000)).toBe(600_000);
  expect(deadlineOf('runs.list', 60_000)).toBe(60_000);
});
