// Successes are stored, and accepted on request; all other attempts are only counted.

import { describe, expect, test } from 'vitest';
import { attemptTable } from '../../runtime/cli/terminal/attempt-table.ts';
import { renderLine } from '../../runtime/cli/terminal/line.ts';
import { total } from '../../runtime/collect/attempt-counts.ts';
import { byScript, demonstrations } from '../../runtime/collect/by-script.ts';
import { collectAttempts, type KeptAttempts } from '../../runtime/collect/collect-attempts.ts';
import type { Attempted, CollectSource } from '../../runtime/collect/source.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { seed, taskId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Instance } from '../../runtime/core/task.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { UnstorableTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { PoolError } from '../../runtime/data/pool/pool.ts';
import { DOCKER } from '../../runtime/environments/docker/tasks/suite.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import { BROKEN, judged, trajectory } from '../data/trajectories.ts';
import { answering } from '../environments/docker/fake-engine.ts';

const [FIRST, SECOND] = [taskId('first'), taskId('second')];

const scripted = (...all: readonly Attempted[]): CollectSource => ({
  times: 1,
  async *play(_, signal) {
    for (const tried of all) {
      if (signal.aborted) return;
      yield tried;
    }
  },
});

const tried = (id: string, task = FIRST, changes: Partial<Trajectory> = {}): Attempted => {
  const instance = { task, seed: seed(1) };
  return { instance, trajectory: trajectory(id, { instance, purpose: 'collect', ...changes }) };
};

function keeping(accepts?: string, keeps: KeptAttempts = 'successes') {
  const finished: string[] = [];
  const kept: string[] = [];
  const offered: string[] = [];
  const options = {
    store: { ingest: async ({ id }: Trajectory) => void kept.push(id) },
    pool: { offer: async (id: string, who: string) => void offered.push(`${id} by ${who}`) },
    keeps,
    accepts,
    finished: ({ trajectory }: EpisodeResult) => void finished.push(trajectory),
    problem: (_: string): void => undefined,
    clock: new VirtualClock(),
  };
  return { finished, kept, offered, options };
}

const TRIES = [
  tried('a'),
  tried('b', SECOND, { outcome: judged(0) }),
  tried('c', SECOND, { outcome: BROKEN }),
  { instance: { task: SECOND, seed: seed(2) } },
  tried('d', SECOND),
];

test('successes are stored and wait for review, unless the request accepts them', async () => {
  for (const accepts of [undefined, 'ada']) {
    const { kept, offered, options } = keeping(accepts);
    const source = scripted(...TRIES);
    const came = await collectAttempts([], { ...options, source, progress: () => {} }, AbortSignal.any([]));
    expect(kept).toEqual(['a', 'd']);
    expect(offered).toEqual(accepts === undefined ? [] : ['a by ada', 'd by ada']);
    expect(came[0]).toEqual({ task: FIRST, tried: 1, succeeded: 1, kept: 1, broken: 0 });
    expect(came[1]).toEqual({ task: SECOND, tried: 3, succeeded: 1, kept: 1, broken: 1 });
    expect(total(came)).toEqual({ tried: 4, succeeded: 2, kept: 2, broken: 1 });
    const lines = attemptTable({ rows: [...came], members: { [SECOND]: 7 } }, 80).map(line =>
      renderLine(line, false),
    );
    expect(lines.map(line => line.split(/ +/))).toEqual([
      ['task', 'attempts', 'successes', 'stored', 'in', 'pool'],
      ['first', '1', '1', '1', '0'],
      ['second', '3', '1', '1', '7'],
      ['total', '4', '2', '2', '7'],
    ]);
  }
});

test('an evaluation stores every episode, counts broken ones apart, and leaves the pool alone', async () => {
  const { finished, kept, offered, options } = keeping('ada', 'everything');
  const source = scripted(...TRIES);
  const came = await collectAttempts([], { ...options, source, progress: () => {} }, AbortSignal.any([]));
  expect(kept).toEqual(['a', 'b', 'c', 'd']);
  expect(finished).toEqual(kept);
  expect(offered).toEqual([]);
  expect(total(came)).toEqual({ tried: 4, succeeded: 2, kept: 4, broken: 1 });
});

test('successes before a stop stay stored, and no attempt follows', async () => {
  const { kept, options } = keeping();
  const stop = new AbortController();
  const progress = () => stop.abort();
  const came = await collectAttempts([], { ...options, source: scripted(...TRIES), progress }, stop.signal);
  expect(kept).toEqual(['a']);
  expect(total(came).tried).toBe(1);
});

test('a write that fails twice is repeated, and the delay is reported', async () => {
  const { finished, kept, options } = keeping(undefined, 'everything');
  const { clock } = options;
  const problems: string[] = [];
  const ingest = async (trajectory: Trajectory) => {
    if (problems.length < 2) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    await options.store.ingest(trajectory);
  };
  const collecting = collectAttempts(
    [],
    {
      ...{ ...options, source: scripted(...TRIES), store: { ingest }, progress: () => {} },
      problem: message => void problems.push(message),
    },
    AbortSignal.any([]),
  );
  collecting.catch(() => undefined);
  await clock.run();
  expect(total(await collecting)).toEqual({ tried: 4, succeeded: 2, kept: 4, broken: 1 });
  expect(kept).toEqual(['a', 'b', 'c', 'd']);
  expect(finished).toEqual(kept);
  expect(clock.now()).toBe(3000);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^A trajectory cannot be written: .*\. Dartboard tries again\.$/);
});

