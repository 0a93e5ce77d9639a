import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReplySpelling, spellText } from '../../../runtime/agents/micro/spelling.ts';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { PIECES } from '../../../runtime/agents/micro/vocabulary.ts';

test('every part of a word has the whole word, and the number of an element has none', () => {
  const { ids, words, lines } = spellText('Task: Star "Bufoli".\n12. row "Bufoli 12"\n');
  const withWord = ids.map((id, index) => [PIECES[id], words[index], lines[index]]);
  expect(withWord.filter(([, word]) => word === 'bufoli')).toEqual([
    ...[
      ['Bu', 'bufoli', 0],
      ['fo', 'bufoli', 0],
      ['li', 'bufoli', 0],
    ],
    ...[
      ['Bu', 'bufoli', 1],
      ['fo', 'bufoli', 1],
      ['li', 'bufoli', 1],
    ],
  ]);
  expect(withWord.filter(([piece]) => piece === '12').map(([, word]) => word)).toEqual(['', '12']);
});

test('the last token of each word of a reply has the same word as in a prompt', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefgABC19'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), words => {
      const text = words.join(' ');
      const reply = new ReplySpelling();
      const spelled = encodeText(text).map(id => reply.add(id).word);
      const inPrompt = spellText(` "${text}`).words.filter(word => word !== '');
      // Zeros in front do not count, so a number may be spelled like a shorter one.
      expect(new Set(spelled)).toEqual(new Set([...spelled, ...inPrompt]));
    }),
  );
});
