// Successes of earlier runs on the pocket desktop: a replay gives the same lessons.

import { expect, test } from 'vitest';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { desktopId, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Mode } from '../../../runtime/core/policy.ts';
import type { StoredSuccess } from '../../../runtime/core/stored-success.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { keptOf } from '../../../runtime/data/files/lines.ts';
import { rolloutOf } from '../../../runtime/data/rollouts.ts';
import { restoredChoice } from '../../../runtime/discovery/lesson-steps.ts';
import { SuccessReplay } from '../../../runtime/discovery/replay/success-replay.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { discovery } from '../discovery-fixture.ts';

const MODE: Mode = 'screenshot_a11y_tree';

const recalling = (mode: Mode = MODE) => {
  const fabric = embeddedFabric();
  const desktop = new PocketDesktop(desktopId('recalling'));
  return {
    fabric,
    recalling: new SuccessReplay({ suite: POCKET, desktop, mode, fabric, clock: systemClock }),
  };
};

/** The scripted solution, and how its file would have it. */
async function shown(task: string, index = 0): Promise<{ fresh: Trajectory; stored: Trajectory }> {
  const { one } = discovery({ mode: MODE });
  const fresh = await one.demonstrate(taskId(task), POCKET.seed('train', index));
  if (fresh === undefined) throw new Error(`${task} cannot be shown`);
  return { fresh, stored: keptOf(fresh) };
}

const recollection = (trajectory: Trajectory, changes: Partial<StoredSuccess> = {}): StoredSuccess => ({
  ...{ trajectory, isMember: true, since: 1, instruction: trajectory.instruction },
  ...changes,
});

test.each(['settings-theme', 'notes-save-as', 'files-move'])(
  '%s teaches step by step what it taught when it was shown',
  async task => {
    const { fresh, stored } = await shown(task);
    expect(stored.steps.every(({ observation }) => observation === undefined)).toBe(true);
    const again = await recalling().recalling.replay(recollection(stored));
    expect(again?.steps).toEqual(rolloutOf(fresh, restoredChoice)?.steps);
    expect(again).toMatchObject({ id: stored.id, isMember: true, since: 1, canReplaceFailure: true });
  },
);

test('in another mode it is seen in that mode', async () => {
  const { stored } = await shown('settings-theme');
  const again = await recalling('a11y_tree').recalling.replay(recollection(stored));
  expect(again?.steps).toHaveLength(stored.steps.length);
});

test('a part of it teaches that part, and under another instruction it stands in for nothing', async () => {
  const { stored } = await shown('notes-save-as');
  const { recalling: one } = recalling();
  const all = await one.replay(recollection(stored));
  const part = await one.replay(recollection(stored, { part: { from: 1, to: 3 } }));
  expect(part?.steps).toEqual(all?.steps.slice(1, 3));
  expect([all?.isPart, part?.isPart]).toEqual([false, true]);
  const renamed = await one.replay(recollection(stored, { instruction: `${stored.instruction} Now.` }));
  expect(renamed?.canReplaceFailure).toBe(false);
  expect(renamed?.steps).toHaveLength(stored.steps.length);
  expect(renamed?.steps[0]?.observation).not.toEqual(all?.steps[0]?.observation);
});

test('a whole demonstration by a person is handed over, and no other success', async () => {
  const { stored } = await shown('settings-theme');
  const demonstrated: Trajectory[] = [];
  const one = new SuccessReplay({
    ...{ suite: POCKET, desktop: new PocketDesktop(desktopId('recalling')), mode: MODE, clock: systemClock },
    ...{ fabric: embeddedFabric(), demonstrated: each => void demonstrated.push(each) },
  });
  const byPerson: Trajectory = { ...stored, provenance: { kind: 'human', who: 'ada' } };
  for (const each of [
    recollection(stored),
    recollection(byPerson, { part: { from: 0, to: 1 } }),
    recollection(byPerson, { instruction: 'Something else.' }),
    recollection(byPerson, { isMember: false }),
    recollection({ ...byPerson, steps: byPerson.steps.slice(-1) }),
  ])
    await one.replay(each);
  expect(demonstrated).toEqual([]);
  await one.replay(recollection(byPerson));
  expect(demonstrated).toEqual([byPerson]);
});

