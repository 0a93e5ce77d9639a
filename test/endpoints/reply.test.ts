// Each wrong report of a server is found and named, and the rest of the reply is kept.

import { describe, expect, test } from 'vitest';
import { traceLogProbability, traceUncertainty, trainingRefusal } from '../../runtime/core/trace.ts';
import { readReply } from '../../runtime/endpoints/reply.ts';
import { compareSpelling } from '../../runtime/endpoints/spelling.ts';
import { parseWireJson, wireReply } from '../../runtime/endpoints/wire-reply.ts';

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

const entry = (
  token: string,
  logprob: unknown = -0.1,
  others: readonly (readonly [string, number])[] = [],
) => ({
  token,
  logprob,
  bytes: bytesOf(token),
  top_logprobs: [[token, logprob] as const, ...others].map(([text, value]) => ({
    token: text,
    logprob: value,
    bytes: bytesOf(text),
  })),
});

const TOKENS = ['Action', ': click', '(1,2)', '<|im_end|>'];

interface Changes {
  readonly entries?: readonly unknown[];
  readonly ids?: readonly number[];
  readonly content?: string;
  readonly choice?: object;
  readonly root?: object;
}

function reply({ entries = TOKENS.map(text => entry(text)), ids = [11, 12, 13, 2], ...rest }: Changes = {}) {
  return wireReply.parse({
    model: 'm',
    prompt_token_ids: [1, 2, 3],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
    choices: [
      {
        message: { content: rest.content ?? 'Action: click(1,2)' },
        finish_reason: 'stop',
        token_ids: ids,
        logprobs: { content: entries },
        ...rest.choice,
      },
    ],
    ...rest.root,
  });
}

const EXPECTED = { model: 'm', topCount: 2 };
const read = (changes?: Changes, expected: Parameters<typeof readReply>[1] = EXPECTED) =>
  readReply(reply(changes), expected);
const traceOf = (content: ReturnType<typeof read>) =>
  ({
    ...content,
    kind: 'tokens',
    served: { endpoint: 'x', model: 'm', latencyMs: 1, retries: [] },
  }) as const;

test('a right report has no defect, and its step can train', () => {
  const content = read();
  expect(content).toMatchObject({
    raw: 'Action: click(1,2)',
    prompt: [1, 2, 3],
    ...{ finish: 'stop', defects: [], promptTokens: 3, completionTokens: 4 },
  });
  expect(content.tokens.map(({ id }) => id)).toEqual([11, 12, 13, 2]);
  expect(traceLogProbability(traceOf(content))).toBeCloseTo(-0.4, 12);
  expect(trainingRefusal(traceOf(content))).toBeUndefined();
});

test('alternatives are sorted, and the entropy is estimated from them', () => {
  const others = [
    [' drag', Math.log(0.5)],
    [' type', -9999],
  ] as const;
  const content = read({ entries: TOKENS.map(text => entry(text, Math.log(0.25), others)) });
  expect(content.estimator).toBe('top-k');
  expect(content.tokens[0]?.alternatives?.map(({ text }) => text)).toEqual([' drag', 'Action']);
  expect(traceUncertainty(traceOf(content))).toBeCloseTo(-Math.log(0.25), 12);
});

test('parts of characters are no candidates: the server lists one of them for all', () => {
  const part = { token: '', logprob: Math.log(0.5), bytes: null };
  const others = [
    ['b', Math.log(0.2)],
    ['c', Math.log(0.1)],
  ] as const;
  const sampled = entry('a', Math.log(0.05), others);
  const entries = [{ ...sampled, top_logprobs: [part, ...sampled.top_logprobs] }];
  const content = read({ entries, ids: [1], content: 'a' }, { model: 'm', topCount: 3 });
  expect(content.estimator).toBe('top-k');
  // The surprisal of 'c' stands for that of the others, with a probability of 0.7.
  const expected = -0.2 * Math.log(0.2) - 0.1 * Math.log(0.1) - 0.7 * Math.log(0.1) - Math.log(0.05 / 0.1);
  expect(content.tokens[0]?.entropy).toBeCloseTo(expected, 12);
});

