// Collecting through the daemon: over a real socket, into a real store, by the scripts of real tasks. Needs the bundles that `npm test`
// builds first.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { StoredCollections } from '../../runtime/collect/collections.ts';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import { type TrajectoryId, trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { SuccessPool } from '../../runtime/data/pool/pool.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import {
  DAEMON_RESULTS,
  type DaemonMethod,
  type DaemonResults,
} from '../../runtime/protocol/daemon/messages.ts';
import { encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';
import { listen } from '../doubles/openai/listen.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { LLAMA_CPP } from '../doubles/openai/traits.ts';
import { answering } from '../environments/docker/fake-engine.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

const NOBODY = new URL('file:///nobody-starts-this.js');
const ASKED = {
  ...{ config: {}, wanted: { tasks: ['settings-night-light', 'mail-star'] }, by: { kind: 'script' } },
  ...{ instances: 3, accepts: true, who: 'ada' },
};

interface Entering {
  readonly clock?: Clock;
  readonly readOnly?: boolean;
  readonly isGuest?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** The agents of the workspace. */
  readonly agents?: Config['agents'];
}

async function entered({
  readOnly = false,
  isGuest = true,
  environment = {},
  agents,
  clock = systemClock,
}: Entering = {}) {
  const root = folder();
  const { store } = await opened({ root });
  const accepted: TrajectoryId[] = [];
  const collections = new StoredCollections({
    ...{ store, root, entries: { host: NOBODY, worker: NOBODY }, environment, clock },
    isGuest: () => isGuest,
    ...(agents !== undefined && { agents: async () => agents }),
    accepted: async id => void accepted.push(id),
  });
  onTestFinished(() => collections.close());
  const runs = new ScriptedRuns(playedState(5));
  runs.collections = collections;
  const server = await serve({ pages: pagesFolder(), runs, parseConfig, readOnly });
  onTestFinished(() => server.close());
  const client = await Client.enter(server.port);
  const ask = async <M extends DaemonMethod>(method: M, params: object = {}): Promise<DaemonResults[M]> => {
    const reply = await client.ask(method, { ...params });
    if (!('result' in reply)) throw new Error(`'${method}' failed: ${JSON.stringify(reply)}`);
    return DAEMON_RESULTS[method].parse(reply.result) as DaemonResults[M];
  };
  /** Every state until it is over. */
  const followed = async (begun: CollectionState): Promise<readonly CollectionState[]> => {
    const states = [begun];
    for (let last = begun; last.status === 'playing'; states.push(last))
      last = await ask('collect.follow', { collection: last.collection, after: last.change });
    return states;
  };
  return { client, ask, followed, accepted, store, collections, root };
}

test('a collection reports its progress, and its successes enter the pool and the run that trains', async () => {
  const { ask, followed, accepted, store } = await entered();
  const begun = await ask('collect.start', ASKED);
  expect(begun).toMatchObject({
    ...{ status: 'playing', told: 'Scripted solutions', instances: 6, tasks: 2, tries: 6, rows: [] },
    members: { 'settings-night-light': 0, 'mail-star': 0 },
  });
  const states = await followed(begun);
  const changes = states.map(({ change }) => change);
  expect(changes).toEqual(changes.toSorted((a, b) => a - b));
  expect(new Set(changes).size).toBe(changes.length);
  const last = states.at(-1);
  expect(last).toMatchObject({
    status: 'ended',
    members: { 'settings-night-light': 3, 'mail-star': 3 },
  });
  expect(last?.rows.toSorted((a, b) => a.task.localeCompare(b.task))).toEqual(
    ['mail-star', 'settings-night-light'].map(task => ({
      ...{ task, tried: 3, succeeded: 3, kept: 3, broken: 0 },
    })),
  );
  expect(new Set(accepted).size).toBe(6);
  expect([...(await new SuccessPool(store).sizes()).values()]).toEqual([3, 3]);
  expect(await ask('collect.now')).toEqual({});
});

test('a cancelled collection keeps its successes, and another can start', async () => {
  const { ask, client, followed } = await entered();
  const begun = await ask('collect.start', { ...ASKED, wanted: { tiers: [1, 2, 3, 4] }, instances: 32 });
  await ask('collect.follow', { collection: begun.collection, after: begun.change });
  expect((await ask('collect.now')).collecting?.collection).toBe(begun.collection);
  expect((await client.fail('collect.start', ASKED)).message).toContain('A collection is under way');
  const came = await ask('collect.cancel', { collection: begun.collection });
  expect(came.status).toBe('stopped');
  const kept = came.rows.reduce((sum, row) => sum + row.kept, 0);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(came.tries);
  expect((await followed(await ask('collect.start', ASKED))).at(-1)?.status).toBe('ended');
});

test('a collection ends at its time limit, and when the daemon closes', async () => {
  const { ask, followed, collections } = await entered();
  const long = { ...ASKED, wanted: { tiers: [1, 2, 3, 4] }, instances: 32 };
  const timed = await followed(await ask('collect.start', { ...long, minutes: 0.005 }));
  expect(timed.at(-1)?.status).toBe('stopped');
  const begun = await ask('collect.start', long);
  const following = followed(begun);
  await collections.close();
  expect((await following).at(-1)?.status).toBe('stopped');
});

/** A collection on the desktops of an engine that answers so when it shall create one. */
const onEngine = async (create: Parameters<typeof answering>[0][string]) => {
  const { path } = await answering({
    'GET /info': () => ({ ServerVersion: '29', NCPU: 2, MemTotal: 1e9 }),
    'GET /images/json': () => [{ Id: 'mine', RepoTags: ['mine:1'], Labels: {}, Size: 1 }],
    'GET /containers/json': () => [],
    'GET /events': (_, response) => void response.writeHead(200).flushHeaders(),
    'POST /containers/create': create,
  });
  const docker = { hosts: [{ address: `unix://${path}`, capacity: 20 }], image: 'mine:1' };
  const config = { environments: { kind: 'docker', docker } };
  return { ...ASKED, config, wanted: { tasks: ['note-write'] } };
};

test('a follower gets a state also while an episode lasts', async () => {
  const clock = new VirtualClock();
  const { ask, collections } = await entered({ isGuest: false, clock });
  const begun = await ask('collect.start', await onEngine(() => undefined));
  const next = collections.follow(begun.collection, begun.change);
  await clock.run(clock.now() + 10_000);
  expect(await next).toEqual(begun);
});

test('the reason of a delay is reported until the next attempt', async () => {
  const { ask } = await entered({ isGuest: false });
  const request = await onEngine(
    (_, response) => void response.writeHead(500, JSON_TEXT).end('{ "message": "the disk is full" }'),
  );
  let last = await ask('collect.start', request);
  const { collection } = last;
  while (last.status === 'playing' && last.problem === undefined)
    last = await ask('collect.follow', { collection, after: last.change });
  expect(last).toMatchObject({ status: 'playing', problem: expect.stringContaining('the disk is full') });
  last = await ask('collect.cancel', { collection });
  expect([last.status, last.problem]).toEqual(['stopped', undefined]);
});

const JSON_TEXT = { 'content-type': 'application/json' };

test('an impossible request is rejected before anything is played, with a remedy', async () => {
  const { client } = await entered();
  const unknown = await client.fail('collect.start', { ...ASKED, wanted: { tasks: ['mail-stra'] } });
  expect(unknown.message).toContain('mail-star');
  const config = { environments: { kind: 'docker' } };
  const by = { kind: 'weights', rollouts: 2, temperature: 1 };
  // Its desktops are containers, and a run that trains has them all.
  const taken = await client.fail('collect.start', { ...ASKED, config, wanted: { tiers: [1] } });
  expect(taken.message).toContain('while a run trains');
  const nowhere = { ...by, from: 'nowhere' };
  expect((await client.fail('collect.start', { ...ASKED, by: nowhere })).message).toContain('has no weights');
  const wrong = await client.fail('collect.start', { ...ASKED, config: { minutes: -1 } });
  expect(wrong).toMatchObject({ code: 'bad_request', field: 'params.config' });
  const none = await client.fail('collect.follow', { collection: 'elsewhere', after: 0 });
  expect(none).toMatchObject({ code: 'not_found', field: 'params.collection' });
});

test('weights play on the kind of desktops that they were trained on', async () => {
  const { ask, client, root } = await entered({ isGuest: false });
  const beside = await entered();
  const shape = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };
  const random = seeded('collecting');
  const weights = firstWeights(shape, () => random.next());
  const saved = (name: string, tasks: readonly string[]): string => {
    const file = join(root, `${name}.safetensors`);
    writeFileSync(file, encodePolicy({ shape, mode: 'a11y_tree', tasks, seed: 's', weights }));
    return file;
  };
  const by = { kind: 'weights', rollouts: 2, temperature: 1 };
  const { wanted: _, ...asked } = ASKED;
  const docker = await ask('collect.start', {
    ...asked,
    by: { ...by, from: saved('docker', ['note-write']) },
  });
  expect(docker).toMatchObject({ tasks: 1, instances: 3 });
  await ask('collect.cancel', { collection: docker.collection });
  const from = saved('docker', ['note-write']);
  const taken = await beside.client.fail('collect.start', { ...asked, by: { ...by, from } });
  expect(taken.message).toContain('while a run trains');
  // A task of the pocket desktop is none of theirs.
  const other = await client.fail('collect.start', { ...ASKED, by: { ...by, from } });
  expect(other.message).toContain("no training task is called 'settings-night-light'");
  const gone = await client.fail('collect.start', { ...asked, by: { ...by, from: saved('old', ['gone']) } });
  expect(gone.message).toContain("on tasks that do not exist here, such as 'gone'");
});

