// Steps as they travel, made into what is learned from.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Choices, COPY_WHOLE_TEXT, choicesFor } from '../../../runtime/agents/compact/act.ts';
import { KINDS, type PolicyActionKind, SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { CHORDS } from '../../../runtime/agents/compact/chords.ts';
import { encode } from '../../../runtime/agents/compact/observation.ts';
import { sampleOf } from '../../../runtime/agents/compact/sample.ts';
import { StepError, sampleFrom } from '../../../runtime/agents/compact/step-sample.ts';
import { SLOTS_OF_WORDS } from '../../../runtime/agents/compact/token-numbers.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import type { Head } from '../../../runtime/core/decision.ts';
import type { BatchDecision, HeadsChoice } from '../../../runtime/core/trace.ts';
import { element, pocketSeen, seenOf } from './screens.ts';
import { choiceOf, travelling } from './steps.ts';

const SEEN = seenOf(
  'Write "good day" to Ada.',
  ['Save', 'Open the folder', 'Close'].map((name, at) => element({ name, box: [0, 20 * at, 20, 20] })),
  { memory: [{ text: 'Total 12 EUR', age: 1 }] },
);
const TOKENS = tokensOf(SEEN);
const kind = (name: PolicyActionKind): number => KINDS.indexOf(name);

const those = (flags: Uint8Array): readonly number[] =>
  Array.from(flags, (flag, index) => (flag === 1 ? index : -1)).filter(index => index >= 0);
const POINTABLE = those(TOKENS.pointable);
const WORDS = Array.from({ length: TOKENS.words }, (_, index) => 1 + index);
const OTHERS = those(TOKENS.copyable).filter(token => token > TOKENS.words);
const sayable = (text: number): readonly number[] =>
  those(TOKENS.sayable.subarray(text * SLOTS_OF_WORDS, (text + 1) * SLOTS_OF_WORDS));

/** All that a policy can decide on this screen. */
const choices: fc.Arbitrary<Choices> = fc.oneof(
  fc.constantFrom<PolicyActionKind>('wait', 'finished', 'fail').map(name => ({ kind: kind(name) })),
  fc.record({
    kind: fc.constantFrom<PolicyActionKind>('click', 'double_click', 'right_click', 'scroll_up').map(kind),
    pointer: fc.constantFrom(...POINTABLE),
  }),
  fc.record({
    kind: fc.constant(kind('drag')),
    pointer: fc.constantFrom(...POINTABLE),
    target: fc.constantFrom(...POINTABLE),
  }),
  fc.record({ kind: fc.constant(kind('hotkey')), key: fc.nat(CHORDS.length - 1) }),
  fc
    .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS))
    .map(([a, b]) => ({ kind: kind('type'), text: Math.min(a, b), end: Math.max(a, b) })),
  fc.constantFrom(...OTHERS).map(text => ({ kind: kind('type'), text, first: COPY_WHOLE_TEXT })),
  fc.constantFrom(...OTHERS).chain(text => {
    const word = fc.constantFrom(...sayable(text));
    return fc
      .tuple(word, word)
      .map(([a, b]) => ({ kind: kind('type'), text, first: Math.min(a, b), last: Math.max(a, b) }));
  }),
);

test('a step converts back to the chosen numbers and their probabilities', () => {
  const logs = fc.array(fc.double({ min: -9, max: 0, noNaN: true }), {
    minLength: SLOTS.length,
    maxLength: SLOTS.length,
  });
  fc.assert(
    fc.property(choices, fc.option(logs, { nil: undefined }), (chosen, recorded) => {
      const sample = sampleOf(TOKENS, chosen, recorded);
      const { observation, choice } = travelling(SEEN, sample);
      const logProbabilities = recorded?.map((log, slot) => (sample.used[slot] === 1 ? log : 0));
      expect(sampleFrom(observation, choice)).toEqual({
        ...sample,
        ...(logProbabilities && { logProbabilities }),
      });
    }),
  );
});

test('encoding and decoding a real step does not change its sample', () => {
  for (const mode of ['a11y_tree', 'screenshot', 'screenshot_a11y_tree'] as const) {
    const seen = pocketSeen('mail-star', 1, mode);
    const tokens = tokensOf(seen);
    const sample = sampleOf(tokens, { kind: kind('click'), pointer: those(tokens.pointable)[2] ?? 0 });
    expect(sampleFrom(encode(seen), choiceOf(sample))).toEqual(sample);
  }
});

