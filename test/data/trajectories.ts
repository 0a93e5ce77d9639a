// Trajectories for tests: simple ones with overrides, and random ones for property tests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import {
  groupId,
  orderId,
  runId,
  seed,
  taskId,
  trajectoryId,
  version as versionNumber,
} from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import {
  ENTROPY_ESTIMATORS,
  REPLY_DEFECTS,
  type Token,
  type TokensTrace,
  type Trace,
} from '../../runtime/core/trace.ts';
import type { Frames, Provenance, Trajectory } from '../../runtime/core/trajectory.ts';
import type { Outcome } from '../../runtime/core/verdict.ts';
import { action, SCREEN } from '../core/arbitraries.ts';

/** A folder that is deleted after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'dartboard-data-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export const judged = (score: number): Outcome => ({
  kind: 'judged',
  ending: 'finished',
  verdict: { score, why: 'it was looked at' },
});

export const BROKEN: Outcome = {
  kind: 'broken',
  failure: { boundary: 'environment', thing: 'desktop-1', message: 'it hung' },
};

/** A step of this version with this uncertainty, from 0 to 1. */
export const step = (version: number, share: number): Step => ({
  action: { kind: 'click', at: { x: 10, y: 20 } },
  meant: [],
  chosen: {
    version: versionNumber(version),
    trace: {
      kind: 'heads',
      decisions: [
        {
          ...{ head: 'kind', choice: 1, choices: 2, logProbability: Math.log(0.5) },
          ...{ entropy: share * Math.log(2), alternatives: [] },
        },
      ],
    },
  },
});

export const trajectory = (id: string, changes: Partial<Trajectory> = {}): Trajectory => ({
  id: trajectoryId(id),
  run: runId('run-1'),
  group: groupId('group-1'),
  instance: { task: taskId('notes-rename'), seed: seed(1) },
  instruction: 'Rename the note.',
  purpose: 'train',
  mode: 'screenshot_a11y_tree',
  maxSteps: 10,
  provenance: { kind: 'rollout' },
  steps: [step(1, 0.5)],
  frames: { kind: 'redrawn', renderer: 'pocket-1' },
  outcome: judged(1),
  startedAt: 1000,
  endedAt: 2000,
  ...changes,
});