test('an offer to the pool that fails is repeated, and the collection goes on', async () => {
  const { offered, options } = keeping('ada');
  const { clock } = options;
  const problems: string[] = [];
  const offer = async (id: string, who: string) => {
    if (problems.length === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    await options.pool.offer(id, who);
  };
  const collecting = collectAttempts(
    [],
    {
      ...{ ...options, source: scripted(...TRIES), pool: { offer }, progress: () => {} },
      problem: message => void problems.push(message),
    },
    AbortSignal.any([]),
  );
  collecting.catch(() => undefined);
  await clock.run();
  expect(total(await collecting)).toEqual({ tried: 4, succeeded: 2, kept: 2, broken: 1 });
  expect(offered).toEqual(['a by ada', 'd by ada']);
  expect(problems).toEqual([expect.stringMatching(/^A trajectory cannot be written: .* tries again\.$/)]);
});

test('an offer that the pool refuses ends the collection with the reason', async () => {
  const { options } = keeping('ada');
  const refused = new PoolError('The pool refuses it.');
  const pool = { offer: () => Promise.reject(refused) };
  const collecting = collectAttempts(
    [],
    { ...options, source: scripted(tried('a')), pool, progress: () => {} },
    AbortSignal.any([]),
  );
  await expect(collecting).rejects.toBe(refused);
});

test('an attempt that no file can represent counts as broken, and is reported after its progress', async () => {
  for (const keeps of ['everything', 'successes'] as const) {
    const { finished, kept, offered, options } = keeping('ada', keeps);
    const reports: string[] = [];
    const ingest = async (trajectory: Trajectory) => {
      if (trajectory.id === 'a') throw new UnstorableTrajectory('NaN');
      await options.store.ingest(trajectory);
    };
    const came = await collectAttempts(
      [],
      {
        ...{ ...options, source: scripted(tried('a'), tried('d')), store: { ingest } },
        progress: rows => void reports.push(`broken ${total(rows).broken}`),
        problem: message => void reports.push(message),
      },
      AbortSignal.any([]),
    );
    expect(total(came)).toEqual({ tried: 1, succeeded: 1, kept: 1, broken: 1 });
    expect(reports).toEqual(['broken 1', 'NaN', 'broken 1']);
    expect(kept).toEqual(['d']);
    expect(finished).toEqual(['a', 'd']);
    expect(offered).toEqual(keeps === 'everything' ? [] : ['d by ada']);
  }
});

test.each([true, false])('a stop ends the repetition of a write; aborted before it: %s', async isAborted => {
  const { options } = keeping();
  const stop = new AbortController();
  let writes = 0;
  const source = {
    async *play() {
      if (isAborted) stop.abort();
      yield tried('a');
    },
  };
  const ingest = async () => {
    writes += 1;
    throw new Error('the disk is full');
  };
  const collecting = collectAttempts(
    [],
    { ...options, source, store: { ingest }, progress: () => {}, problem: () => stop.abort() },
    stop.signal,
  );
  collecting.catch(() => undefined);
  expect(await collecting).toEqual([]);
  expect(writes).toBe(1);
});

test('a stop during a write loses neither its acceptance nor the attempts behind it', async () => {
  const { offered, options } = keeping('ada');
  const stop = new AbortController();
  const source = {
    async *play() {
      yield tried('a');
      yield tried('d', SECOND);
    },
  };
  const ingest = async (trajectory: Trajectory) => {
    stop.abort();
    await options.store.ingest(trajectory);
  };
  const came = await collectAttempts(
    [],
    { ...options, source, store: { ingest }, progress: () => {} },
    stop.signal,
  );
  expect(offered).toEqual(['a by ada', 'd by ada']);
  expect(total(came)).toEqual({ tried: 2, succeeded: 2, kept: 2, broken: 0 });
});

describe('a stop of scripts delivers those that have succeeded, starts none and waits for none', () => {
  const instances = [1, 2, 3, 4, 5].map(number => ({ task: FIRST, seed: seed(number) }));
  /** The third one never ends. */
  const demonstrate = async (instance: Instance) => {
    if (instance.seed === seed(3)) await new Promise(() => undefined);
    return instance.seed === seed(2) ? undefined : trajectory(`${instance.seed}`, { instance });
  };

  test('between two attempts', async () => {
    const stop = new AbortController();
    const ids: unknown[] = [];
    for await (const attempt of demonstrations({ concurrency: 4, demonstrate }, instances, stop.signal)) {
      ids.push(attempt.trajectory?.id);
      stop.abort();
    }
    expect(ids).toEqual(['1', '4']);
  });

  test('during an attempt', async () => {
    const stop = new AbortController();
    const all = demonstrations({ concurrency: 2, demonstrate }, instances.slice(2), stop.signal);
    const attempts = all[Symbol.asyncIterator]();
    const next = attempts.next();
    stop.abort();
    expect((await next).value?.trajectory?.id).toBe('4');
    expect((await attempts.next()).done).toBe(true);
  });
});

test('collecting by script ends with the reason if no desktop starts', async () => {
  const { path } = await answering({
    'GET /info': () => ({ ServerVersion: '29', NCPU: 2, MemTotal: 1e9 }),
    'GET /images/json': () => [{ Id: 'mine', RepoTags: ['mine:1'], Labels: {}, Size: 1 }],
    'GET /containers/json': () => [],
    'GET /events': (_, response) => void response.writeHead(200).flushHeaders(),
    'POST /containers/create': (_, response) => {
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{ "message": "the disk is full" }');
    },
  });
  const docker = { hosts: [{ address: `unix://${path}`, capacity: 20 }], image: 'mine:1' };
  const config = parseConfig({ environments: { kind: 'docker', docker } });
  const clock = new VirtualClock();
  const tasks = DOCKER.tasks('train').slice(0, 1);
  const instances = tasks.map(task => ({ task, seed: DOCKER.seed('train', 0) }));
  let isOver = false;
  const problems: string[] = [];
  const source = byScript({ config, tasks, clock });
  const ended = (async () => {
    const tell = (message: string) => void problems.push(message);
    for await (const _ of source.play(instances, new AbortController().signal, tell));
  })().finally(() => {
    isOver = true;
  });
  const refused = expect(ended).rejects.toThrow(
    /^No desktop has started within 3 minutes\. .*the disk is full/,
  );
  while (!isOver) {
    await systemClock.sleep(2);
    await clock.run(clock.now() + 500);
  }
  await refused;
  expect(clock.now()).toBeLessThan(600_000);
  // Who waits hears of it long before.
  expect(problems[0]).toMatch(/the disk is full/);
});

test('a script solves every instance once, with actions of a policy', async () => {
  const tasks = ['settings-theme', 'files-move'].map(taskId);
  const config = parseConfig({ suite: { tasks }, mode: 'a11y_tree' });
  const source = byScript({ config, tasks, clock: systemClock });
  const instances = tasks.flatMap(task => [0, 1].map(index => ({ task, seed: POCKET.seed('train', index) })));
  const all: Trajectory[] = [];
  for await (const { trajectory: shown } of source.play(
    instances,
    new AbortController().signal,
    () => undefined,
  ))
    if (shown !== undefined) all.push(shown);
  expect(all.map(({ instance }) => instance)).toEqual(instances);
  for (const { provenance, purpose, outcome } of all) {
    expect({ provenance, purpose }).toEqual({ provenance: { kind: 'oracle' }, purpose: 'demonstrate' });
    expect(outcome).toMatchObject({ kind: 'judged', verdict: { score: 1 } });
  }
});
