// Opening an agent of dartboard.json: what is found about its servers, what it may be used for, and errors that name the setting to change.

import { describe, expect, test } from 'vitest';
import type { AgentSettings } from '../../runtime/config/sections/agents.ts';
import type { AgentTask } from '../../runtime/core/agent.ts';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { ChatRequest } from '../../runtime/endpoints/chat.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { type ModelAgentContext, openModelAgent, requireUse } from '../../runtime/run/model-agent.ts';
import { countingModel, ModelServer } from '../doubles/openai/model-server.ts';
import { errorReply } from '../doubles/openai/replies.ts';
import { VLLM } from '../doubles/openai/traits.ts';
import { UpdatableServer } from '../doubles/openai/updatable-server.ts';
import { passUntil } from '../pass-until.ts';

const SETTINGS: AgentSettings = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1' };
const TWO: AgentSettings = {
  ...{ profile: 'ui-tars-1.5', model: 'tars' },
  endpoints: [{ url: 'http://a/v1' }, { url: 'http://b/v1' }],
};

const task: AgentTask = {
  ...{ episode: 'e1', instruction: 'Wait.', mode: 'screenshot', maxSteps: 5, temperature: 1, exploration: 0 },
  ...{ random: seeded('task'), signal: new AbortController().signal },
};
const SCREEN = { pixels: { width: 320, height: 240, layout: 'rgb', data: new Uint8Array(230_400) } } as const;

const request = (session: string): ChatRequest => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
  images: () => new Uint8Array(),
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 50, seed: 1 },
  ...{ session, signal: task.signal },
});

const refused = () =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** Images are compressed on other threads while the clock runs. */
const runWith =
  (clock: VirtualClock) =>
  async <T>(work: Promise<T>): Promise<T> => {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    work.then(settle, settle);
    await passUntil(clock, () => isSettled);
    return work;
  };

function setUp(settings: AgentSettings = SETTINGS, context: Partial<ModelAgentContext> = {}) {
  const clock = new VirtualClock();
  const transport = new ModelServer({
    traits: { ...VLLM, lora: false, control: false },
    clock,
    model: input => (input.messages.length > 1 ? 'Thought: It loads.\nAction: wait()' : countingModel(input)),
  });
  const opened = openModelAgent('lab', settings, { environment: {}, clock, transport, ...context });
  const run = runWith(clock);
  return { opened: run(opened), run, clock, transport };
}

test('an agent plays with what the probe found', async () => {
  const { opened, run, transport } = setUp();
  const open = await opened;
  expect(open).toMatchObject({ mode: 'screenshot', agent: { id: 'lab' } });
  expect(open.capabilities).toMatchObject({ topCount: 20, images: true, tokenIds: true, promptIds: true });
  expect(open.uses.evaluation.allowed).toBe(true);
  const probes = transport.chats.length;
  const turn = await run(open.agent.begin(task).next(SCREEN));
  expect(turn.actions[0].action).toEqual({ kind: 'wait' });
  expect(transport.chats).toHaveLength(probes + 1);
  expect(open.snapshot()).toMatchObject({
    servers: [{ name: 'lab', replies: 1 }],
    spent: { completionTokens: 12 },
  });
  open.close();
});

test('several servers have numbers, and are probed each', async () => {
  const { opened } = setUp(TWO);
  const { servers } = await opened;
  expect(servers).toMatchObject([
    { name: 'lab.1', url: 'http://a/v1', capabilities: { model: 'tars' } },
    { name: 'lab.2', url: 'http://b/v1' },
  ]);
});

/** The servers whose names are in `down` refuse connections. */
function twoServers(down: ReadonlySet<string>, context: Partial<ModelAgentContext> = {}) {
  const server = new ModelServer({ traits: { ...VLLM, lora: false }, clock: new VirtualClock() });
  const transport: HttpTransport = {
    send: request => (down.has(new URL(request.url).hostname) ? refused() : server.send(request)),
    close: () => undefined,
  };
  return setUp(TWO, { transport, ...context });
}

