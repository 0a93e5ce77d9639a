import { describe, expect, test } from 'vitest';
import { type ReplyDetail, reply } from '../../../runtime/protocol/daemon/reply.ts';

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const served = { endpoint: 'local', model: 'ui-tars-1.5-7b', latencyMs: 812.5, retries: [] };

const WITHOUT_PROBABILITIES: ReplyDetail = {
  raw: "Action: click(start_box='(10,20)')",
  finish: 'stop',
  estimator: 'none',
  defects: [],
  tokens: [],
  served,
  refusal: 'the server reports no log-probabilities',
};

const COMPLETE: ReplyDetail = {
  ...WITHOUT_PROBABILITIES,
  thought: 'The button opens the menu.',
  malformed: 'the reply has no line that begins with Action:',
  finish: 'length',
  estimator: 'top-k',
  defects: ['wrong-model'],
  tokens: [
    { text: 'Action', probability: 0.75, entropy: 0.8, alternatives: [{ text: '\uFFFD', probability: 0.2 }] },
    { text: '\n' },
  ],
  served: {
    ...served,
    ...{ reportedVersion: 'step-120', promptTokens: 4120, completionTokens: 61, cost: 0.004 },
    retries: ['503 from the server'],
  },
};

describe('the reply of a language model', () => {
  test.each([WITHOUT_PROBABILITIES, COMPLETE])('reads what was written: estimator $estimator', detail => {
    expect(reply.parse(overTheWire(detail))).toEqual(detail);
  });

  test.each([
    ['an unknown estimator', { estimator: 'guess' }],
    ['a probability above 1', { tokens: [{ text: 'a', probability: 1.2 }] }],
    ['a latency below 0', { served: { ...served, latencyMs: -1 } }],
    ['an unknown field', { logits: [] }],
  ])('is rejected with %s', (_, change) => {
    expect(reply.safeParse({ ...COMPLETE, ...change }).success).toBe(false);
  });
});