const some = <T>(all: fc.Arbitrary<T>, maxLength: number) => fc.array(all, { maxLength });
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '成功', '\n"\\'));
/** JSON has no -0. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(each => each + 0);
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const box = fc.record({ x: fc.nat(), y: fc.nat(), width: fc.nat(), height: fc.nat() });
const version = fc.nat(1000).map(versionNumber);
const bytes = fc.uint8Array({ maxLength: 200 });

const decision = fc.record({
  head: fc.constantFrom('kind', 'pointer', 'text', 'key'),
  choice: fc.nat(),
  choices: fc.integer({ min: 1, max: 500 }),
  logProbability: number.map(each => -Math.abs(each) + 0),
  entropy: fc.double({ min: 0, max: 7, noNaN: true }),
  alternatives: some(
    fc.record(
      {
        choice: fc.nat(),
        logProbability: fc.double({ min: -9, max: -0.001, noNaN: true }),
        label: text,
        box,
      },
      { requiredKeys: ['choice', 'logProbability', 'label'] },
    ),
    6,
  ),
});

const token: fc.Arbitrary<Token> = fc.record(
  {
    text,
    id: fc.nat(200_000),
    logProbability: fc.double({ min: -9, max: -0.001, noNaN: true }),
    entropy: fc.double({ min: 0, max: 7, noNaN: true }),
  },
  { requiredKeys: ['text'] },
);

const tokens: fc.Arbitrary<TokensTrace> = fc.record(
  {
    kind: fc.constant('tokens' as const),
    tokens: some(
      fc.oneof(
        token,
        fc.record({
          text,
          alternatives: fc.array(
            fc.record({ text, logProbability: fc.double({ min: -9, max: -0.001, noNaN: true }) }),
            { minLength: 1, maxLength: 6 },
          ),
        }),
      ),
      5,
    ),
    prompt: some(fc.nat(200_000), 5),
    estimator: fc.constantFrom(...ENTROPY_ESTIMATORS),
    finish: fc.constantFrom('stop', 'length'),
    raw: text,
    thought: text,
    malformed: text,
    defects: fc.subarray([...REPLY_DEFECTS]),
    served: fc.record(
      {
        ...{ endpoint: text, model: text, reportedVersion: text, latencyMs: fc.nat(100_000) },
        ...{ promptTokens: fc.nat(), completionTokens: fc.nat(), cost: fc.nat(10), retries: some(text, 2) },
      },
      { requiredKeys: ['endpoint', 'model', 'latencyMs', 'retries'] },
    ),
  },
  { requiredKeys: ['kind', 'tokens', 'estimator', 'finish', 'raw', 'defects', 'served'] },
);

const trace: fc.Arbitrary<Trace> = fc.oneof(
  fc.record({ kind: fc.constant('heads' as const), decisions: some(decision, 3) }),
  tokens,
  fc.record({ kind: fc.constant('same-turn' as const) }),
);

const anyStep = fc.record(
  {
    action: action(SCREEN),
    meant: some(fc.record({ kind: fc.constantFrom('element', 'patch'), index: fc.nat(), box }), 2),
    observation: fc.record({ encoding: text, bytes }),
    chosen: fc.record({ version, trace }),
    match: fc.record({ step: fc.nat(100), score: fc.constantFrom(0, 0.1, 0.5, 1) }),
  },
  { requiredKeys: ['action', 'meant'] },
);

const provenance: fc.Arbitrary<Provenance> = fc.oneof(
  fc.constantFrom<Provenance>({ kind: 'rollout' }, { kind: 'oracle' }),
  fc.record({ kind: fc.constant('human' as const), who: text }),
  fc.record({ kind: fc.constant('imported' as const), from: text }),
  fc.record({ kind: fc.constant('hindsight' as const), of: name.map(trajectoryId) }),
);

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant('judged' as const),
    ending: fc.constantFrom('finished', 'fail', 'capped'),
    verdict: fc.record({
      score: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0.001, max: 1, noNaN: true })),
      why: text,
    }),
  }),
  fc.record({
    kind: fc.constant('broken' as const),
    failure: fc.record({
      boundary: fc.constantFrom('environment', 'policy', 'task', 'provider'),
      thing: text,
      message: text,
    }),
  }),
);

const image = fc.record({ sha256: fc.stringMatching(/^[0-9a-f]{64}$/), png: bytes });

const frames: fc.Arbitrary<Frames> = fc.oneof(
  fc.record({ kind: fc.constant('redrawn' as const), renderer: text }),
  fc.record({ kind: fc.constant('png' as const), images: some(bytes, 7) }),
);

export const anyTrajectory: fc.Arbitrary<Trajectory> = fc.record(
  {
    id: name.map(trajectoryId),
    order: name.map(orderId),
    run: name.map(runId),
    group: name.map(groupId),
    instance: fc.record({ task: name.map(taskId), seed: fc.nat(0xffff).map(seed) }),
    instruction: text,
    purpose: fc.constantFrom('train', 'evaluate', 'collect', 'demonstrate'),
    mode: fc.constantFrom('screenshot', 'a11y_tree', 'screenshot_a11y_tree'),
    maxSteps: fc.nat(100),
    provenance,
    agent: name,
    steps: some(anyStep, 6),
    frames,
    images: fc.uniqueArray(image, { minLength: 1, maxLength: 3, selector: ({ sha256 }) => sha256 }),
    outcome,
    startedAt: fc.nat(4e12),
    endedAt: fc.nat(4e12),
  },
  {
    requiredKeys: [
      ...(['id', 'instance', 'instruction', 'purpose', 'mode', 'maxSteps', 'provenance', 'steps'] as const),
      ...(['frames', 'outcome', 'startedAt', 'endedAt'] as const),
    ],
  },
);