/** An agent in the configuration of a request, at a server that clicks what the task names. */
async function agentAt(changes: object = {}) {
  const server = new ModelServer({
    traits: { ...LLAMA_CPP, key: 'secret-of-ada' },
    clock: systemClock,
    model: clickingModel,
  });
  const url = await listen(server);
  const toy = { profile: 'generic', mode: 'a11y_tree', url, model: 'tars', key: { env: 'TOY_KEY' } };
  const config = { agents: { toy: { ...toy, ...changes } } };
  const evaluation = {
    ...{ config, by: { kind: 'agent', agent: 'toy', rollouts: 1, temperature: 0 }, evaluates: 'test' },
    ...{ wanted: { tasks: ['settings-night-light', 'settings-language'] }, instances: 3 },
    ...{ accepts: false, who: 'ada' },
  };
  return { server, evaluation };
}

test('an evaluation stores every episode of an agent, lists them one by one, and leaves the pool alone', async () => {
  const { evaluation } = await agentAt();
  const { ask, followed, store, accepted } = await entered({
    ...{ isGuest: false, environment: { TOY_KEY: 'secret-of-ada' } },
  });
  const begun = await ask('collect.start', evaluation);
  expect(begun).toMatchObject({ evaluates: 'test', agent: 'toy', instances: 6, tasks: 2, tries: 6 });
  expect(begun.collection).toMatch(/^evaluate-/);
  expect(begun.told).toBe("Agent 'toy' (tars, profile generic) at temperature 0");
  const last = (await followed(begun)).at(-1);
  expect(last?.status).toBe('ended');
  expect(last?.rows.toSorted((a, b) => a.task.localeCompare(b.task))).toEqual([
    { task: 'settings-language', tried: 3, succeeded: 0, kept: 3, broken: 0 },
    { task: 'settings-night-light', tried: 3, succeeded: 3, kept: 3, broken: 0 },
  ]);
  const { collection } = begun;
  const { episodes, failedRequests } = await ask('collect.results', { collection, from: 0 });
  expect(episodes).toHaveLength(6);
  expect(failedRequests).toEqual({});
  expect((await ask('collect.results', { collection, from: 4 })).episodes).toEqual(episodes.slice(4));
  expect(episodes.map(({ seed }) => seed).toSorted()).toEqual([1000, 1000, 1001, 1001, 1002, 1002]);
  for (const { trajectory, task, malformed, turns } of episodes) {
    expect({ malformed, turns }).toEqual({ malformed: task === 'settings-language' ? 1 : 0, turns: 2 });
    expect(await store.read(trajectoryId(trajectory))).toMatchObject({ purpose: 'evaluate', agent: 'toy' });
  }
  expect(accepted).toEqual([]);
  expect((await new SuccessPool(store).sizes()).size).toBe(0);
});

