import { expect, test } from 'vitest';
import { MicroDecoder, PromptLengthError } from '../../../runtime/agents/micro/decoder.ts';
import { replyFeeds } from '../../../runtime/agents/micro/feeds.ts';
import { microAssessingProgram, microTrainingProgram } from '../../../runtime/agents/micro/programs.ts';
import { promptRow, rowWith } from '../../../runtime/agents/micro/row.ts';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { sum } from '../../../runtime/core/sum.ts';
import type { Program } from '../../../runtime/graph/program.ts';
import { loadRuntime } from '../../../runtime/graph/runtime.ts';
import { openSession } from '../../../runtime/graph/session.ts';
import { type Tensor, type Tensors, tensor } from '../../../runtime/graph/tensor.ts';
import { TINY, tinyPrompts, tinyWeights } from './tiny.ts';

const runtime = await loadRuntime('native');
const open = (program: Program) => openSession(runtime, program);
const flat = (weights: Float32Array<ArrayBuffer>): Tensor => tensor('float32', [weights.length], weights);

test('decodes each token with the log-probability that the whole row has', async () => {
  const weights = tinyWeights('decode');
  const [assessing, decoder] = [
    await open(microAssessingProgram(TINY)),
    await MicroDecoder.open({ open }, TINY),
  ];
  await assessing.write({ weights: flat(weights) });
  const random = seeded('sampling');
  for (const prompt of tinyPrompts()) {
    const options = { weights, temperature: 1, maxTokens: 24, alternatives: 3, random: () => random.next() };
    const { tokens } = await decoder.reply(prompt, options);
    expect(tokens.length).toBeGreaterThan(1);
    const row = rowWith(
      prompt,
      tokens.map(({ id }) => id),
    );
    const { logProbability } = await assessing.run(withoutWeight([{ row, weights: tokens.map(() => 1) }]));
    for (const [index, token] of tokens.entries())
      expect(Math.abs(token.logProbability - Number(logProbability?.data[index]))).toBeLessThan(1e-4);
  }
  await decoder.close();
  await assessing.close();
});

test('the probabilities of the next token add up to 1, also without a picture to point at', async () => {
  const decoder = await MicroDecoder.open({ open }, TINY);
  const random = seeded('sampling');
  const options = { weights: tinyWeights('decode'), temperature: 1, maxTokens: 8, alternatives: 10_000 };
  for (const prompt of [...tinyPrompts(), promptRow({ text: 'Turn' })]) {
    const { tokens } = await decoder.reply(prompt, { ...options, random: () => random.next() });
    for (const { alternatives } of tokens)
      expect(sum(alternatives.map(({ logProbability }) => Math.exp(logProbability)))).toBeCloseTo(1, 5);
  }
  await decoder.close();
});

test('a prompt without tokens is rejected', async () => {
  const decoder = await MicroDecoder.open({ open }, TINY);
  const options = { weights: tinyWeights('decode'), temperature: 0, maxTokens: 8, alternatives: 0 };
  const reply = decoder.reply(promptRow({ text: '' }), { ...options, random: () => 0 });
  await expect(reply).rejects.toThrow(PromptLengthError);
  await decoder.close();
});

test('a run that fails ends its reply alone', async () => {
  const weights = tinyWeights('decode');
  const [prompt] = tinyPrompts();
  if (prompt === undefined) throw new RangeError('A prompt is needed.');
  let fails = false;
  const failing = async (program: Program) => {
    const session = await open(program);
    let isTorn = false;
    return {
      ...{ read: session.read.bind(session), write: session.write.bind(session) },
      close: session.close.bind(session),
      run: async (feeds: Tensors) => {
        isTorn ||= fails && 'slot' in feeds;
        if (isTorn) throw new Error('no memory');
        return session.run(feeds);
      },
    };
  };
  const decoder = await MicroDecoder.open({ open: failing }, TINY);
  const reply = () => {
    const random = seeded('sampling');
    return decoder.reply(prompt, {
      weights,
      temperature: 1,
      maxTokens: 24,
      alternatives: 0,
      random: () => random.next(),
    });
  };
  const undisturbed = await reply();
  fails = true;
  await expect(reply()).rejects.toThrow('no memory');
  fails = false;
  expect(await reply()).toEqual(undisturbed);
  await decoder.close();
});

