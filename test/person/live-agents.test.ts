// Agents that really decide: the built-in policy with weights in a worker process, and a model behind a server. Needs the bundles that
// `npm test` builds first.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { seed, taskId } from '../../runtime/core/ids.ts';
import { key } from '../../runtime/core/key.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { recordingAgents } from '../../runtime/person/recording-agents.ts';
import type { RecordingAgent } from '../../runtime/person/recording-options.ts';
import { encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { toStepDetails } from '../../runtime/server/trajectories/trajectory-view.ts';
import { folder } from '../data/trajectories.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';
import { listen } from '../doubles/openai/listen.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { LLAMA_CPP } from '../doubles/openai/traits.ts';
import { live } from './live.ts';

const TASK = 'settings-night-light';
const SHAPE = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };

function agentsOf(root: string, environment: Readonly<Record<string, string>> = {}) {
  const workerEntry = new URL('../../dist/worker.js', import.meta.url);
  return recordingAgents({ root, workerEntry, environment, clock: systemClock });
}

const liveWith = (pilot: RecordingAgent) =>
  live([], {
    ...{ task: POCKET.task(TASK, seed(0)), instance: { task: taskId(TASK), seed: seed(0) } },
    pilot,
  });

test('the built-in policy proposes with its decisions, alternatives and entropy', async () => {
  const root = folder();
  const config = parseConfig({});
  const agents = agentsOf(root);
  expect(agents.names(config)).toEqual([COMPACT_AGENT]);
  const file = join(root, 'w.safetensors');
  const random = seeded('weights');
  const weights = firstWeights(SHAPE, () => random.next());
  writeFileSync(file, encodePolicy({ shape: SHAPE, mode: 'a11y_tree', tasks: [TASK], seed: 's', weights }));
  const { recording, proposed, until } = liveWith({
    ...{ agent: COMPACT_AGENT, mode: 'approve' },
    open: signal => agents.open({ agent: COMPACT_AGENT, from: file }, config, signal),
  });
  await proposed();
  expect(recording.state.pilot?.about).toContain(file);
  const [detail] = toStepDetails(recording.decision(0).steps, undefined);
  expect(detail?.chosen?.decisions.length).toBeGreaterThan(0);
  expect(detail?.chosen?.decisions[0]?.alternatives.some(({ isChosen }) => isChosen)).toBe(true);
  recording.approve(0, true);
  await until(({ steps, phase }) => steps.length === 1 || phase !== 'acting');
  expect(recording.state.steps[0]).toMatchObject({ by: 'agent' });
});

test('a model solves a task while a person watches: thought, tokens and entropies of each reply', async () => {
  const server = new ModelServer({
    traits: { ...LLAMA_CPP, key: 'secret-of-ada' },
    ...{ clock: systemClock, model: clickingModel },
  });
  const toy = {
    ...{ profile: 'generic', mode: 'a11y_tree', url: await listen(server), model: 'tars' },
    key: { env: 'TOY_KEY' },
  };
  const config = parseConfig({ agents: { toy } });
  const agents = agentsOf(folder(), { TOY_KEY: 'secret-of-ada' });
  expect(agents.names(config)).toEqual([COMPACT_AGENT, 'toy']);
  const { recording, kept, until } = liveWith({
    ...{ agent: 'toy', mode: 'run' },
    open: signal => agents.open({ agent: 'toy' }, config, signal),
  });
  expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
  const [detail] = toStepDetails(recording.decision(0).steps, undefined);
  expect(detail?.chosen?.reply).toMatchObject({ thought: 'I click Night light.' });
  expect(detail?.chosen?.reply?.tokens.some(({ entropy }) => entropy !== undefined)).toBe(true);
  await recording.save([]);
  await until(({ phase }) => phase === 'saved');
  expect(kept[0]?.trajectory).toMatchObject({ agent: 'toy', purpose: 'collect', mode: 'a11y_tree' });
});

test('a model whose server does not answer pauses with the reason, and the person can go on', async () => {
  let isDown = false;
  const server = new ModelServer({ traits: LLAMA_CPP, clock: systemClock, model: clickingModel });
  const url = await listen({
    close: () => undefined,
    send: async request => {
      if (isDown) return { status: 401, headers: {}, body: '{"error":{"message":"The key has expired."}}' };
      return server.send(request);
    },
  });
  const toy = { profile: 'generic', mode: 'a11y_tree', url, model: 'tars' };
  const config = parseConfig({ agents: { toy } });
  const agents = agentsOf(folder());
  const { recording, until, act } = liveWith({
    ...{ agent: 'toy', mode: 'pause' },
    open: signal => agents.open({ agent: 'toy' }, config, signal),
  });
  await until(({ phase }) => phase === 'acting');
  isDown = true;
  recording.fly('run');
  await until(({ pilot }) => pilot?.problem !== undefined && pilot.mode === 'pause');
  expect(recording.state).toMatchObject({ phase: 'acting', steps: [] });
  await act({ kind: 'hotkey', keys: [key('f2')] });
  isDown = false;
  recording.fly('run');
  expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: expect.anything() });
});
