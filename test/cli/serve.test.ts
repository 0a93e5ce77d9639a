import { expect, test, vi } from 'vitest';
import { serve } from '../../runtime/cli/serve.ts';
import { PATIENCE } from '../patience.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState } from '../server/played-state.ts';
import { commandsWith } from './command-context.ts';

function serving(keepTraining: boolean, ...states: Parameters<typeof playedState>[1][]) {
  const runs = new OwnedRuns(...states.map(state => playedState(9, state)));
  const { context, output, stop } = commandsWith(runs);
  let isOver = false;
  const over = serve(context, { port: 0, keepTraining }).then(() => {
    isOver = true;
  });
  const started = vi.waitFor(() => expect(output.text).toContain('in a browser'), PATIENCE);
  return { runs, output, stop, clock: context.clock, started, over, isOver: () => isOver };
}

test('the daemon prints where its address is, without the token, and exits 30 s after its last client', async () => {
  const { runs, output, clock, started, over } = serving(false);
  await started;
  // Not on a terminal: the token must not get into logs.
  expect(output.text).toContain("Open the 'url' of '.dartboard/daemon.json' in a browser.");
  expect(output.text).not.toContain('http');
  await clock.run(30_000);
  await over;
  expect(output.text).toContain('No client has been connected for 30 s');
  expect(runs.asked).toEqual(['close']);
});

test('with --keep-training the daemon stays while a run trains', async () => {
  const { runs, clock, started, over, isOver } = serving(true, { run: 'mine' });
  await started;
  await clock.run(3_600_000);
  expect(isOver()).toBe(false);
  runs.show(playedState(1200, { run: 'mine', status: 'ended' }));
  await clock.run(3_630_000);
  await over;
});

test('a stop signal ends the daemon at once', async () => {
  const { runs, stop, started, over } = serving(true, { run: 'mine' });
  await started;
  stop.abort();
  await over;
  expect(runs.asked).toEqual(['close']);
});
