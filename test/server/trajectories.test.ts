// What a client is told about trajectories, over a real socket and from a real store. Needs the bundles that `npm test` builds first.

import { decode } from 'fast-png';
import { expect, onTestFinished, test } from 'vitest';
import { desktopId, seed, taskId, version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { Trace } from '../../runtime/core/trace.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import {
  DAEMON_RESULTS,
  type DaemonMethod,
  type DaemonResults,
} from '../../runtime/protocol/daemon/messages.ts';
import { judged, trajectory } from '../data/trajectories.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';
import { COUNT, nth, RUN, stored, TASKS, TRAINED } from './trajectories/stored-workspace.ts';

async function entered() {
  const workspace = await stored();
  const runs = new ScriptedRuns(playedState(5));
  runs.trajectories = workspace.trajectories;
  const server = await serve({ pages: pagesFolder(), runs });
  onTestFinished(() => server.close());
  const client = await Client.enter(server.port);
  /** What comes back, as its schema has it: nothing more and nothing less. */
  const ask = async <M extends DaemonMethod>(method: M, params: object = {}): Promise<DaemonResults[M]> => {
    const reply = await client.ask(method, { ...params });
    if (!('result' in reply)) throw new Error(`'${method}' failed: ${JSON.stringify(reply)}`);
    return DAEMON_RESULTS[method].parse(reply.result) as DaemonResults[M];
  };
  return { ...workspace, client, ask };
}

const NEWEST = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 100 };
const WINDOW = { offset: 0, limit: 100 };

test('lists are filtered, sorted and paged', async () => {
  const { ask, all } = await entered();
  const first = await ask('trajectories.list', NEWEST);
  expect(first.total).toBe(COUNT);
  expect(first.rows.map(({ trajectory }) => trajectory)).toEqual(
    all
      .map(({ id }) => String(id))
      .reverse()
      .slice(0, 100),
  );
  expect(first.rows[0]).toMatchObject({
    ...{ run: RUN, task: nth(299).instance.task, seed: nth(299).instance.seed, tier: 2 },
    ...{ instruction: nth(299).instruction, outcome: 'failure', score: 0, steps: 6 },
    ...{ purpose: 'evaluate', oldest: 14, newest: 14, marked: { keySteps: [] } },
  });
  const tier = await ask('trajectories.list', { ...NEWEST, filter: { tiers: [1], outcomes: ['broken'] } });
  expect(tier.rows.map(({ task, outcome }) => [TASKS.slice(0, 4).includes(task as never), outcome])).toEqual(
    Array(tier.total).fill([true, 'broken']),
  );
  const none = await ask('trajectories.list', { ...NEWEST, filter: { suite: 'elsewhere' } });
  expect(none).toEqual({ total: 0, rows: [], upTo: first.upTo });
  const [word = ''] = nth(0).instruction.split(' ').slice(-1);
  const text = await ask('trajectories.list', { ...NEWEST, filter: { text: word.toUpperCase() } });
  expect(text.total).toBe(all.filter(({ instruction }) => instruction.includes(word)).length);
});

test('pages of a list fit together while trajectories are added', async () => {
  const { ask, all, store } = await entered();
  const first = await ask('trajectories.list', NEWEST);
  for (const number of [COUNT, COUNT + 1]) await store.ingest(nth(number));
  const { upTo } = first;
  const parts = [first];
  for (const offset of [100, 200]) parts.push(await ask('trajectories.list', { ...NEWEST, offset, upTo }));
  expect(parts.map(({ total }) => total)).toEqual([COUNT, COUNT, COUNT]);
  expect(parts.flatMap(({ rows }) => rows.map(({ trajectory }) => trajectory))).toEqual(
    all.map(({ id }) => String(id)).reverse(),
  );
  expect((await ask('trajectories.list', NEWEST)).total).toBe(COUNT + 2);
});

