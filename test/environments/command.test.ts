// Commands of OSWorld's tasks are split into words like in a shell.

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { programOf, shellLine, splitWords } from '../../runtime/environments/command.ts';

const printed = (line: string): readonly string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\037' "$word"; done`], {
    encoding: 'utf8',
    env: { HOME: '/home/desktop' },
  })
    .split('\x1f')
    .slice(0, -1);

test('a text without a shell is split into words like in a shell, without expansion', () => {
  expect(splitWords(`one 'two three' "four \\"five\\"" six\\ seven $HOME "*"`)).toEqual([
    'one',
    'two three',
    'four "five"',
    'six seven',
    '$HOME',
    '*',
  ]);
  expect(splitWords("  '' a''b  ")).toEqual(['', 'ab']);
  expect(() => splitWords("it's")).toThrow(/unclosed quotation mark/);
});

test('a list of words reaches the program unchanged, with the home for ~/', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '*', '\n', '~'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), words => {
      const [first = '', ...rest] = words;
      const wanted = [first, ...rest].map(word =>
        word === '~' ? '/home/desktop' : word.replace(/^~\//, '/home/desktop/'),
      );
      expect(printed(shellLine({ command: [first, ...rest] }))).toEqual(wanted);
    }),
    { numRuns: 30 },
  );
  expect(printed(shellLine({ command: ['cat', '~/a b'] }))).toEqual(['cat', '/home/desktop/a b']);
});

test('with a shell the text is unchanged, and the program is unknown', () => {
  expect(shellLine({ command: 'echo "$HOME" | cat', shell: true })).toBe('echo "$HOME" | cat');
  expect(programOf({ command: 'echo x', shell: true })).toBeUndefined();
  expect(programOf({ command: 'mousepad ~/note.txt' })).toBe('mousepad');
});
