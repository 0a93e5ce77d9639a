// How long `serve` serves.

import { expect, test } from 'vitest';
import { serve } from '../../runtime/cli/serve.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { commandsWith } from '../ring-commands.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState } from '../server/played-state.ts';

function serving(keepTraining: boolean, ...states: Parameters<typeof playedState>[1][]) {
  const runs = new OwnedRuns(...states.map(state => playedState(9, state)));
  const { around, stop } = commandsWith(runs);
  const [said, clock] = [[] as string[], new VirtualClock()];
  const { open, folder, pages } = around;
  let isOver = false;
  let ready: () => void = () => undefined;
  const started = new Promise<void>(resolve => {
    ready = resolve;
  });
  const say = (text: string): void => {
    said.push(text);
    ready();
  };
  const over = serve({
    ...{ open, folder, pages, keepTraining, clock, say },
    port: 0,
    stop: stop.signal,
  }).then(() => {
    isOver = true;
  });
  return { runs, said, stop, clock, started, over, isOver: () => isOver };
}

test('it says where, and goes half a minute after nobody needs it', async () => {
  const { runs, said, clock, started, over } = serving(false);
  await started;
  expect(said[0]).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32} in a browser\./);
  expect(said[0]).toContain('it goes 30 s after its last client has left');
  await clock.run(30_000);
  await over;
  expect(said.at(-1)).toContain('Nobody needs it any more');
  expect(runs.asked).toEqual(['close']);
});

test('asked to go on training it stays while something trains', async () => {
  const { runs, clock, started, over, isOver } = serving(true, { run: 'mine' });
  await started;
  await clock.run(3_600_000);
  expect(isOver()).toBe(false);
  runs.show(playedState(1200, { run: 'mine', status: 'ended' }));
  await clock.run(3_630_000);
  await over;
});

test('told to stop it stops at once', async () => {
  const { runs, stop, started, over } = serving(true, { run: 'mine' });
  await started;
  stop.abort();
  await over;
  expect(runs.asked).toEqual(['close']);
});
