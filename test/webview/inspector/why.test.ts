// What is shown of why a trajectory was judged as it was.

import { expect, test } from 'vitest';
import { piecesOf } from '../../../webview/inspector/why.ts';

test('words are shown as they are, also with brackets and semicolons in them', () => {
  const words = 'Volume in Settings should be “30 (low); or is 1”, and is 40.';
  expect(piecesOf(words)).toEqual([{ isCode: false, text: words }]);
});

test('calls of the evaluator are shown one by one, whatever is in their arguments', () => {
  const first = 'exact_match(vm_file {"path":"/a; b"} = "x(y) is; z", {"expected":1}) is 0';
  const second = 'check_include_exclude(vm_command_line {"command":["ls"]} = "a\nb", -) is 0.5';
  expect(piecesOf(`${first}; ${second}`)).toEqual([
    { isCode: true, text: first },
    { isCode: true, text: second },
  ]);
});

test('nothing is shown of nothing', () => expect(piecesOf('')).toEqual([]));