test('an agent opens with the servers that answer, and uses another one as soon as it answers', async () => {
  const reports: Parameters<NonNullable<ModelAgentContext['health']>>[] = [];
  const down = new Set(['a']);
  const { opened, run, clock } = twoServers(down, { health: (...report) => reports.push(report) });
  const open = await opened;
  expect(open.servers.map(({ name }) => name)).toEqual(['lab.1', 'lab.2']);
  const why = /^No reply from http:\/\/a\/v1: .*Start the server, or correct the URL\.$/;
  expect(reports).toEqual([['lab.1', false, expect.stringMatching(why)]]);
  const phases = () => open.snapshot().servers.map(({ phase }) => phase);
  expect(phases()).toEqual(['failed', 'serving']);
  const ask = (session: string) => open.chat.complete(request(session));
  expect(await run(ask('one'))).toMatchObject({ served: { endpoint: 'lab.2' } });
  down.clear();
  await clock.run(clock.now() + 60_000);
  await run(Promise.all(['two', 'three'].map(ask)));
  expect(phases()).toEqual(['serving', 'serving']);
  expect(reports.slice(1)).toEqual([['lab.1', true, 'answers again']]);
  open.close();
});

test('an agent does not open if none of its servers answers, or one fails for ever', async () => {
  await expect(twoServers(new Set(['a', 'b'])).opened).rejects.toMatchObject({ reason: 'unreachable' });
  const transport: HttpTransport = {
    send: async ({ url }) => (url.startsWith('http://a/') ? refused() : errorReply(401, 'no')),
    close: () => undefined,
  };
  const { opened } = twoServers(new Set(), { transport });
  await expect(opened).rejects.toMatchObject({ reason: 'unauthorized' });
});

test('servers that do not work for too long are a loss of the model', async () => {
  const lost: string[] = [];
  const { opened, run, transport } = setUp(SETTINGS, {
    outageTimeoutMs: 30_000,
    lost: ({ message }) => lost.push(message),
  });
  const { chat } = await opened;
  transport.send = refused;
  // A failed server gets one request at a time. The others wait for it.
  await run(Promise.allSettled(['a', 'b', 'c', 'd'].map(session => chat.complete(request(session)))));
  expect(lost).toContainEqual(
    expect.stringMatching(/^No server of agent 'lab' has worked for 30 s\. lab: No reply from/),
  );
});

test('settings override the profile', async () => {
  const { opened, run, transport } = setUp({ ...SETTINGS, sampling: { temperature: 0.5, maxTokens: 99 } });
  const open = await opened;
  await run(open.agent.begin(task).next(SCREEN));
  expect(transport.chats.at(-1)).toMatchObject({ temperature: 0.5, max_tokens: 99 });
});

test('a use that the server does not allow is refused with its reasons', async () => {
  const open = await setUp().opened;
  expect(() => requireUse(open, 'evaluation')).not.toThrow();
  expect(() => requireUse(open, 'training')).toThrow(
    /'lab' cannot be used for training\. .*load new weights while it runs\. Start vLLM with/,
  );
});

test('an agent that is opened for weights plays with the version that its server has', async () => {
  const clock = new VirtualClock();
  const transport = new UpdatableServer({ kind: 'vllm', clock });
  const run = runWith(clock);
  const context = { environment: {}, clock, transport, weightsName: 'run-7' };
  const open = await run(openModelAgent('lab', SETTINGS, context));
  const first = await run(open.agent.begin(task).next(SCREEN));
  expect(first.version).toBe(0);
  open.weights?.publish({ version: version(12), path: '/weights/12' });
  await run(open.weights?.settled() ?? Promise.resolve());
  expect(open.snapshot().servers).toMatchObject([{ model: 'run-7-v12', version: 12, phase: 'serving' }]);
  const next = await run(open.agent.begin(task).next(SCREEN));
  expect(next).toMatchObject({ version: 12, trace: { raw: '/weights/12', served: { model: 'run-7-v12' } } });
  expect(() => open.agent.begin({ ...task, version: version(12) })).toThrow(/version 12 is required/);
  await run(open.weights?.close() ?? Promise.resolve());
  open.close();
});

test('a server that does not answer at first gets the first version that is published after that', async () => {
  const clock = new VirtualClock();
  const [first, second] = [
    new UpdatableServer({ kind: 'vllm', clock }),
    new UpdatableServer({ kind: 'vllm', clock }),
  ];
  first.die(60_000);
  const transport: HttpTransport = {
    send: request => (request.url.startsWith('http://a/') ? first : second).send(request),
    close: () => undefined,
  };
  const run = runWith(clock);
  const reports: unknown[] = [];
  const health: ModelAgentContext['health'] = (thing, healthy) => reports.push([thing, healthy]);
  const context = { environment: {}, clock, transport, health, weightsName: 'run-7' };
  const open = await run(openModelAgent('lab', TWO, context));
  const servers = () => open.snapshot().servers.map(({ phase, version = null }) => [phase, version]);
  expect(servers()).toEqual([
    ['out', null],
    ['serving', 0],
  ]);
  for (const number of [12, 13]) {
    open.weights?.publish({ version: version(number), path: `/weights/${number}` });
    await run(open.weights?.settled() ?? Promise.resolve());
    expect(servers()[1]).toEqual(['serving', number]);
    await clock.run(clock.now() + 60_000);
  }
  expect(servers()[0]).toEqual(['serving', 13]);
  expect(reports).toEqual([
    ['lab.1', false],
    ['lab.1', false],
    ['lab.1', true],
  ]);
  await run(open.weights?.close() ?? Promise.resolve());
  open.close();
});

