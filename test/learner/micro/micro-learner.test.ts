// What is special about the learner of the micro model; the conformance suite has the laws of all learners.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { decodeMicro } from '../../../runtime/agents/micro/weights-file.ts';
import { at } from '../../../runtime/core/at.ts';
import { messageOf } from '../../../runtime/core/errors.ts';
import type { TokenStep, TokenUpdate } from '../../../runtime/learner/learner.ts';
import type { MicroLearner } from '../../../runtime/learner/micro/micro-learner.ts';
import { decodeTraining, TrainingFileError } from '../../../runtime/learner/micro/state-file.ts';
import { TEXT, TINY } from '../../agents/micro/tiny.ts';
import {
  BLANK,
  imageChunk,
  LIVE,
  MemoryFolder,
  replyTo,
  SETTINGS,
  STEPS,
  slowEngine,
  textChunk,
  tinyLearner,
} from './fixture.ts';

async function learner(
  folder = new MemoryFolder(),
  timed?: ReturnType<typeof slowEngine>,
): Promise<MicroLearner> {
  const opened = await tinyLearner(folder, timed);
  onTestFinished(() => opened.close());
  return opened;
}

const updateOf = (id: string, steps: readonly TokenStep[] = STEPS, learningRate = 1e-2): TokenUpdate => ({
  id,
  optimiser: { ...SETTINGS, learningRate },
  rows: steps.map((step, index) => ({
    ...{ step, weights: step.reply.map(() => 1 / step.reply.length) },
    origin: { trajectory: 't', index, group: 'g', task: 'k', advantage: 1, isSuccess: true },
  })),
});

test('repeated updates make the replies likely', async () => {
  const tested = await learner();
  const losses: number[] = [];
  for (let step = 0; step < 60; step++)
    losses.push((await tested.update(updateOf(`u${step}`), LIVE)).loss ?? Number.NaN);
  expect(losses.at(-1)).toBeLessThan(0.3 * at(losses, 0));
});

test('an update reports the time of its runs, also after its state was loaded', async () => {
  const [folder, timed] = [new MemoryFolder(), slowEngine()];
  const tested = await learner(folder, timed);
  const plain = updateOf('u1');
  // One run for the gradient, one for the step.
  expect(await tested.update(plain, LIVE)).toMatchObject({ hardwareSeconds: 0.5 });
  const present = await tested.assess(STEPS, 'present', LIVE);
  const clipped: TokenUpdate = {
    ...{ ...updateOf('u2'), clip: { clipLow: 0.2, clipHigh: 0.28 } },
    rows: plain.rows.map((row, index) => ({ ...row, origin: { ...row.origin, old: at(present, index) } })),
  };
  // PPO's loss needs the present log-probabilities first.
  const report = await tested.update(clipped, LIVE);
  expect(report).toMatchObject({ hardwareSeconds: 0.75 });
  const saved = await tested.save('two', LIVE);
  const next = await learner(folder, timed);
  await next.load(saved, LIVE);
  expect(await next.update(clipped, LIVE)).toEqual(report);
});

test('published weights are a file of the micro model with the step as version', async () => {
  const folder = new MemoryFolder();
  const tested = await learner(folder);
  await tested.update(updateOf('u1'), LIVE);
  await tested.update(updateOf('u2'), LIVE);
  const { step, path } = await tested.publish(LIVE);
  expect({ step, path }).toEqual({ step: 2, path: '/models/weights-2.safetensors' });
  const file = await folder.read('weights-2.safetensors');
  const saved = decodeMicro(file, 'published');
  expect({ shape: saved.shape, version: saved.version }).toEqual({ shape: TINY, version: 2 });
  const state = decodeTraining(await folder.read(await tested.save('now', LIVE)), 'now');
  expect(saved.weights).toEqual(state.state.weights);
});

test('the last four publications are kept', async () => {
  const folder = new MemoryFolder();
  const tested = await learner(folder);
  for (let step = 0; step < 6; step++) {
    await tested.publish(LIVE);
    await tested.update(updateOf(`u${step}`), LIVE);
  }
  expect([...folder.files.keys()].sort()).toEqual([2, 3, 4, 5].map(step => `weights-${step}.safetensors`));
});

test('publications of an earlier process are removed in their turn', async () => {
  const folder = new MemoryFolder();
  for (const step of [9, 10, 8]) folder.files.set(`weights-${step}.safetensors`, new Uint8Array());
  const tested = await learner(folder);
  for (const name of ['u1', 'u2']) {
    await tested.update(updateOf(name), LIVE);
    await tested.publish(LIVE);
  }
  expect([...folder.files.keys()].sort()).toEqual([1, 10, 2, 9].map(step => `weights-${step}.safetensors`));
});

test('a forgotten state leaves no file', async () => {
  const folder = new MemoryFolder();
  const tested = await learner(folder);
  const kept = await tested.save('one', LIVE);
  await tested.forget(await tested.save('two', LIVE));
  expect([...folder.files.keys()]).toEqual([kept]);
});

test('a state of another network is rejected', async () => {
  const folder = new MemoryFolder();
  const tested = await learner(folder);
  const saved = await tested.save('one', LIVE);
  const bytes = await folder.read(saved);
  const damaged = bytes.slice();
  damaged[damaged.length - 1] = (at(damaged, damaged.length - 1) + 1) % 256;
  await folder.write('damaged.training.safetensors', damaged);
  await expect(tested.load('damaged.training.safetensors', LIVE)).rejects.toThrow(TrainingFileError);
});

describe('a learner that goes on', () => {
  let shared: MicroLearner;
  beforeAll(async () => {
    shared = await tinyLearner();
  });
  afterAll(() => shared.close());

  test.each(['', '../up', 'a/b', '.hidden', 'a'.repeat(101)])(
    'the name %j of a state is rejected',
    async name => {
      await expect(shared.save(name, LIVE)).rejects.toThrow(/Use 1 to 100/);
    },
  );

  const reply = replyTo('wait()');
  test.each<[string, TokenStep, RegExp]>([
    [
      'an image with another number of tokens',
      { prompt: [{ ...imageChunk(), tokens: 1 }, textChunk('Task: a\n')], reply },
      /has 1 tokens in the prompt, and \d+ patches\. Send/,
    ],
    [
      'an image after the text',
      { prompt: [textChunk('Task: a\n'), imageChunk()], reply },
      /not the first part/,
    ],
    ['two images', { prompt: [imageChunk(), imageChunk()], reply }, /not the first part/],
    ['no prompt', { prompt: [], reply }, /has no tokens/],
    [
      'a picture that shows nothing',
      { prompt: [{ kind: 'image', sha256: BLANK, tokens: 0 }], reply },
      /has no tokens/,
    ],
    [
      'tokens that their text does not have',
      // The letters of a word that has a token of its own.
      {
        prompt: [{ kind: 'text', tokens: [...'Task: '].flatMap(letter => textChunk(letter).tokens) }],
        reply,
      },
      /not those of their text: token 0/,
    ],
    [
      'a token beyond the vocabulary',
      { prompt: [textChunk(TEXT)], reply: [1_000_000] },
      /Token 0 of the reply/,
    ],
    [
      'more tokens than the model reads',
      { prompt: [textChunk(TEXT)], reply: Array.from({ length: 1024 }, () => 5) },
      /the limit is 1024/,
    ],
  ])('a step with %s is rejected', async (_, step, message) => {
    const error: unknown = await shared
      .update(updateOf('u1', [step]), LIVE)
      .catch((reason: unknown) => reason);
    expect(messageOf(error)).toMatch(message);
    expect(shared.step).toBe(0);
  });
});
