// Evaluation on desktops that may break: a broken episode is retried and never counts as a failure.

import { expect, test } from 'vitest';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { type DesktopId, version } from '../../runtime/core/ids.ts';
import { centre } from '../../runtime/core/screen.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { evaluatePolicy } from '../../runtime/inference/evaluation.ts';
import type { PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { BUTTON_SUITE, BUTTONS, buttonDesktops } from '../run/host/button-kind.ts';

const LEFT = centre((BUTTONS[0] ?? { box: { x: 0, y: 0, width: 0, height: 0 } }).box);

/** Presses the left button until it has no more steps. */
const worker: PolicyWorker = {
  decide: async requests =>
    requests.map(() => ({
      action: { kind: 'click', at: LEFT },
      ...{ meant: [], decisions: [], version: version(0) },
    })),
  load: async () => undefined,
  pin: async () => undefined,
  unpin: async () => undefined,
  close: async () => undefined,
};

test.each([0, 0.1])(
  'every instance is evaluated when a share of %f of the calls breaks a desktop',
  async breaks => {
    const { desktops, log } = buttonDesktops({ clock: systemClock, breaks });
    const session = { ...desktops, size: 3, describe: async () => ({}), health: () => undefined };
    const weights = { version: version(0), blob: new Uint8Array() };
    const tasks = BUTTON_SUITE.tasks('test');
    const common = { desktops: session, worker, weights, tasks, clock: systemClock };
    const scores = await evaluatePolicy({ ...common, split: 'test', instances: 8, mode: 'a11y_tree' });
    expect(scores.map(({ task }) => task).sort()).toEqual(['left', 'right']);
    for (const { task, successes, trials, broken } of scores) {
      expect(trials + broken).toBe(8);
      expect(successes).toBe(task === 'left' ? trials : 0);
      if (breaks === 0) expect(broken).toBe(0);
    }
    const count = (word: string) => log.filter(line => line.startsWith(word)).length;
    expect(count('closed')).toBeGreaterThanOrEqual(3);
    if (breaks > 0) expect(count('made')).toBeGreaterThan(3);
  },
  30_000,
);

test('an episode whose desktop breaks every time is played three times in all', async () => {
  const clock = new VirtualClock();
  const { desktops } = buttonDesktops({ clock });
  let resets = 0;
  const make = async (id: DesktopId): Promise<Desktop> => ({
    ...(await desktops.make(id)),
    reset: async () => {
      resets += 1;
      throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
    },
  });
  const evaluating = evaluatePolicy({
    desktops: { ...desktops, size: 1, make, describe: async () => ({}), health: () => undefined },
    ...{ worker, weights: { version: version(0), blob: new Uint8Array() }, clock },
    ...{ tasks: BUTTON_SUITE.tasks('test').slice(0, 1), split: 'test', instances: 1, mode: 'a11y_tree' },
  });
  await clock.run(60_000);
  expect(await evaluating).toEqual([{ task: 'left', successes: 0, trials: 0, broken: 1 }]);
  expect(resets).toBe(3);
});

test('an evaluation without any desktop ends with the reason', async () => {
  const clock = new VirtualClock();
  const { desktops } = buttonDesktops({ clock });
  const evaluating = evaluatePolicy({
    desktops: {
      ...{ ...desktops, size: 2, describe: async () => ({}), health: () => undefined },
      make: async () => {
        throw new Error('The browser does not start.');
      },
    },
    ...{ worker, weights: { version: version(0), blob: new Uint8Array() }, clock },
    ...{ tasks: BUTTON_SUITE.tasks('test'), split: 'test', instances: 1, mode: 'a11y_tree' },
  });
  const ended = expect(evaluating).rejects.toThrow(
    /^No desktop has started within 3 minutes\. .*The browser does not start\./,
  );
  await clock.run(10 * 60_000);
  await ended;
});
