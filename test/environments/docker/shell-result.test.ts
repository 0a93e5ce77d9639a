// Results in the stream of a shell: no output can imitate the end of a result.

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from '../../../runtime/environments/command.ts';
import { type CommandResult, resultReader } from '../../../runtime/environments/docker/shell.ts';

const MARK = 'm4rk';
const stream = (output: Uint8Array, errors: Uint8Array, code: number): Buffer =>
  Buffer.concat([
    Buffer.from(`${MARK}:`),
    output,
    Buffer.from(`${MARK}:`),
    errors,
    Buffer.from(`${MARK}=${code}\n`),
  ]);

const resultsOf = (bytes: Buffer, cuts: readonly number[], maxBytes = 1000): readonly CommandResult[] => {
  const results: CommandResult[] = [];
  const read = resultReader(MARK, maxBytes, answer => results.push(answer));
  const ends = [...new Set(cuts.map(cut => cut % bytes.length))].sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    if (end > from) read(bytes.subarray(from, end));
    from = end;
  }
  return results;
};

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // The most similar to an end, without the secret mark.
  fc.constantFrom('=0\n', ' 0\n', ':=0\n', 'm4r', '=1', '\n').map(text => new Uint8Array(Buffer.from(text))),
);

test('any output in pieces of any size is one result, byte for byte', () => {
  fc.assert(
    fc.property(
      bytes,
      bytes,
      fc.nat({ max: 255 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      (output, errors, code, cuts) => {
        const results = resultsOf(stream(output, errors, code), cuts);
        expect(results).toHaveLength(1);
        expect(results[0]).toMatchObject({ code, isCut: false });
        expect(Buffer.from(results[0]?.output ?? [])).toEqual(Buffer.from(output));
        expect(Buffer.from(results[0]?.errors ?? [])).toEqual(Buffer.from(errors));
      },
    ),
  );
});

test('output beyond the limit is cut and marked', () => {
  const [answer] = resultsOf(stream(Buffer.from('12345'), Buffer.from('123'), 0), [], 4);
  expect(answer).toMatchObject({ isCut: true });
  expect(Buffer.from(answer?.output ?? []).toString()).toBe('1234');
  expect(Buffer.from(answer?.errors ?? []).toString()).toBe('123');
});

test('a shell reads any quoted text unchanged', () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '!', 'a', 'ü') }),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(words, texts => {
      const printed = execFileSync('sh', ['-c', `printf '%s\\037' ${texts.map(shellQuote).join(' ')}`], {
        encoding: 'utf8',
      });
      expect(printed.split('\x1f').slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 40 },
  );
});
