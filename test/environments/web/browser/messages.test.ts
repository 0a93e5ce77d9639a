import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageSplitter } from '../../../../runtime/environments/web/browser/messages.ts';

function split(bytes: Buffer, cuts: readonly number[]): readonly string[] {
  const texts: string[] = [];
  const splitter = new MessageSplitter(text => texts.push(text));
  const places = [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of places) {
    splitter.push(bytes.subarray(from, to));
    from = to;
  }
  return texts;
}

describe('the messages of the debugging pipe', () => {
  test('are the same for every division of the bytes into chunks', () => {
    const message = fc.string({ unit: 'binary', minLength: 1 }).map(text => JSON.stringify(text));
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (messages, cuts) => {
          const bytes = Buffer.from(messages.map(text => `${text}\0`).join(''));
          expect(split(bytes, cuts)).toEqual(messages);
        },
      ),
    );
  });

  test('leave out an unfinished one', () => {
    expect(split(Buffer.from('{"id":1}\0{"id"'), [3])).toEqual(['{"id":1}']);
  });

  test('leave out one of more than 64 MB, and continue after it', () => {
    const texts: string[] = [];
    const splitter = new MessageSplitter(text => texts.push(text));
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    splitter.push(Buffer.from('"first"\0'));
    for (let i = 0; i < 65; i++) splitter.push(chunk);
    splitter.push(Buffer.from('\0"last"\0'));
    expect(texts).toEqual(['"first"', '"last"']);
  });
});
