// A host with a kind of desktops that it has never heard of: solutions are shown on them, orders are played, and what breaks is never
// scored.

import { decode } from 'fast-png';
import { expect, onTestFinished, test, vi } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import type { Event } from '../../../runtime/core/event.ts';
import { desktopId, groupId, orderId, runId, seed, taskId, version } from '../../../runtime/core/ids.ts';
import type { Lesson } from '../../../runtime/core/lesson.ts';
import type { Order } from '../../../runtime/core/order.ts';
import type { Choice } from '../../../runtime/core/policy.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { centre } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { isSuccess, rewardOf } from '../../../runtime/core/verdict.ts';
import type { View } from '../../../runtime/core/view.ts';
import { decodeTrajectory, encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { rolloutOf } from '../../../runtime/data/rollouts.ts';
import { restoredChoice } from '../../../runtime/discovery/lesson-steps.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { borrowDesktop } from '../../../runtime/person/borrowed-desktop.ts';
import type { PolicyWorker } from '../../../runtime/rollout/policy-worker.ts';
import { Host } from '../../../runtime/run/host/host.ts';
import { genericKind } from '../../../runtime/run/host/host-generic.ts';
import type { HostKind } from '../../../runtime/run/host/host-kind.ts';
import { compactPolicy } from '../../../runtime/run/host/host-policy-compact.ts';
import { PATIENCE } from '../../patience.ts';
import { BUTTON_SUITE, BUTTONS, buttonDesktops, GAME_INSTRUCTION, wouldScore } from './button-kind.ts';

/** Presses a button or says that it is done, as chance has it. */
function guess(number: number): Choice {
  const random = seeded(number);
  const button = BUTTONS[random.int(BUTTONS.length + 1)];
  return {
    action:
      button === undefined ? { kind: 'finished', answer: '' } : { kind: 'click', at: centre(button.box) },
    meant: [],
    decisions: [
      { head: 'kind', choice: 0, choices: 2, logProbability: -0.7, entropy: 0.7, alternatives: [] },
    ],
    version: version(1),
  };
}

const WORKER: PolicyWorker = {
  decide: async requests => requests.map(request => guess(request.seed)),
  load: async () => undefined,
  pin: async () => undefined,
  unpin: async () => undefined,
  close: async () => undefined,
};

const noDiscovery = async (): Promise<void> => undefined;

const discovering = (kind: HostKind, exploreOnce: () => Promise<void>): HostKind => ({
  ...kind,
  teacher: around => ({
    ...kind.teacher(around),
    discovery: { isSearching: true, steps: 0, exploreOnce, observe: () => undefined },
  }),
});

const relabelling = (kind: HostKind, offered: (trajectory: Trajectory) => void): HostKind => ({
  ...kind,
  teacher: around => ({ ...kind.teacher(around), relabel: async trajectory => offered(trajectory) }),
});

async function hosting({
  breaks = 0,
  demonstrations = 2,
  isTrained = false,
  isGame = false,
  withoutScript = [] as readonly string[],
  exploreOnce = noDiscovery,
  offered = undefined as ((trajectory: Trajectory) => void) | undefined,
  host: name = undefined as string | undefined,
} = {}) {
  const fabric = embeddedFabric();
  const messages: string[] = [];
  const reports: Event[] = [];
  const listening = new AbortController();
  onTestFinished(() => listening.abort());
  void (async () => {
    for await (const { event } of fabric.events.listen({ signal: listening.signal }))
      if (event.kind === 'health') messages.push(event.message);
      else if (event.kind === 'host') reports.push(event);
  })();
  const { desktops, log } = buttonDesktops({ clock: systemClock, breaks, isGame, withoutScript });
  const generic = genericKind(desktops);
  const kind = offered === undefined ? generic : relabelling(generic, offered);
  const preset = demonstrations > 0 ? {} : { preset: 'scratch' };
  const environments = { kind: 'docker', desktops: 3 };
  const config = parseConfig({
    ...{ environments, demonstrations, evaluation: { desktops: 1 }, ...preset },
    ...(name !== undefined && { fabric: { kind: 'nats' } }),
  });
  const host = new Host({
    ...(name !== undefined && { host: name }),
    run: runId('run'),
    config: { ...config, exploring: { ...config.exploring, searching: 0.5 } },
    tasks: BUTTON_SUITE.tasks('train'),
    shape: COMPACT,
    isFirst: true,
    isTrained,
    kind: exploreOnce === noDiscovery ? kind : discovering(kind, exploreOnce),
    fabric,
    policy: compactPolicy({ rollout: config.rollout, startWorker: async () => WORKER, clock: systemClock }),
    clock: systemClock,
  });
  await fabric.weights.set({ version: version(1), blob: new Uint8Array() });
  await fabric.evaluated.set({ version: version(1), blob: new Uint8Array() });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const running = host.run(stop.signal);
  const taker = fabric.trajectories.taker();
  const next = async (many: number) => {
    const all: Trajectory[] = [];
    while (all.length < many) {
      const taken = await taker.take(AbortSignal.timeout(20_000));
      all.push(taken.item);
      await taken.acknowledge();
    }
    return all;
  };
  const end = async () => {
    stop.abort();
    await running;
  };
  return { fabric, log, messages, reports, next, end };
}

const order = (number: number): Order => ({
  id: orderId(`order-${number}`),
  run: runId('run'),
  group: groupId('group'),
  instance: { task: taskId(BUTTONS[number % 2]?.name ?? ''), seed: seed(1) },
  ...{ maxSteps: 4, mode: 'screenshot_a11y_tree', purpose: 'train' },
});

/** The colour of each picture, which says how many actions there were. */
const counted = ({ frames }: Trajectory): readonly number[] =>
  frames.kind === 'png' ? frames.images.map(png => (decode(png).data[0] ?? 0) / 10) : [];

test('demonstrations run on the training desktops, with frames and choices', async () => {
  const { next, end, fabric } = await hosting();
  const shown = await next(4);
  await end();
  expect(shown.map(({ id }) => id).sort()).toEqual(
    ['left-0', 'left-1', 'right-0', 'right-1'].map(name => `demonstration-${name}-screenshot_a11y_tree`),
  );
  for (const each of shown) {
    expect(each).toMatchObject({ purpose: 'demonstrate', provenance: { kind: 'oracle' } });
    expect(each.steps.map(({ action }) => action.kind)).toEqual(['click', 'finished']);
    expect(isSuccess(each.outcome)).toBe(true);
    expect(counted(each)).toEqual([0, 1, 1]);
    expect(rolloutOf(each, restoredChoice)?.steps).toHaveLength(2);
    expect(await decodeTrajectory(encodeTrajectory(each).bytes, 'file')).toEqual(each);
  }
  expect((await fabric.lessons.depth()).waiting).toBeGreaterThan(0);
});

test('lessons that a teacher puts only once are repeated for another trainer', async () => {
  const { fabric, next, end } = await hosting();
  await next(4);
  const { waiting } = await fabric.lessons.depth();
  expect(waiting).toBeGreaterThan(0);
  await fabric.commands.append({ kind: 'teach', run: runId('another') });
  await fabric.commands.append({ kind: 'teach', run: runId('run') });
  await expect.poll(async () => (await fabric.lessons.depth()).waiting, PATIENCE).toBe(2 * waiting);
  await end();
});

test('tasks that make their instruction and end the episode are demonstrated and played', async () => {
  const { fabric, next, end } = await hosting({ isGame: true });
  for (let number = 0; number < 12; number++) await fabric.orders.put(order(number));
  const all = await next(16);
  await end();
  for (const { instruction, instance, steps, outcome } of all) {
    expect(instruction).toBe(`${GAME_INSTRUCTION} ${instance.task}.`);
    expect(outcome).toMatchObject({ kind: 'judged', ending: 'finished' });
    expect(steps.map(({ action }) => action.kind).slice(0, -1)).not.toContain('click');
  }
  const shown = all.filter(({ purpose }) => purpose === 'demonstrate');
  expect(shown.map(({ steps }) => steps.map(({ action }) => action.kind))).toEqual(Array(4).fill(['click']));
});

test('a task without a scripted solution is reported once, and the others are demonstrated', async () => {
  const { next, end, messages } = await hosting({ withoutScript: ['left'] });
  const shown = await next(2);
  await end();
  expect(shown.map(({ instance }) => instance.task)).toEqual(['right', 'right']);
  expect(messages.filter(message => message.includes('no scripted solution'))).toHaveLength(1);
});

test.each([
  { who: 'an untrained policy plays after all demonstrations', isTrained: false },
  { who: 'a trained policy plays during demonstrations', isTrained: true },
])('$who', async ({ isTrained }) => {
  const demonstrations = 20;
  const { fabric, next, end } = await hosting({ demonstrations, isTrained });
  const orders = 6;
  for (let number = 0; number < orders; number++) await fabric.orders.put(order(number));
  const came = (await next(BUTTONS.length * demonstrations + orders)).map(({ purpose }) => purpose);
  await end();
  const isAfterAll = came.indexOf('train') > came.lastIndexOf('demonstrate');
  expect(isAfterAll).toBe(!isTrained);
});

test('orders become trajectories with a frame of every screen', async () => {
  const { fabric, log, next, end } = await hosting({ demonstrations: 0 });
  for (let number = 0; number < 12; number++) await fabric.orders.put(order(number));
  const evaluation = { ...order(99), purpose: 'evaluate' as const, version: version(1) };
  await fabric.evaluations.put(evaluation);
  const played = await next(13);
  await end();
  for (const each of played) {
    const acted = each.steps.filter(({ action }) => action.kind !== 'finished').length;
    const frames = Array.from({ length: each.steps.length + 1 }, (_, index) => Math.min(index, acted));
    expect(counted(each)).toEqual(frames);
  }
  expect(played.map(({ purpose }) => purpose).filter(purpose => purpose === 'evaluate')).toHaveLength(1);
  const made = log.filter(line => line.startsWith('made')).map(line => line.slice(5));
  expect(made.sort()).toEqual(['d0', 'd1', 'd2', 'e0']);
  for (const id of made) expect(log).toContain(`closed ${id}`);
  expect(log.at(-1)).toBe('closed all');
});

test('a joined host plays orders on desktops with its name, and leaves all else to the host of the daemon', async () => {
  const { fabric, log, reports, next, end } = await hosting({ demonstrations: 2, host: 'tower' });
  await fabric.evaluations.put({ ...order(99), purpose: 'evaluate', version: version(1) });
  for (let number = 0; number < 12; number++) await fabric.orders.put(order(number));
  const played = await next(12);
  await fabric.watched.set({ since: 1, wall: true, whole: [] });
  const view = await fabric.views.listen()[Symbol.asyncIterator]().next();
  await end();
  expect(new Set(played.map(({ purpose }) => purpose))).toEqual(new Set(['train']));
  expect(await fabric.evaluations.depth()).toEqual({ waiting: 1, taken: 0 });
  const made = log.filter(line => line.startsWith('made')).map(line => line.slice(5));
  expect(made.sort()).toEqual(['tower-d0', 'tower-d1', 'tower-d2']);
  expect(view.value.event.desktop).toMatch(/^tower-d/);
  expect(reports[0]).toMatchObject({ phase: 'playing', desktops: 3 });
});

test('a host of a run on one machine sends no reports', async () => {
  const { fabric, reports, next, end } = await hosting({ demonstrations: 0 });
  await fabric.orders.put(order(1));
  await next(1);
  await end();
  expect(reports).toEqual([]);
});

test('a broken episode is retried on another desktop and never scored', async () => {
  const many = 60;
  const { fabric, log, next, end } = await hosting({ breaks: 0.12, demonstrations: 0 });
  for (let number = 0; number < many; number++) await fabric.orders.put(order(number));
  const played = await next(many);
  await end();
  expect(new Set(played.map(({ order: of }) => of)).size).toBe(many);
  let judged = 0;
  for (const each of played) {
    const { outcome, instance, steps, id } = each;
    if (outcome.kind === 'broken') {
      expect([outcome.failure.boundary, rewardOf(outcome)]).toEqual(['environment', undefined]);
      expect(id).toMatch(/\.3$/);
      continue;
    }
    judged += 1;
    expect(outcome.verdict.score).toBe(
      wouldScore(
        instance.task,
        steps.map(({ action }) => action),
      ),
    );
    expect(counted(each)).toHaveLength(steps.length + 1);
  }
  expect(judged).toBeGreaterThan(many / 2);
  const tried = played.filter(({ id }) => !id.endsWith('.1')).length;
  expect(tried).toBeGreaterThan(0);
  expect(log.filter(line => line.startsWith('judged'))).toHaveLength(judged);
  expect(log.filter(line => line.startsWith('made')).length).toBeGreaterThan(4);
});

test('a person takes over a desktop that cannot be redrawn, with a picture of every screen, and gives it back', async () => {
  const many = 400;
  const { fabric, log, next, end } = await hosting({ demonstrations: 0 });
  for (let number = 0; number < many; number++) await fabric.orders.put(order(number));
  const before = await next(5);
  const desktop = desktopId('d1');
  const borrowed = await borrowDesktop({ fabric, loan: 'a loan', desktop, who: 'Ada', clock: systemClock });
  const { actions, images = [], instance, screen, instruction } = borrowed.episode;
  expect(instruction).toBe(`Press ${instance.task}.`);
  expect(images.map(png => (decode(png).data[0] ?? 0) / 10)).toEqual(
    Array.from({ length: actions.length + 1 }, (_, index) => index),
  );
  expect(screen.pixels.data[0]).toBe(10 * actions.length);
  const [button] = BUTTONS.filter(({ name }) => name === instance.task);
  if (button === undefined) throw new Error('The task has no button.');
  const logged = log.length;
  const { pixels } = await borrowed.desktop.act({ kind: 'click', at: centre(button.box) });
  expect(pixels.data[0]).toBe(10 * (actions.length + 1));
  expect(await borrowed.desktop.judge('finished')).toMatchObject({ score: 1 });
  expect(log.slice(logged)).toContain(`judged ${instance.task}`);
  await borrowed.close();
  const played = [...before, ...(await next(many - before.length))];
  await end();
  expect(new Set(played.map(({ order: of }) => of)).size).toBe(many);
  expect(played.filter(({ id }) => !id.endsWith('.1'))).toHaveLength(1);
});

test('views of training desktops are sent only while they are watched', async () => {
  const { fabric, next, end } = await hosting({ demonstrations: 0 });
  const views: View[] = [];
  const listening = (async () => {
    for await (const { event } of fabric.views.listen()) views.push(event);
  })();
  for (let number = 0; number < 6; number++) await fabric.orders.put(order(number));
  await next(6);
  expect(views).toEqual([]);
  await fabric.watched.set({ since: 1, wall: true, whole: [] });
  for (let number = 6; number < 12; number++) await fabric.orders.put(order(number));
  await next(6);
  const desktops = () => views.filter(({ picture }) => picture !== undefined).map(({ desktop }) => desktop);
  const shown = () => expect([...new Set(desktops())].sort()).toEqual(['d0', 'd1', 'd2']);
  await vi.waitFor(shown, PATIENCE);
  expect(views.find(({ doing }) => doing?.task === 'left')?.doing?.instruction).toBe('Press left.');
  expect(new Set(views.map(({ use }) => use))).toContain('playing');
  await end();
  await fabric.close();
  await listening;
});

test('training episodes are offered to a teacher that relabels, also where nothing is explored', async () => {
  const offered: string[] = [];
  const { fabric, next, end } = await hosting({
    demonstrations: 0,
    offered: ({ order: id }) => offered.push(`${id}`),
  });
  for (let number = 0; number < 4; number++) await fabric.orders.put(order(number));
  await next(4);
  await expect
    .poll(() => [...offered].sort(), PATIENCE)
    .toEqual([0, 1, 2, 3].map(number => `order-${number}`));
  await end();
});

test('discovery pauses while thousands of lessons wait', async () => {
  let finds = 0;
  const { fabric, end } = await hosting({
    demonstrations: 0,
    exploreOnce: async () => {
      finds += 1;
    },
  });
  const isFinding = async () => {
    const before = finds;
    await systemClock.sleep(200);
    return finds > before;
  };
  await expect.poll(isFinding).toBe(true);
  const lesson: Lesson = { sort: 'hindsight', kind: 'press', steps: [] };
  for (let number = 0; number < 2000; number++) await fabric.lessons.put(lesson);
  await expect.poll(isFinding).toBe(false);
  const taker = fabric.lessons.taker();
  for (let number = 0; number < 100; number++) await (await taker.take()).acknowledge();
  await expect.poll(isFinding).toBe(true);
  await end();
});
