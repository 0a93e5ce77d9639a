// The check and the agent against `dartboard model serve` itself, over HTTP.

import { expect, onTestFinished, test } from 'vitest';
import { blobOf } from '../../runtime/agents/compact/blob.ts';
import { decidingProgram } from '../../runtime/agents/compact/programs.ts';
import { version } from '../../runtime/core/ids.ts';
import type { DecisionRequest } from '../../runtime/core/policy.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { checkEndpoint } from '../../runtime/endpoint-check/check.ts';
import { startChatServer } from '../../runtime/model-server/chat-server.ts';
import { CompactBackend } from '../../runtime/model-server/compact-backend.ts';
import { isRefused } from '../../runtime/rollout/policy-worker.ts';
import { Worker } from '../../runtime/rollout/worker.ts';
import { openModelAgent } from '../../runtime/run/model-agent.ts';
import { open, SHAPE, weightsOf } from '../agents/compact/running-policy.ts';
import { blankPixels } from '../agents/compact/screens.ts';
import { findingOf } from './run-check.ts';

const KEY = 'a-key-for-the-tests';
const SERVED = { id: 'compact-v0', version: version(0), fingerprint: 'fp', created: 0 };

async function served(): Promise<string> {
  const worker = new Worker(await open(decidingProgram(SHAPE)), SHAPE.pixels);
  await worker.load({ version: version(0), blob: blobOf(weightsOf('serve')) });
  const decide = async (request: DecisionRequest) => {
    const [answer] = await worker.decide([{ ...request, version: version(0) }]);
    if (answer === undefined || isRefused(answer)) throw new Error(answer?.refused ?? 'no answer');
    return answer;
  };
  const backend = new CompactBackend({
    versions: {
      find: async () => SERVED,
      cards: async () => [{ id: 'compact', created: 0, alias: 'compact-v0' }],
    },
    ...{
      pool: { decide },
      mode: 'screenshot',
      coordinates: 'ui-tars-1.5',
      randomSeed: () => 0,
      clock: systemClock,
    },
  });
  const server = await startChatServer({
    ...{ backend, port: 0, key: KEY, clock: systemClock, newId: () => 'id', notice: () => undefined },
  });
  onTestFinished(() => server.close());
  return server.url;
}

const context = { environment: { DARTBOARD_KEY: KEY }, clock: systemClock };

test('our own server is usable for everything but training', async () => {
  const settings = {
    profile: 'ui-tars-1.5',
    model: 'compact',
    key: { env: 'DARTBOARD_KEY' },
    url: await served(),
  } as const;
  const [report] = await checkEndpoint('own', settings, context);
  if (report === undefined) throw new Error('no report');
  expect(report.findings.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(findingOf(report, 'Server')?.says).toBe('Dartboard');
  expect(findingOf(report, 'Model')?.says).toBe("'compact', answers as 'compact-v0'");
  expect(findingOf(report, 'Weights')?.says).toMatch(/^version compact-v0 \(in the name of the model\)/);
  expect(findingOf(report, 'Reports')?.state).toBe('ok');
  expect(report.uses.evaluation.allowed).toBe(true);
  expect(report.uses.training.allowed).toBe(false);
});

test('an agent plays behind our own server', async () => {
  const settings = {
    profile: 'ui-tars-1.5',
    model: 'compact',
    key: { env: 'DARTBOARD_KEY' },
    url: await served(),
  } as const;
  const agent = await openModelAgent('own', settings, context);
  const session = agent.agent.begin({
    ...{
      episode: 'e',
      instruction: 'Mute the sound.',
      mode: agent.mode,
      maxSteps: 2,
      temperature: 1,
      exploration: 0,
    },
    ...{ random: seeded('own'), signal: new AbortController().signal },
  });
  const screen = { pixels: blankPixels(320, 240) };
  for (let step = 0; step < 2; step++) {
    const { actions, trace } = await session.next(screen);
    expect(actions[0].action.kind).not.toBe('none');
    expect(trace).toMatchObject({
      kind: 'tokens',
      defects: [],
      served: { model: 'compact-v0' },
    });
    session.acted(actions[0].action, screen);
  }
  session.close();
  agent.close();
});
