import { expect, test } from 'vitest';
import { reasonParts } from '../../../webview/inspector/reason.ts';

test('text stays whole, also with brackets and semicolons', () => {
  const words = 'Volume in Settings should be “30 (low); or is 1”, and is 40.';
  expect(reasonParts(words)).toEqual([{ isCode: false, text: words }]);
});

test('evaluator calls are split, whatever their arguments contain', () => {
  const first = 'exact_match(vm_file {"path":"/a; b"} = "x(y) is; z", {"expected":1}) is 0';
  const second = 'check_include_exclude(vm_command_line {"command":["ls"]} = "a\nb", -) is 0.5';
  expect(reasonParts(`${first}; ${second}`)).toEqual([
    { isCode: true, text: first },
    { isCode: true, text: second },
  ]);
});

test('an empty reason has no parts', () => expect(reasonParts('')).toEqual([]));
