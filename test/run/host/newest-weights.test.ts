// The agent of evaluations waits until the servers have the version of its task, or failed to load it.

import { expect, test } from 'vitest';
import type { AgentSettings } from '../../../runtime/config/sections/agents.ts';
import type { AgentTask } from '../../../runtime/core/agent.ts';
import { version } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { withNewestWeights } from '../../../runtime/run/host/newest-weights.ts';
import { openModelAgent } from '../../../runtime/run/model-agent.ts';
import { UpdatableServer, type UpdateFault } from '../../doubles/openai/updatable-server.ts';
import { passUntil } from '../../pass-until.ts';

const LOAD_MS = 60_000;
const SETTINGS: AgentSettings = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1' };
const SCREEN = { pixels: { width: 320, height: 240, layout: 'rgb', data: new Uint8Array(230_400) } } as const;
const TASK: AgentTask = {
  ...{ episode: 'e1', instruction: 'Wait.', mode: 'screenshot', maxSteps: 5, temperature: 1, exploration: 0 },
  ...{ random: seeded('task'), signal: new AbortController().signal, version: version(12) },
};

async function setUp(faults: readonly UpdateFault[] = []) {
  const clock = new VirtualClock();
  const transport = new UpdatableServer({ kind: 'vllm', clock, loadMs: LOAD_MS });
  transport.faults.push(...faults);
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    work.then(settle, settle);
    await passUntil(clock, () => isSettled);
    return work;
  };
  const context = { environment: {}, clock, transport, weightsName: 'run-7' };
  const open = await run(openModelAgent('lab', SETTINGS, context));
  open.weights?.publish({ version: version(12), path: '/weights/12' });
  return { open, run, clock, agent: withNewestWeights(open.agent, open.weights) };
}

test('an evaluation that starts right after a publication plays with the published version', async () => {
  const { open, run, clock, agent } = await setUp();
  const from = clock.now();
  const session = agent.begin(TASK);
  for (let step = 0; step < 2; step++)
    expect(await run(session.next(SCREEN))).toMatchObject({ version: 12, trace: { raw: '/weights/12' } });
  expect(clock.now() - from).toBeGreaterThanOrEqual(LOAD_MS);
  open.close();
});

test('an evaluation of a version that no server could load plays with the one that is served', async () => {
  const faults = Array.from({ length: 9 }, () => ({ route: '/load_lora_adapter', kind: 'fail' }) as const);
  const { open, run, agent } = await setUp(faults);
  expect(await run(agent.begin(TASK).next(SCREEN))).toMatchObject({ version: 0 });
  open.close();
});

test('the end of an episode ends the wait', async () => {
  const { open, run, agent } = await setUp();
  const stop = new AbortController();
  const next = agent.begin({ ...TASK, signal: stop.signal }).next(SCREEN);
  stop.abort(new Error('The run ends.'));
  await expect(run(next)).rejects.toThrow('The run ends.');
  open.close();
});
