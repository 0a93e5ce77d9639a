// The weights behind the version of each step.

import { expect, test } from 'vitest';
import { misattributedSteps, notedWorker } from '../../../runtime/bench/hosts/attribution.ts';
import type { HostNote } from '../../../runtime/bench/hosts/host-notes.ts';
import { blobHash } from '../../../runtime/blobs/blobs.ts';
import { seed, version } from '../../../runtime/core/ids.ts';
import type { Choice, DecisionRequest } from '../../../runtime/core/policy.ts';
import type { PolicyWorker } from '../../../runtime/rollout/policy-worker.ts';

const load = (of: number, hash: string): HostNote => ({ kind: 'load', version: of, hash });
const PUBLISHED = new Map([
  [0, 'zero'],
  [1, 'one'],
]);

test('steps of published weights that every worker loaded are right', () => {
  expect(misattributedSteps([0, 0, 1], PUBLISHED, [load(0, 'zero'), load(1, 'one'), load(1, 'one')])).toBe(0);
});

test('each step of a version that a worker loaded with other bytes is wrong', () => {
  expect(misattributedSteps([0, 1, 1], PUBLISHED, [load(0, 'zero'), load(1, 'zero')])).toBe(2);
});

test('a version that was never published is wrong, and so is a decision with another one than its worker has', () => {
  expect(misattributedSteps([0, 7], PUBLISHED, [load(0, 'zero')])).toBe(1);
  expect(misattributedSteps([0], PUBLISHED, [{ kind: 'misnamed', version: 0, loaded: 1 }])).toBe(1);
});

const BYTES = Uint8Array.of(1, 2, 3);
const request = (required?: number): DecisionRequest => ({
  observation: { encoding: 'none', bytes: new Uint8Array() },
  ...{ seed: seed(0), temperature: 1, exploration: 0 },
  ...(required !== undefined && { version: version(required) }),
});
const choice = (of: number): Choice => ({
  ...{ action: { kind: 'wait' }, meant: [], decisions: [], version: version(of) },
});

/** It answers with this version, whatever it has loaded. */
const workerOf = (answers: () => number): PolicyWorker => ({
  decide: async requests => requests.map(() => choice(answers())),
  load: async () => undefined,
  pin: async () => undefined,
  unpin: async () => undefined,
  close: async () => undefined,
});

test('a worker notes what it loads, and decisions with another version', async () => {
  const notes: HostNote[] = [];
  let answered = 1;
  const worker = notedWorker(
    workerOf(() => answered),
    note => notes.push(note),
  );
  await worker.load({ version: version(1), blob: BYTES });
  await worker.decide([request()]);
  expect(notes).toEqual([load(1, blobHash(BYTES))]);
  answered = 0;
  await worker.decide([request()]);
  expect(notes.slice(1)).toEqual([{ kind: 'misnamed', version: 0, loaded: 1 }]);
});

test('a decision counts by the weights when it was requested, and one that requires a version does not count', async () => {
  const notes: HostNote[] = [];
  const worker = notedWorker(
    workerOf(() => 1),
    note => notes.push(note),
  );
  await worker.load({ version: version(1), blob: BYTES });
  const deciding = worker.decide([request()]);
  await worker.load({ version: version(2), blob: BYTES });
  await deciding;
  await worker.decide([request(1)]);
  expect(notes.filter(({ kind }) => kind === 'misnamed')).toEqual([]);
});
