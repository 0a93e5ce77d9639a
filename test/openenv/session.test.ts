// Sessions of OpenEnv clients on pocket desktops: episodes, rewards, errors, and the desktops that they return.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { desktopId } from '../../runtime/core/ids.ts';
import { decodePng } from '../../runtime/core/png-reader.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { openOffline } from '../../runtime/environments/offline/open-offline.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { answerMessage } from '../../runtime/openenv/answer.ts';
import { LEASE_TIMEOUT_MS, OpenEnvSession } from '../../runtime/openenv/session.ts';
import { OpenEnvSessions } from '../../runtime/openenv/sessions.ts';
import { ERROR_CODES } from '../../runtime/openenv/wire.ts';
import { sourceOf } from '../environments/offline/experts.ts';
import { expectNamed } from '../named-values.ts';
import { breakage, solutionActions, type TestDesktopsOptions, testDesktops } from './desktops.ts';

function opened(options: TestDesktopsOptions = {}) {
  const { options: ofSessions, pool } = testDesktops(options);
  const sessions = new OpenEnvSessions(ofSessions);
  return { sessions, pool, session: sessions.open() };
}

const step = (action: object) => action as Readonly<Record<string, unknown>>;
const EASY = POCKET.tasks('train', 1).find(task => !task.includes('infeasible')) ?? '';

test('the scripted solution of a task has the reward 1 in its last step, and 0 before', async () => {
  const { session } = opened();
  const first = await session.reset({ task_id: EASY, seed: 3 });
  expect(first).toMatchObject({
    reward: 0,
    done: false,
    metadata: { task_id: EASY, seed: 3, step_count: 0 },
  });
  const actions = solutionActions(EASY, POCKET.seed('train', 3));
  const rewards: [number, boolean][] = [];
  for (const action of actions) {
    const { reward, done } = await session.step(step(action));
    rewards.push([reward, done]);
  }
  expect(rewards).toEqual([...actions.slice(1).map((): [number, boolean] => [0, false]), [1, true]]);
  expect(session.state()).toMatchObject({ done: true, score: 1, step_count: actions.length, task_id: EASY });
});

test('the step limit ends the episode with the score of the evaluator', async () => {
  const { session } = opened();
  await session.reset({ task_id: EASY, seed: 3 });
  const { max_steps: max } = session.state();
  for (let count = 1; count < (max ?? 0); count++)
    expect(await session.step({ kind: 'wait' })).toMatchObject({ done: false });
  const last = await session.step({ kind: 'wait' });
  expect(last).toMatchObject({ done: true, reward: 0, metadata: { ending: 'capped', step_count: max } });
  await expect(session.step({ kind: 'wait' })).rejects.toMatchObject({ code: 'EXECUTION_ERROR' });
});

test('equal arguments begin equal episodes, and the state names the arguments of the drawn one', async () => {
  const { session } = opened({ observation: 'both' });
  const drawn = await session.reset({ tier: 2, split: 'test' });
  const { task_id, seed, split, tier } = session.state();
  expect({ split, tier }).toEqual({ split: 'test', tier: 2 });
  const again = await session.reset({ task_id, seed, split });
  expect(again.observation).toEqual(drawn.observation);
});

test('observations contain what the reset asks for', async () => {
  const { session } = opened({ observation: 'text' });
  const { observation: text } = await session.reset({ seed: 1 });
  expect(Object.keys(text).toSorted()).toEqual(['elements', 'height', 'instruction', 'width']);
  const { observation: picture } = await session.reset({ seed: 1, observation: 'screenshot' });
  expect(picture).toMatchObject({ media_type: 'image/png', width: 320, height: 240 });
  expect('elements' in picture).toBe(false);
  const pixels = decodePng(Buffer.from(String(picture['screenshot']), 'base64'), 320 * 240);
  expect(pixels).toMatchObject({ width: 320, height: 240 });
  const { observation: both } = await session.reset({ seed: 1, observation: 'both' });
  expect(both).toEqual({ ...picture, ...text });
});

test('the lines of elements name the points to click', async () => {
  const { session } = opened();
  const { observation } = await session.reset({ task_id: EASY, seed: 0 });
  const lines = String(observation['elements']).split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line).toMatch(/^[a-z ]+ .*at \(\d+, \d+\)$/);
});

