// What is told of a decision: the action, and for every part of it how likely it was and what was nearly chosen.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionOf, type Choices, candidatesOf, usedSlots } from '../../../runtime/agents/compact/act.ts';
import { HEAD_OF, KINDS, SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { choicesMade } from '../../../runtime/agents/compact/choice.ts';
import { distribution, sampledRows, samplingFeedsOf } from '../../../runtime/agents/compact/decide.ts';
import { type LabelContext, labelOf } from '../../../runtime/agents/compact/decision-labels.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import { encode, type Observation } from '../../../runtime/agents/compact/observation.ts';
import { decidingProgram } from '../../../runtime/agents/compact/programs.ts';
import { sampleFrom } from '../../../runtime/agents/compact/step-sample.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import type { Decision } from '../../../runtime/core/decision.ts';
import { version } from '../../../runtime/core/ids.ts';
import type { Choice } from '../../../runtime/core/policy.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import type { Tensors } from '../../../runtime/graph/tensor.ts';
import { openWith, SHAPE, weightsOf } from './running-policy.ts';
import { element, pocketSeen, seenOf } from './screens.ts';

const VERSION = version(3);
const letter = 'Dear Ada, the train leaves at 9:30. Bring the red book!';
const texts = seenOf('Write "red book" now.', [element({ role: 'textarea', name: 'Text', value: letter })]);
const SCREENS: readonly Observation[] = ['mail-forward', 'settings-theme', 'files-rename']
  .flatMap((id, index) => [pocketSeen(id, index), pocketSeen(id, index, 'screenshot')])
  .concat(texts, seenOf('Wait.'));

interface Row extends LabelContext {
  readonly observation: Observation;
}
const ROWS: readonly Row[] = Array.from({ length: 12 }, () => SCREENS)
  .flat()
  .map(observation => ({ observation, tokens: tokensOf(observation) }));

let session: Session;
beforeAll(async () => {
  const first = weightsOf('choice');
  const half = Float32Array.from(first.data, Number).map(weight => weight / 2);
  session = await openWith(decidingProgram(SHAPE), { ...first, data: half });
});
afterAll(() => session.close());

interface Told {
  readonly outputs: Tensors;
  readonly told: readonly Choice[];
  readonly drawn: readonly Choices[];
}

async function tell(temperature = 1, exploration = 0, rows = ROWS): Promise<Told> {
  const random = seeded('choice');
  const drawing = { chance: () => random.next(), temperature, exploration };
  const outputs = await session.run({
    ...feedsOf(
      rows.map(({ tokens }) => tokens),
      SHAPE.pixels,
    ),
    ...samplingFeedsOf(rows.map(() => drawing)),
  });
  return {
    outputs,
    told: choicesMade(outputs, rows, VERSION),
    drawn: sampledRows(outputs, rows.length).map(({ choices }) => choices),
  };
}

/** Each decision with the slot that it was made for and its distribution. */
function* decisionsOf({ outputs, told, drawn }: Told) {
  for (const [index, row] of ROWS.entries()) {
    const slots = usedSlots(row.tokens, drawn[index] ?? {});
    const decisions = told[index]?.decisions ?? [];
    expect(decisions.map(({ head }) => head)).toEqual(slots.map(slot => HEAD_OF[slot]));
    for (const [at, decision] of decisions.entries()) {
      const slot = slots[at] ?? 'kind';
      yield { row, slot, decision, logs: [...distribution(outputs, slot, index, ROWS.length)] };
    }
  }
}

describe('a choice', () => {
  test('has the sampled action, its targets and every decision', async () => {
    const all = await tell();
    const heads = new Set<string>();
    for (const [index, { tokens, observation }] of ROWS.entries()) {
      const drawn = all.drawn[index] ?? {};
      expect(all.told[index]).toMatchObject({
        action: actionOf(tokens, observation.instruction, drawn),
        meant: candidatesOf(tokens, drawn),
        version: VERSION,
      });
    }
    for (const { slot, decision } of decisionsOf(all)) {
      heads.add(slot);
      expect(decision.choice).toBeGreaterThanOrEqual(0);
    }
    expect([...heads].sort()).toEqual([...SLOTS].sort());
  });

  test.each([
    ['as the policy is', 1, 0],
    ['flattened', 3, 0],
    ['explored', 1, 0.3],
    ['the likeliest', 0, 0],
  ])(
    'has the probability and entropy of what it was drawn from: %s',
    async (_name, temperature, exploration) => {
      for (const { decision, logs } of decisionsOf(await tell(temperature, exploration))) {
        expect(decision.logProbability).toBe(logs[decision.choice]);
        const entropy = -logs.reduce((sum, log) => sum + log * Math.exp(log), 0);
        expect(decision.entropy).toBeCloseTo(entropy, 5);
        expect(decision.entropy).toBeGreaterThanOrEqual(0);
        expect(decision.entropy).toBeLessThanOrEqual(Math.log(decision.choices) + 1e-4);
      }
    },
  );

  test('has the number of valid choices, at any temperature', async () => {
    const plain = [...decisionsOf(await tell(1))];
    for (const { decision, logs } of plain)
      expect(decision.choices).toBe(logs.filter(log => log > -50).length);
    for (const { decision, slot, row } of decisionsOf(await tell(0))) {
      if (slot === 'pointer')
        expect(decision.choices).toBe(row.tokens.pointable.reduce((sum, one) => sum + one, 0));
      if (slot === 'key') expect(decision.choices).toBeGreaterThan(20);
    }
  });

  test('has the four most likely alternatives in order, without improbable ones', async () => {
    for (const { decision, logs, slot, row } of decisionsOf(await tell())) {
      const likely = logs
        .map((logProbability, choice) => ({ choice, logProbability }))
        .filter(({ logProbability }) => Math.exp(logProbability) >= 0.01)
        .sort((a, b) => b.logProbability - a.logProbability)
        .slice(0, 4);
      expect(decision.alternatives).toMatchObject(likely);
      expect(decision.alternatives).toHaveLength(likely.length);
      for (const { choice, label, box } of decision.alternatives) {
        expect(label).not.toBe('');
        const points = slot === 'pointer' || slot === 'target';
        expect(box).toEqual(points ? row.tokens.meanings[choice]?.at?.box : undefined);
      }
    }
  });
});

test('recorded decisions convert back to the chosen numbers and their probabilities', async () => {
  const { told, drawn } = await tell();
  for (const [index, { observation, tokens }] of ROWS.entries()) {
    const decisions: readonly Decision[] = told[index]?.decisions ?? [];
    const sample = sampleFrom(encode(observation), { kind: 'heads', decisions });
    const used = usedSlots(tokens, drawn[index] ?? {});
    for (const [at, slot] of SLOTS.entries()) {
      const isUsed = used.includes(slot);
      expect(sample.used[at]).toBe(Number(isUsed));
      if (!isUsed) continue;
      expect(sample.chosen[at]).toBe(drawn[index]?.[slot]);
      expect(sample.logProbabilities?.[at]).toBe(decisions[used.indexOf(slot)]?.logProbability);
    }
  }
});

test('each row is sampled at its own temperature', async () => {
  const some = ROWS.slice(0, SCREENS.length);
  const [cold, warm] = [await tell(0, 0, some), await tell(2, 0.1, some)];
  const random = seeded('choice');
  const outputs = await session.run({
    ...feedsOf(
      some.map(({ tokens }) => tokens),
      SHAPE.pixels,
    ),
    ...samplingFeedsOf(
      some.map((_, index) => ({
        chance: () => random.next(),
        temperature: index % 2 === 0 ? 0 : 2,
        exploration: index % 2 === 0 ? 0 : 0.1,
      })),
    ),
  });
  for (const [index, { decisions }] of choicesMade(outputs, some, VERSION).entries()) {
    const wanted = (index % 2 === 0 ? cold : warm).told[index];
    expect(decisions[0]).toEqual(wanted?.decisions[0]);
  }
});

describe('a label describes', () => {
  const observation = seenOf('Write "red book" now.', [
    element({ role: 'textarea', name: 'Text', value: letter }),
    element({ name: 'Save as', box: [10, 20, 30, 10] }),
    element({ role: 'icon', box: [100, 20, 31, 10] }),
  ]);
  const shown: LabelContext = { observation, tokens: tokensOf(observation) };
  const tokenOf = (index: number) =>
    shown.tokens.meanings.findIndex(({ at }) => at?.kind === 'element' && at.index === index);
  const word = (text: string) => shown.tokens.meanings.findIndex(meaning => meaning.word?.text === text);
  const first = (text: string) => {
    const { spans, text: whole = '' } = shown.tokens.meanings[tokenOf(0)] ?? {};
    const found = spans?.each.findIndex(({ start, end }) => whole.slice(start, end) === text) ?? -1;
    return (spans?.first ?? 0) + found;
  };
  const label = (slot: (typeof SLOTS)[number], choice: number, choices: Choices = {}) =>
    labelOf(shown, choices, slot, choice);

  test('the kind, the target and the keys', () => {
    expect(label('kind', KINDS.indexOf('right_click'))).toBe('right_click');
    expect(label('pointer', tokenOf(1))).toBe('button "Save as"');
    expect(label('target', tokenOf(2))).toBe('icon at 115, 25');
    expect(label('key', 0)).toBe('Enter');
  });

  test('the position, if there are only pixels', () => {
    const bare = pocketSeen('settings-theme', 0, 'screenshot');
    const tokens = tokensOf(bare);
    const patch = tokens.meanings.findIndex(({ at }) => at?.kind === 'patch');
    expect(labelOf({ observation: bare, tokens }, {}, 'pointer', patch)).toMatch(/^spot at \d+, \d+$/);
  });

  test('the text, as far as it is chosen', () => {
    expect(label('text', tokenOf(0))).toBe(`${letter.slice(0, 47)}…`);
    expect(label('end', word('book'), { text: word('red') })).toBe('red book');
    expect(label('first', 10, { text: tokenOf(0) })).toBe(`${letter.slice(0, 47)}…`);
    expect(label('first', first('Ada'), { text: tokenOf(0) })).toBe('Ada');
    expect(label('last', first('the'), { text: tokenOf(0), first: first('Ada') })).toBe('Ada, the');
  });

  test.each([
    [48, '😀'.repeat(48)],
    [49, `${'😀'.repeat(47)}…`],
  ])('a text of %i faces, cut between two of them', (count, written) => {
    const faces = seenOf('Go.', [element({ role: 'label', name: '😀'.repeat(count) })]);
    const tokens = tokensOf(faces);
    const token = tokens.meanings.findIndex(({ at }) => at?.kind === 'element');
    expect(labelOf({ observation: faces, tokens }, {}, 'text', token)).toBe(written);
  });
});