test('an agent collects successes into the pool', async () => {
  const { evaluation } = await agentAt();
  const { evaluates: _, ...collecting } = evaluation;
  const { ask, followed, store, accepted } = await entered({ environment: { TOY_KEY: 'secret-of-ada' } });
  const begun = await ask('collect.start', { ...collecting, accepts: true });
  expect((await followed(begun)).at(-1)).toMatchObject({ status: 'ended' });
  expect(accepted).toHaveLength(3);
  expect(await new SuccessPool(store).sizes()).toEqual(new Map([['settings-night-light', 3]]));
});

test('a request that an agent cannot meet is rejected with a remedy, and names no key', async () => {
  const { evaluation, server } = await agentAt();
  const { client, collections } = await entered({ isGuest: false });
  const refused = async (changes: object) =>
    (await client.fail('collect.start', { ...evaluation, ...changes })).message;
  const by = (agent: string, more: object = {}) => ({ by: { ...evaluation.by, agent, ...more } });
  expect(await refused({})).toContain('the environment variable TOY_KEY is not set. Set it');
  expect(await refused(by('tay'))).toMatch(
    /No agent is called 'tay'\. Configured are toy.*'toy'\?.*"agents"/,
  );
  expect(await refused(by('toy', { from: 'run-1' }))).toContain('--weights run-1 has no effect');
  expect(await refused({ by: { kind: 'script' } })).toContain('An evaluation plays an agent');
  expect(await refused({ accepts: true })).toContain('never enter the success pool');
  const { evaluates: _, ...collecting } = evaluation;
  const offline = { ...collecting, by: { kind: 'script' }, config: { environments: { kind: 'offline' } } };
  expect((await client.fail('collect.start', offline)).message).toContain('nothing to collect');
  expect(await refused({ wanted: { tasks: ['settings-nite-light'] } })).toContain("'settings-night-light'?");
  expect(await refused({ evaluates: 'train', instances: 33 })).toContain('exceeds the 32 training instances');
  expect(await refused({ evaluates: 'unseen' })).toContain('is a training task');
  expect(server.routes).toEqual([]);
  expect(collections.now).toBeUndefined();
});

