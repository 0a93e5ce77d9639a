import { describe, expect, test } from 'vitest';
import type { State } from '../../../extension/daemon/lifecycle.ts';
import { type Known, NOTHING, withList, withState } from '../../../extension/runs/known.ts';
import { statusOf } from '../../../extension/status/status.ts';
import type { DaemonLife } from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';
import { DAEMON } from '../a-daemon.ts';
import { t } from '../translate.ts';

const daemon = DAEMON;
const connected: State = { kind: 'connected', daemon, since: 0, tries: 0 };
const life = (keepTraining: boolean): DaemonLife => ({
  ...{ doing: 'serving', clients: 1, trainings: [], keepTraining },
  says: 'One client is connected.',
});
const known = async (state: RunState): Promise<Known> =>
  withState(withList(NOTHING, await new ScriptedRuns(state).list()), state);

test('without a daemon that anybody needs there is nothing to say', () => {
  expect(statusOf({ kind: 'away' }, NOTHING, undefined, t)).toBeUndefined();
});

test('a training shows its success and its time', async () => {
  const status = statusOf(connected, await known(playedState(600)), life(false), t);
  expect(status?.text).toMatch(/^\$\(sync~spin\) \d+ % 10:00\/20:00$/);
  expect(status?.says.join('\n')).toMatch(/95 % interval/);
  expect(status?.says.at(-1)).toBe('When the last window is closed it ends with a checkpoint, after 30 s.');
});

test('before it is measured only the time is shown', async () => {
  const status = statusOf(connected, await known(playedState(5, { curve: [] })), life(false), t);
  expect(status?.text).toBe('$(sync~spin) 0:05/20:00');
});

test('that it goes on without a window is shown', async () => {
  const status = statusOf(connected, await known(playedState(600)), life(true), t);
  expect(status?.text).toMatch(/ \$\(pinned\)$/);
  expect(status?.says.at(-1)).toBe('It goes on training when the last window is closed.');
});

test('a run that is paused says so', async () => {
  const status = statusOf(connected, await known(playedState(600, { status: 'paused' })), life(false), t);
  expect(status?.text).toMatch(/^\$\(debug-pause\) \d+ % paused$/);
});

describe('what is wrong is said with its reason', () => {
  test.each([
    { kind: 'waiting', until: 1, start: true, tries: 1, why: 'It broke.' },
    { kind: 'failed', why: 'It broke.' },
  ] satisfies State[])('$kind', state => {
    const status = statusOf(state, NOTHING, undefined, t);
    expect(status).toMatchObject({ isWrong: true });
    expect(status?.says[0]).toBe('It broke.');
  });
});