describe.each([
  ['vllm', '/pause', '/resume'],
  ['sglang', '/pause_generation', '/continue_generation'],
] as const)('a server of %s that a killed process left paused', (kind, pause, resume) => {
  const settings = { ...SETTINGS, limits: { timeoutSeconds: 5 } };
  const paused = async () => {
    const clock = new VirtualClock();
    const transport = new UpdatableServer({ kind, clock, traits: { lora: false } });
    await transport.control.handle(pause, {});
    return { transport, context: { environment: {}, clock, transport }, run: runWith(clock) };
  };

  test('is resumed once for a new run, and gets no request before a version is published', async () => {
    const { transport, context, run } = await paused();
    const { clock } = context;
    const started = { ...context, weightsName: 'run-7', isTrained: false };
    const open = await run(openModelAgent('lab', settings, started));
    expect(transport.controlled).toEqual([resume]);
    const probes = transport.chats;
    const early = open.chat.complete(request('a'));
    await clock.run(clock.now() + 60_000);
    expect(transport.chats).toBe(probes);
    open.weights?.publish({ version: version(12), path: '/weights/12' });
    expect(await run(early)).toMatchObject({ raw: '/weights/12', version: 12 });
    await run(open.weights?.close() ?? Promise.resolve());
    open.close();
  });

  test('is not resumed for an agent whose weights stay', async () => {
    const { transport, context, run } = await paused();
    await expect(run(openModelAgent('lab', settings, context))).rejects.toMatchObject({ reason: 'timeout' });
    expect(transport.controlled).toEqual([]);
  });
});

test('an agent of trained weights sends no request before its server has loaded them', async () => {
  const clock = new VirtualClock();
  const transport = new UpdatableServer({ kind: 'vllm', clock });
  const run = runWith(clock);
  const context = { environment: {}, clock, transport, weightsName: 'run-7', isTrained: true };
  const open = await run(openModelAgent('lab', SETTINGS, context));
  const probes = transport.chats;
  const early = open.chat.complete(request('a'));
  await clock.run(clock.now() + 60_000);
  expect(transport.chats).toBe(probes);
  open.weights?.publish({ version: version(12), path: '/weights/12' });
  expect(await run(early)).toMatchObject({ raw: '/weights/12', version: 12 });
  await run(open.weights?.close() ?? Promise.resolve());
  open.close();
});

test('an agent whose server cannot load weights is not opened for them', async () => {
  await expect(setUp(SETTINGS, { weightsName: 'run-7' }).opened).rejects.toThrow(
    /The server 'lab' cannot load weights: .* add 'restart' to its entry of 'endpoints'\./,
  );
});

test('a missing key is an error before any request', async () => {
  const { opened, transport } = setUp({ ...SETTINGS, key: { env: 'LAB_KEY' } });
  await expect(opened).rejects.toThrow(/LAB_KEY is not set/);
  expect(transport.chats).toEqual([]);
});

test('a mode that the profile does not support is an error with the supported ones', async () => {
  await expect(setUp({ ...SETTINGS, mode: 'a11y_tree' }).opened).rejects.toThrow(
    "The agent 'lab' has the mode 'a11y_tree', which the profile 'ui-tars-1.5' does not support. Set 'mode' to 'screenshot'.",
  );
});

test('a server that is not there is an error with its address', async () => {
  const transport: HttpTransport = {
    send: refused,
    close: () => undefined,
  };
  const { opened } = setUp(SETTINGS, { transport });
  await expect(opened).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringMatching(/lab.*http:\/\/lab:8000\/v1.*Start the server, or correct the URL/),
  });
});

test('an abandoned probe rejects with the reason', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(setUp(SETTINGS, { signal: stop.signal }).opened).rejects.toThrow('stopped');
});