test('a row has the same log-probabilities alone and in a batch with a longer one', async () => {
  const assessing = await open(microAssessingProgram(TINY));
  await assessing.write({ weights: flat(tinyWeights('batch')) });
  const [first, second] = tinyPrompts();
  if (first === undefined || second === undefined) throw new RangeError('Two prompts are needed.');
  const reply = [...encodeText('Thought: click checkbox "Star Bufo"\nAction: click(start_box=\'2\')'), END];
  const rows = [first, second].map(prompt => ({ row: rowWith(prompt, reply), weights: reply.map(() => 1) }));
  const together = (await assessing.run(withoutWeight(rows)))['logProbability'];
  for (const [index, row] of rows.entries()) {
    const alone = (await assessing.run(withoutWeight([row])))['logProbability'];
    for (const [at] of reply.entries())
      expect(Number(alone?.data[at])).toBeCloseTo(Number(together?.data[index * reply.length + at]), 4);
  }
  await assessing.close();
});

test('the gradient of the signed loss equals its finite difference along random directions', async () => {
  const first = tinyWeights('gradient');
  const [prompt, picture] = tinyPrompts();
  if (prompt === undefined || picture === undefined) throw new RangeError('Two prompts are needed.');
  const reply = [...encodeText("click(start_box='2')"), END];
  const pointing = [...encodeText("click(start_box='<|box_start|>(18,28)<|box_end|>')"), END];
  const feeds = replyFeeds([
    { row: rowWith(prompt, reply), weights: reply.map((_, index) => (index % 2 === 0 ? 0.5 : -0.3)) },
    { row: rowWith(picture, pointing), weights: pointing.map((_, index) => 0.2 + 0.1 * index) },
  ]);
  // One step of Adam from zero moments is the sign of each gradient times the rate: its loss change gives the norm in the direction.
  const training = await open(microTrainingProgram(TINY, { learningRate: { peak: 0 } }));
  const assess = async (weights: Float32Array<ArrayBuffer>) => {
    await training.write({ weights: flat(weights) });
    const results = await training.run(feeds);
    const { 'adam.mean': mean } = await training.read(['adam.mean']);
    return { loss: Number(results['loss']?.data[0]), mean };
  };
  await training.write(zeroMoments(first.length));
  const { mean } = await assess(first);
  // The mean after the first step is 0.1 · gradient.
  const gradient = (mean?.data instanceof Float32Array ? [...mean.data] : []).map(each => 10 * each);
  const random = seeded('directions');
  for (let trial = 0; trial < 4; trial++) {
    const direction = Float64Array.from(first, () => random.next() - 0.5);
    const along = direction.reduce((sum, each, index) => sum + each * (gradient[index] ?? 0), 0);
    const moved = async (by: number) =>
      (await assess(first.map((each, index) => each + by * (direction[index] ?? 0)))).loss;
    const difference = ((await moved(1e-3)) - (await moved(-1e-3))) / 2e-3;
    expect(Math.abs(difference - along)).toBeLessThan(0.02 * Math.max(1, Math.abs(along)));
  }
  await training.close();
});

test('learns to copy the number of the element that the instruction names', async () => {
  const training = await open(microTrainingProgram(TINY, { learningRate: { peak: 1e-2 } }));
  await training.write({ weights: flat(tinyWeights('learn')) });
  const [prompt] = tinyPrompts();
  if (prompt === undefined) throw new RangeError('A prompt is needed.');
  const reply = [...encodeText("click(start_box='2')"), END];
  const feeds = replyFeeds([{ row: rowWith(prompt, reply), weights: reply.map(() => 1 / reply.length) }]);
  const losses: number[] = [];
  for (let step = 0; step < 60; step++) losses.push(Number((await training.run(feeds))['loss']?.data[0]));
  expect(losses.at(-1)).toBeLessThan(0.2 * (losses[0] ?? 0));
  await training.close();
});

function withoutWeight(rows: Parameters<typeof replyFeeds>[0]) {
  const { weight: _, ...feeds } = replyFeeds(rows);
  return feeds;
}

const zeroMoments = (length: number) => ({
  'adam.mean': flat(new Float32Array(length)),
  'adam.variance': flat(new Float32Array(length)),
});