describe('a misreport is named', () => {
  const SHORT = TOKENS.slice(0, 2).map(text => entry(text));
  const cases: readonly (readonly [string, string, Changes])[] = [
    ['fewer log-probabilities than ids', 'log-probabilities-length', { entries: SHORT }],
    [
      'log-probabilities that spell half the text, without ids',
      'log-probabilities-length',
      { entries: SHORT, choice: { token_ids: undefined } },
    ],
    [
      'a log-probability of −9999',
      'log-probability-invalid',
      { entries: [...TOKENS.slice(0, 3).map(text => entry(text)), entry('<|im_end|>', -9999)] },
    ],
    [
      'a log-probability above 0',
      'log-probability-invalid',
      { entries: TOKENS.map(text => entry(text, 0.3)) },
    ],
    [
      'a log-probability that is not a number',
      'log-probability-invalid',
      { entries: TOKENS.map(text => entry(text, null)) },
    ],
    [
      'tokens after the end token',
      'text-after-stop',
      { entries: [...TOKENS, '\n'].map(text => entry(text)), ids: [11, 12, 13, 2, 9] },
    ],
    [
      'a stop string that was cut from the text alone',
      'text-after-stop',
      {
        entries: ['Action', ': click', '(1,2)', 'Observation:'].map(text => entry(text)),
      },
    ],
    ['tokens of another text', 'tokens-differ-from-text', { content: 'Action: wait()' }],
    ['another model', 'wrong-model', { root: { model: 'other' } }],
    [
      'two versions in one reply',
      'mixed-versions',
      { choice: { weight_versions: [{ version: '3' }, { version: '4' }] } },
    ],
  ];

  test.each(cases)('%s: %s', (_, defect, changes) => {
    const content = read(changes);
    expect(content.defects).toEqual([defect]);
    expect(trainingRefusal(traceOf(content))).toContain(defect);
  });

  test('an invalid log-probability is missing; the others are kept', () => {
    const entries = [entry('Action'), entry(': click', -9999), entry('(1,2)'), entry('<|im_end|>')];
    const values = read({ entries }).tokens.map(({ logProbability }) => logProbability);
    expect(values).toEqual([-0.1, undefined, -0.1, -0.1]);
    expect(traceUncertainty(traceOf(read({ entries })))).toBeUndefined();
  });

  test('ids of a report with wrong lengths are not assigned to tokens', () => {
    expect(read({ entries: SHORT }).tokens.map(({ id }) => id)).toEqual([undefined, undefined]);
  });
});

describe('what is not a misreport', () => {
  test('a rounding error above 0 counts as 0', () => {
    const content = read({ entries: TOKENS.map(text => entry(text, 1e-7)) });
    expect(content.defects).toEqual([]);
    expect(traceLogProbability(traceOf(content))).toBe(0);
  });

  test.each([
    ['a dated name of a hosted model', 'gpt-x', 'gpt-x-2026-08-06', []],
    ['an alias that the server lists', 'a', 'b', ['b']],
  ])('%s', (_, model, answered, aliases) => {
    const content = read({ root: { model: answered } }, { model, aliases, topCount: 2 });
    expect(content).toMatchObject({ defects: [], model: answered });
  });

  test('a character that is split over tokens, with its bytes', () => {
    const [a = 0, b = 0, c = 0] = bytesOf('€');
    const part = (bytes: number[]) => ({ ...entry('\uFFFD'), bytes });
    const content = read({ entries: [entry('1 '), part([a]), part([b, c])], ids: [1, 2, 3], content: '1 €' });
    expect(content.defects).toEqual([]);
    expect(content.tokens.map(({ text }) => text)).toEqual(['1 ', '\uFFFD', '\uFFFD']);
  });

  test('a character that is split over tokens, which the server prints as empty texts without bytes', () => {
    const part = { ...entry(''), bytes: null };
    const content = read({ entries: [entry('1 '), part, part, entry('.')], content: '1 €.' });
    expect(content.defects).toEqual([]);
    expect(content.tokens.map(({ text }) => text)).toEqual(['1 ', '\uFFFD', '\uFFFD', '.']);
  });

  test('special tokens that the server removed from the text', () => {
    const entries = ['click(', '<|box_start|>', '(1,2)', '<|box_end|>', ')'].map(text => entry(text));
    expect(read({ entries, ids: [1, 2, 3, 4, 5], content: 'click((1,2))' }).defects).toEqual([]);
  });

  test('a thought in a field of its own', () => {
    const entries = ['<think>', '\nhm\n', '</think>', '\n\nok'].map(text => entry(text));
    const message = { content: 'ok', reasoning_content: 'hm' };
    const content = read({ entries, choice: { message } });
    expect(content).toMatchObject({ raw: '<think>hm</think>ok', defects: [] });
  });
});

