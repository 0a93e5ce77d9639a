// Instructions in other words: many per task, tests apart from training, and no text changed that must be copied.

import { describe, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { type PhrasingSplit, rephrase } from '../../../../runtime/environments/pocket/tasks/phrasing.ts';
import { POCKET, solutionOf, suiteOf } from '../../../../runtime/environments/pocket/tasks/suite.ts';

const VARIED = suiteOf(POCKET.templates, 'varied');
const INSTANCES = 12;
const DRAWS = 40;

/** All that are drawn for the instances of a task, without what differs between the instances. */
function phrasings(id: string, split: PhrasingSplit): ReadonlySet<string> {
  const found = new Set<string>();
  for (let index = 0; index < INSTANCES; index++) {
    const { instruction } = POCKET.task(id, seed(split === 'train' ? index : 1000 + index));
    const random = seeded(`${id}/${split}/${index}`);
    for (let draw = 0; draw < DRAWS; draw++) found.add(wordsAlone(rephrase(instruction, split, random)));
  }
  return found;
}

/** Quotations, numbers and names are blanks. */
const wordsAlone = (text: string): string =>
  text.replaceAll(/"[^"]*"|\d+/g, '_').replaceAll(/(?<=\w )\p{Lu}[\p{L}.@]*/gu, '_');

const TASKS = POCKET.templates.map(({ id }) => id);

test.each(TASKS)('%s has twelve phrasings in training and twelve others in tests', id => {
  const [train, others] = [phrasings(id, 'train'), phrasings(id, 'test')];
  expect(train.size).toBeGreaterThanOrEqual(12);
  expect(others.size).toBeGreaterThanOrEqual(12);
  expect([...others].filter(each => train.has(each))).toEqual([]);
});

/** Quotations, numbers, dates, times, addresses. */
const atoms = (text: string): readonly string[] => text.match(/"[^"]*"|[\w.-]+@[\w.-]+|\d[\d:.-]*/g) ?? [];

test.each(TASKS)('%s keeps what must be copied, in its order', id => {
  for (const number of [0, 1, 2, 3, 1000, 1001, 1002, 1003].map(seed)) {
    const [known, varied] = [POCKET, VARIED].map(suite => suite.task(id, number).instruction);
    if (known === undefined || varied === undefined) throw new Error('Two suites have two tasks.');
    expect(atoms(varied)).toEqual(atoms(known));
    const { actions } = solutionOf(POCKET, POCKET.task(id, number), number);
    const typed = actions.flatMap(action => (action.kind === 'type' ? action.text.trim().split('\n') : []));
    for (const text of typed.filter(each => known.includes(each))) expect(varied).toContain(text);
  }
});

test('only the instruction of a task differs between phrasings', () => {
  for (const id of TASKS) {
    const { instruction: _, ...known } = POCKET.task(id, seed(5));
    const { instruction: __, ...varied } = VARIED.task(id, seed(5));
    expect(varied).toEqual(known);
  }
});

test('the instance of a suite has the instruction of its task', () => {
  for (const number of [seed(3), seed(1003)])
    expect(VARIED.instance('mail-star', number).instruction).toBe(
      VARIED.task('mail-star', number).instruction,
    );
});

describe('one instruction', () => {
  const all = (text: string, split: PhrasingSplit) => {
    const random = seeded(text);
    return new Set(Array.from({ length: DRAWS }, () => rephrase(text, split, random)));
  };

  test('keeps quotations and addresses', () => {
    const texts = all('Delete the mail "Delete the mail" from rosa@mail.org.', 'train');
    expect(texts).toContain('Please remove the email "Delete the mail" from rosa@mail.org.');
    expect([...texts].every(text => text.endsWith(' "Delete the mail" from rosa@mail.org.'))).toBe(true);
  });

  test('gives a word one name', () => {
    for (const text of all('Find the note and open the note.', 'test'))
      expect(new Set(text.match(/note|memo|jotting/g))).toHaveLength(1);
  });

  test('leaves verbs with other meanings', () => {
    expect([...all('Put off "Lunch".', 'train')].every(text => /put off "Lunch"\.$/i.test(text))).toBe(true);
    expect([...all('Find out which is largest.', 'test')].every(text => /find out/i.test(text))).toBe(true);
    expect(
      [...all('"X" needs no star. Remove it.', 'train')].every(text => text.endsWith('Remove it.')),
    ).toBe(true);
    expect(all('Note that in Contacts.', 'train')).toEqual(
      new Set([
        'Note that in Contacts.',
        'Here is a task. Note that in Contacts.',
        'Listen. Note that in Contacts.',
      ]),
    );
  });

  test('has the article of its words', () => {
    const texts = all('Write a mail to Rosa.', 'test');
    expect([...texts].every(text => /\ba mail|\ban e-?mail/.test(text))).toBe(true);
  });

  test('begins other sentences than requests without changing them', () => {
    expect(all('Rosa sent me "Menu".', 'train')).toContain('Listen. Rosa sent me "Menu".');
  });

  test('is the known one in a suite with fixed phrasings', () => {
    expect(POCKET.phrase('Empty the trash.', seeded('x'))).toBe('Empty the trash.');
    expect(VARIED.phrase('Empty the trash.', seeded('x'))).toMatch(/(trash|bin)\.$/);
  });
});