test('drops all log-probabilities when one is missing', () => {
  const { observation, choice } = travelling(
    SEEN,
    sampleOf(
      TOKENS,
      { kind: kind('click'), pointer: POINTABLE[0] ?? 0 },
      SLOTS.map(() => -1),
    ),
  );
  const [first, second] = choice.decisions;
  const { logProbability: _, ...silent } = second ?? { head: 'pointer' as const, choice: 0 };
  expect(sampleFrom(observation, heads([first ?? silent, silent]))).not.toHaveProperty('logProbabilities');
});

const heads = (decisions: readonly BatchDecision[]): HeadsChoice => ({ kind: 'heads', decisions });

describe('rejects decisions that the screen does not offer', () => {
  const one = (head: Head, choice: number): BatchDecision => ({ head, choice });
  const click = one('kind', kind('click'));
  const type = one('kind', kind('type'));
  const element2 = OTHERS[1] ?? 0;
  test.each<[string, readonly BatchDecision[], string]>([
    ['an empty step', [], 'has 0 decisions'],
    [
      'a first decision other than the kind',
      [one('pointer', POINTABLE[0] ?? 0)],
      "expected 'kind' (slot 'kind')",
    ],
    ['an unknown kind', [one('kind', KINDS.length)], `chose ${KINDS.length} for slot 'kind'`],
    ['a click without a pointer', [click], 'has 1 decisions, expected 2'],
    ['a click with a key', [click, one('key', 0)], "expected 'pointer' (slot 'pointer')"],
    ['a click on a word', [click, one('pointer', 1)], "chose 1 for slot 'pointer'"],
    ['a click on a missing token', [click, one('pointer', 999)], "chose 999 for slot 'pointer'"],
    ['a fractional choice', [click, one('pointer', 1.5)], "chose 1.5 for slot 'pointer'"],
    ['an extra decision', [one('kind', kind('wait')), one('key', 0)], 'expected no decision'],
    ['a text that ends before it begins', [type, one('text', 3), one('text', 2)], "chose 2 for slot 'end'"],
    ['missing words', [type, one('text', element2), one('text', 9)], "chose 9 for slot 'first'"],
    ['a token without text', [type, one('text', 0)], "chose 0 for slot 'text'"],
    ['an unknown chord', [one('kind', kind('hotkey')), one('key', CHORDS.length)], "for slot 'key'"],
  ])('%s', (_, decisions, what) => {
    const refused = () => sampleFrom(encode(SEEN), heads(decisions));
    expect(refused).toThrow(StepError);
    expect(refused).toThrow(what);
  });

  test('a drag on a screen with one element', () => {
    const seen = seenOf('Wait.', [element({ name: 'Save' })]);
    const only = tokensOf(seen).pointable.indexOf(1);
    const drag = [one('kind', kind('drag')), one('pointer', only), one('pointer', only)];
    expect(() => sampleFrom(encode(seen), heads(drag))).toThrow(`chose ${kind('drag')} for slot 'kind'`);
  });

  test('bytes of another encoding', () => {
    const { bytes } = encode(SEEN);
    const refused = () => sampleFrom({ encoding: 'other', bytes }, heads([one('kind', kind('wait'))]));
    expect(refused).toThrow(StepError);
    expect(refused).toThrow("encoding 'other'");
  });
});

test('rejects the tokens of a language model', () => {
  const tokens = { kind: 'tokens', prompt: [1], ids: [2], estimator: 'exact' } as const;
  const refused = () => sampleFrom(encode(SEEN), tokens);
  expect(refused).toThrow(StepError);
  expect(refused).toThrow('chosen by a language model');
});

test('a step of a person is a step like any other', () => {
  const action = { kind: 'type', text: 'Total 12 EUR' } as const;
  const sample = sampleOf(TOKENS, choicesFor(TOKENS, SEEN.instruction, action) ?? {});
  expect(sampleFrom(encode(SEEN), choiceOf(sample))).toEqual(sample);
});
