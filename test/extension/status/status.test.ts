import { describe, expect, test } from 'vitest';
import type { ClientState } from '../../../extension/daemon/lifecycle.ts';
import { NO_RUNS, type RunOverview, withState, withSummaries } from '../../../extension/runs/run-list.ts';
import { statusOf } from '../../../extension/status/status.ts';
import type { DaemonLife } from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';
import { DAEMON } from '../daemon-fixture.ts';

const connected: ClientState = { kind: 'connected', daemon: DAEMON, since: 0, attempts: 0, starts: 0 };
const life = (keepTraining: boolean): DaemonLife => ({
  ...{ doing: 'serving', clients: 1, trainings: [], keepTraining },
  says: 'One client is connected.',
});
const listOf = async (state: RunState): Promise<RunOverview> =>
  withState(withSummaries(NO_RUNS, await new ScriptedRuns(state).list()), state);

test('is hidden while nothing needs a daemon', () => {
  expect(statusOf({ kind: 'idle' }, NO_RUNS, undefined)).toBeUndefined();
});

test('shows the success rate and the time of a training', async () => {
  const status = statusOf(connected, await listOf(playedState(600)), life(false));
  expect(status?.text).toMatch(/^\$\(sync~spin\) \d+ % 10:00\/20:00$/);
  expect(status?.tooltip.join('\n')).toMatch(/95 % interval/);
  expect(status?.tooltip.at(-1)).toMatch(/stops .* 30 s/);
});

test('shows only the time before the first evaluation', async () => {
  const status = statusOf(connected, await listOf(playedState(5, { curve: [] })), life(false));
  expect(status?.text).toBe('$(sync~spin) 0:05/20:00');
});

test('shows a pin if training continues without a window', async () => {
  const status = statusOf(connected, await listOf(playedState(600)), life(true));
  expect(status?.text).toMatch(/ \$\(pinned\)$/);
  expect(status?.tooltip.at(-1)).toMatch(/continues/);
});

test('shows that a run is paused', async () => {
  const status = statusOf(connected, await listOf(playedState(600, { status: 'paused' })), life(false));
  expect(status?.text).toMatch(/^\$\(debug-pause\) \d+ % paused$/);
});

describe('shows the reason of a problem first', () => {
  test.each([
    { kind: 'backoff', until: 1, start: true, attempts: 1, starts: 0, reason: 'It broke.' },
    { kind: 'failed', reason: 'It broke.' },
  ] satisfies ClientState[])('$kind', state => {
    const status = statusOf(state, NO_RUNS, undefined);
    expect(status).toMatchObject({ isWarning: true });
    expect(status?.tooltip[0]).toBe('It broke.');
  });
});
