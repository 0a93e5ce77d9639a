// Words of an instruction that differ between the instances of a task.

import { expect, test } from 'vitest';
import { filled, Phrases } from '../../../runtime/discovery/relabel/phrases.ts';

function phrasesOf(instructions: readonly string[]): Phrases {
  const phrases = new Phrases();
  for (const instruction of instructions) phrases.add(instruction);
  return phrases;
}

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal', 'Ida', 'Jo', 'Kim', 'Lea'];
const texts = (phrases: Phrases, instruction: string) =>
  phrases.phraseOf(instruction)?.blanks.map(({ text }) => text);

test('words of few instructions are blanks, and neighbours are one blank', () => {
  const phrases = phrasesOf(
    NAMES.map((name, index) => `Send the mail of ${name} Vance${index} to "${index}".`),
  );
  expect(texts(phrases, 'Send the mail of Mia Vance77 to "99".')).toEqual(['Mia Vance77', '99']);
});

test('instructions with equal shared words have one pattern', () => {
  const phrases = phrasesOf(NAMES.map(name => `Click on the "${name}" button.`));
  const pattern = (instruction: string) => phrases.phraseOf(instruction)?.pattern;
  expect(pattern('Click on the "Zoe" button.')).toBe(pattern('click on the "Yan" button.'));
  expect(pattern('Click on the "Zoe" link.')).not.toBe(pattern('Click on the "Zoe" button.'));
});

test('a phrasing of a third of the instructions is shared, and a date is one word', () => {
  const phrases = phrasesOf(
    NAMES.flatMap((name, index) => [
      `Delete the mail of ${name}.`,
      `Mark the mail of ${name} as important.`,
      `Enter ${index}/05/2016 as the date.`,
    ]),
  );
  expect(texts(phrases, 'Mark the mail of Mia as important.')).toEqual(['Mia']);
  expect(texts(phrases, 'Enter 30/05/2016 as the date.')).toEqual(['30/05/2016']);
});

test('nothing is known before twelve different instructions', () => {
  const phrases = phrasesOf([...NAMES.slice(1), ...NAMES.slice(1)]);
  expect(phrases.phraseOf('Ada')).toBeUndefined();
  phrases.add('Ada');
  expect(phrases.phraseOf('Ada')).toBeDefined();
});

test('blanks are filled in place', () => {
  const instruction = 'Send "Ada" to Ben.';
  const blank = (text: string) => ({
    text,
    start: instruction.indexOf(text),
    end: instruction.indexOf(text) + text.length,
  });
  expect(filled(instruction, [blank('Ada'), blank('Ben')], ['Cleo Dee', 'Eve'])).toBe(
    'Send "Cleo Dee" to Eve.',
  );
});