test('an agent that needs images is refused at a server without vision', async () => {
  const { evaluation } = await agentAt({ mode: 'screenshot' });
  const { client } = await entered({ isGuest: false, environment: { TOY_KEY: 'secret-of-ada' } });
  const { message } = await client.fail('collect.start', evaluation);
  expect(message).toContain('The server rejects images');
  const wrong = await entered({ isGuest: false, environment: { TOY_KEY: 'another-secret' } });
  const unauthorized = (await wrong.client.fail('collect.start', evaluation)).message;
  expect(unauthorized).not.toContain('another-secret');
  expect(unauthorized).toContain('401');
});

test('a read-only daemon answers all reading requests and rejects all others', async () => {
  const { ask, client } = await entered({ readOnly: true });
  const welcome = client.messages.find(each => 'result' in each);
  const { methods } = DAEMON_RESULTS.hello.parse(welcome?.result);
  expect(await ask('runs.list')).toHaveLength(1);
  expect(methods).toEqual(expect.arrayContaining(['hello', 'runs.list', 'trajectory.frame', 'collect.now']));
  const asked = { trajectory: 't', remark: { kind: 'note', text: 'odd' }, who: 'ada' };
  const run = playedState(5).run;
  const all = [
    ['collect.start', ASKED],
    ['run.start', { config: {} }],
    ['run.resume', { run }],
    ['run.delete', { run }],
    ['annotate', asked],
    ['daemon.keepTraining', { keep: true }],
  ] as const;
  for (const [method, params] of all) {
    expect(methods).not.toContain(method);
    expect((await client.fail(method, params)).message).toContain('read-only');
  }
});

test('a request cannot send the keys of the daemon to a server that the workspace does not name', async () => {
  const { evaluation, server } = await agentAt();
  const environment = { TOY_KEY: 'secret-of-ada' };
  const { client } = await entered({ isGuest: false, environment, agents: {} });
  const { message } = await client.fail('collect.start', evaluation);
  expect(message).toContain("No agent is called 'toy'");
  expect(server.routes).toEqual([]);
});
