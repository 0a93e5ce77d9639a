// `dartboard eval --agent` against a model server over HTTP.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import { encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { child, children, descendants, parseXml, rootOf } from '../../runtime/tasks/formats/xml.ts';
import { opened } from '../data/open-stores.ts';
import { errorReply } from '../doubles/openai/replies.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { temporaryFolder } from '../temporary.ts';
import { agentWorkspace, KEY, SOLVED, UNREADABLE } from './agent-context.ts';
import { contextWithoutProcesses } from './command-context.ts';

const TASKS = ['--tasks', `${SOLVED},${UNREADABLE}`];

test('prints the success of each task with its interval, and what it cost', async () => {
  const { run } = await agentWorkspace();
  const { code, text, errors } = await run('eval', '--agent', 'toy', ...TASKS, '--instances', '3');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toContain('3 of 6 · 50 %');
  expect(text).toContain("Agent 'toy' (tars, profile generic) at temperature 0");
  const lines = text.split('\n').map(line => line.trim().split(/ {2,}/));
  expect(lines).toContainEqual(
    expect.arrayContaining(['task', 'solved', '95 %', 'steps', 'malformed', 'tokens', 'per turn']),
  );
  expect(lines).toContainEqual(expect.arrayContaining([UNREADABLE, '0/3', '2.0', '50 %']));
  expect(lines).toContainEqual(expect.arrayContaining([SOLVED, '3/3', '2.0', '0 %']));
  expect(text).toContain('25 % of the replies were malformed');
  expect(text).toMatch(/per turn · [\d,]+ tokens of prompts · [\d,]+ of replies · cost 0\.\d+/);
});