test('a trajectory has its steps in words, their decisions, their training and its group', async () => {
  const { ask, all } = await entered();
  const group = all.filter(each => each.group === TRAINED);
  const last = group.at(-1) ?? nth(0);
  const whole = await ask('trajectory.get', { trajectory: last.id });
  expect(whole).toMatchObject({
    ...{
      trajectory: last.id,
      maxSteps: 10,
      why: 'Notifications in Settings should be on, and is off. The agent reported that it was done.',
      group: TRAINED,
    },
    frames: { kind: 'redrawn', count: last.steps.length + 1 },
    siblings: group.map(({ id }) => ({ trajectory: id })),
    said: [],
  });
  expect(whole.frames.doubt).toBeUndefined();
  expect(whole.each).toHaveLength(last.steps.length);
  const [first] = last.steps;
  const at = first !== undefined && first.action.kind === 'click' ? first.action.at : { x: -1, y: -1 };
  expect(whole.each[0]).toMatchObject({
    says: `click the screen at (${at.x}, ${at.y})`,
    chosen: { version: 1, probability: 0.5, decisions: [{ head: 'kind', choices: 2 }] },
    training: { batch: 'batch-9', threshold: 0.5, uncertainty: 0, kept: false, advantage: 7 },
  });
  const other = await ask('trajectory.get', { trajectory: nth(0).id });
  expect(other.each[0]?.training).toBeUndefined();
});

test('a picture equals the original screen, and its bytes arrive before the reply', async () => {
  const { client, ask } = await entered();
  const { id, instance, steps } = nth(17);
  const about = await ask('trajectory.frame', { trajectory: id, step: steps.length });
  expect(about.count).toBe(steps.length + 1);
  expect(client.frames).toHaveLength(1);
  const { width, height, data } = decode(client.frames[0]?.payload ?? new Uint8Array());
  expect({ width, height }).toEqual({ width: about.width, height: about.height });
  const desktop = new PocketDesktop(desktopId('d'));
  let screen = await desktop.reset(POCKET.task(instance.task, instance.seed), instance.seed);
  for (const { action } of steps) screen = await desktop.act(action);
  const seen = screen.pixels.data.filter((_, index) => index % 4 !== 3);
  expect(Buffer.from(data).equals(Buffer.from(seen))).toBe(true);
  const { elements } = await ask('trajectory.elements', { trajectory: id, step: steps.length });
  expect(elements).toEqual(screen.elements);
});

test('the most uncertain steps of a run, all of them or some of each task', async () => {
  const { ask } = await entered();
  const { steps } = await ask('steps.uncertain', { ...WINDOW, filter: { run: RUN } });
  expect(steps).toHaveLength(100);
  expect(steps[0]?.uncertainty).toBeCloseTo(0.99);
  expect(steps.map(each => each.uncertainty)).toEqual(
    steps.map(each => each.uncertainty).sort((a, b) => b - a),
  );
  const some = await ask('steps.uncertain', { filter: { tiers: [2] }, by: 'task', offset: 0, limit: 3 });
  expect(some.steps).toHaveLength(12);
  expect(new Set(some.steps.map(({ task }) => task))).toEqual(new Set(TASKS.slice(4)));
  const third = await ask('steps.uncertain', { filter: { tiers: [2] }, by: 'task', offset: 2, limit: 1 });
  expect(third.steps).toEqual(
    some.steps.filter(
      ({ task }, place) => some.steps.slice(0, place).filter(each => each.task === task).length === 2,
    ),
  );
});

