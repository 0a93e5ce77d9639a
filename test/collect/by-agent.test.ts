// Episodes of an agent: repeatable, judged also after unreadable replies, and none is lost when an endpoint fails or somebody stops.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AgentHealth } from '../../runtime/collect/agent-health.ts';
import type { Attempted, CollectSource } from '../../runtime/collect/source.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { taskId } from '../../runtime/core/ids.ts';
import type { Instance } from '../../runtime/core/task.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { isSuccess } from '../../runtime/core/verdict.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { EndpointError } from '../../runtime/endpoints/failure.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { Draw } from '../../runtime/environments/pocket/tasks/draw.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { temporaryFolder } from '../temporary.ts';
import { clicks, source } from './playing.ts';

const instances = (count: number, ...tasks: readonly string[]): readonly Instance[] =>
  Array.from({ length: count }, (_, index) =>
    tasks.map(task => ({ task: taskId(task), seed: POCKET.seed('test', index) })),
  ).flat();

/** One click on the element that the task names solves it. */
const SOLVED = 'settings-night-light';
/** The task names no element of the first screen. */
const UNREADABLE = 'settings-language';

interface Played {
  readonly trajectories: readonly Trajectory[];
  readonly problems: readonly string[];
  readonly error: unknown;
}

async function play(
  played: CollectSource,
  all: readonly Instance[],
  stop = new AbortController(),
  seen: (attempt: Attempted) => void = () => undefined,
): Promise<Played> {
  const trajectories: Trajectory[] = [];
  const problems: string[] = [];
  try {
    for await (const attempt of played.play(all, stop.signal, message => void problems.push(message))) {
      if (attempt.trajectory !== undefined) trajectories.push(attempt.trajectory);
      seen(attempt);
    }
    return { trajectories, problems, error: undefined };
  } catch (error) {
    return { trajectories, problems, error };
  }
}

const byInstance = (a: Trajectory, b: Trajectory): number => (a.id < b.id ? -1 : 1);

test('every instance is played once, and each trajectory names the agent and the evaluation', async () => {
  const { played, chat } = source();
  const { trajectories, error } = await play(played, instances(4, SOLVED, UNREADABLE));
  expect(error).toBeUndefined();
  expect(trajectories).toHaveLength(8);
  expect(new Set(trajectories.map(({ id }) => id)).size).toBe(8);
  for (const { id, run, purpose, agent, mode, order } of trajectories) {
    expect({ run, purpose, agent, mode }).toEqual({
      ...{ run: undefined, purpose: 'evaluate', agent: 'toy', mode: 'a11y_tree' },
    });
    expect(id).toMatch(/^evaluate-1\.\d\.0\.1$/);
    expect(`${order}.1`).toBe(id);
  }
  expect(chat.ended).toHaveLength(8);
  const solved = trajectories.filter(({ outcome }) => isSuccess(outcome));
  expect(solved.map(({ instance }) => instance.task)).toEqual(Array.from({ length: 4 }, () => SOLVED));
});

test('an unreadable reply is a step that changes nothing, and the episode is judged', async () => {
  const { played } = source();
  const { trajectories } = await play(played, instances(2, UNREADABLE));
  for (const { steps, outcome } of trajectories) {
    expect(steps.map(({ action }) => action.kind)).toEqual(['none', 'finished']);
    expect(steps[0]?.chosen?.trace).toMatchObject({ kind: 'tokens', raw: 'I see nothing of that name.' });
    expect(outcome).toMatchObject({ kind: 'judged', ending: 'finished', verdict: { score: 0 } });
  }
});

test('equal seeds give equal requests and equal episodes, whatever runs at the same time', async () => {
  const run = async (seed: string, parallel: number) => {
    const { played, chat } = source({ seed, parallel, rollouts: 2, temperature: 1 });
    const { trajectories } = await play(played, instances(3, SOLVED, UNREADABLE));
    const requests = chat.requests.map(({ messages, sampling, session }) =>
      JSON.stringify({ session, sampling, messages }),
    );
    return {
      requests: requests.sort(),
      episodes: [...trajectories]
        .sort(byInstance)
        .map(({ startedAt: _, endedAt: __, ...episode }) => episode),
    };
  };
  const [first, again, other] = [await run('a', 1), await run('a', 5), await run('b', 5)];
  expect(again).toEqual(first);
  expect(other.requests).not.toEqual(first.requests);
  // The rollouts of an instance differ.
  expect(new Set(first.requests).size).toBe(first.requests.length);
});

