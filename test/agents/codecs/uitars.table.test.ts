// Replies of UI-TARS models that the reference parser rejects, ignores or changes. Each means one thing to the person who reads it.

import { describe, expect, test } from 'vitest';
import { uitars, withBoxTokens } from '../../../runtime/agents/codecs/uitars.ts';
import { ownPixels } from '../../../runtime/agents/model/frame.ts';
import { type Action, NOTCHES } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { SCREEN } from '../../core/arbitraries.ts';

const codec = uitars(ownPixels(SCREEN));
const click = (x: number, y: number): Action => ({ kind: 'click', at: { x, y } });
const type = (text: string): Action => ({ kind: 'type', text });
const hotkey = (first: string, ...rest: string[]): Action => ({
  kind: 'hotkey',
  keys: [key(first), ...rest.map(key)],
});
const wait: Action = { kind: 'wait' };

describe('the reply means', () => {
  test.each<[string, string, Action]>([
    ['leading blanks are typed', "Action: type(content='  indented')", type('  indented')],
    ['double quotes', 'Action: type(content="hello")', type('hello')],
    ['double quotes around single ones', `Action: type(content="it's")`, type("it's")],
    ['a line break at the end', String.raw`Action: type(content='main\n')`, type('main\n')],
    ['a line break escaped twice at the end', String.raw`Action: type(content='main\\n')`, type('main\n')],
    ['a parenthesis and a blank line in the text', "Action: type(content='f(x)\n\ny)')", type('f(x)\n\ny)')],
    ['quotes and parentheses in the text', "Action: type(content='print('hi')')", type("print('hi')")],
    [
      'a typed program of several lines',
      "Action: type(content='print('a')\nprint('b')\n')",
      type("print('a')\nprint('b')\n"),
    ],
    ['the label in the text', "Action: type(content='Action: wait()')", type('Action: wait()')],
    [
      'the label at the start of a line of the text',
      "Action: type(content='a\nAction: wait()')",
      type('a\nAction: wait()'),
    ],
    ['a box in brackets', "Action: click(start_box='[10,20,30,40]')", click(20, 30)],
    ['box tokens kept', "Action: click(start_box='<|box_start|>(10,20)<|box_end|>')", click(10, 20)],
    ['box tokens removed', "Action: click(start_box='(10,20)')", click(10, 20)],
    ['a label without a blank', "Action:click(start_box='(10,20)')", click(10, 20)],
    ['a label with a full-width colon', "Action：click(start_box='(10,20)')", click(10, 20)],
    [
      'both labels with full-width colons',
      "Thought：点击\nAction：click(start_box='(10,20)')",
      click(10, 20),
    ],
    ['a Windows path', String.raw`Action: type(content='C:\\new')`, type(String.raw`C:\new`)],
    [
      'a Windows path without escapes',
      String.raw`Action: type(content='C:\Users\me')`,
      type(String.raw`C:\Users\me`),
    ],
    ['a chord as people write it', "Action: hotkey(key='Ctrl+A')", hotkey('ctrl', 'a')],
    ['a capital in the words of the format', "Action: hotkey(key='ctrl A')", hotkey('ctrl', 'A')],
    ['wait', 'Action: wait()', wait],
    ['wait with a time', 'Action: wait(5)', wait],
    ['a call for the user', 'Action: call_user()', { kind: 'fail', why: '' }],
    [
      'a scroll to the right',
      "Action: scroll(start_box='(10,20)', direction='right')",
      { kind: 'scroll', at: { x: 10, y: 20 }, direction: 'right', notches: NOTCHES },
    ],
    [
      'a scroll to the left',
      "Action: scroll(point='<point>10 20</point>', direction='left')",
      { kind: 'scroll', at: { x: 10, y: 20 }, direction: 'left', notches: NOTCHES },
    ],
    [
      'a scroll without a position, in the middle of the screen',
      "Action: scroll(direction='down')",
      { kind: 'scroll', at: { x: 960, y: 540 }, direction: 'down', notches: NOTCHES },
    ],
    ['an arrow key in a chord', "Action: hotkey(key='shift arrowleft')", hotkey('shift', 'left')],
    ['a key of two words', "Action: hotkey(key='page down')", hotkey('pagedown')],
    ['a chord with hyphens', "Action: hotkey(key='ctrl-shift-t')", hotkey('ctrl', 'shift', 't')],
    ['a chord with plus signs and the key +', "Action: hotkey(key='ctrl++')", hotkey('ctrl', '+')],
    ['a press without a name', "Action: press('a')", hotkey('a')],
    ['a press with a name', "Action: press(key='a')", hotkey('a')],
    ['a point', "Action: click(point='<point>10 20</point>')", click(10, 20)],
    ['a position without quotes', 'Action: click(start_box=(10, 20))', click(10, 20)],
    ['a position without a name', "Action: click('(10,20)')", click(10, 20)],
    [
      'two positions without names',
      "Action: drag('(1,2)', '(3,4)')",
      { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } },
    ],
    [
      'a position and a direction without names',
      "Action: scroll('(10,20)', 'down')",
      { kind: 'scroll', at: { x: 10, y: 20 }, direction: 'down', notches: NOTCHES },
    ],
    ['a comma between quotes in the text', "Action: type(content='a', 'b')", type("a', 'b")],
    ['calls of a program in the text', "Action: type(content='f('a'), g('b')')", type("f('a'), g('b')")],
    [
      'calls of a program that are named like actions',
      "Action: type(content='print('a'), type(b)')",
      type("print('a'), type(b)"),
    ],
    ['x = 0', "Action: click(start_box='(0,20)')", click(0, 20)],
    ['y = 0', "Action: click(start_box='<|box_start|>(10,0)<|box_end|>')", click(10, 0)],
    ['the corner', "Action: click(start_box='(0,0)')", click(0, 0)],
    ['an end token', "Action: click(start_box='(10,20)')<|im_end|>", click(10, 20)],
    ['tens of thousands of fences', `Action: wait()\n${'```'.repeat(60_000)}`, wait],
    ['a code block', "Thought: go\nAction:\n```python\nclick(start_box='(10,20)')\n```", click(10, 20)],
    ['a bold label', "**Action:** click(start_box='(10,20)')", click(10, 20)],
    ['a thought without a label', "I click it.\nAction: click(start_box='(10,20)')", click(10, 20)],
    [
      'a label in the thought',
      "Thought: The plan:\nAction: I shall click.\nAction: click(start_box='(10,20)')",
      click(10, 20),
    ],
  ])('%s', (_, reply, expected) => {
    expect(codec.decodeAll(reply)).toEqual([expected]);
  });

  test.each<[string, string, Action[]]>([
    ['two calls', "Action: click(start_box='(1,2)')\n\ntype(content='a')", [click(1, 2), type('a')]],
    ['two labels', "Action: click(start_box='(1,2)')\nAction: type(content='a')", [click(1, 2), type('a')]],
    [
      'two turns',
      "Thought: a\nAction: click(start_box='(1,2)')\n\nThought: b\nAction: wait()",
      [click(1, 2), wait],
    ],
    ['two calls on one line', "Action: click(start_box='(1,2)'); wait()", [click(1, 2), wait]],
    ['two calls with a comma', "Action: click(start_box='(1,2)'), wait()", [click(1, 2), wait]],
  ])('%s: all actions in order', (_, reply, expected) => {
    expect(codec.decodeAll(reply)).toEqual(expected);
  });

  test('the thought of a turn', () => {
    expect(codec.decodeTurn('Thought: look first\nAction: wait()')).toEqual({
      thought: 'look first',
      actions: [wait],
    });
    for (const opening of ['<think>\n', ''])
      expect(codec.decodeTurn(`${opening}look first\n</think>\nAction: wait()`).thought).toBe('look first');
    expect(codec.decodeTurn("<think>Action: press('a')?</think>\nAction: wait()").actions).toEqual([wait]);
  });
});

describe('no action', () => {
  test.each([
    ["Action: click(start_box='(10,", 'not closed'],
    ["Action: click(start_box='(5000,20)')", 'outside the 1920 × 1080 picture'],
    ['Action: I am done.', 'expected ('],
    ["<think>\nAction: press('a')", 'no action'],
    ["Action: keydown(key='a')", 'keydown is not an action'],
  ])('%s', (reply, reason) => {
    expect(() => codec.decodeAll(reply)).toThrow(reason);
  });
});

describe('box tokens for the history', () => {
  test.each([
    ["click(start_box='(10,20)')", "click(start_box='<|box_start|>(10,20)<|box_end|>')"],
    [
      "drag(start_box='(1,2)', end_box='(3, 4)')",
      "drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='<|box_start|>(3,4)<|box_end|>')",
    ],
    [
      "click(start_box='<|box_start|>(10,20)<|box_end|>')",
      "click(start_box='<|box_start|>(10,20)<|box_end|>')",
    ],
    ["type(content='(1,2)')", "type(content='(1,2)')"],
  ])('%s', (stripped, expected) => {
    expect(withBoxTokens(stripped)).toBe(expected);
  });
});
