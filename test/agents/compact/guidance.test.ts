// Guided random decisions: what is pressed and typed at random, on screens made by hand.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionOf } from '../../../runtime/agents/compact/act.ts';
import { KINDS, type PolicyActionKind, type Slot } from '../../../runtime/agents/compact/action-kinds.ts';
import { distribution, sampledRows, samplingFeeds } from '../../../runtime/agents/compact/decide.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import type { RecentAction } from '../../../runtime/agents/compact/observation.ts';
import { decidingProgram } from '../../../runtime/agents/compact/programs.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import { openWith, SHAPE, weightsOf } from './running-policy.ts';
import { element, pocketRows, tokens } from './screens.ts';

const INSTRUCTION = 'Enter "New York" into the text field and press Submit.';
const field = (states: Element['states'], value = '') =>
  element({ role: 'textfield', name: 'City', value, states, box: [10, 10, 60, 20] });
const submit = element({ name: 'Submit', box: [10, 40, 60, 20] });
const help = element({ role: 'label', name: 'Terms and conditions', box: [10, 70, 60, 20] });
const screenWith = (city: Element) => tokens(INSTRUCTION, [city, submit, help]);

let deciding: Session;
beforeAll(async () => {
  deciding = await openWith(decidingProgram(SHAPE), weightsOf('guidance'));
});
afterAll(() => deciding.close());

/** `count` draws on one screen that are all random. */
async function draws(row: Tokens, count: number, isGuided = true) {
  const rows = Array.from({ length: count }, () => row);
  const random = seeded('guidance');
  const outputs = await deciding.run({
    ...feedsOf(rows, SHAPE.pixels),
    ...samplingFeeds(count, () => random.next(), { exploration: 1, isGuided }),
  });
  const probabilities = (slot: Slot, index = 0) => distribution(outputs, slot, index, count).map(Math.exp);
  return { outputs, probabilities, sampled: sampledRows(outputs, count) };
}

async function kindsOn(row: Tokens): Promise<(kind: PolicyActionKind) => number> {
  const { probabilities } = await draws(row, 1);
  return kind => probabilities('kind')[KINDS.indexOf(kind)] ?? Number.NaN;
}

describe('a guided random decision', () => {
  test('presses; it types while an empty field has the focus', async () => {
    const [nowhere, empty, full] = await Promise.all(
      [field(['editable']), field(['editable', 'focused']), field(['editable', 'focused'], 'Rome')].map(
        city => kindsOn(screenWith(city)),
      ),
    );
    expect(nowhere?.('click')).toBeGreaterThan(0.5);
    expect(nowhere?.('type')).toBeLessThan(0.1);
    expect(empty?.('type')).toBeGreaterThan(0.5);
    expect(full?.('type')).toBeLessThan(0.2);
    expect(full?.('type')).toBeGreaterThan(nowhere?.('type') ?? 1);
  });

  test('presses what the instruction names rather than a text, and no field twice', async () => {
    const placesOf = async (row: Tokens) => {
      const { probabilities } = await draws(row, 1);
      const pointer = probabilities('pointer');
      const of = (name: string) =>
        row.meanings.reduce(
          (sum, { at, text }, token) => sum + (at && text === name ? (pointer[token] ?? 0) : 0),
          0,
        );
      return { city: of('City'), submit: of('Submit'), help: of('Terms and conditions') };
    };
    const before = await placesOf(screenWith(field(['editable'])));
    expect(before.city).toBeGreaterThan(before.submit);
    expect(before.submit).toBeGreaterThan(0.2);
    expect(before.help).toBeLessThan(0.1);
    const after = await placesOf(screenWith(field(['editable', 'focused'], 'New York')));
    expect(after.city).toBeLessThan(0.1);
  });

  test('prefers what has not been pressed or typed yet', async () => {
    const login = (recent: readonly RecentAction[]) =>
      tokens(
        'Enter "ann" and "xyz".',
        [element({ role: 'link', name: 'Home' }), field(['editable', 'focused'])],
        {
          recent,
        },
      );
    const textsOf = async (row: Tokens) => {
      const { probabilities } = await draws(row, 1);
      const texts = probabilities('text');
      return (word: string) => texts[row.meanings.findIndex(({ text }) => text === word)] ?? Number.NaN;
    };
    const untyped = await textsOf(login([]));
    const typed = { kind: KINDS.indexOf('type'), text: 'ann', changed: true };
    const repeated = await textsOf(login([typed]));
    expect(untyped('ann')).toBeCloseTo(untyped('xyz'), 5);
    expect(repeated('ann')).toBeLessThan(repeated('xyz') / 3);
  });

  test('types the quoted words from the first to the last', async () => {
    const { sampled } = await draws(screenWith(field(['editable', 'focused'])), 400);
    const row = screenWith(field(['editable', 'focused']));
    const texts = sampled
      .map(({ choices }) => actionOf(row, INSTRUCTION, choices))
      .flatMap(action => (action.kind === 'type' ? [action.text] : []));
    expect(texts.length).toBeGreaterThan(200);
    const share = (text: string) => texts.filter(each => each === text).length / texts.length;
    expect(share('New York')).toBeGreaterThan(0.2);
    expect(share('New')).toBeLessThan(share('New York'));
    expect(new Set(texts).size).toBeGreaterThan(5);
  });

  test('is possible wherever an even one is, and its distribution is normalised', async () => {
    for (const row of [...pocketRows(4), ...pocketRows(2, 'screenshot'), screenWith(field([]))]) {
      const [guided, even] = [await draws(row, 4), await draws(row, 4, false)];
      for (const slot of ['kind', 'pointer', 'target', 'text', 'key'] as const) {
        const [some, all] = [guided.probabilities(slot), even.probabilities(slot)];
        expect(some.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 4);
        for (const [choice, probability] of all.entries())
          expect((some[choice] ?? 0) > 1e-20).toBe(probability > 1e-20);
      }
    }
  });

  test('an even one has equal probabilities', async () => {
    const { probabilities } = await draws(screenWith(field(['editable', 'focused'])), 1, false);
    for (const probability of probabilities('kind')) expect(probability).toBeCloseTo(1 / KINDS.length, 5);
  });
});
