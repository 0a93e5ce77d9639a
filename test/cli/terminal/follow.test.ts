import { expect, test } from 'vitest';
import { followRun } from '../../../runtime/cli/terminal/follow.ts';
import { type RunId, runId } from '../../../runtime/core/ids.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const RUN = runId('run-1');

function following(runs: ScriptedRuns, begin: () => Promise<RunId> = async () => RUN) {
  const shown: RunState[] = [];
  const stop = new AbortController();
  const last = followRun({ runs, start: begin, show: state => shown.push(state), stop: stop.signal });
  const told = () => shown.map(({ run, status }) => `${run} ${status}`);
  return { last, stop, told };
}

const others = () => new Promise<void>(resolve => setImmediate(resolve));

test('following a run that ends by itself resolves with its last state', async () => {
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

test('a stop signal stops the run; the result comes after its end', async () => {
  const runs = new ScriptedRuns(playedState(5, { run: RUN }));
  const { last, stop } = following(runs);
  await others();
  stop.abort();
  expect((await last).status).toBe('ended');
  expect(runs.asked).toEqual(['stop run-1']);
});

test('a stop signal before the start stops the run after its start', async () => {
  const runs = new ScriptedRuns(playedState(5, { run: RUN }));
  const { last, stop } = following(runs);
  stop.abort();
  expect((await last).status).toBe('ended');
  expect(runs.asked).toEqual(['stop run-1']);
});

test('a run may end while it is being stopped; a failing stop rejects', async () => {
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

test('a failing start rejects and ends the subscription', async () => {
  const runs = new ScriptedRuns();
  const { last } = following(runs, async () => {
    throw new Error('The trainer does not start.');
  });
  await expect(last).rejects.toThrow('The trainer does not start.');
  expect(runs.listeners).toBe(0);
});
