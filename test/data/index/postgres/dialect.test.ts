// The values and the SQL of the index in the form that PostgreSQL takes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbered, original, storable } from '../../../../runtime/data/index/postgres/dialect.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\0', '\uE000', '\uD800', '\uDC00', 'a', '0000', '😀'))
    .map(parts => parts.join('')),
);

test('every text survives storing, in a form without NUL and without half a surrogate pair', () => {
  fc.assert(
    fc.property(texts, text => {
      const stored = storable(text);
      expect(original(stored)).toBe(text);
      expect(stored).not.toContain('\0');
      expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
    }),
  );
});

test('different texts have different forms, and an ordinary text has its own', () => {
  expect(storable('\uD800')).not.toBe(storable('\uFFFD'));
  for (const text of ['Rename the note.', '成功 😀', '%_!', '\n"\\']) expect(storable(text)).toBe(text);
});

test('question marks become numbers in their order', () => {
  expect(numbered('a = ? AND b IN (?, ?)')).toBe('a = $1 AND b IN ($2, $3)');
  expect(numbered('SELECT 1')).toBe('SELECT 1');
});
