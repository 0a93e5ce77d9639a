// The official Python client and validator of OpenEnv, and the clients of docs/serve, against a real `dartboard serve --openenv`.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { pyautogui } from '../../../runtime/agents/codecs/pyautogui.ts';
import { wordless } from '../../../runtime/core/action.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { describeUnless, missingEngine } from '../../environments/docker/engine.ts';
import { missingBrowser } from '../../environments/web/missing-browser.ts';
import { solutionActions } from '../../openenv/desktops.ts';
import {
  BIN,
  EXAMPLES,
  missingOpenEnv,
  missingTrl,
  pythonHere,
  type ServedOpenEnv,
  serveOpenEnv,
} from './serve-openenv.ts';

const STEPPING = fileURLToPath(new URL('stepping.py', import.meta.url));
const SESSIONS = 3;
const TOKEN = 'a-token-for-the-tests';

const outcome = z.union([
  z.strictObject({
    observation: z.looseObject({ instruction: z.string() }),
    reward: z.number(),
    done: z.boolean(),
    metadata: z.looseObject({ task_id: z.string() }),
  }),
  z.strictObject({ state: z.looseObject({ step_count: z.int() }) }),
  z.strictObject({ error: z.string() }),
]);

type Request = readonly [session: string, method: 'reset' | 'step' | 'state' | 'close', data: object];

const ask = async (url: string, requests: readonly Request[], headers?: object) =>
  outcome.array().parse(await pythonHere('client.py', { url, requests, headers }));

/** Instances of which the scripted solution is known. */
const INSTANCES = [1, 2, 3, 4].flatMap(tier =>
  POCKET.tasks('test', tier as 1)
    .slice(0, 3)
    .map(task => ({ task, seed: 5 })),
);
const solution = ({ task, seed }: { readonly task: string; readonly seed: number }) =>
  solutionActions(task, POCKET.seed('test', seed));

const run = promisify(execFile);

