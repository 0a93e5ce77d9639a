import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import type { AgentSettings } from '../../runtime/config/sections/agents.ts';
import { requireLearner } from '../../runtime/run/training-agent.ts';

const ROLLOUT = parseConfig({}).rollout;
const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' } as const;
const requireWith = (agent: string, agents: Config['agents'], temperature = 1): void =>
  requireLearner({ agent, agents, rollout: { ...ROLLOUT, temperature } });
const qwen: AgentSettings = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' };

test('training accepts the built-in agent, and agents with a learner', () => {
  expect(() => requireWith('compact', {})).not.toThrow();
  expect(() => requireWith('qwen', { qwen: { ...qwen, learner } })).not.toThrow();
});

test('training refuses unknown agents and agents without a learner', () => {
  expect(() => requireWith('qwen', {})).toThrow(/No agent is called 'qwen'/);
  expect(() => requireWith('qwen', { qwen })).toThrow(
    /'qwen' cannot be trained: it has no learner. Add 'learner' to 'agents.qwen'/,
  );
});

test.each([
  [
    { temperature: 0.7 },
    1,
    /temperature 0\.7: 'agents\.qwen\.sampling\.temperature' is 0\.7, and 'rollout\.temperature' is 1\. Set both to 1/,
  ],
  [{}, 1.2, /temperature 1\.2: .*'rollout\.temperature' is 1\.2/],
  [{ topP: 0.9 }, 1, /'agents\.qwen\.sampling\.topP' is 0\.9\. Set it to 1/],
  [{ topK: 40 }, 1, /'agents\.qwen\.sampling\.topK' is 40\. Set it to -1/],
])('training refuses the sampling %j at the temperature %j', (sampling, temperature, message) => {
  expect(() => requireWith('qwen', { qwen: { ...qwen, learner, sampling } }, temperature)).toThrow(message);
});

test('training accepts the whole distribution of the policy', () => {
  for (const sampling of [{ maxTokens: 400 }, { temperature: 1, topP: 1, topK: -1 }])
    expect(() => requireWith('qwen', { qwen: { ...qwen, learner, sampling } })).not.toThrow();
  expect(() => requireWith('compact', {}, 1.2)).not.toThrow();
});