test('a waiting success is accepted with name and time, and the acceptance can be undone', async () => {
  const { ask, told } = await entered();
  const before = await ask('annotation.queue', WINDOW);
  const [first] = before.waiting;
  if (first === undefined) throw new Error('Nothing waits.');
  const { trajectory } = first.row;
  const remark = { kind: 'pool', isMember: true };
  const done = await ask('annotate', { trajectory, remark, who: 'Ada' });
  expect(done).toEqual({
    marked: { keySteps: [], isInPool: true, votes: [{ who: 'Ada', isMember: true }] },
    undo: { kind: 'pool', isMember: null },
  });
  const after = await ask('annotation.queue', WINDOW);
  expect(after.total).toBe(before.total - 1);
  const { members } = await ask('pool.list', WINDOW);
  expect(members).toMatchObject([{ row: { trajectory }, accepted: { who: 'Ada', at: 7 } }]);
  const { tasks } = await ask('tasks.list');
  expect(tasks.find(({ task }) => task === first.row.task)).toMatchObject({ suite: 'pocket', members: 1 });
  await ask('annotate', { trajectory, remark: done.undo, who: 'Ada' });
  expect(told).toEqual([`changed ${trajectory}`]);
  expect((await ask('pool.list', WINDOW)).total).toBe(0);
  expect((await ask('annotation.queue', WINDOW)).waiting[0]?.row.trajectory).toBe(trajectory);
  const { said } = await ask('trajectory.get', { trajectory });
  expect(said.map(each => each.remark)).toEqual([remark, done.undo]);
});

test('a trim, a new instruction and a verdict hold, and reach the run that trains; so does a verdict that is taken back', async () => {
  const { ask, told } = await entered();
  const { id: trajectory } = nth(5);
  const say = (remark: object) => ask('annotate', { trajectory, remark, who: 'Ada' });
  await say({ kind: 'key-step', step: 1, isKey: true });
  await say({ kind: 'trim', part: { from: 1, to: 3 } });
  await say({ kind: 'instruction', text: 'Click around.' });
  const { marked, undo } = await say({ kind: 'verdict', success: true });
  expect(marked).toEqual({
    ...{ keySteps: [1], trim: { from: 1, to: 3 }, instruction: 'Click around.', verdict: true },
  });
  expect(told).toEqual([
    ...Array(2).fill(`changed ${trajectory}`),
    `judge ${trajectory} true`,
    `changed ${trajectory}`,
  ]);
  const whole = await ask('trajectory.get', { trajectory });
  expect(whole).toMatchObject({ outcome: 'success', instruction: nth(5).instruction, marked });
  await say(undo);
  expect(told.slice(4)).toEqual([`judge ${trajectory} null`, `changed ${trajectory}`]);
});

test('the trend of a task adds up to its success', async () => {
  const { ask, all } = await entered();
  const { tasks } = await ask('tasks.list', { run: RUN, purposes: ['train', 'collect', 'evaluate'] });
  const judgedOnes = all.filter(({ outcome }) => outcome.kind === 'judged');
  const sum = (of: readonly { readonly trials: number }[]) => of.reduce((all, { trials }) => all + trials, 0);
  expect(sum(tasks)).toBe(judgedOnes.length);
  expect(sum(tasks.flatMap(({ trend }) => trend))).toBe(judgedOnes.length);
  expect(tasks.find(({ task }) => task === TASKS[0])).toMatchObject({
    tier: 1,
    isUnseen: false,
    suite: 'pocket',
  });
});

const WRONG: readonly (readonly [method: string, params: object, code: string, field?: string])[] = [
  ['trajectory.get', { trajectory: 'nobody' }, 'not_found', 'params.trajectory'],
  ['trajectory.get', { trajectory: '../x' }, 'bad_request', 'params.trajectory'],
  ['trajectory.frame', { trajectory: 't-0', step: 99 }, 'not_found', 'params.step'],
  ['trajectory.elements', { trajectory: 't-0', step: 2 }, 'not_found', 'params.step'],
  ['trajectories.list', { ...NEWEST, limit: 5000 }, 'bad_request', 'params.limit'],
  ['trajectories.list', { ...NEWEST, filter: { run: '../x' } }, 'bad_request', 'params.filter.run'],
  ['trajectories.list', { ...NEWEST, sort: 'luck' }, 'bad_request', 'params.sort'],
  [
    'annotate',
    { trajectory: 't-0', who: 'Ada', remark: { kind: 'trim', part: { from: 0, to: 9 } } },
    'not_found',
    'params.remark.part',
  ],
  [
    'annotate',
    { trajectory: 't-0', who: 'Ada', remark: { kind: 'key-step', step: 4, isKey: true } },
    'not_found',
    'params.remark.step',
  ],
  ['annotate', { trajectory: 't-1', who: 'Ada', remark: { kind: 'pool', isMember: true } }, 'failed'],
];

