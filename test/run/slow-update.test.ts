// A run while its learner makes an update of a language model, which takes minutes of virtual time: its end, and time that does not count.

import { describe, expect, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { runId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { ModuleEnd } from '../../runtime/run/module-process.ts';
import type { ModuleLife } from '../../runtime/run/module-supervisor.ts';
import { type ResumableState, RunLifecycle } from '../../runtime/run/run-lifecycle.ts';
import { finished } from '../data/finished-episodes.ts';
import { expectNamed } from '../named-values.ts';
import { passUntil } from '../pass-until.ts';
import { Disk, newLearner, tokenBatch, tokenRing } from '../trainer/tokens/token-ring.ts';

const HOST = new URL('file:///host');
const TRAINER = new URL('file:///trainer');
const UPDATE_MS = 275_000;
const MINUTE_MS = 60_000;

/** Ends by itself when its work does, or is killed after the shortest deadline. */
class Life implements ModuleLife {
  readonly ready = Promise.resolve();
  silentMs = 0;
  readonly ended: Promise<ModuleEnd>;
  readonly #clock: VirtualClock;
  readonly #stop: () => void;
  #end: (end: ModuleEnd) => void = () => undefined;

  constructor(clock: VirtualClock, stop: () => void, work: Promise<void>) {
    this.#clock = clock;
    this.#stop = stop;
    this.ended = new Promise(resolve => {
      this.#end = resolve;
    });
    work.then(
      () => this.#end({ wasClosed: true, isClean: true, message: 'It ended.' }),
      // A killed process reports no failure.
      () => undefined,
    );
  }

  async close(timeoutMs: number): Promise<void> {
    this.#stop();
    const ended = new AbortController();
    void this.ended.then(() => ended.abort());
    await sleepUnlessAborted(this.#clock, timeoutMs, ended.signal);
    this.#end({ wasClosed: true, isClean: false, message: 'The trainer was killed.' });
  }
}

/** A run whose first update is in work. */
async function updating(minutes = 600, keepWeights: () => Promise<void> = async () => undefined) {
  const clock = new VirtualClock();
  const fabric = embeddedFabric();
  const learner = newLearner(new Disk());
  const updated: number[] = [];
  learner.during = async count => {
    if (count === 1) await clock.sleep(UPDATE_MS);
    updated.push(count);
  };
  const trainer = await tokenRing({ learner, fabric });
  const hostStop = new AbortController();
  const hostEnd = new Promise<void>(resolve => hostStop.signal.addEventListener('abort', () => resolve()));
  const toy = {
    ...{ profile: 'generic', mode: 'a11y_tree', url: 'http://localhost:8000/v1', model: 'tars' },
    learner: { kind: 'tinker', url: 'http://localhost:9000', base: 'table' },
  };
  const done = async () => undefined;
  const saved: ResumableState[] = [];
  const kept: string[] = [];
  let breakChannel = () => {};
  const broken = new Promise<never>((_, reject) => {
    breakChannel = () => reject(new Error('The channel of the commands broke.'));
  });
  broken.catch(() => undefined);
  const commands: typeof fabric.commands = {
    append: entry => fabric.commands.append(entry),
    read: async function* (from, signal) {
      const entries = fabric.commands.read(from, signal)[Symbol.asyncIterator]();
      for (;;) {
        const next = await Promise.race([broken, entries.next()]);
        if (next.done) return;
        yield next.value;
      }
    },
  };
  const trainerLife = new Life(clock, () => trainer.stop.abort(), trainer.running);
  const hostLife = new Life(clock, () => hostStop.abort(), hostEnd);
  const lifecycle = new RunLifecycle({
    ...{ run: runId('run'), config: parseConfig({ agent: 'toy', agents: { toy }, minutes }) },
    ...{ suite: POCKET, tasks: POCKET.tasks('train'), shape: COMPACT, folder: '/nowhere', clock },
    fabric: { ...fabric, commands },
    entries: { host: HOST, worker: HOST, trainer: TRAINER, engine: HOST },
    ...{ startedAt: 0, hasWeights: false, keepWeights },
    keeps: { keep: async ({ id }) => void kept.push(id) },
    keep: async state => void saved.push(state),
    decided: () => undefined,
    memory: { summaries: async () => [], statusOf: async () => 'open', load: done },
    startProcess: ({ entry }) => (entry === TRAINER ? trainerLife : hostLife),
  });
  let isOver = false;
  const ended = lifecycle
    .run(() => undefined)
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  await passUntil(clock, () => lifecycle.state().status === 'running');
  await fabric.batches.put(tokenBatch('b', 5));
  await passUntil(clock, () => learner.applied.length === 1);
  const pass = (ms: number) => {
    const until = clock.now() + ms;
    return passUntil(clock, () => isOver || clock.now() >= until);
  };
  const parts = { clock, fabric, lifecycle, hostLife, breakChannel };
  return { ...parts, saved, kept, updated, pass, ended, isOver: () => isOver };
}

describe('an update in work', () => {
  test('is finished and published after a stop, and the status says so meanwhile', async () => {
    const { clock, lifecycle, updated, pass, ended, isOver } = await updating();
    lifecycle.stop();
    await pass(120_000);
    expect(lifecycle.state()).toMatchObject({ status: 'stopping', message: 'saves what was learned' });
    await passUntil(clock, isOver);
    await ended;
    expect(updated).toEqual([1]);
    expect(lifecycle.state()).toMatchObject({ status: 'ended', trainer: { version: 1 } });
  });

  test('is finished and published after the end of the time; evaluations that nobody plays are given up', async () => {
    const { clock, fabric, lifecycle, updated, ended } = await updating(1);
    await passUntil(clock, () => lifecycle.state().status === 'stopping');
    expect(lifecycle.state()).toMatchObject({ message: 'saves what was learned', trainer: { version: 0 } });
    await passUntil(clock, () => lifecycle.state().trainer.version === 1);
    expect(updated).toEqual([1]);
    await passUntil(clock, () => lifecycle.state().message?.startsWith('evaluating') === true);
    const reports = () => lifecycle.state().problems.filter(({ thing }) => thing === 'evaluation');
    const since = clock.now();
    await clock.run(since + 10 * MINUTE_MS);
    await fabric.trajectories.put(finished('evaluated', { score: 1 }, { purpose: 'evaluate' }));
    await clock.run(since + 69 * MINUTE_MS);
    expect(lifecycle.state().status).toBe('stopping');
    expect(reports()).toEqual([]);
    await clock.run(since + 71 * MINUTE_MS);
    await passUntil(clock, () => lifecycle.state().status === 'ended');
    await ended;
    const [report] = reports();
    expectNamed(report?.message, 'for 60 minutes', "'dartboard eval'");
  });

  test('is finished after a module has stopped the run, and episodes that finish meanwhile are stored', async () => {
    const { clock, fabric, lifecycle, kept, updated, pass, ended, isOver } = await updating();
    await fabric.commands.append({ kind: 'stop', run: runId('run') });
    await passUntil(clock, () => lifecycle.state().status === 'stopping');
    await fabric.trajectories.put(finished('late', { score: 1 }));
    await pass(30_000);
    expect(isOver()).toBe(false);
    expect(kept).toEqual(['late.t']);
    await passUntil(clock, isOver);
    await ended;
    expect(updated).toEqual([1]);
    expect(lifecycle.state()).toMatchObject({ status: 'ended', trainer: { version: 1 } });
  });

  test('does not delay the save of what the run has cost', async () => {
    const { clock, fabric, lifecycle, saved, pass, ended, isOver } = await updating();
    lifecycle.stop();
    await pass(30_000);
    const spent = { promptTokens: 900, completionTokens: 40 };
    const at = clock.now();
    fabric.events.publish({ module: 'rollout', at, kind: 'servers', since: 0, servers: [], spent });
    await pass(30_000);
    expect(isOver()).toBe(false);
    expect(saved.at(-1)?.spent).toMatchObject(spent);
    await passUntil(clock, isOver);
    await ended;
  });

  test('does not delay the end of a run that failed', async () => {
    const { clock, breakChannel, lifecycle, updated, ended, isOver } = await updating();
    breakChannel();
    expect(await passUntil(clock, isOver)).toBeLessThan(40_000);
    await ended;
    expect(updated).toEqual([]);
    expect(lifecycle.state().status).toBe('failed');
  });

  test.each<[string, (lifecycle: RunLifecycle) => void]>([
    ['a second stop', lifecycle => lifecycle.stop()],
    ['the end of the daemon', lifecycle => lifecycle.stopSoon()],
  ])('does not delay %s, and its learner keeps what it learned', async (_, end) => {
    const { clock, lifecycle, updated, pass, ended, isOver } = await updating();
    lifecycle.stop();
    await pass(30_000);
    expect(isOver()).toBe(false);
    end(lifecycle);
    expect(await passUntil(clock, isOver)).toBeLessThan(40_000);
    await ended;
    expect(updated).toEqual([]);
    expect(lifecycle.state()).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(
        /^The trainer was killed\. Its learner keeps what it learned.*Resume the run/,
      ),
    });
  });
});

test('newest weights that cannot be written at a stop are reported, with the file', async () => {
  const { clock, lifecycle, ended, isOver } = await updating(600, async () => {
    throw new Error('The file is open in another program.');
  });
  lifecycle.stop();
  await passUntil(clock, isOver);
  await ended;
  const { status, message } = lifecycle.state();
  expect(status).toBe('failed');
  expectNamed(message, "'published.json'", 'The file is open in another program.', 'resume');
});

test('time in which a module is silent is not trained time', async () => {
  const { clock, lifecycle, hostLife, pass, ended, isOver } = await updating();
  await pass(10_000);
  const before = lifecycle.state().seconds;
  hostLife.silentMs = 5000;
  await pass(60_000);
  expect(lifecycle.state().seconds - before).toBeLessThan(5);
  hostLife.silentMs = 0;
  await pass(60_000);
  expect(lifecycle.state().seconds - before).toBeGreaterThan(50);
  lifecycle.stop();
  lifecycle.stop();
  await passUntil(clock, isOver);
  await ended;
});