describeUnless(missingOpenEnv, 'the official client', () => {
  let served: ServedOpenEnv;
  beforeAll(async () => {
    served = await serveOpenEnv(['--sessions', `${SESSIONS}`]);
  });
  afterAll(async () => {
    expect(await served.stop()).toBe(0);
  });

  test.each([
    ['as objects', (action: object) => action],
    ['as code', (action: object) => ({ code: pyautogui.encode(wordless(action as never)) })],
  ])('scripted solutions of all tiers have the reward 1, with actions %s', async (_, wire) => {
    const episodes = INSTANCES.map(instance => ({ ...instance, actions: solution(instance) }));
    const outcomes = await ask(
      served.url,
      episodes.flatMap(({ task, seed, actions }): readonly Request[] => [
        ['a', 'reset', { task_id: task, seed, split: 'test', observation: 'both' }],
        ...actions.map((action): Request => ['a', 'step', wire(action)]),
        ['a', 'state', {}],
      ]),
    );
    for (const { task, actions } of episodes) {
      const [first, ...steps] = outcomes.splice(0, actions.length + 2);
      expect(first, task).toMatchObject({
        ...{ reward: 0, done: false },
        observation: {
          media_type: 'image/png',
          screenshot: expect.any(String),
          elements: expect.any(String),
        },
      });
      expect(steps.at(-2), task).toMatchObject({ reward: 1, done: true, metadata: { task_id: task } });
      expect(steps.at(-1), task).toMatchObject({
        state: { done: true, score: 1, step_count: actions.length },
      });
    }
    expect(outcomes).toEqual([]);
  });

  test('errors have their codes, and the session goes on', async () => {
    const outcomes = await ask(served.url, [
      ['a', 'step', { kind: 'wait' }],
      ['a', 'reset', { tier: 9 }],
      ['a', 'reset', { seed: 1, observation: 'text' }],
      ['a', 'step', { kind: 'wait', extra: 1 }],
      ['a', 'step', { code: 'import os' }],
      ['a', 'step', { kind: 'finished' }],
      ['a', 'step', { kind: 'wait' }],
    ]);
    expect(outcomes).toMatchObject([
      { error: expect.stringContaining('EXECUTION_ERROR') },
      { error: expect.stringMatching(/tier.*VALIDATION_ERROR/) },
      { done: false },
      { error: expect.stringMatching(/extra.*VALIDATION_ERROR/) },
      { done: false, observation: { error: expect.any(String) } },
      { done: true },
      { error: expect.stringMatching(/reset.*EXECUTION_ERROR/) },
    ]);
  });

  test('the session after the last desktop gets CAPACITY_REACHED, until another one closes', async () => {
    const outcomes = await ask(served.url, [
      ...['a', 'b', 'c', 'd'].map((session): Request => [session, 'reset', { seed: 1 }]),
      ['a', 'close', {}],
      ['d', 'reset', { seed: 1 }],
    ]);
    expect(outcomes).toMatchObject([
      ...[{ done: false }, { done: false }, { done: false }],
      { error: expect.stringMatching(/3\/3.*CAPACITY_REACHED/) },
      { done: false },
    ]);
  });

  test('the desktop of a killed client is free again', async () => {
    const clients = Array.from({ length: SESSIONS }, () =>
      spawn(join(BIN, 'python'), [STEPPING, served.url], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    await Promise.all(clients.map(({ stdout }) => once(stdout, 'data')));
    const closed = Promise.all(clients.map(client => once(client, 'close')));
    for (const client of clients) client.kill('SIGKILL');
    await closed;
    const outcomes = await ask(
      served.url,
      ['a', 'b', 'c'].map((session): Request => [session, 'reset', { seed: 1 }]),
    );
    expect(outcomes).toMatchObject([{ done: false }, { done: false }, { done: false }]);
  });

  test('`openenv validate` passes all checks', async () => {
    const { stdout } = await run(join(BIN, 'openenv'), [
      'validate',
      '--url',
      served.url,
      '--timeout',
      '60',
      '--json',
    ]);
    const report = z
      .object({
        passed: z.boolean(),
        mode: z.string(),
        criteria: z.array(z.object({ id: z.string(), passed: z.boolean() })),
      })
      .parse(JSON.parse(stdout));
    expect(report.criteria.length).toBeGreaterThanOrEqual(6);
    expect(report.criteria.filter(({ passed }) => !passed)).toEqual([]);
    expect(report).toMatchObject({ passed: true, mode: 'simulation' });
  });

  test('the plain client of docs/serve plays episodes', async () => {
    const { stdout } = await run(join(BIN, 'python'), [join(EXAMPLES, 'plain_client.py'), served.url, '12']);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(13);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[a-z-]+: \d\S* after \d+ steps$/);
    expect(lines.at(-1)).toMatch(/^[1-9]\d*\.?\d* of 12 solved$/);
  });

  test('the environment of docs/serve for verifiers gives the model screenshots, and records its score', async () => {
    const instance = { task: POCKET.tasks('test', 1)[0] ?? '', seed: 5 };
    const replies = solution(instance).map(action => pyautogui.encode(wordless(action)));
    const reset = { task_id: instance.task, seed: instance.seed, split: 'test' };
    const fenced = replies.map((reply, index) =>
      index === 0 ? `I begin.\n\`\`\`python\n${reply}\n\`\`\`` : reply,
    );
    const played = await pythonHere('verifiers_scripted.py', {
      url: served.url,
      examples: EXAMPLES,
      reset,
      replies: fenced,
    });
    expect(played).toEqual({
      ...{ ok: true, errors: [], rewards: [1], turns: replies.length },
      widths: replies.map((_, turn) => Array.from({ length: turn + 1 }, () => 320)),
    });
  });
});

describeUnless(missingOpenEnv, 'a server with a token', () => {
  test('is used with the token in a header or in the address, and not without it', async () => {
    const options = ['--sessions', '1', '--host', '0.0.0.0'];
    const served = await serveOpenEnv(options, { DARTBOARD_OPENENV_TOKEN: TOKEN });
    expect(served.printed()).not.toContain(TOKEN);
    const url = served.url.replace('0.0.0.0', '127.0.0.1').replace('/t/TOKEN', '');
    const reset: readonly Request[] = [['a', 'reset', { seed: 1 }]];
    expect(await ask(`${url}/t/${TOKEN}`, reset)).toMatchObject([{ done: false }]);
    expect(await ask(url, reset, { Authorization: `Bearer ${TOKEN}` })).toMatchObject([{ done: false }]);
    await expect(ask(url, reset)).rejects.toThrow();
    expect(await served.stop('SIGINT')).toBe(0);
  });
});

describeUnless(missingOpenEnv ?? missingBrowser, 'web desktops', () => {
  test('are served like pocket desktops, and leave no browser', async () => {
    const served = await serveOpenEnv(['--desktops', 'web', '--sessions', '2', '--observation', 'both']);
    const outcomes = await ask(served.url, [
      ['a', 'reset', { seed: 1 }],
      ['b', 'reset', { seed: 2 }],
      ['a', 'step', { code: 'pyautogui.click(10, 10)' }],
      ['b', 'step', { kind: 'finished' }],
    ]);
    expect(outcomes).toMatchObject([
      { done: false, observation: { screenshot: expect.any(String), elements: expect.any(String) } },
      { done: false },
      { done: expect.any(Boolean) },
      { done: true },
    ]);
    expect(await served.stop()).toBe(0);
    // The program had a process group of its own: the browser would be in it.
    expect(() => process.kill(-served.pid, 0)).toThrow('ESRCH');
  });
});

describeUnless(missingOpenEnv ?? missingEngine, 'Docker desktops', () => {
  test('are served like pocket desktops, and leave no container, also when a client is in the middle of an episode', async () => {
    const served = await serveOpenEnv(['--desktops', 'docker', '--sessions', '1', '--observation', 'both']);
    const outcomes = await ask(served.url, [
      ['a', 'reset', { seed: 1 }],
      ['a', 'step', { code: 'pyautogui.click(10, 10)' }],
      ['a', 'step', { kind: 'finished' }],
    ]);
    const observation = { screenshot: expect.any(String), elements: expect.any(String) };
    expect(outcomes).toMatchObject([
      { done: false, observation },
      { done: false, observation },
      { done: true },
    ]);
    const client = spawn(join(BIN, 'python'), [STEPPING, served.url], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(client.stdout, 'data');
    expect(await containersOf(served.pid)).not.toBe('');
    expect(await served.stop()).toBe(0);
    expect(await containersOf(served.pid)).toBe('');
  });
});

const containersOf = async (pid: number): Promise<string> =>
  (await run('docker', ['ps', '--all', '--quiet', '--filter', `label=dartboard.pid=${pid}`])).stdout;

// Its packages take 5 GB, so the test exists only where somebody has installed them.
if (missingTrl !== undefined) process.stderr.write(`No test of TRL: ${missingTrl}\n`);
else
  test('TRL trains a step with the tools of docs/serve: the rollout with the solution gets its reward, and the weights change', async () => {
    const served = await serveOpenEnv(['--sessions', '2']);
    const { task, seed, calls } = callable();
    const input = { url: served.url, examples: EXAMPLES, task, seed, solution: calls };
    expect(await pythonHere('trl_scripted.py', input)).toEqual({
      ...{ rewards: [1, 0], changed: true, finite: true, failures: 0 },
      calls: (calls.length + 1) / 2,
    });
    expect(await served.stop()).toBe(0);
  });

/** An instance whose solution consists of calls of the tools in docs/serve/trl_grpo.py. */
function callable() {
  for (const task of POCKET.tasks('train', 1))
    for (let seed = 0; seed < 4; seed++) {
      const calls = solutionActions(task, POCKET.seed('train', seed)).map(action =>
        action.kind === 'click'
          ? ['click', action.at]
          : action.kind === 'type'
            ? ['write', { text: action.text }]
            : action.kind === 'finished'
              ? ['finish', {}]
              : undefined,
      );
      if (!calls.includes(undefined) && calls.length > 1) return { task, seed, calls };
    }
  throw new Error('No solution has clicks and texts only.');
}
