// Our client and a model agent against a real server of llama.cpp. With DARTBOARD_RECORD=1 it also writes the recordings again.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelAgent } from '../../../runtime/agents/model/agent.ts';
import { chatIn } from '../../../runtime/agents/model/chat-observation.ts';
import { PROFILES } from '../../../runtime/agents/model/profiles/index.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { sum } from '../../../runtime/core/sum.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { traceUncertainty } from '../../../runtime/core/trace.ts';
import { TokenBudget } from '../../../runtime/endpoints/budget.ts';
import { EndpointClient } from '../../../runtime/endpoints/client.ts';
import { httpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import { EndpointRouter } from '../../../runtime/endpoints/router.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { missingPackages } from '../python.ts';
import { ask, CASES, DIALECT, expectReadable } from './cases.ts';
import { recordingTo } from './recordings.ts';
import { KEY, type LlamaServer, MODEL, startLlamaServer } from './server.ts';

const isRecording = process.env['DARTBOARD_RECORD'] === '1';
const transport = httpTransport();

describeUnless(missingPackages, 'the server of llama.cpp', () => {
  let server: LlamaServer;
  beforeAll(async () => {
    server = await startLlamaServer();
  });
  afterAll(async () => {
    transport.close();
    await server?.stop();
  });

  test.each(CASES)('case $name', async ({ name, check }) => {
    const { url } = server;
    await check({ url, transport: isRecording ? recordingTo(name, url, transport) : transport });
  });

  /** Of one token. */
  const VOCABULARY = 49_152;
  const SAMPLES = 120;

  test('at temperature 1 it samples from the distribution that it reports, and the entropy estimates are right', async () => {
    const asked = { text: 'Name an animal.', temperature: 1, maxTokens: 1 };
    const whole = await ask({ url: server.url, transport }, { ...asked, dialect: { topCount: VOCABULARY } });
    const distribution = whole.tokens[0]?.alternatives ?? [];
    const probabilities = distribution.map(({ logProbability }) => Math.exp(logProbability));
    // The merged parts of characters are missing.
    expect(sum(probabilities)).toBeGreaterThan(0.98);
    const exact = sum(probabilities.map(p => -p * Math.log(p)));
    const tokens = [];
    for (let seed = 0; seed < SAMPLES; seed++) {
      const reply = await ask({ url: server.url, transport }, { ...asked, seed });
      expect(reply.estimator).toBe('top-k');
      tokens.push(...reply.tokens);
    }
    // The sampled token is appended to the candidates, if it is none of them.
    const counts = tokens.map(({ alternatives = [] }) => alternatives.length);
    expect(Math.max(...counts)).toBe((DIALECT.topCount ?? 0) + 1);
    // With the defaults of the server, which truncate the distribution, both means miss by 15 standard errors and more.
    expectMean(
      tokens.map(({ entropy = Number.NaN }) => entropy),
      exact,
    );
    expectMean(
      tokens.map(({ logProbability = Number.NaN }) => -logProbability),
      exact,
    );
  });

  test('as an agent with the profile generic: each reply is an action or has a reason', async () => {
    const client = new EndpointClient({
      ...{ name: 'llama', url: server.url, key: new ApiKey(KEY), timeoutMs: 600_000 },
      ...{ transport, clock: systemClock },
    });
    const chat = new EndpointRouter({
      ...{ agent: 'llama', servers: [{ client, model: MODEL, dialect: DIALECT }] },
      ...{ concurrency: 2, retries: 0, budget: new TokenBudget(), clock: systemClock },
    });
    const agentAt = (temperature: number): ModelAgent =>
      new ModelAgent({
        ...{ id: 'llama', profile: PROFILES.generic, chat },
        sampling: { temperature, maxTokens: 24 },
      });
    // At once: the server answers one request after the other.
    await Promise.all([playSteps(agentAt(0), 'settings-theme'), playSteps(agentAt(1), 'mail-reply')]);
    chat.close();
  });
});

const STEPS = 2;

async function playSteps(agent: ModelAgent, id: string): Promise<void> {
  const seed = POCKET.seed('test', 1);
  const task = POCKET.task(id, seed);
  const desktop = new PocketDesktop(desktopId(id));
  const session = agent.begin({
    ...{ episode: id, instruction: task.instruction, mode: 'a11y_tree', maxSteps: STEPS },
    ...{ temperature: 1, exploration: 0, random: seeded(id), signal: new AbortController().signal },
  });
  let screen = await desktop.reset(task, seed);
  for (let step = 0; step < STEPS; step++) {
    const { actions, trace, observation } = await session.next(screen);
    expect(JSON.stringify(chatIn(observation))).toContain('Elements on the screen');
    if (trace.kind !== 'tokens') throw new Error(`The trace is of the kind '${trace.kind}'.`);
    expectReadable({ ...trace, ...trace.served });
    expect(['top-k', 'surprisal']).toContain(trace.estimator);
    expect(traceUncertainty(trace)).toBeGreaterThan(0);
    expect(trace.served.retries).toEqual([]);
    const [{ action }] = actions;
    if (trace.malformed !== undefined)
      expect(actions).toEqual([{ action: { kind: 'none', why: trace.malformed }, meant: [] }]);
    else expect(action.kind).not.toBe('none');
    for (const each of actions) {
      if (each.action.kind === 'finished' || each.action.kind === 'fail') return;
      if (each.action.kind !== 'none') screen = await desktop.act(each.action);
      session.acted(each.action, screen);
    }
  }
}

/** Within 5 standard errors. */
function expectMean(values: readonly number[], expected: number): void {
  const mean = sum(values) / values.length;
  const variance = sum(values.map(value => (value - mean) ** 2)) / (values.length - 1);
  expect(Math.abs(mean - expected)).toBeLessThan(5 * Math.sqrt(variance / values.length));
}
