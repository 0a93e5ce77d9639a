// Single steps that name what they act on, made from any screen.

import { describe, expect, test } from 'vitest';
import { actionOf } from '../../../runtime/agents/compact/act.ts';
import { KINDS, SLOTS, slotsOf } from '../../../runtime/agents/compact/action-kinds.ts';
import { ground } from '../../../runtime/agents/compact/grounding.ts';
import { type Observation, SQUARE_AREA } from '../../../runtime/agents/compact/observation.ts';
import type { Sample } from '../../../runtime/agents/compact/sample.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Element } from '../../../runtime/core/screen.ts';
import { element, pocketSeen, seenOf } from './screens.ts';

const DESKTOP = pocketSeen('mail-forward', 2);

const many = (seen: Observation, count = 400, elements = seen.elements) => {
  const random = seeded('grounding');
  return Array.from({ length: count }, () => ground(seen, elements, random));
};

/** Things side by side, so called. */
const called = (names: readonly string[]): readonly Element[] =>
  names.map((name, at) => element({ name, box: [0, 20 * at, 40, 16] }));

/** The instruction is not kept, but its words are. */
const asked = ({ tokens: { meanings, words } }: Sample): readonly (string | undefined)[] =>
  meanings.slice(1, 1 + words).map(({ text }) => text);

const chosen = (sample: Sample, slot: (typeof SLOTS)[number]): number =>
  sample.chosen[SLOTS.indexOf(slot)] ?? 0;

/** The element that a pointer means, by its name. */
const nameAt = ({ meanings }: Tokens, { elements, firstElement }: Observation, token: number): string => {
  const at = meanings[token]?.at;
  return elements[(at?.index ?? -1) - firstElement]?.name ?? '';
};

const bare = (text: string) => text.replace(/[\s"]/g, '');

test('the target is the element that the instruction names', () => {
  let pointing = 0;
  for (const grounded of many(DESKTOP)) {
    if (grounded === undefined) continue;
    const { kind, sample } = grounded;
    for (const slot of slotsOf(kind).filter(each => each === 'pointer' || each === 'target')) {
      const name = nameAt(sample.tokens, DESKTOP, chosen(sample, slot));
      expect(name).not.toBe('');
      expect(asked(sample).join('')).toContain(bare(name));
      pointing += 1;
    }
  }
  expect(pointing).toBeGreaterThan(150);
});

test('a covered element is not named', () => {
  const window = element({ role: 'window', name: 'Letter', box: [0, 0, 100, 100] });
  const seen = seenOf('Go.', [window, element({ name: 'Text', box: [5, 5, 90, 90] })]);
  const named = many(seen).flatMap(grounded =>
    grounded === undefined || !slotsOf(grounded.kind).includes('pointer') ? [] : asked(grounded.sample),
  );
  expect(named).toContain('Text');
  expect(named).not.toContain('Letter');
});

test('only elements with a unique name are named', () => {
  const things = called(['Save', 'OK', 'OK', '', 'say "hi"', 'x'.repeat(100)]);
  const seen = seenOf('Go.', things);
  for (const grounded of many(seen)) {
    if (grounded === undefined || !slotsOf(grounded.kind).includes('pointer')) continue;
    expect(nameAt(grounded.sample.tokens, seen, chosen(grounded.sample, 'pointer'))).toBe('Save');
    expect(grounded.kind).not.toBe('drag');
  }
});

test('the text is in the instruction, and the choices write it', () => {
  let written = 0;
  for (const grounded of many(DESKTOP)) {
    if (grounded?.kind !== 'type') continue;
    const { tokens, chosen: numbers } = grounded.sample;
    const [text, end] = ['text', 'end'].map(slot => numbers[SLOTS.indexOf(slot as 'text')] ?? 0);
    expect(text).toBeGreaterThan(0);
    expect(end).toBeGreaterThanOrEqual(text ?? 0);
    expect(end).toBeLessThanOrEqual(tokens.words);
    written += 1;
  }
  expect(written).toBeGreaterThan(30);
});

test('the keys are those of the instruction', () => {
  const instruction = '';
  for (const grounded of many(DESKTOP)) {
    if (grounded?.kind !== 'hotkey') continue;
    const { tokens } = grounded.sample;
    const action = actionOf(tokens, instruction, {
      kind: KINDS.indexOf('hotkey'),
      key: chosen(grounded.sample, 'key'),
    });
    const keys = action.kind === 'hotkey' ? action.keys.join('+') : '';
    expect(asked(grounded.sample).join('')).toBe(`Press${bare(keys)}.`);
  }
});

test('all kinds occur, without earlier actions or decisions', () => {
  const kinds = new Set(many(DESKTOP).map(grounded => grounded?.kind));
  for (const kind of ['click', 'double_click', 'right_click', 'drag', 'type', 'hotkey'] as const)
    expect(kinds).toContain(kind);
  for (const grounded of many(DESKTOP, 50)) expect(grounded?.sample.logProbabilities).toBeUndefined();
});

test('equal screens and seeds give equal samples; the screen is not changed', () => {
  const copy = structuredClone(DESKTOP);
  expect(many(DESKTOP, 40)).toEqual(many(DESKTOP, 40));
  expect(DESKTOP).toEqual(copy);
});

test('nothing is dragged where one patch is both the element and the target', () => {
  const patch = { x: 0, y: 0, width: 40, height: 36 };
  const seen = { ...seenOf('Go.'), patches: [patch], squares: new Uint8Array(SQUARE_AREA) };
  const kinds = new Set(many(seen, 400, called(['Save', 'Open'])).map(grounded => grounded?.kind));
  expect(kinds).toContain('click');
  expect(kinds).not.toContain('drag');
});

test('a screen without elements still gives texts and keys', () => {
  const kinds = new Set(many(seenOf('')).map(grounded => grounded?.kind));
  expect(kinds).toEqual(new Set([undefined, 'type', 'hotkey']));
});

describe('names that are signs', () => {
  const escaped = (name: string) => name.replace(/\W/g, '\\$&');

  /** Instructions to drag that do not name first what is dragged, and then where to. */
  const wrong = (things: readonly Element[]) => {
    const seen = seenOf('', things);
    return many(seen, 600).flatMap(grounded => {
      if (grounded?.kind !== 'drag') return [];
      const { sample } = grounded;
      const [from, to] = (['pointer', 'target'] as const).map(slot =>
        escaped(nameAt(sample.tokens, seen, chosen(sample, slot))),
      );
      const instruction = asked(sample).join('');
      return new RegExp(`^(Drag|Move|Put)${from}(to|onto|into)${to}\\.$`).test(instruction)
        ? []
        : [instruction];
    });
  };

  test('are quoted like others', () => {
    expect(wrong(called(['a', 'b', '*']))).toEqual([]);
  });

  test('are quoted like others if they equal the placeholder', () => {
    expect(wrong(called(['7', '+', 'c']))).toEqual([]);
  });

  test('are quoted like others if they are replacement patterns', () => {
    expect(wrong(called(['$&', 'b', 'c']))).toEqual([]);
  });
});
