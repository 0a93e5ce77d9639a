// Opening an agent of dartboard.json: what is found about its servers, what it may be used for, and errors that name the setting to change.

import { expect, test } from 'vitest';
import type { AgentSettings } from '../../runtime/config/sections/agents.ts';
import type { AgentTask } from '../../runtime/core/agent.ts';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { ChatRequest } from '../../runtime/endpoints/chat.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { type ModelAgentContext, openModelAgent, requireUse } from '../../runtime/run/model-agent.ts';
import { countingModel, ModelServer } from '../doubles/openai/model-server.ts';
import { VLLM } from '../doubles/openai/traits.ts';
import { UpdatableServer } from '../doubles/openai/updatable-server.ts';
import { passUntil } from '../pass-until.ts';

const SETTINGS: AgentSettings = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1' };

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
  return { opened: run(opened), run, transport };
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
  const { url: _, ...rest } = SETTINGS;
  const { opened } = setUp({ ...rest, endpoints: [{ url: 'http://a/v1' }, { url: 'http://b/v1' }] });
  const { servers } = await opened;
  expect(servers).toMatchObject([
    { name: 'lab.1', url: 'http://a/v1', capabilities: { model: 'tars' } },
    { name: 'lab.2', url: 'http://b/v1' },
  ]);
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
