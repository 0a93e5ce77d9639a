// The sessions of the Tinker protocol: which ones are dropped where there are too many.

import { expect, test } from 'vitest';
import { Sessions } from '../../../runtime/model-server/tinker/sessions.ts';

const MAX_SESSIONS = 1024;

/** As many as are kept. */
function full(): Sessions {
  const sessions = new Sessions(() => 0);
  for (let number = 1; number <= MAX_SESSIONS; number++) sessions.begin(`s${number}`);
  return sessions;
}

test('beyond the limit, the session that was unheard longest is dropped', () => {
  const sessions = full();
  sessions.hear('s1');
  sessions.begin('new');
  expect(['s1', 's2', 's3', 'new'].map(id => sessions.isOpen(id))).toEqual([true, false, true, true]);
});

test('finished sessions are dropped before open ones', () => {
  const sessions = full();
  sessions.finish('s9');
  sessions.begin('new');
  expect(['s1', 's9', 'new'].map(id => sessions.isOpen(id))).toEqual([true, false, true]);
  expect(() => sessions.hear('s9')).toThrow(/is unknown/);
  sessions.begin('newer');
  expect(['s1', 's2'].map(id => sessions.isOpen(id))).toEqual([false, true]);
});