test('pyautogui code is performed, and each of its calls counts as a step', async () => {
  const { session } = opened();
  await session.reset({ task_id: EASY, seed: 3 });
  await session.step({ code: "pyautogui.moveTo(5, 5)\npyautogui.click()\npyautogui.press('esc')" });
  expect(session.state()).toMatchObject({ step_count: 2, done: false });
  expect(await session.step({ code: 'FAIL' })).toMatchObject({ done: true, metadata: { ending: 'fail' } });
});

test.each([
  ['code that cannot be read', { code: "os.system('x')" }, 'os.system'],
  ['a point off the screen', { kind: 'click', at: { x: 320, y: 0 } }, '(320, 0)'],
  [
    'code with one point off the screen',
    { code: 'pyautogui.click(1, 1)\npyautogui.click(1, 999)' },
    '(1, 999)',
  ],
  ['a control character', { kind: 'type', text: '\u0007' }, 'U+0007'],
])('%s is a step with an error in its observation, and changes nothing', async (_, action, named) => {
  const { session } = opened();
  const { observation: before } = await session.reset({ task_id: EASY, seed: 3 });
  const { observation, done } = await session.step(step(action));
  expectNamed(String(observation['error']), named);
  expect({ ...observation, error: undefined, done }).toEqual({ ...before, error: undefined, done: false });
  expect(session.state().step_count).toBe(1);
});

test('code that cannot be read ends the episode on a stored trajectory, as any action that differs', async () => {
  const { suite, make } = openOffline({
    source: sourceOf({
      one: [
        { kind: 'click', at: { x: 10, y: 10 } },
        { kind: 'finished', answer: '' },
      ],
    }),
    ...{ patches: 0, health: () => undefined },
  });
  const desktop = await make(desktopId('stored'));
  const session = new OpenEnvSession({
    ...{ suite, observation: 'screenshot', clock: new VirtualClock() },
    desktops: { lease: async () => ({ desktop, release: () => undefined }), unavailable: () => undefined },
    ...{ drawSeed: () => 7, newId: () => 'episode' },
  });
  await session.reset({});
  const { observation, done, reward } = await session.step({ code: "os.system('x')" });
  expectNamed(String(observation['error']), 'os.system');
  expect({ done, reward }).toEqual({ done: true, reward: 0 });
});