describe('ids', () => {
  test('are recovered from tokens that are printed as ids', () => {
    const entries = [entry('token_id:7'), entry('token_id:8')];
    const content = read({ entries, choice: { token_ids: undefined } });
    expect(content.tokens.map(({ id, text }) => [id, text])).toEqual([
      [7, ''],
      [8, ''],
    ]);
    expect(content.defects).toEqual([]);
  });

  test('are recovered from the triples of SGLang, and its version is kept', () => {
    const meta_info = {
      weight_version: 5,
      output_token_logprobs: TOKENS.map((text, index) => [-0.1, index, text]),
    };
    const content = read({ choice: { token_ids: undefined, meta_info } });
    expect(content.tokens.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    expect(content.reportedVersion).toBe('5');
  });

  test('without log-probabilities are kept, and the reason against training is named', () => {
    const content = read({ choice: { logprobs: null } });
    expect(content).toMatchObject({ estimator: 'none', defects: [] });
    expect(trainingRefusal(traceOf(content))).toBe('the server reports no log-probabilities');
  });
});

test('a reply with only its text is read', () => {
  const minimal = wireReply.parse({ choices: [{ message: { content: 'x' } }] });
  expect(readReply(minimal, EXPECTED)).toEqual({
    ...{ raw: 'x', tokens: [], estimator: 'none', finish: 'stop', defects: [] },
  });
  expect(wireReply.safeParse({ choices: [] }).success).toBe(false);
});

test('fields of a wrong type are missing', () => {
  const strange = wireReply.parse({
    model: 3,
    usage: { prompt_tokens: -1, completion_tokens: 'many' },
    choices: [{ message: { content: 'x' }, logprobs: { content: [{ token: 5 }] }, token_ids: 'no' }],
  });
  expect(readReply(strange, EXPECTED)).toMatchObject({
    raw: 'x',
    defects: ['log-probabilities-length', 'log-probability-invalid'],
  });
});

test('NaN as Python prints it becomes null outside of strings', () => {
  expect(parseWireJson('{"a": NaN, "b": -Infinity, "c": "NaN \\" Infinity"}')).toEqual({
    ...{ a: null, b: null, c: 'NaN " Infinity' },
  });
  expect(() => parseWireJson('{"a": ')).toThrow(SyntaxError);
});

describe('spelling', () => {
  test.each([
    [['a', 'b'], 'ab', 'same'],
    [[' a', 'b\n'], 'ab', 'same'],
    [['a\uFFFD', '\uFFFDb'], 'a€b', 'same'],
    [['a\uFFFDb'], 'ab', 'different'],
    [['a', 'b'], 'a', 'past-stop'],
    [['a', '</s>', 'b'], 'ab', 'past-stop'],
    [['a'], 'ab', 'short'],
    [['b'], 'a', 'different'],
  ] as const)('%j of %j is %s', (tokens, text, spelling) => {
    expect(compareSpelling(tokens, text)).toBe(spelling);
  });
});
