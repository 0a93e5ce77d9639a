import { describe, expect, test } from 'vitest';
import { ENTROPY_ESTIMATORS, REPLY_DEFECTS } from '../../../../runtime/core/trace.ts';
import { ENDPOINT_CAUSES, isTemporary } from '../../../../runtime/endpoints/failure.ts';
import type { ReplyDetail } from '../../../../runtime/protocol/daemon/reply.ts';
import type { StepDetail } from '../../../../runtime/protocol/daemon/trajectories.ts';
import {
  defectLabel,
  ESTIMATOR_LINES,
  malformedLabel,
  replyFacts,
  retriesLabel,
  servedFacts,
} from '../../../../webview/inspector/reply/labels.ts';

const reply: ReplyDetail = {
  ...{ raw: 'ab', finish: 'stop', estimator: 'exact', defects: [], tokens: [{ text: 'a' }, { text: 'b' }] },
  served: {
    endpoint: 'local',
    model: 'm',
    latencyMs: 500,
    promptTokens: 1200,
    completionTokens: 2,
    retries: [],
  },
};
const step: StepDetail = {
  ...{ action: { kind: 'wait' }, says: 'wait', meant: [] },
  chosen: { version: 0, probability: 0.5, uncertainty: 1.25, decisions: [], reply },
};
const named = (facts: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(facts.map(({ name, value }) => [name, value]));

test('every defect, estimator and cause of a retry has words of its own', () => {
  const defects = REPLY_DEFECTS.map(defectLabel);
  expect(new Set(defects).size).toBe(REPLY_DEFECTS.length);
  for (const [index, label] of defects.entries()) expect(label).not.toContain(REPLY_DEFECTS[index]);
  for (const estimator of ENTROPY_ESTIMATORS) expect(ESTIMATOR_LINES[estimator]).toMatch(/\.$/);
  for (const cause of ENDPOINT_CAUSES.filter(isTemporary)) expect(retriesLabel([cause])).not.toContain(cause);
});

test.each([
  [[], 'none'],
  [['timeout'], '1: no reply before the deadline'],
  [
    ['server-error', 'timeout', 'server-error'],
    '3: server error (status 5xx) twice, no reply before the deadline',
  ],
  [['odd', 'odd', 'odd'], '3: odd 3 times'],
])('the retries %j are described', (retries, label) => {
  expect(retriesLabel(retries)).toBe(label);
});

test('a malformed reply names its reason, with one full stop', () => {
  expect(malformedLabel('no action found')).toBe(
    'The reply has no action that can be performed: no action found.',
  );
  expect(malformedLabel('It ends early.')).toMatch(/: It ends early\.$/);
});

describe('the facts of a reply', () => {
  test('are its certainty, size, time and rate', () => {
    expect(named(replyFacts(step, reply, false))).toEqual({
      ...{ Entropy: '1.25 nats', Probability: '50 %', Reply: '2 tokens' },
      ...{ Prompt: '1,200 tokens', Latency: '500 ms (4 tokens/s)' },
    });
  });

  test('omit what the server does not report', () => {
    const silent: ReplyDetail = {
      ...{ ...reply, tokens: [], estimator: 'none' },
      served: { endpoint: 'local', model: 'm', latencyMs: 0, retries: [] },
    };
    const chosen = { version: 0, decisions: [], reply: silent };
    expect(named(replyFacts({ ...step, chosen }, silent, false))).toEqual({});
  });

  test('state the use in training; a step that cannot train is not waiting for it', () => {
    const training = { batch: 'b', uncertainty: 1, threshold: 0.8, kept: true, advantage: -0.5 };
    expect(named(replyFacts({ ...step, training }, reply, true))).toMatchObject({
      Trained: '≥ 0.80 nats',
      Advantage: '−0.50',
    });
    expect(
      named(replyFacts({ ...step, training: { ...training, uncertainty: 0.5, kept: false } }, reply, true)),
    ).toHaveProperty('Masked', '< 0.80 nats');
    expect(
      named(replyFacts({ ...step, training: { ...training, kept: false } }, reply, true)),
    ).toHaveProperty('Not imitated', 'advantage ≤ 0');
    expect(named(replyFacts(step, reply, true))).toHaveProperty('Trained', 'not yet');
    expect(named(replyFacts(step, { ...reply, refusal: 'no ids' }, true))).not.toHaveProperty('Trained');
  });
});

test.each([
  [0, undefined, 'not reported'],
  [0, 'step-120', '“step-120”'],
  [12, undefined, 'weights 12'],
  [12, 'lora-12', 'weights 12, “lora-12”'],
])('weights %j, reported as %j, are the version %j', (version, reportedVersion, label) => {
  const served = { ...reply.served, ...(reportedVersion !== undefined && { reportedVersion }) };
  expect(named(servedFacts({ ...reply, served }, version))).toHaveProperty('Version', label);
});