test('the temperature multiplies that of the agent, also in an evaluation', async () => {
  for (const [temperature, sent] of [
    [0, 0],
    [0.5, 0.4],
  ] as const) {
    const { played, chat } = source({ temperature });
    await play(played, instances(1, SOLVED));
    expect(chat.requests.map(({ sampling }) => sampling.temperature)).toEqual([sent, sent]);
  }
});

test.each(['unauthorized', 'no-such-model', 'budget'] as const)(
  'the cause %s ends the collection with the reason, and what finished before is kept',
  async cause => {
    const { played, chat } = source({
      parallel: 2,
      answer: (request, number) => {
        if (number >= 11) throw new EndpointError(cause, 'toy', 'It was rejected. Correct the settings.');
        return clicks(request, number);
      },
    });
    const { trajectories, error } = await play(played, instances(20, SOLVED));
    expect(String(error)).toContain('It was rejected. Correct the settings.');
    const judged = trajectories.filter(({ outcome }) => outcome.kind === 'judged');
    // Two turns per episode: 11 replies finish four or five episodes of two at a time.
    expect(judged.length).toBeGreaterThanOrEqual(4);
    expect(chat.requests.length).toBeLessThan(20);
  },
);

test.each([
  { of: 'one task', tasks: [SOLVED] },
  { of: 'two tasks', tasks: [SOLVED, UNREADABLE] },
])('an endpoint that breaks episode after episode of $of ends the collection', async ({ tasks }) => {
  const { played } = source({
    answer: (request, number) => {
      if (number >= 8) throw new EndpointError('server-error', 'toy', 'It is out of memory. Restart it.');
      return clicks(request, number);
    },
  });
  const { trajectories, error } = await play(played, instances(40, ...tasks));
  expect(String(error)).toMatch(/The last \d+ episodes failed on every attempt: It is out of memory/);
  const broken = trajectories.filter(({ outcome }) => outcome.kind === 'broken');
  expect(broken.length).toBeGreaterThanOrEqual(3);
  for (const { outcome } of broken)
    expect(outcome).toMatchObject({ failure: { boundary: 'provider', thing: 'toy' } });
  expect(trajectories.filter(({ outcome }) => outcome.kind === 'judged').length).toBeGreaterThanOrEqual(2);
});

test('a task that breaks all its rollouts does not end the collection', async () => {
  const { played } = source({
    ...{ rollouts: 4, parallel: 1 },
    answer: (request, number) => {
      // The index of the instance is first.
      if (request.session.startsWith('0.')) throw new EndpointError('server-error', 'toy', 'It failed.');
      return clicks(request, number);
    },
  });
  const { trajectories, error } = await play(played, instances(1, SOLVED, UNREADABLE));
  expect(error).toBeUndefined();
  const outcomes = trajectories.map(({ instance, outcome }) => `${instance.task} ${outcome.kind}`);
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => `${UNREADABLE} judged`),
    ...Array.from({ length: 4 }, () => `${SOLVED} broken`),
  ]);
});

test('an episode that breaks for a while is tried again, and counts once', async () => {
  const failures = new Map<string, number>();
  const { played, chat } = source({
    answer: (request, number) => {
      const episode = request.session.split('.').slice(0, 2).join('.');
      const failed = failures.get(episode) ?? 0;
      failures.set(episode, failed + 1);
      if (failed < 2) throw new EndpointError('timeout', 'toy', 'No reply. Wait.');
      return clicks(request, number);
    },
  });
  const { trajectories } = await play(played, instances(5, SOLVED));
  expect(trajectories).toHaveLength(5);
  expect(trajectories.every(({ outcome }) => outcome.kind === 'judged')).toBe(true);
  expect(new Set(chat.requests.map(({ session }) => session)).size).toBe(15);
});

