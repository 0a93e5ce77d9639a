// `dartboard join`: its options, and what it refuses before it starts a process.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf, parseHostName } from '../../runtime/cli/join.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import { contextWithoutProcesses } from './command-context.ts';

test('every name of a machine becomes a valid one, and a valid one stays', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const name = parseHostName(nameOf(text));
      expect(nameOf(name)).toBe(name);
      expect(() => desktopId(`${name}-d9999`)).not.toThrow();
    }),
  );
});

test.each(['', '-tower', 'a tower', 'tower.lan', 'x'.repeat(41)])("the name '%s' is refused", text => {
  expect(() => parseHostName(text)).toThrow(/Give 1 to 40/);
});

test.each([
  ['a text that is no address', ['nowhere'], /address/],
  ['no desktops', ['http://127.0.0.1:1/#abcdefghijklmnopqrst', '--desktops', '0'], /desktops/],
  ['too many desktops', ['http://127.0.0.1:1/#abcdefghijklmnopqrst', '--desktops', '1001'], /from 1 to 1000/],
  ['no answer', ['http://127.0.0.1:1/#abcdefghijklmnopqrst'], /does not answer/],
])('%s ends the command with an error that keeps the token secret', async (_, args, error) => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['join', ...args])).toBe(1);
  expect(errors.join('\n')).toMatch(error);
  expect(errors.join('\n')).not.toContain('abcdefghijklmnopqrst');
});
