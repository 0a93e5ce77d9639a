// One worker with a small network in this process: its decisions depend on request and weights alone.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blobOf } from '../../runtime/agents/compact/blob.ts';
import { runsOf } from '../../runtime/agents/compact/length-buckets.ts';
import { decode, encode } from '../../runtime/agents/compact/observation.ts';
import { decidingProgram } from '../../runtime/agents/compact/programs.ts';
import { tokensOf } from '../../runtime/agents/compact/tokens.ts';
import { seed, version } from '../../runtime/core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../../runtime/core/policy.ts';
import { type Answer, isRefused } from '../../runtime/rollout/policy-worker.ts';
import { Worker } from '../../runtime/rollout/worker.ts';
import { open, SHAPE, weightsOf } from '../agents/compact/running-policy.ts';
import { pocketSeen } from '../agents/compact/screens.ts';

const OBSERVATIONS = ['mail-forward', 'settings-theme', 'files-rename', 'calendar-add'].map((id, index) =>
  encode(pocketSeen(id, index)),
);

const weights = (number: number): Weights => ({
  version: version(number),
  blob: blobOf(weightsOf(`worker ${number}`)),
});

const request = (number: number, more: Partial<DecisionRequest> = {}): DecisionRequest => ({
  observation: OBSERVATIONS[number % OBSERVATIONS.length] ?? { encoding: '', bytes: new Uint8Array() },
  seed: seed(number),
  ...{ temperature: 1, exploration: 0.1 },
  ...more,
});

/** Different in every way in which requests can be. */
const REQUESTS = Array.from({ length: 12 }, (_, number) =>
  request(number, { temperature: number % 3 === 0 ? 0 : 1 + (number % 2), exploration: (number % 4) / 10 }),
);

async function workerWith(number: number): Promise<Worker> {
  const session = await open(decidingProgram(SHAPE));
  onTestFinished(() => session.close());
  const worker = new Worker(session, SHAPE.pixels);
  await worker.load(weights(number));
  return worker;
}

const chosen = (answer: Answer | undefined): Choice => {
  if (answer === undefined || isRefused(answer)) throw new Error(`It was refused: ${answer?.refused}`);
  return answer;
};

/** The same but for the last digits, which depend on how many rows are computed together. */
function alike(one: Choice, other: Choice): void {
  expect(other.action).toEqual(one.action);
  expect(other.version).toBe(one.version);
  expect(other.decisions.map(({ head, choice, choices }) => [head, choice, choices])).toEqual(
    one.decisions.map(({ head, choice, choices }) => [head, choice, choices]),
  );
  for (const [index, { logProbability, entropy }] of one.decisions.entries()) {
    expect(other.decisions[index]?.logProbability).toBeCloseTo(logProbability, 4);
    expect(other.decisions[index]?.entropy).toBeCloseTo(entropy, 4);
  }
}

describe('a decision', () => {
  let together: readonly Choice[];
  let worker: Worker;
  beforeAll(async () => {
    const session = await open(decidingProgram(SHAPE));
    worker = new Worker(session, SHAPE.pixels);
    await worker.load(weights(1));
    together = (await worker.decide(REQUESTS)).map(chosen);
    return () => session.close();
  });

  test('does not depend on the rest of the batch', async () => {
    for (const [index, each] of REQUESTS.entries()) {
      const alone = chosen((await worker.decide([each]))[0]);
      alike(together[index] ?? alone, alone);
    }
    const backwards = await worker.decide(REQUESTS.toReversed());
    for (const [index, answer] of backwards.toReversed().entries())
      alike(together[index] ?? chosen(answer), chosen(answer));
  });

  test('does not depend on the rest of a batch of several runs', async () => {
    const many = Array.from({ length: 8 }, () => REQUESTS).flat();
    const lengths = many.map(({ observation }) => tokensOf(decode(observation)).count);
    expect(runsOf(lengths).length).toBeGreaterThan(1);
    for (const [index, answer] of (await worker.decide(many)).entries())
      alike(together[index % REQUESTS.length] ?? chosen(answer), chosen(answer));
  });

  test('depends on the seed, except for greedy decisions', async () => {
    const drawn = await worker.decide(Array.from({ length: 20 }, (_, index) => request(4 * index)));
    expect(new Set(drawn.map(each => JSON.stringify(chosen(each).action))).size).toBeGreaterThan(3);
    const likeliest = await worker.decide(
      Array.from({ length: 20 }, (_, index) => request(4 * index, { temperature: 0, exploration: 0 })),
    );
    expect(new Set(likeliest.map(each => JSON.stringify(chosen(each).action))).size).toBe(1);
  });
});

describe('weights', () => {
  test('are the newest or exactly the required ones, also within one batch', async () => {
    const [old, both] = [await workerWith(1), await workerWith(1)];
    await both.pin(weights(1));
    await both.load(weights(2));
    const now = await workerWith(2);
    const mixed = REQUESTS.map((each, index) => (index % 2 === 0 ? each : { ...each, version: version(1) }));
    const [wanted, pinned] = [await now.decide(REQUESTS), await old.decide(REQUESTS)];
    for (const [index, answer] of (await both.decide(mixed)).entries())
      alike(chosen((index % 2 === 0 ? wanted : pinned)[index]), chosen(answer));
    expect(chosen((await both.decide([request(1, { version: version(2) })]))[0]).version).toBe(2);
  });

  test('that are pinned under the number of the newest decide only for requests that require it', async () => {
    const worker = await workerWith(1);
    await worker.pin({ ...weights(2), version: version(1) });
    const insisting = request(1, { version: version(1), temperature: 0 });
    const [mean, newest] = await worker.decide([insisting, { ...request(1), temperature: 0 }]);
    const wanted = await (await workerWith(2)).decide([{ ...request(1), temperature: 0 }]);
    alike({ ...chosen(wanted[0]), version: version(1) }, chosen(mean));
    expect(chosen(newest).decisions[0]?.alternatives).not.toEqual(chosen(mean).decisions[0]?.alternatives);
  });

  test('that it does not have are rejected by name', async () => {
    const worker = await workerWith(2);
    await worker.pin(weights(1));
    await worker.unpin(version(1));
    const [answer, other] = await worker.decide([request(1, { version: version(1) }), request(2)]);
    expect(answer).toEqual({ refused: expect.stringContaining('no weights of version 1') });
    expect(chosen(other).version).toBe(2);
    const bare = new Worker(await open(decidingProgram(SHAPE)), SHAPE.pixels);
    expect(await bare.decide([request(1)])).toEqual([{ refused: expect.stringContaining('no weights yet') }]);
  });

  test('that do not fit the network are rejected, and the old ones stay', async () => {
    const worker = await workerWith(1);
    await expect(worker.load({ version: version(2), blob: new Uint8Array(8) })).rejects.toThrow('float32');
    expect(chosen((await worker.decide([request(1)]))[0]).version).toBe(1);
  });
});

test('an undecodable observation is rejected, and the others are decided', async () => {
  const worker = await workerWith(1);
  const foreign = { encoding: 'another', bytes: new Uint8Array(4) };
  const answers = await worker.decide([request(1), request(2, { observation: foreign }), request(3)]);
  expect(answers.map(isRefused)).toEqual([false, true, false]);
  expect(answers[1]).toEqual({ refused: expect.stringContaining("encoding 'another'") });
  const [alone] = await worker.decide([request(3)]);
  alike(chosen(alone), chosen(answers[2]));
});
