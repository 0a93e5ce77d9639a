// Where the reply of a datum begins, and which datums are rejected.

import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import type { WireChunk, WireDatum } from '../../../runtime/learner/tinker/wire/messages.ts';
import { trainingRow } from '../../../runtime/model-server/tinker/training-row.ts';
import { imageChunk, screenPng } from '../../learner/micro/fixture.ts';

const PROMPT = encodeText('Task: Mute.\n');
const REPLY = [...encodeText("Action: click(start_box='7')"), END];
const text = (tokens: readonly number[]): WireChunk => ({ kind: 'text', tokens });
const image = (expectedTokens = imageChunk().tokens): WireChunk => ({
  ...{ kind: 'image', data: screenPng(), format: 'png', expectedTokens },
});
const ints = (data: readonly number[]) => ({ type: 'int64', data }) as const;
const floats = (data: readonly number[]) => ({ type: 'float32', data }) as const;
const zeros = (count: number) => new Array<number>(count).fill(0);

/** All tokens in one chunk, with the targets shifted by one. */
function plain(lists: Readonly<Record<string, readonly number[]>> = {}): WireDatum {
  const all = [...PROMPT, ...REPLY];
  return {
    input: [text(all.slice(0, -1))],
    lossInputs: {
      target_tokens: ints(all.slice(1)),
      ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, floats(list)])),
    },
  };
}

const replyOf = ({ row }: ReturnType<typeof trainingRow>) =>
  row.entries.slice(row.prompt).map(({ id }) => id);

describe('the reply begins', () => {
  test('at the first target that is not 0', () => {
    const { input } = plain();
    const targets = ints([...zeros(PROMPT.length - 1), ...REPLY]);
    const row = trainingRow({ input, lossInputs: { target_tokens: targets } });
    expect(replyOf(row)).toEqual(REPLY);
    expect(row.row.prompt).toBe(PROMPT.length);
  });

  test.each([[[0]], [[0, 0, 7]], [[5, 0]]])('there also in a reply with the token 0: %j', reply => {
    const row = trainingRow({
      input: [text([...PROMPT, ...reply.slice(0, -1)])],
      lossInputs: { target_tokens: ints([...zeros(PROMPT.length - 1), ...reply]) },
    });
    expect(replyOf(row)).toEqual(reply);
  });

  test('there also if the weights of its first tokens are 0', () => {
    const { input } = plain();
    const before = zeros(PROMPT.length - 1);
    const row = trainingRow({
      input,
      lossInputs: {
        target_tokens: ints([...before, ...REPLY]),
        weights: floats([...before, 0, 0, ...REPLY.slice(2).map(() => 1)]),
      },
    });
    expect(replyOf(row)).toEqual(REPLY);
    expect(row.lists.get('weights')?.slice(0, 3)).toEqual([0, 0, 1]);
  });

  test('with the last chunk of text', () => {
    const { lossInputs } = plain();
    const row = trainingRow({ input: [text(PROMPT), text(REPLY.slice(0, -1))], lossInputs });
    expect(replyOf(row)).toEqual(REPLY);
  });

  test.each(['weights', 'advantages', 'logprobs'])('at the first place with %s', name => {
    const row = trainingRow(plain({ [name]: [...zeros(PROMPT.length - 1), ...REPLY.map(() => -0.5)] }));
    expect(replyOf(row)).toEqual(REPLY);
  });

  test('behind the first token, if nothing else says where', () => {
    const row = trainingRow(plain({ weights: zeros(PROMPT.length + REPLY.length - 1) }));
    expect(row.row.prompt).toBe(1);
    expect(replyOf(row)).toEqual([...PROMPT.slice(1), ...REPLY]);
  });

  test.each([[[0, 0, 0]], [[1, 1, 1]]])('behind all bytes of the first character: weights %j', weights => {
    const all = [...encodeText('É'), ...encodeText('a'), END];
    expect(all).toHaveLength(4);
    const row = trainingRow({
      input: [text(all.slice(0, -1))],
      lossInputs: { target_tokens: ints(all.slice(1)), weights: floats(weights) },
    });
    expect(row.row.prompt).toBe(2);
    expect(row.lists.get('weights')).toEqual(weights.slice(1));
    expect(replyOf(row)).toEqual(all.slice(2));
  });

  test('behind the image and the text', () => {
    const patches = imageChunk().tokens;
    const all = [...PROMPT, ...REPLY];
    const row = trainingRow({
      input: [image(), text(all.slice(0, -1))],
      lossInputs: { target_tokens: ints([...zeros(patches + PROMPT.length - 1), ...REPLY]) },
    });
    expect(replyOf(row)).toEqual(REPLY);
    expect(row.row.prompt).toBe(patches + PROMPT.length);
    expect(row.places).toBe(patches + all.length - 1);
  });

  test('not within the image', () => {
    const patches = imageChunk().tokens;
    const all = [...PROMPT, ...REPLY];
    const row = trainingRow({
      input: [image(), text(all.slice(0, -1))],
      lossInputs: {
        target_tokens: ints([...zeros(patches - 1), ...all]),
        weights: floats(zeros(patches + all.length - 1)),
      },
    });
    expect(row.row.prompt).toBe(patches);
  });
});

test.each<[string, WireDatum, RegExp]>([
  ['no targets', { input: plain().input, lossInputs: {} }, /no 'target_tokens'/],
  [
    'too few targets',
    { ...plain(), lossInputs: { target_tokens: ints([1, 2]) } },
    /has 2 numbers, the input \d+ places/,
  ],
  [
    'targets that are not the next tokens',
    { ...plain(), lossInputs: { target_tokens: ints([...PROMPT, ...REPLY.slice(0, -1)]) } },
    /shifted by one/,
  ],
  [
    'a weight on a target of 0',
    {
      input: plain().input,
      lossInputs: {
        target_tokens: ints([...zeros(PROMPT.length - 1), ...REPLY]),
        weights: floats([1, ...zeros(PROMPT.length + REPLY.length - 2)]),
      },
    },
    /weights of 0 where the target is 0/,
  ],
  ['an unknown list', plain({ clip_low_threshold: zeros(PROMPT.length + REPLY.length - 1) }), /not served/],
  [
    'an image with another number of patches',
    {
      input: [image(1), text(PROMPT)],
      lossInputs: { target_tokens: ints([...zeros(imageChunk().tokens), ...PROMPT]) },
    },
    /has 1 tokens in the prompt/,
  ],
  ['a JPEG', { input: [{ kind: 'image', data: screenPng(), format: 'jpeg' }], lossInputs: {} }, /Send PNG/],
  [
    'a pointer',
    { input: [{ kind: 'pointer', location: 'http://x/y.png', format: 'png' }], lossInputs: {} },
    /Send the bytes/,
  ],
])('a datum with %s is rejected', (_, datum, message) => {
  expect(() => trainingRow(datum)).toThrow(message);
});