test('--json prints one object with the tasks and every episode, and stores the episodes', async () => {
  const { run, folder } = await agentWorkspace();
  const { code, text, errors } = await run('eval', '--agent', 'toy', ...TASKS, '--instances', '2', '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const result = JSON.parse(text);
  expect(result).toMatchObject({
    ...{ agent: 'toy', status: 'ended', split: 'test', instances: 2, temperature: 0, planned: 4 },
    ...{ successes: 2, trials: 4, rate: 0.5, broken: 0, brokenBy: {}, steps: 2, turns: 2, malformed: 0.25 },
    failedRequests: {},
    tasks: [
      { task: UNREADABLE, successes: 0, trials: 2, malformed: 0.5 },
      { task: SOLVED, successes: 2, trials: 2, malformed: 0 },
    ],
  });
  for (const name of ['low', 'high', 'promptTokens', 'completionTokens', 'cost', 'latencyMs'])
    expect(result[name]).toBeTypeOf('number');
  const { store } = await opened({ root: join(folder, '.dartboard/runs') });
  const stored = await store.index.rows(result.episodes.map(({ trajectory }: EpisodeResult) => trajectory));
  expect(stored).toHaveLength(4);
  for (const row of stored) expect(row).toMatchObject({ purpose: 'evaluate' });
});

test('--junit writes a file for a CI server, and --at-least decides about the exit code', async () => {
  const { run, folder } = await agentWorkspace();
  const evaluated = (...more: readonly string[]) =>
    run('eval', '--agent', 'toy', ...TASKS, '--instances', '2', '--json', '--junit', 'out/eval.xml', ...more);
  const { code, text, errors } = await evaluated('--at-least', '50');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const root = rootOf(parseXml(readFileSync(join(folder, 'out/eval.xml'), 'utf8')));
  expect(['tests', 'failures', 'errors'].map(name => root.getAttribute(name))).toEqual(['2', '1', '0']);
  const [suite] = children(root);
  const values = children(child(suite, 'properties') ?? root).map(each => each.getAttribute('value'));
  expect(values).toContain("Agent 'toy' (tars, profile generic) at temperature 0");
  const failed = descendants(root, 'failure');
  expect(failed.map(each => each.getAttribute('message'))).toEqual(['2 of 2 instances failed']);
  const ids = JSON.parse(text)
    .episodes.filter(({ task }: EpisodeResult) => task === UNREADABLE)
    .map(({ seed, trajectory }: EpisodeResult) => `Instance ${seed}: .*trajectory ${trajectory}`);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(failed[0]?.textContent).toMatch(new RegExp(`^${id}$`, 'm'));
  const below = await evaluated('--at-least', '50.1');
  expect(below.code).toBe(1);
  expect(below.errors).toContain('2 of 4 judged episodes succeeded (50 %), which is below --at-least 50.1.');
  expect(JSON.parse(below.text)).toMatchObject({ successes: 2, trials: 4 });
});

test('an evaluation that cannot start leaves no result of an earlier one in the JUnit file', async () => {
  const { run, folder } = await agentWorkspace();
  writeFileSync(join(folder, 'eval.xml'), '<testsuites/>');
  const { code } = await run('eval', '--agent', 'tay', '--junit', 'eval.xml');
  expect({ code, file: readFileSync(join(folder, 'eval.xml'), 'utf8') }).toEqual({ code: 1, file: '' });
});

test('two evaluations with equal seeds have equal episodes, and another seed asks differently', async () => {
  const { run, server } = await agentWorkspace({ settings: { sampling: { temperature: 1 } } });
  const evaluated = async (seed: string) => {
    const from = server.chats.length;
    const args = ['--temperature', '1', '--seed', seed, '--instances', '2', '--json'];
    const { text } = await run('eval', '--agent', 'toy', ...TASKS, ...args);
    const episodes = JSON.parse(text).episodes.map((each: EpisodeResult) => {
      const { trajectory, latencyMs: _, durationMs: __, ...same } = each;
      return { ...same, number: trajectory.split('.').slice(1).join('.') };
    });
    return {
      episodes: episodes.sort((a: { number: string }, b: { number: string }) =>
        a.number < b.number ? -1 : 1,
      ),
      chats: server.chats
        .slice(from)
        .map(chat => JSON.stringify(chat))
        .sort(),
    };
  };
  const [first, again, other] = [await evaluated('a'), await evaluated('a'), await evaluated('b')];
  expect(again).toEqual(first);
  expect(other.chats).not.toEqual(first.chats);
});

test("--out writes OSWorld's folders, with the application as the domain", async () => {
  const { run, folder } = await agentWorkspace();
  await run('eval', '--agent', 'toy', ...TASKS, '--instances', '1', '--out', 'results');
  const domain = join(folder, 'results/pyautogui/a11y_tree/toy/settings');
  expect(readdirSync(domain).sort()).toEqual([`${UNREADABLE}-1000`, `${SOLVED}-1000`]);
  const solved = join(domain, `${SOLVED}-1000`);
  expect(readdirSync(solved).sort()).toEqual([
    ...['dartboard.json', 'result.txt', 'step_0.png', 'step_1.png', 'step_2.png', 'traj.jsonl'],
  ]);
  expect(readFileSync(join(solved, 'result.txt'), 'utf8')).toBe('1\n');
  const lines = readFileSync(join(solved, 'traj.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { step_num: 1, action: expect.stringMatching(/^pyautogui\.click\(/), screenshot_file: 'step_1.png' },
    { step_num: 2, action: 'DONE', response: expect.stringContaining('finished'), reward: 1, done: true },
  ]);
  expect(readFileSync(join(solved, 'step_1.png')).subarray(1, 4).toString()).toBe('PNG');
});

test('a folder of tasks is a suite of its own', async () => {
  const { run } = await agentWorkspace();
  const tasks = temporaryFolder('tasks');
  writeFileSync(join(tasks, 'quieter-alerts.json'), EXAMPLE);
  const { text } = await run('eval', '--agent', 'toy', '--suite', tasks, '--instances', '2', '--json');
  expect(JSON.parse(text)).toMatchObject({ planned: 2, tasks: [{ task: 'quieter-alerts', trials: 2 }] });
});

test('an endpoint that breaks in the middle loses no finished episode', async () => {
  let requests = 0;
  const { run, folder } = await agentWorkspace({
    between: server => ({
      close: () => undefined,
      send: async request => {
        if (request.method === 'POST') requests += 1;
        if (requests > 12) return errorReply(401, 'The key has expired.');
        return server.send(request);
      },
    }),
  });
  const args = ['--tasks', SOLVED, '--instances', '20', '--parallel', '2', '--json', '--out', 'results'];
  const { code, text, errors } = await run('eval', '--agent', 'toy', ...args);
  expect(code).toBe(1);
  expect(errors).toContain('The evaluation failed:');
  expect(errors).toContain('401');
  const { status, message, trials, successes, episodes } = JSON.parse(text);
  expect(status).toBe('failed');
  expect(message).toContain('401');
  expect(trials).toBeGreaterThanOrEqual(4);
  expect(successes).toBe(trials);
  const results = join(folder, 'results/pyautogui/a11y_tree/toy/settings');
  const written = readdirSync(results).filter(name => existsSync(join(results, name, 'result.txt')));
  expect(written).toHaveLength(trials);
  const { store } = await opened({ root: join(folder, '.dartboard/runs') });
  const ids = episodes.map(({ trajectory }: EpisodeResult) => trajectory);
  expect(await store.index.rows(ids)).toHaveLength(ids.length);
});

test('failed requests are counted by cause, and the evaluation goes on', async () => {
  let requests = 0;
  const { run } = await agentWorkspace({
    between: server => ({
      close: () => undefined,
      send: async request => {
        requests += request.method === 'POST' ? 1 : 0;
        return requests % 7 === 6 && request.method === 'POST'
          ? errorReply(500, 'out of memory')
          : server.send(request);
      },
    }),
  });
  const { code, text } = await run('eval', '--agent', 'toy', '--tasks', SOLVED, '--instances', '6', '--json');
  expect(code).toBe(0);
  const { failedRequests, successes, episodes } = JSON.parse(text);
  expect(successes).toBe(6);
  expect(failedRequests['server-error']).toBeGreaterThan(0);
  const retries = episodes.map((each: EpisodeResult) => each.retries['server-error'] ?? 0);
  expect(retries.reduce((sum: number, each: number) => sum + each, 0)).toBe(failedRequests['server-error']);
});

test('the cost counts attempts that broke and were played again', async () => {
  let requests = 0;
  const { run } = await agentWorkspace({
    settings: { limits: { retries: 0 } },
    between: server => ({
      close: () => undefined,
      send: async request => {
        requests += request.method === 'POST' ? 1 : 0;
        return requests % 6 === 5 && request.method === 'POST'
          ? errorReply(500, 'out of memory')
          : server.send(request);
      },
    }),
  });
  const args = ['--tasks', SOLVED, '--instances', '6', '--parallel', '1', '--json'];
  const { code, text } = await run('eval', '--agent', 'toy', ...args);
  expect(code).toBe(0);
  const { episodes, successes, ...paid } = JSON.parse(text);
  expect(successes).toBe(6);
  // Each failure costs the turns before it. One of two is at a second turn.
  for (const name of ['promptTokens', 'completionTokens', 'cost'] as const) {
    const ofEpisodes = episodes.reduce((sum: number, each: EpisodeResult) => sum + (each[name] ?? 0), 0);
    expect(paid[name]).toBeGreaterThan(1.01 * ofEpisodes);
  }
});

test('a stop prints and stores what has finished', async () => {
  const { run, stop, server } = await agentWorkspace({
    between: inner => ({
      close: () => undefined,
      send: request => {
        if (server.chats.length > 15) stop.abort();
        return inner.send(request);
      },
    }),
  });
  const { code, text, errors } = await run(
    ...['eval', '--agent', 'toy', '--tasks', SOLVED, '--instances', '50', '--parallel', '2'],
  );
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toMatch(/Stopped after \d+ of 50 episodes\. They are stored\./);
  expect(text).toMatch(/[1-9]\d* of [1-9]\d* · 100 %/);
});

test('Ctrl-C while the servers are asked ends the command', async () => {
  const { run, stop } = await agentWorkspace({
    between: () => ({
      // It stops when it is asked, and never answers.
      send: ({ signal }) => {
        stop.abort();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      close: () => undefined,
    }),
  });
  const { code, text, errors } = await run('eval', '--agent', 'toy', '--tasks', SOLVED);
  expect({ code, text }).toEqual({ code: 1, text: '' });
  expect(errors).toContain('the program is ending');
});

/** Random weights. */
function policyIn(folder: string): string {
  const shape = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };
  const random = seeded('weights');
  const weights = firstWeights(shape, () => random.next());
  const by = { run: 'run-7', version: 42 };
  const file = join(folder, 'mine.safetensors');
  writeFileSync(file, encodePolicy({ shape, mode: 'a11y_tree', tasks: [SOLVED], seed: 's', weights, by }));
  return file;
}

test('--junit and --at-least apply to saved weights too', async () => {
  const { run, folder } = await agentWorkspace();
  const weights = policyIn(folder);
  const args = ['--weights', weights, '--instances', '2', '--junit', 'eval.xml', '--at-least', '1', '--json'];
  const { code, text, errors } = await run('eval', ...args);
  expect(JSON.parse(text)).toMatchObject({ successes: 0, trials: 2 });
  expect({ code, errors }).toMatchObject({
    code: 1,
    errors: expect.stringContaining('0 of 2 judged episodes'),
  });
  const root = rootOf(parseXml(readFileSync(join(folder, 'eval.xml'), 'utf8')));
  const properties = descendants(root, 'property').map(each => [
    each.getAttribute('name'),
    each.getAttribute('value'),
  ]);
  for (const property of [
    ['run', 'run-7'],
    ['weights.version', '42'],
    ['weights', weights],
  ])
    expect(properties).toContainEqual(property);
  const failures = descendants(root, 'failure').map(each => each.getAttribute('message'));
  expect(failures).toEqual(['2 of 2 instances failed']);
});

test('the built-in policy is evaluated on the same instances', async () => {
  const { run, folder } = await agentWorkspace();
  const policy = policyIn(folder);
  const args = [...TASKS, '--instances', '2', '--json'];
  const evaluated = async (...agent: readonly string[]) => {
    const { text, errors } = await run('eval', ...agent, ...args);
    expect(errors).toBe('');
    return JSON.parse(text);
  };
  const own = await evaluated('--agent', 'compact', '--weights', policy);
  const model = await evaluated('--agent', 'toy');
  const instancesOf = ({ episodes }: { readonly episodes: readonly EpisodeResult[] }) =>
    episodes.map(({ task, seed }) => `${task} ${seed}`).sort();
  expect(instancesOf(own)).toEqual(instancesOf(model));
  expect(own).toMatchObject({ agent: 'compact', trials: 4, malformed: 0 });
  expect(own).not.toHaveProperty('cost');
  const again = await evaluated('--agent', 'compact', '--weights', policy);
  expect(again.tasks).toEqual(own.tasks);
});

test('errors name the agent, the value and a remedy, and no key', async () => {
  const { run, server } = await agentWorkspace({ environment: {} });
  const error = async (...args: readonly string[]) => {
    const { code, text, errors } = await run('eval', ...args);
    expect({ code, text }).toEqual({ code: 1, text: '' });
    expect(errors).not.toContain(KEY);
    return errors;
  };
  expect(await error('--agent', 'toy')).toContain('TOY_KEY is not set. Set it');
  expect(await error('--agent', 'tay')).toContain("No agent is called 'tay'. Configured are toy");
  expect(await error('--agent', 'toy', '--weights', 'x')).toContain('--weights x has no effect');
  expect(await error('--agent', 'toy', '--suite', 'nowhere')).toContain("--suite 'nowhere' is no folder");
  expect(await error('--agent', 'toy', '--split', 'train', '--instances', '40')).toContain('32 training');
  expect(server.routes).toEqual([]);
});

test.each(['suite', 'tasks', 'temperature', 'seed', 'parallel', 'out'])(
  '--%s needs --agent',
  async option => {
    const { context, errors } = contextWithoutProcesses();
    expect(await runProgram(context, ['eval', `--${option}`, '1'])).toBe(1);
    expect(errors.join()).toContain(`--${option} has no effect without --agent. Name an agent`);
  },
);
