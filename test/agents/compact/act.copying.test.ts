// Texts that are written as copies: from where they are taken, and that what can be copied can be asked for again.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionOf, COPY_WHOLE_TEXT, choicesFor, copyOf } from '../../../runtime/agents/compact/act.ts';
import { KINDS } from '../../../runtime/agents/compact/action-kinds.ts';
import { splitIntoActions } from '../../../runtime/agents/compact/action-parts.ts';
import { EMPTY_MEMORY, updateMemory } from '../../../runtime/agents/compact/episode-memory.ts';
import { observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import { linesOf } from '../../../runtime/agents/compact/screen-text.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { LINE, MEMORY, NAME_WORDS, SLOTS_OF_WORDS } from '../../../runtime/agents/compact/token-numbers.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { seed } from '../../../runtime/core/ids.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { element, screenOf, tokens } from './screens.ts';

const TYPE = KINDS.indexOf('type');
const label = (name: string, value = '') => element({ role: 'label', name, value });

describe('a text is copied', () => {
  const GO = 'Write Ada';
  const row = tokens(
    GO,
    [
      label('Ada'),
      label('Ada Abel of Oakline'),
      label('Ada Abel'),
      label('Mail', 'abel at home'),
      label('Ada Abel'),
    ],
    { memory: [{ text: 'home', age: 1 }] },
  );
  const copied = (text: string) => copyOf(row, GO, text);

  test('from the instruction first', () => {
    expect(copied('Ada')).toEqual({ text: 2, end: 2 });
  });

  test('as a whole rather than in part, even if the whole is behind or longer', () => {
    expect(copied('Ada Abel')).toEqual({ text: 5, first: COPY_WHOLE_TEXT });
    expect(copied('home')).toEqual({ text: row.count - 1, first: COPY_WHOLE_TEXT });
  });

  test('from the shortest text that contains it, else from the first', () => {
    expect(copied('Abel')).toEqual({ text: 5, first: 1, last: 1 });
    expect(copied('of')).toEqual({ text: 4, first: 2, last: 2 });
    expect(copied('at')).toEqual({ text: 6, first: NAME_WORDS + 1, last: NAME_WORDS + 1 });
  });

  test('from a line of a long text', () => {
    const letter = 'Dear Ada,\nthe train leaves at 9:30 tomorrow.\nYours, Hugo';
    const shown = tokens('Go', [element({ role: 'textarea', name: 'Text', value: letter })]);
    const [, train = 0] = [...shown.sorts.keys()].filter(token => shown.sorts[token] === LINE);
    expect(copyOf(shown, 'Go', 'the train leaves at 9:30 tomorrow')).toEqual({
      text: train,
      first: COPY_WHOLE_TEXT,
    });
    expect(copyOf(shown, 'Go', '9:30')).toEqual({ text: train, first: 4, last: 5 });
    expect(copyOf(shown, 'Go', letter)).toEqual({ text: 2, first: COPY_WHOLE_TEXT });
  });

  test('not at all, if its words are in two texts or in the name of an element with a value', () => {
    for (const text of ['Oakline home', 'Mail', 'Ada Abel home']) expect(copied(text)).toBeUndefined();
  });
});

describe('from the texts of a screen, the policy can write', () => {
  const written = (text: string, ...elements: Parameters<typeof label>[]) => {
    const row = tokens(
      'Go',
      elements.map(each => label(...each)),
    );
    const choices = choicesFor(row, 'Go', { kind: 'type', text });
    return choices && actionOf(row, 'Go', choices);
  };

  test.each([
    ['a phone number', '030 1234567', ['Phone', '030 1234567']],
    ['a phone number inside a label', '030-123-4567', ['Phone: 030-123-4567']],
    ['a phone number with its sign, where it stands alone', '+49 30 1234567', ['Phone', '+49 30 1234567']],
    ['a time inside a label', '9:30', ['Train at 9:30, platform 4']],
    ['both ends of a time', '09:30 - 10:15', ['Dentist, 09:30 - 10:15 (Ada)']],
    ['the day of a date', '15', ['2026-03-15']],
    ['the month of a date, as it stands there', '03', ['Due', '2026-03-15']],
    ['the day of a date of which the year begins alike', '20', ['2026-02-20']],
    ['a word of which an earlier one is the beginning', 'plan', ['planning the plan']],
    ['a file without its ending', 'plan', ['plan.txt']],
    ['an amount', '12.50', ['Total: 12.50 EUR']],
  ] as const)('%s', (_name, text, [name, value]) => {
    expect(written(text, [name, value])).toEqual({ kind: 'type', text });
  });

  test('a text without its control characters, which no desktop types', () => {
    const name = 'don\u0080\u0099t stop';
    expect(written(name, [name])).toEqual({ kind: 'type', text: 'dont stop' });
  });

  test('no part of a number or of a word', () => {
    for (const text of ['1234', '5', 'Tra', '3'])
      expect(written(text, ['Train at 9:30, platform 4'], ['Phone', '030 1234567'])).toBeUndefined();
  });

  test('a phone number inside a label, with its sign as a key', () => {
    const row = tokens('Go', [label('Phone: +49 30 1234567')]);
    expect(splitIntoActions(row, 'Go', { kind: 'type', text: '+49 30 1234567' })).toEqual([
      { kind: 'hotkey', keys: ['+'] },
      { kind: 'type', text: '49 30 1234567' },
    ]);
  });
});

/** All that can be copied from what is not the instruction: whole texts, and words from each to each. */
function* copies({ words, count, meanings }: Tokens) {
  for (let text = 1 + words; text < count; text++) {
    const { text: whole, spans } = meanings[text] ?? {};
    if (whole === undefined) continue;
    yield { kind: TYPE, text, first: COPY_WHOLE_TEXT };
    for (const from of spans?.each.keys() ?? [])
      for (let to = from; to < (spans?.each.length ?? 0); to++)
        yield { kind: TYPE, text, first: (spans?.first ?? 0) + from, last: (spans?.first ?? 0) + to };
  }
}

/** What can be copied from a row can be asked for by what it writes, with choices that a policy could make. */
function expectCopiesBack(row: Tokens, instruction: string): number {
  let count = 0;
  for (const choices of copies(row)) {
    const action = actionOf(row, instruction, choices);
    const again = choicesFor(row, instruction, action);
    expect(again && actionOf(row, instruction, again), JSON.stringify(action)).toEqual(action);
    const { text = -1, end, first, last = first } = again ?? {};
    expect(row.copyable[text]).toBe(1);
    if (end !== undefined) expect(text).toBeLessThanOrEqual(end);
    else if (first !== COPY_WHOLE_TEXT) {
      for (const each of [first, last]) expect(row.sayable[text * SLOTS_OF_WORDS + (each ?? 0)]).toBe(1);
      expect(last).toBeGreaterThanOrEqual(first ?? Number.NaN);
    }
    count += 1;
  }
  return count;
}

describe('copying a text and finding its choices are inverse', () => {
  // Many words that begin, or end, as others do.
  const word = fc.constantFrom(
    'plan',
    'planning',
    'Plan',
    '20',
    '2026-02-20',
    '0',
    '+49',
    '9:30',
    'a.b',
    'Ada',
    '(x)',
    '—',
    'é',
  );
  const text = (most: number) =>
    fc
      .array(fc.tuple(word, fc.constantFrom(' ', ' ', ', ', '\n', '. ')), { maxLength: most })
      .map(words => words.flat().slice(0, -1).join(''));
  const thing = fc.record({
    role: fc.constantFrom('label', 'textfield', 'button'),
    name: text(14),
    value: fc.oneof(fc.constant(''), text(14)),
  });

  test('on random screens, for elements, lines and memories', () => {
    fc.assert(
      fc.property(
        text(6),
        fc.array(thing, { maxLength: 5 }),
        fc.array(
          text(16).filter(each => each !== ''),
          { maxLength: 3 },
        ),
        (instruction, things, remembered) => {
          const memory = remembered.map((each, index) => ({ text: each, age: 1 + index }));
          expectCopiesBack(tokens(instruction, things.map(element), { memory }), instruction);
        },
      ),
    );
  });

  test('on the screens of each application, with remembered texts', () => {
    let count = 0;
    for (const id of ['mail-forward', 'across-add-contact', 'notes-merge']) {
      const { machine } = startOf(POCKET.task(id, seed(3)));
      let recollection = EMPTY_MEMORY;
      for (const app of ['files', 'notes', 'mail', 'contacts', 'calendar', 'settings']) {
        machine.open(app);
        const seen = observeScreen(screenOf(machine), 'Write it to Ada.', 'a11y_tree', recollection);
        count += expectCopiesBack(tokensOf(seen), seen.instruction);
        machine.open('calculator');
        recollection = updateMemory(recollection, seen, { kind: 'wait' }, screenOf(machine));
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  test('for each line of a long text, visible or remembered', () => {
    const note = 'Bring 2 red books. Call +49 30 1234567 at 9:30!\nMeet on 2026-03-15; ask for Ada Abel';
    const shown = tokens('Go', [element({ role: 'textarea', name: 'Text', value: note })]);
    const later = tokens('Go', [], { memory: [{ text: note, age: 2 }] });
    for (const [row, sort] of [[shown, LINE] as const, [later, MEMORY] as const]) {
      expect([...row.sorts].filter(each => each === sort)).toHaveLength(linesOf(note).length);
      expect(expectCopiesBack(row, 'Go')).toBeGreaterThan(40);
    }
  });
});