test('an invalid action is no step, and the episode continues', async () => {
  const { session } = opened();
  await session.reset({ task_id: EASY, seed: 3 });
  await expect(session.step({ kind: 'wait', extra: 1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(session.reset({ seed: -1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(session.state()).toMatchObject({ step_count: 0, task_id: EASY });
  expect(await session.step({ kind: 'wait' })).toMatchObject({ done: false });
});

test('a desktop that breaks gives its reason, and a reset begins on another one', async () => {
  let breaks = true;
  const used: string[] = [];
  const { session, pool } = opened({
    before: async (_, desktop) => {
      used.push(desktop);
      if (breaks) throw breakage(desktop);
    },
  });
  await session.reset({ seed: 1 });
  await expect(session.step({ kind: 'wait' })).rejects.toMatchObject({
    code: 'EXECUTION_ERROR',
    message: expect.stringContaining('its screen went away'),
  });
  await expect(session.step({ kind: 'wait' })).rejects.toThrow(/its screen went away.*reset/);
  expect(session.state()).toMatchObject({ episode_id: null });
  breaks = false;
  await session.reset({ seed: 1 });
  expect(await session.step({ kind: 'wait' })).toMatchObject({ done: false });
  expect(new Set(used).size).toBe(2);
  expect(pool.counts()).toMatchObject({ made: 2, broken: 1 });
});

test('the desktop is free after the end of an episode, and while another session uses it the session keeps its state', async () => {
  const { session, pool } = opened();
  await session.reset({ task_id: EASY, seed: 3 });
  expect(pool.counts().free).toBe(0);
  await session.step({ code: 'DONE' });
  expect(pool.counts().free).toBe(1);
  expect(session.state()).toMatchObject({ task_id: EASY, done: true });
});

test('a reset waits for the desktop that replaces a broken one', async () => {
  const clock = new VirtualClock();
  const { session } = opened({
    clock,
    before: async (_, desktop) => {
      if (desktop === 'pocket-0') throw breakage(desktop);
    },
    start: () => (clock.now() > 0 ? clock.sleep(5000) : Promise.resolve()),
  });
  await clock.run(1);
  await session.reset({ seed: 1 });
  await expect(session.step({ kind: 'wait' })).rejects.toMatchObject({ code: 'EXECUTION_ERROR' });
  const reset = session.reset({ seed: 1 });
  await clock.run(5001);
  expect(await reset).toMatchObject({ done: false });
});

test('as many sessions as desktops are open; the next one is refused at once, until one is closed', async () => {
  const { sessions, session } = opened({ size: 2 });
  sessions.open();
  expect(() => sessions.open()).toThrow(
    expect.objectContaining({
      code: 'CAPACITY_REACHED',
      details: { active_sessions: 2, max_sessions: 2 },
    }),
  );
  await sessions.close(session);
  expect(sessions.active).toBe(1);
  sessions.open();
});

test('a session that is closed in the middle of a step returns its desktop after the step', async () => {
  let proceed = (): void => undefined;
  const acting = new Promise<void>(resolve => {
    proceed = resolve;
  });
  const { sessions, session, pool } = opened({ before: () => acting });
  await session.reset({ seed: 1 });
  const running = session.step({ kind: 'wait' });
  const closing = sessions.close(session);
  expect(sessions.active).toBe(1);
  expect(pool.counts().free).toBe(0);
  proceed();
  await Promise.all([running, closing]);
  expect(sessions.active).toBe(0);
  expect(pool.counts().free).toBe(1);
  await expect(session.reset({})).rejects.toMatchObject({ code: 'SESSION_ERROR' });
});

test('a reset waits for a desktop that is being replaced', async () => {
  const clock = new VirtualClock();
  const { session } = opened({ clock, maxEpisodes: 1, start: () => clock.sleep(5000) });
  await clock.run(5000);
  await session.reset({ seed: 1 });
  const again = session.reset({ seed: 1 });
  await clock.run(10_000);
  expect(await again).toMatchObject({ done: false });
});

test('a reset that has waited too long for a desktop is refused, and so is one without any working desktop, at once', async () => {
  const clock = new VirtualClock();
  let fails = false;
  const { session } = opened({
    ...{ clock, maxEpisodes: 1 },
    start: async () => {
      if (fails) throw new Error('no engine');
      if (clock.now() > 0) await clock.sleep(2 * LEASE_TIMEOUT_MS);
    },
  });
  await clock.run(1);
  await session.reset({ seed: 1 });
  const late = session.reset({ seed: 1 }).catch((error: unknown) => error);
  await clock.run(LEASE_TIMEOUT_MS + 1);
  expect(await late).toMatchObject({ code: 'CAPACITY_REACHED', message: expect.stringContaining('30 s') });
  fails = true;
  await clock.run(clock.now() + 2 * LEASE_TIMEOUT_MS);
  await session.reset({ seed: 1 });
  const waiting = session.reset({ seed: 1 }).catch((error: unknown) => error);
  await clock.run(clock.now() + LEASE_TIMEOUT_MS);
  expect(await waiting).toMatchObject({ code: 'CAPACITY_REACHED' });
  const started = clock.now();
  await expect(session.reset({ seed: 1 })).rejects.toMatchObject({
    code: 'CAPACITY_REACHED',
    message: expect.stringContaining('no engine'),
  });
  expect(clock.now()).toBe(started);
});

const messages = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      type: fc.constantFrom('reset', 'step', 'state', 'mcp', 'nothing', 3),
      data: fc.oneof(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.record({
          kind: fc.constantFrom('click', 'type', 'hotkey', 'scroll', 'finished', 'wait'),
          at: fc.jsonValue(),
        }),
        fc.record({ code: fc.string() }),
        fc.record({ seed: fc.nat(), tier: fc.nat(5) }),
      ),
    })
    .map(value => JSON.stringify(value)),
);

test('every text has exactly one reply, with a known type and error code', async () => {
  const { session } = opened();
  await fc.assert(
    fc.asyncProperty(messages, async text => {
      const reply = await answerMessage(session, text);
      expect(['observation', 'state', 'mcp', 'error']).toContain(reply?.type);
      if (reply?.type === 'error') {
        expect(ERROR_CODES).toContain(reply.data.code);
        expect(reply.data.code).not.toBe('SESSION_ERROR');
        expect(reply.data.message).not.toBe('');
      }
    }),
    { numRuns: 300 },
  );
});
