// The steps of a trajectory as clients receive them.

import { expect, test } from 'vitest';
import { version } from '../../../runtime/core/ids.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { TokensTrace, Trace } from '../../../runtime/core/trace.ts';
import { toStepDetails } from '../../../runtime/server/trajectories/trajectory-view.ts';
import { step } from '../../data/trajectories.ts';

const REPLY: TokensTrace = {
  kind: 'tokens',
  tokens: [
    {
      ...{ text: 'click', id: 7, logProbability: Math.log(0.25), entropy: 1.5 },
      alternatives: [{ text: 'type', logProbability: Math.log(0.5) }],
    },
    { text: '()', id: 8, logProbability: Math.log(1), entropy: 0.5 },
  ],
  prompt: [1, 2, 3],
  ...{ estimator: 'top-k', finish: 'stop', raw: 'click()', thought: 'It is there.', defects: [] },
  served: { endpoint: 'vllm', model: 'm', latencyMs: 12, promptTokens: 3, retries: ['timeout'] },
};

const chosen = (trace: Trace): Step => ({
  action: { kind: 'wait' },
  meant: [],
  chosen: { version: version(4), trace },
});

test('a step of a language model has the reply with probabilities instead of decisions', () => {
  const [detail] = toStepDetails([chosen(REPLY)], undefined);
  expect(detail?.chosen).toEqual({
    ...{ version: 4, probability: 0.5, uncertainty: 1, decisions: [] },
    reply: {
      ...{ raw: 'click()', thought: 'It is there.', finish: 'stop', estimator: 'top-k', defects: [] },
      tokens: [
        {
          text: 'click',
          probability: 0.25,
          entropy: 1.5,
          alternatives: [{ text: 'type', probability: 0.5 }],
        },
        { text: '()', probability: 1, entropy: 0.5 },
      ],
      served: { endpoint: 'vllm', model: 'm', latencyMs: 12, promptTokens: 3, retries: ['timeout'] },
    },
  });
});

test('on a stored trajectory, a step says whether it differs from that of the expert', () => {
  const [equal, other] = toStepDetails(
    [1, 0.5].map(score => ({ ...chosen(REPLY), match: { step: 0, score } })),
    undefined,
  );
  expect(equal?.says).toBe('wait');
  expect(other?.says).toBe('wait, unlike the expert');
});

test('a step that cannot train says why, and has no numbers that the server did not report', () => {
  const { prompt: _, ...rest } = REPLY;
  const tokens = REPLY.tokens.map(({ text }) => ({ text }));
  const [detail] = toStepDetails([chosen({ ...rest, tokens, estimator: 'none' })], undefined);
  expect(detail?.chosen).not.toHaveProperty('probability');
  expect(detail?.chosen).not.toHaveProperty('uncertainty');
  expect(detail?.chosen?.reply?.refusal).toContain('token ids');
});

test('later actions of a turn continue it, and the training of turns belongs to their first steps', () => {
  const training = (uncertainty: number) => ({ batch: 'b', uncertainty, threshold: 0.1, kept: true });
  const steps = [chosen(REPLY), chosen({ kind: 'same-turn' }), step(1, 0.5)];
  const details = toStepDetails(steps, [training(0.2), training(0.3)]);
  expect(details.map(detail => detail.training?.uncertainty)).toEqual([0.2, undefined, 0.3]);
  expect(details.map(detail => detail.chosen?.continues)).toEqual([undefined, true, undefined]);
});
