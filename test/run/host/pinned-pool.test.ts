// Decisions with a required version, which may arrive after the request.

import { expect, test } from 'vitest';
import type { Choice, DecisionRequest, Weights } from '../../../runtime/core/policy.ts';
import { PinnedPool } from '../../../runtime/run/host/pinned-pool.ts';
import { request, weights } from '../../rollout/model-workers.ts';
import { choiceOf, WAIT } from '../../rollout/models.ts';

/** A pool that refuses what is not pinned. */
class ModelPool {
  readonly pinned: number[] = [];
  readonly log: string[] = [];

  pin({ version }: Weights): void {
    this.pinned.push(version);
    this.log.push(`pin ${version}`);
  }

  unpin(version: number): void {
    this.pinned.splice(this.pinned.indexOf(version), 1);
    this.log.push(`unpin ${version}`);
  }

  async decide({ version }: DecisionRequest): Promise<Choice> {
    if (version !== undefined && !this.pinned.includes(version))
      throw new Error(`it has no version ${version}`);
    return choiceOf(WAIT, version ?? 99);
  }
}

function pools() {
  const pool = new ModelPool();
  const pinned = new PinnedPool(pool);
  const said: string[] = [];
  const ask = (number: number, version?: number) =>
    pinned.decide(request(number, version)).then(
      choice => said.push(`${number}: ${choice.version}`),
      (error: Error) => said.push(`${number}: ${error.message}`),
    );
  const settle = () => new Promise(resolve => setImmediate(resolve));
  return { pool, pinned, said, ask, settle };
}

test('a request waits for its required version; one without a version does not wait', async () => {
  const { pinned, said, ask, settle } = pools();
  void ask(1, 3);
  void ask(2, 3);
  void ask(3);
  await settle();
  expect(said).toEqual(['3: 99']);
  pinned.pin(weights(3));
  await settle();
  expect(said.slice(1)).toEqual(['1: 3', '2: 3']);
  await ask(4, 3);
  expect(said.at(-1)).toBe('4: 3');
});

test('a skipped version is rejected once a later one arrives', async () => {
  const { pinned, said, ask, settle } = pools();
  void ask(1, 3);
  void ask(2, 9);
  pinned.pin(weights(7));
  await settle();
  expect(said).toEqual([expect.stringMatching(/^1: .*version 3/)]);
  await ask(3, 5);
  expect(said.at(-1)).toMatch(/^3: .*version 5/);
});

test('one version is pinned at a time; the next is pinned before the last is unpinned', () => {
  const { pool, pinned } = pools();
  for (const number of [1, 4, 4]) pinned.pin(weights(number));
  expect(pool.log).toEqual(['pin 1', 'pin 4', 'unpin 1', 'pin 4']);
});