test('a request that fails gets a reply that names the field', async () => {
  const { client } = await entered();
  for (const [method, params, code, field] of WRONG) {
    const failure = await client.fail(method, { ...params });
    expect([method, failure.code, failure.field]).toEqual([method, code, field]);
  }
});

test('agents are listed and compared, and a reply arrives whole', async () => {
  const { ask, store } = await entered();
  const [first] = (await ask('trajectories.list', { ...NEWEST, filter: {} })).rows;
  const instance = { task: taskId(first?.task ?? ''), seed: seed(first?.seed ?? 0) };
  const trace: Trace = {
    ...{ kind: 'tokens', estimator: 'top-k', finish: 'stop' },
    ...{ raw: 'wait()', defects: ['wrong-model'] },
    tokens: [{ text: 'wait()', id: 7, logProbability: Math.log(0.5), entropy: 0.75 }],
    served: {
      ...{ endpoint: 'box/1', model: 'm', latencyMs: 40, promptTokens: 900, completionTokens: 1 },
      retries: [],
    },
  };
  const traces: readonly Trace[] = [trace, { kind: 'same-turn' }];
  const steps = traces.map(
    (each): Step => ({ action: { kind: 'wait' }, meant: [], chosen: { version: version(0), trace: each } }),
  );
  await store.ingest(
    trajectory('model', { agent: 'ui-tars', purpose: 'collect', instance, steps, outcome: judged(1) }),
  );
  expect((await ask('agents.list')).agents).toEqual([
    { agent: 'compact', trajectories: COUNT },
    { agent: 'ui-tars', trajectories: 1 },
  ]);
  const { agents, difference, tasks } = await ask('agents.compare', {
    agents: ['ui-tars', 'compact'],
  });
  expect(agents[0]).toMatchObject({ instances: 1, successes: 1, trials: 1, meanSteps: 2, promptTokens: 900 });
  expect(agents[0].latencyMs).toBe(20);
  expect(agents[1].trials).toBeGreaterThan(0);
  expect(agents[1]).not.toHaveProperty('promptTokens');
  expect(difference?.value).toBeGreaterThanOrEqual(0);
  expect(tasks.map(({ task }) => task)).toEqual([instance.task]);
  expect(await ask('agents.compare', { agents: ['compact', 'absent'] })).toMatchObject({ tasks: [] });

  const { rows } = await ask('trajectories.list', { ...NEWEST, filter: { agents: ['ui-tars'] } });
  expect(rows).toMatchObject([{ agent: 'ui-tars', usage: { promptTokens: 900, completionTokens: 1 } }]);
  const { each } = await ask('trajectory.get', { trajectory: 'model' });
  expect(each[0]?.chosen).toMatchObject({
    ...{ decisions: [], uncertainty: 0.75 },
    reply: { raw: 'wait()', defects: ['wrong-model'], tokens: [{ text: 'wait()', entropy: 0.75 }] },
  });
  expect(each[0]?.chosen?.probability).toBeCloseTo(0.5);
  expect(each[0]?.chosen?.reply?.refusal).toContain('wrong-model');
  expect(each[1]?.chosen).toEqual({ version: 0, decisions: [], continues: true });
  const { steps: uncertain } = await ask('steps.uncertain', { ...WINDOW, filter: { agents: ['ui-tars'] } });
  expect(uncertain).toMatchObject([{ agent: 'ui-tars', estimator: 'top-k', uncertainty: 0.75 }]);
});
