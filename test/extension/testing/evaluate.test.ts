import { expect, test } from 'vitest';
import { DaemonRequestError } from '../../../extension/daemon/requests.ts';
import { type EvaluationServices, evaluateTests } from '../../../extension/testing/evaluate.ts';
import { evaluationParams, plannedEvaluations } from '../../../extension/testing/plan.ts';
import type { TestUpdate } from '../../../extension/testing/progress.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { DaemonMethod } from '../../../runtime/protocol/daemon/messages.ts';
import { brokenEpisode, judgedEpisode } from '../../cli/episodes.ts';
import { passUntil } from '../../pass-until.ts';
import { ScriptedDaemon } from './scripted-daemon.ts';

const TESTS = ['a', 'b'].map(
  task => ({ id: `pocket/1/${task}`, kind: 'pocket', task, split: 'test' }) as const,
);
const UNSEEN = { id: 'pocket/1/u', kind: 'pocket', task: 'u', split: 'unseen' } as const;

function running(
  daemon: ScriptedDaemon,
  {
    instances = 1,
    tests = [...TESTS],
    mayCancel,
  }: Partial<Pick<EvaluationServices, 'mayCancel'>> & {
    readonly instances?: number;
    readonly tests?: readonly ((typeof TESTS)[number] | typeof UNSEEN)[];
  } = {},
) {
  const updates: TestUpdate[] = [];
  const lines: string[] = [];
  const [clock, cancel] = [new VirtualClock(), new AbortController()];
  const choice = { config: {}, agent: 'tars', instances, who: 'ada' };
  const orders = plannedEvaluations(tests).map(planned => ({
    params: evaluationParams(planned, choice),
    tests: planned.tests,
  }));
  const end = { isOver: false };
  const over = evaluateTests(orders, {
    ...{ client: daemon.client, clock, signal: cancel.signal },
    report: update => void updates.push(update),
    print: line => void lines.push(line),
    mayCancel: mayCancel ?? (async () => false),
  }).then(() => {
    end.isOver = true;
  });
  /** The states of each test, in order. */
  const states = () =>
    Object.fromEntries(
      tests.map(({ id, task }) => [
        task,
        updates.filter(each => each.id === id && each.kind !== 'output').map(({ kind }) => kind),
      ]),
    );
  const reasons = () => updates.flatMap(update => (update.kind === 'errored' ? [update.message] : []));
  return { updates, lines, clock, cancel, over, end, states, reasons };
}

const asked = (daemon: ScriptedDaemon, method: DaemonMethod) => async (): Promise<void> =>
  expect.poll(() => daemon.requests.at(-1)).toBe(method);

test('states follow as episodes finish', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, lines } = running(daemon, { instances: 2 });
  await asked(daemon, 'collect.follow')();
  expect(states()).toEqual({ a: ['started'], b: ['started'] });
  expect(lines).toEqual(["Agent 'tars' at temperature 0"]);
  daemon.finish(judgedEpisode('a', 0, true), judgedEpisode('b', 0, false));
  await expect.poll(states).toEqual({ a: ['started'], b: ['started', 'failed'] });
  daemon.finish(judgedEpisode('a', 1, true));
  await expect.poll(states).toEqual({ a: ['started', 'passed'], b: ['started', 'failed'] });
  daemon.finish(brokenEpisode('b', 1));
  daemon.update({ status: 'ended' });
  await over;
  expect(states()).toEqual({ a: ['started', 'passed'], b: ['started', 'failed', 'failed'] });
});

test('a cancelled run ends the evaluation, and keeps what has finished', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, cancel } = running(daemon);
  await asked(daemon, 'collect.follow')();
  daemon.finish(judgedEpisode('a', 0, true));
  await expect.poll(states).toMatchObject({ a: ['started', 'passed'] });
  cancel.abort();
  await over;
  expect(daemon.state?.status).toBe('stopped');
  expect(states()).toEqual({ a: ['started', 'passed'], b: ['started', 'skipped'] });
});

test('a cancelled run ends although the daemon does not reply, and ignores what comes later', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, cancel, clock, end } = running(daemon);
  await asked(daemon, 'collect.follow')();
  daemon.before = method => (method === 'collect.cancel' ? new Promise<void>(() => undefined) : undefined);
  cancel.abort();
  await passUntil(clock, () => end.isOver);
  await over;
  expect(clock.now()).toBeLessThanOrEqual(31_000);
  const final = { a: ['started', 'skipped'], b: ['started', 'skipped'] };
  expect(states()).toEqual(final);
  const before = daemon.requests.length;
  daemon.finish(judgedEpisode('a', 0, false));
  await clock.run(clock.now() + 1000);
  expect(states()).toEqual(final);
  expect(daemon.requests.slice(before)).toEqual([]);
});

test('a run that is cancelled before it begins ends at once, and a late start is cancelled', async () => {
  const daemon = new ScriptedDaemon();
  let start: () => void = () => undefined;
  daemon.before = method =>
    method === 'collect.start'
      ? new Promise<void>(resolve => {
          start = resolve;
        })
      : undefined;
  const { over, states, cancel, clock } = running(daemon);
  await asked(daemon, 'collect.start')();
  cancel.abort();
  await over;
  expect(clock.now()).toBe(0);
  expect(states()).toEqual({ a: ['skipped'], b: ['skipped'] });
  start();
  await expect.poll(() => daemon.state?.status).toBe('stopped');
});