/** A folder with one task, and an instance of the task that cannot be made. The folder loads, because loading makes other instances. */
function faultyTask() {
  const [loaded, other] = [[POCKET.seed('train', 0), POCKET.seed('test', 0)], POCKET.seed('test', 1)];
  // The first name of `vary` is drawn first.
  const lacksSign = (id: string, number: number) => new Draw(id, number).random.int(2) === 1;
  const id = Array.from({ length: 1000 }, (_, index) => `faulty-${index}`).find(
    each => lacksSign(each, other) && !loaded.some(number => lacksSign(each, number)),
  );
  if (id === undefined) throw new Error('Every task draws other values.');
  const { dartboard, ...task } = JSON.parse(EXAMPLE);
  const vary = { what: [{ name: 'a', sign: '+' }, { name: 'b' }], ...dartboard.vary };
  const faulty = { ...task, id, instruction: '{say} {what.sign}', dartboard: { ...dartboard, vary } };
  const folder = temporaryFolder('tasks');
  writeFileSync(join(folder, 'faulty.json'), JSON.stringify(faulty));
  return { folder, instance: { task: taskId(id), seed: other } };
}

test('an instance that cannot be made breaks its own episodes only', async () => {
  const { folder, instance } = faultyTask();
  const { played } = source({ config: parseConfig({ suite: { files: folder } }) });
  // It is ordered when the first episode ends.
  const all = [...instances(6, SOLVED), instance, ...instances(1, UNREADABLE)];
  const { trajectories, problems, error } = await play(played, all);
  expect(error).toBeUndefined();
  expect(trajectories).toHaveLength(8);
  expect(trajectories.filter(({ outcome }) => outcome.kind === 'broken')).toMatchObject([
    { instance, outcome: { failure: { boundary: 'task', thing: instance.task } } },
  ]);
  expect(problems).toContainEqual(expect.stringContaining('{what.sign} has no value'));
});

test('a stop ends without an error, and delivers what has finished', async () => {
  const stop = new AbortController();
  const { played, chat } = source({ parallel: 4 });
  const { trajectories, error } = await play(played, instances(50, SOLVED), stop, () => stop.abort());
  expect(error).toBeUndefined();
  expect(trajectories.length).toBeGreaterThanOrEqual(1);
  expect(trajectories.length).toBeLessThan(50);
  for (const { outcome } of trajectories) expect(outcome.kind).toBe('judged');
  // An episode may have begun without a request.
  expect(chat.ended).toEqual(expect.arrayContaining(chat.requests.map(({ session }) => session)));
});

test('a stop interrupts a desktop that does not answer', async () => {
  const stop = new AbortController();
  let interrupt: (error: Error) => void = () => undefined;
  const reset = vi.spyOn(PocketDesktop.prototype, 'reset').mockImplementation(() => {
    stop.abort();
    return new Promise((_, reject) => {
      interrupt = reject;
    });
  });
  const close = vi
    .spyOn(PocketDesktop.prototype, 'close')
    .mockImplementation(async () => interrupt(new Error('The desktop is closed.')));
  onTestFinished(() => {
    reset.mockRestore();
    close.mockRestore();
  });
  // No deadline ends the call: nobody moves the clock.
  const { played } = source({ clock: new VirtualClock() });
  const ended = await play(played, instances(1, SOLVED), stop);
  expect(ended).toEqual({ trajectories: [], problems: [], error: undefined });
  expect(reset).toHaveBeenCalledOnce();
});

test('a collection ends when all servers have been down for ten minutes, and not when one recovers', async () => {
  const clock = new VirtualClock();
  const health = new AgentHealth({ agent: 'lab', servers: 2, clock });
  const heard: string[] = [];
  // The agent is open before somebody listens.
  health.report('lab.1', false, 'No connection.');
  health.listen(message => void heard.push(message));
  await clock.run(clock.now() + 3_600_000);
  expect(health.down.aborted).toBe(false);
  health.report('lab.2', false, 'No connection.');
  await clock.run(clock.now() + 599_000);
  health.report('lab.1', true, 'answers again');
  await clock.run(clock.now() + 3_600_000);
  expect(health.down.aborted).toBe(false);
  health.report('lab.1', false, 'The connection was refused.');
  await clock.run(clock.now() + 601_000);
  expect(String(health.down.reason)).toContain('for 10 minutes: The connection was refused.');
  expect(heard).toEqual([
    ...['lab.1: No connection.', 'lab.2: No connection.', 'lab.1: The connection was refused.'],
  ]);
});
