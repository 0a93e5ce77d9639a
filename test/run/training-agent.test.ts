import { expect, test } from 'vitest';
import type { AgentSettings } from '../../runtime/config/sections/agents.ts';
import { requireLearner } from '../../runtime/run/training-agent.ts';

const qwen: AgentSettings = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' };

test('training accepts the built-in agent, and agents with a learner', () => {
  const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' } as const;
  expect(() => requireLearner({ agent: 'compact', agents: {} })).not.toThrow();
  expect(() => requireLearner({ agent: 'qwen', agents: { qwen: { ...qwen, learner } } })).not.toThrow();
});

test('training refuses unknown agents and agents without a learner', () => {
  expect(() => requireLearner({ agent: 'qwen', agents: {} })).toThrow(/No agent is called 'qwen'/);
  expect(() => requireLearner({ agent: 'qwen', agents: { qwen } })).toThrow(
    /'qwen' cannot be trained: it has no learner. Add 'learner' to 'agents.qwen'/,
  );
});
