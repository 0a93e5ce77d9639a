import { expect, test } from 'vitest';
import { jpegStream } from '../../../runtime/tasks/formats/pdf/jpeg-stream.ts';

const JPEG = '\xff\xd8\xff 1 0 obj \xff\xd9';
const objectOf = (header: string, stream: string): string =>
  `${header}\n<< /Filter /DCTDecode >>\nstream\n${stream}\nendstream\nendobj\n`;
const found = (file: string, reference: string): string | undefined => {
  const bytes = jpegStream(file, reference);
  return bytes && Buffer.from(bytes).toString('latin1').trimEnd();
};

test('an object is found by its number and its generation', () => {
  const file =
    objectOf('12 0 obj', `${JPEG}a`) + objectOf('2 0 obj', `${JPEG}b`) + objectOf('2 1 obj', `${JPEG}c`);
  expect(found(file, '12R')).toBe(`${JPEG}a`);
  expect(found(file, '2R')).toBe(`${JPEG}b`);
  expect(found(file, '2R1')).toBe(`${JPEG}c`);
  expect(found(file, '3R')).toBeUndefined();
  expect(found(file, 'other')).toBeUndefined();
});

test('a later object replaces an earlier one', () => {
  expect(found(objectOf('7 0 obj', JPEG) + objectOf('7 0 obj', `${JPEG}new`), '7R')).toBe(`${JPEG}new`);
});

test('a stream that is no JPEG file, or an object without a stream, has none', () => {
  expect(found(objectOf('7 0 obj', 'x\x9c compressed'), '7R')).toBeUndefined();
  expect(found(`7 0 obj\n<< >>\nendobj\n${objectOf('8 0 obj', JPEG)}`, '7R')).toBeUndefined();
  expect(found(`7 0 obj\n<< >>\nstream\n${JPEG}`, '7R')).toBeUndefined();
});