test('a lost daemon ends the run: tests without a failed instance get the reason', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, reasons } = running(daemon, { instances: 2 });
  await asked(daemon, 'collect.follow')();
  daemon.finish(judgedEpisode('a', 0, false));
  await expect.poll(states).toMatchObject({ a: ['started', 'failed'] });
  let isLost = false;
  daemon.before = () => {
    if (isLost) return;
    isLost = true;
    throw new DaemonRequestError('The connection was lost.');
  };
  daemon.restart();
  await over;
  expect(states()).toEqual({ a: ['started', 'failed', 'failed'], b: ['started', 'errored'] });
  expect(reasons()[0]).toMatch(/^0 of 2 instances were played: The collection 'evaluate-1' does not exist/);
});

test('a connection that breaks once is restored', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states } = running(daemon);
  await asked(daemon, 'collect.follow')();
  let failures = 0;
  daemon.before = method => {
    if (method !== 'collect.follow' || failures > 0) return;
    failures += 1;
    throw new DaemonRequestError('The connection was lost.');
  };
  daemon.finish(judgedEpisode('a', 0, true));
  await expect.poll(() => failures).toBe(1);
  daemon.finish(judgedEpisode('b', 0, true));
  daemon.update({ status: 'ended' });
  await over;
  expect(states()).toEqual({ a: ['started', 'passed'], b: ['started', 'passed'] });
});

test('a daemon that hangs ends the run', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, reasons } = running(daemon);
  await asked(daemon, 'collect.follow')();
  daemon.finish(judgedEpisode('a', 0, true));
  await expect.poll(states).toMatchObject({ a: ['started', 'passed'] });
  daemon.before = () => {
    throw new DaemonRequestError('late');
  };
  daemon.update({});
  await over;
  expect(states()).toEqual({ a: ['started', 'passed'], b: ['started', 'errored'] });
  expect(reasons()).toEqual(['0 of 1 instance was played: late']);
});

test('an evaluation that cannot start gives its reason to its tests, and the next one runs', async () => {
  const daemon = new ScriptedDaemon();
  let starts = 0;
  daemon.before = method => {
    if (method !== 'collect.start') return;
    starts += 1;
    if (starts === 1) throw new Error('No key.');
  };
  const { over, states, reasons } = running(daemon, { tests: [...TESTS, UNSEEN] });
  await expect.poll(() => daemon.started.map(({ evaluates }) => evaluates)).toEqual(['unseen']);
  daemon.finish(judgedEpisode('u', 0, true));
  daemon.update({ status: 'ended' });
  await over;
  expect(states()).toEqual({ a: ['errored'], b: ['errored'], u: ['started', 'passed'] });
  expect(reasons()).toEqual(Array.from({ length: 2 }, () => '0 of 1 instance was played: No key.'));
});

test('an evaluation that fails gives its reason to the tests that it did not finish', async () => {
  const daemon = new ScriptedDaemon();
  const { over, states, lines, reasons } = running(daemon);
  await asked(daemon, 'collect.follow')();
  daemon.update({ problem: 'The server does not reply.' });
  await expect.poll(() => lines).toContain('The server does not reply.');
  daemon.finish(brokenEpisode('a', 0, 'no desktop'));
  daemon.update({ status: 'failed', message: 'The servers are down.' });
  await over;
  expect(states()).toEqual({ a: ['started', 'errored'], b: ['started', 'errored'] });
  expect(reasons()).toEqual([
    ...['1 of 1 instance broke: no desktop', '0 of 1 instance was played: The servers are down.'],
  ]);
});

test('a busy daemon is cancelled only if the user wants it', async () => {
  const busy = () => {
    const daemon = new ScriptedDaemon();
    daemon.occupy('Scripted solutions');
    return daemon;
  };
  const [kept, freed] = [busy(), busy()];
  const refused = running(kept);
  await refused.over;
  expect(kept.state).toMatchObject({ collection: 'collect-0', status: 'playing' });
  expect(refused.reasons()[0]).toContain('The daemon is busy: Scripted solutions, 0 of 1 episodes');
  const asks: string[] = [];
  const accepted = running(freed, {
    mayCancel: async other => {
      asks.push(other.collection);
      return true;
    },
  });
  await expect.poll(() => freed.started.length).toBe(1);
  freed.finish(judgedEpisode('a', 0, true), judgedEpisode('b', 0, true));
  freed.update({ status: 'ended' });
  await accepted.over;
  expect(asks).toEqual(['collect-0']);
  expect(accepted.states()).toEqual({ a: ['started', 'passed'], b: ['started', 'passed'] });
});

test('a refusal to cancel another collection holds for all parts of a run', async () => {
  const daemon = new ScriptedDaemon();
  daemon.occupy('Scripted solutions');
  let questions = 0;
  const { over, states, reasons } = running(daemon, {
    tests: [...TESTS, UNSEEN],
    mayCancel: async () => {
      questions += 1;
      return false;
    },
  });
  await over;
  expect(questions).toBe(1);
  expect(states()).toEqual({ a: ['errored'], b: ['errored'], u: ['errored'] });
  expect(new Set(reasons()).size).toBe(1);
});

test('nothing is requested for a run without tests', async () => {
  const daemon = new ScriptedDaemon();
  await running(daemon, { tests: [] }).over;
  expect(daemon.requests).toEqual([]);
});
