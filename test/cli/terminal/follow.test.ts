// A run is followed until it is over, and stopped when that is said.

import { expect, test } from 'vitest';
import { follow } from '../../../runtime/cli/terminal/follow.ts';
import { type RunId, runId } from '../../../runtime/core/ids.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const RUN = runId('run-1');

function following(runs: ScriptedRuns, begin: () => Promise<RunId> = async () => RUN) {
  const shown: RunState[] = [];
  const stop = new AbortController();
  const last = follow({ runs, begin, show: state => shown.push(state), stop: stop.signal });
  const told = () => shown.map(({ run, status }) => `${run} ${status}`);
  return { last, stop, told };
}

const others = () => new Promise<void>(resolve => setImmediate(resolve));

test('it resolves with the last state, when the run has ended by itself', async () => {
  const runs = new ScriptedRuns(playedState(0, { run: RUN }));
  const { last, told } = following(runs);
  await others();
  runs.show(playedState(9, { run: 'another', status: 'ended' }));
  runs.show(playedState(1200, { run: RUN, status: 'ended' }));
  expect(await last).toMatchObject({ run: RUN, status: 'ended', seconds: 1200 });
  expect(told()).toEqual(['run-1 running', 'run-1 ended', 'run-1 ended']);
  expect(runs.asked).toEqual([]);
  expect(runs.listeners).toBe(0);
});

test('a run that starts is shown before its name is known', async () => {
  const runs = new ScriptedRuns();
  let up: (run: RunId) => void = () => undefined;
  const { last, told } = following(runs, () => new Promise(resolve => (up = resolve)));
  runs.show(playedState(0, { run: RUN, status: 'starting' }));
  expect(told()).toEqual(['run-1 starting']);
  runs.show(playedState(0, { run: RUN, status: 'ended' }));
  up(RUN);
  expect((await last).status).toBe('ended');
});

test('told to stop, it stops the run and waits for its end', async () => {
  const runs = new ScriptedRuns(playedState(5, { run: RUN }));
  const { last, stop } = following(runs);
  await others();
  stop.abort();
  expect((await last).status).toBe('ended');
  expect(runs.asked).toEqual(['stop run-1']);
});

test('told to stop before the run is up, it stops it then', async () => {
  const runs = new ScriptedRuns(playedState(5, { run: RUN }));
  const { last, stop } = following(runs);
  stop.abort();
  expect((await last).status).toBe('ended');
  expect(runs.asked).toEqual(['stop run-1']);
});

test('a run that ends by itself while it is stopped is no failure; one that cannot be stopped is', async () => {
  class Ending extends ScriptedRuns {
    override async stop(run: RunId): Promise<void> {
      this.show(playedState(5, { run, status: 'ended' }));
      throw new Error('It is not training.');
    }
  }
  class Stubborn extends ScriptedRuns {
    override async stop(): Promise<void> {
      throw new Error('The disk is full.');
    }
  }
  const [ending, stubborn] = [Ending, Stubborn].map(kind => {
    const followed = following(new kind(playedState(5, { run: RUN })));
    followed.stop.abort();
    return followed.last;
  });
  await expect(stubborn).rejects.toThrow('The disk is full.');
  expect((await ending)?.status).toBe('ended');
});

test('what does not begin is a failure, and nothing is watched any more', async () => {
  const runs = new ScriptedRuns();
  const { last } = following(runs, async () => {
    throw new Error('The trainer does not start.');
  });
  await expect(last).rejects.toThrow('The trainer does not start.');
  expect(runs.listeners).toBe(0);
});
