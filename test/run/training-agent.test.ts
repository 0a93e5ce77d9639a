import { expect, test } from 'vitest';
import { requireLearner } from '../../runtime/run/training-agent.ts';

test('training accepts the built-in agent alone, and names the other one', () => {
  expect(() => requireLearner({ agent: 'compact' })).not.toThrow();
  expect(() => requireLearner({ agent: 'qwen' })).toThrow(/'compact' only, but the agent is 'qwen'.*Remove/);
});