test('a success whose replay gives another result becomes no lesson, and is reported', async () => {
  const { stored } = await shown('settings-theme');
  const { fabric, recalling: one } = recalling();
  const spoilt = { ...stored, steps: stored.steps.slice(-1) };
  const gone = { ...stored, instance: { ...stored.instance, task: taskId('not-there-any-more') } };
  for (const each of [spoilt, gone]) expect(await one.replay(recollection(each))).toBeUndefined();
  const stop = new AbortController();
  const health = (async () => {
    for await (const { event } of fabric.events.listen({ signal: stop.signal }))
      if (event.kind === 'health') return event;
    return undefined;
  })();
  const running = one.run(stop.signal);
  await fabric.recollections.put(recollection({ ...spoilt, id: trajectoryId('spoilt') }));
  await fabric.recollections.put(recollection(stored));
  const recalled = await fabric.recalled.taker().take();
  expect(recalled.item.id).toBe(stored.id);
  expect(await health).toMatchObject({ healthy: false, message: expect.stringContaining('spoilt') });
  stop.abort();
  await running;
  expect(await fabric.recollections.depth()).toEqual({ waiting: 0, taken: 0 });
});

test('a success that cannot be played is reported once, and the next ones are replayed', async () => {
  const { stored } = await shown('settings-theme');
  const fabric = embeddedFabric();
  const desktop = new PocketDesktop(desktopId('recalling'));
  let resets = 0;
  const failing: Desktop = {
    ...{ id: desktop.id, act: action => desktop.act(action), query: getter => desktop.query(getter) },
    ...{ setup: step => desktop.setup(step), judge: ending => desktop.judge(ending) },
    reset: async (task, seed) => {
      resets += 1;
      if (resets === 1) throw new Error('There is no application of this name.');
      return desktop.reset(task, seed);
    },
    close: () => desktop.close(),
  };
  const one = new SuccessReplay({ suite: POCKET, desktop: failing, mode: MODE, fabric, clock: systemClock });
  const stop = new AbortController();
  const events = fabric.events.listen({ signal: stop.signal })[Symbol.asyncIterator]();
  const heard = events.next();
  const running = one.run(stop.signal);
  await fabric.recollections.put(recollection({ ...stored, id: trajectoryId('edited') }));
  await fabric.recollections.put(recollection(stored));
  expect((await fabric.recalled.taker().take()).item.id).toBe(stored.id);
  expect((await heard).value?.event).toMatchObject({
    message: expect.stringMatching(/^Trajectory edited .*There is no application of this name\./),
  });
  stop.abort();
  await running;
  expect(await fabric.recollections.depth()).toEqual({ waiting: 0, taken: 0 });
});

test('a stored success that cannot be used is reported with its reason', async () => {
  const { fresh } = await shown('settings-theme');
  const stored: Trajectory = {
    ...{ ...fresh, provenance: { kind: 'human', who: 'ada' }, frames: { kind: 'png', images: [] } },
  };
  const { instruction } = stored;
  const action = { kind: 'type', text: 'Ω' } as const;
  const inexpressible = stored.steps.slice(0, 1).map(({ chosen: _, ...step }) => ({ ...step, action }));
  for (const [mode, success, reason] of [
    [
      'a11y_tree',
      recollection(stored),
      `was recorded in the mode '${MODE}', and this run observes in 'a11y_tree'`,
    ],
    [MODE, recollection(stored, { instruction: `${instruction} Now.` }), 'has a corrected instruction'],
    [MODE, recollection({ ...stored, agent: 'toy' }), "The agent 'toy' played"],
    [MODE, recollection({ ...stored, steps: [] }), 'has no steps to learn from'],
    ...[
      { ...fresh, steps: [{ action, meant: [] }] },
      { ...stored, steps: inexpressible },
    ].map(
      each => [MODE, recollection(each), 'has an action that the built-in policy cannot express'] as const,
    ),
  ] as const) {
    const { fabric, recalling: one } = recalling(mode);
    const stop = new AbortController();
    const events = fabric.events.listen({ signal: stop.signal })[Symbol.asyncIterator]();
    const heard = events.next();
    const running = one.run(stop.signal);
    await fabric.recollections.put(success);
    const { value } = await heard;
    expect(value?.event).toMatchObject({ healthy: false, message: expect.stringContaining(reason) });
    expect(value?.event).toMatchObject({ message: expect.stringMatching(/ It is not used for training\.$/) });
    stop.abort();
    await running;
  }
});
