import { expect, test } from 'vitest';
import { findingRows } from '../../../runtime/cli/terminal/finding-rows.ts';
import { renderLine } from '../../../runtime/cli/terminal/line.ts';
import { wrapped } from '../../../runtime/cli/terminal/wrap.ts';
import { ok, warning } from '../../../runtime/core/finding.ts';

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 100, ['one two three']],
  ['a-long-word b', 4, ['a-long-word', 'b']],
  ['', 10, ['']],
])('%j wraps at %i', (text, width, lines) => expect(wrapped(text, width)).toEqual(lines));

test('findings wrap within their column, with the remedy behind an arrow', () => {
  const findings = [
    ok('Node', '20'),
    warning('Memory', 'one two three four five', 'Buy more memory for this machine.'),
  ];
  expect(findingRows(findings, 41).map(line => renderLine(line, false))).toEqual([
    'ok       Node    20',
    'warning  Memory  one two three four five',
    '                 → Buy more memory for',
    '                   this machine.',
  ]);
});
