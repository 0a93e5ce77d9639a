// Wire forms as UI-TARS, OSWorld and pyautogui programs really write them.

import { describe, expect, test } from 'vitest';
import { ActionFormatError } from '../../../runtime/agents/codecs/codec.ts';
import { computerUse } from '../../../runtime/agents/codecs/computer-use.ts';
import { computer13 } from '../../../runtime/agents/codecs/computer13.ts';
import { pyautogui, readCode } from '../../../runtime/agents/codecs/pyautogui.ts';
import { uitars } from '../../../runtime/agents/codecs/uitars.ts';
import { splitTurn } from '../../../runtime/agents/codecs/uitars-turn.ts';
import { ownPixels, spaceOn } from '../../../runtime/agents/model/frame.ts';
import { FRAME_RULES } from '../../../runtime/agents/model/profiles/frames.ts';
import { type Action, type Direction, MAX_STORED_NOTCHES, NOTCHES } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import type { Point } from '../../../runtime/core/screen.ts';
import { SCREEN } from '../../core/arbitraries.ts';

const p = (x: number, y: number): Point => ({ x, y });
const click = (x: number, y: number): Action => ({ kind: 'click', at: p(x, y) });
const type = (text: string): Action => ({ kind: 'type', text });
const hotkey = (first: string, ...rest: string[]): Action => ({
  kind: 'hotkey',
  keys: [key(first), ...rest.map(key)],
});
const scroll = (at: Point, direction: Direction, notches = NOTCHES): Action => ({
  kind: 'scroll',
  at,
  direction,
  notches,
});
const drag = (from: Point, to: Point): Action => ({ kind: 'drag', from, to });
const wait: Action = { kind: 'wait' };

const plain = uitars(ownPixels(SCREEN));

describe('ui-tars reads', () => {
  test.each<[string, Action]>([
    ["click(start_box='<|box_start|>(177,280)<|box_end|>')", click(177, 280)],
    ["click(start_box='(177,280)')", click(177, 280)],
    ["click(start_box='(177, 280)')", click(177, 280)],
    ["click(point='<point>177 280</point>')", click(177, 280)],
    ["click(start_box='[100, 200, 110, 220]')", click(105, 210)],
    ["left_double(start_box='<|box_start|>(1,2)<|box_end|>')", { kind: 'double_click', at: p(1, 2) }],
    ["right_single(start_box='<|box_start|>(1,2)<|box_end|>')", { kind: 'right_click', at: p(1, 2) }],
    [
      "drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='<|box_start|>(3,4)<|box_end|>')",
      drag(p(1, 2), p(3, 4)),
    ],
    ["hotkey(key='ctrl s')", hotkey('ctrl', 's')],
    ["hotkey(key='ctrl+shift+t')", hotkey('ctrl', 'shift', 't')],
    ["hotkey(key='ctrl +')", hotkey('ctrl', '+')],
    ["hotkey(key='Return')", hotkey('enter')],
    ["type(content='test.py')", type('test.py')],
    ["type(content='say \\'hi\\'\\n')", type("say 'hi'\n")],
    ["type(content='it's here')", type("it's here")],
    ["type(content='a 'quoted', word')", type("a 'quoted', word")],
    ["type(content='first\nsecond')", type('first\nsecond')],
    ['type(content="C:\\\\temp")', type('C:\\temp')],
    ["scroll(start_box='<|box_start|>(9,8)<|box_end|>', direction='down')", scroll(p(9, 8), 'down')],
    ['wait()', wait],
    [
      "finished(content='已将GIMP的主题从深色切换为浅色。')",
      { kind: 'finished', answer: '已将GIMP的主题从深色切换为浅色。' },
    ],
    ['finished()', { kind: 'finished', answer: '' }],
    ['call_user()', { kind: 'fail', why: '' }],
    ['error_env()', { kind: 'fail', why: '' }],
    ["Thought: The Action: part follows.\nAction: click(start_box='(1,2)')", click(1, 2)],
    ["Thought: on one line. Action: click(start_box='(1,2)')", click(1, 2)],
    ["Action: type(content='Action: wait()')", type('Action: wait()')],
  ])('%s', (wire, expected) => {
    expect(plain.decode(wire)).toEqual(expected);
  });

  test('several actions of one turn in order; decode rejects two', () => {
    const turn = "Thought: hm\nAction: wait()\n\nclick(start_box='<|box_start|>(123,76)<|box_end|>')";
    expect(plain.decodeAll(turn)).toEqual([wait, click(123, 76)]);
    expect(() => plain.decode(turn)).toThrow(/has 2 actions \(wait, click\).*decodeAll/);
  });

  test('the thought separately from the calls', () => {
    expect(splitTurn('Thought: look first\nAction: wait()')).toEqual({
      thought: 'look first',
      calls: ' wait()',
    });
    expect(splitTurn('wait()')).toEqual({ thought: '', calls: 'wait()' });
  });

  test.each([
    ['', 'no action'],
    ['Thought: I will think about it.', 'no action'],
    ["tap(start_box='(1,2)')", 'tap is not an action'],
    ['click()', 'pointer position is unknown'],
    ["click(start_box='(1,2,3)')", 'the position'],
    ["click(start_box='(a,b)')", 'the position'],
    ["click(start_box='(1960,2)')", 'outside the 1920 × 1080 picture'],
    ["scroll(start_box='(1,2)', direction='sideways')", 'up, down, left or right'],
    ["hotkey(key='ctrl hyperspace')", 'hyperspace'],
    ["hotkey(key='')", 'no key'],
    ['type()', 'has no content'],
    ["type(text='a')", 'does not take text'],
    ["click(start_box='(1,2)', button='left')", 'does not take button'],
  ])('nothing from %j', (wire, reason) => {
    expect(() => plain.decode(wire)).toThrow(ActionFormatError);
    expect(() => plain.decode(wire)).toThrow(reason);
  });

  test('an action at the pointer, if its position is known', () => {
    expect(plain.decode("scroll(direction='up')", p(5, 6))).toEqual(scroll(p(5, 6), 'up'));
    expect(plain.decodeAll("click(start_box='(7,8)')\nscroll(direction='up')")).toEqual([
      click(7, 8),
      scroll(p(7, 8), 'up'),
    ]);
  });
});

describe('coordinates', () => {
  test('a screen of 1920 × 1080 is resized to 1932 × 1092', () => {
    const space = spaceOn(FRAME_RULES['ui-tars-1.5'], SCREEN);
    expect(space.picture).toEqual({ width: 1932, height: 1092 });
    expect(uitars(space).decode("click(start_box='(966,546)')")).toEqual(click(960, 540));
  });

  test('thousandths cover exactly the screen', () => {
    const codec = uitars(spaceOn(FRAME_RULES['ui-tars-1.0'], SCREEN));
    expect(codec.decode("click(start_box='(500,500)')")).toEqual(click(960, 540));
    expect(codec.decode("click(start_box='(1000,1000)')")).toEqual(click(1919, 1079));
    expect(() => codec.decode("click(start_box='(1011,0)')")).toThrow(/outside the 1000 × 1000 picture/);
  });

  test('whole numbers are written if they convert back', () => {
    expect(uitars(spaceOn(FRAME_RULES['ui-tars-1.5'], SCREEN)).encode(click(960, 540))).toBe(
      "click(start_box='<|box_start|>(966,546)<|box_end|>')",
    );
  });
});

describe('pyautogui reads', () => {
  const read = (wire: string, pointer?: Point) => readCode(wire, { pointer, maxNotches: MAX_STORED_NOTCHES });
  const pasted =
    "import pyperclip\npyperclip.copy('né')\npyautogui.hotkey('ctrl', 'v')\ntime.sleep(0.5)\n\npyautogui.press('enter')";
  const preamble = "import pyautogui\nimport time\n'''\nObservation:\n\n\nThought:\nIt's there\n'''\n\n";
  test.each<[string, Action]>([
    ['pyautogui.click(100, 200)', click(100, 200)],
    ['pyautogui.click(x=100, y=200)', click(100, 200)],
    ['pyautogui.click((100, 200))', click(100, 200)],
    ["pyautogui.click(1896.149, 88.022, button='left')", click(1896, 88)],
    ["pyautogui.click(1, 2, button='right')", { kind: 'right_click', at: p(1, 2) }],
    ['pyautogui.rightClick(1, 2)', { kind: 'right_click', at: p(1, 2) }],
    ['pyautogui.doubleClick(1, 2)', { kind: 'double_click', at: p(1, 2) }],
    ['pyautogui.click(1, 2, 3)', { kind: 'triple_click', at: p(1, 2) }],
    ["pyautogui.click(1, 2, button='middle')", { kind: 'middle_click', at: p(1, 2) }],
    ['pyautogui.click(1, 2, clicks=2)', { kind: 'double_click', at: p(1, 2) }],
    ['pyautogui.moveTo(1, 2)', { kind: 'move', at: p(1, 2) }],
    ['pyautogui.moveTo(1, 2); pyautogui.click()', click(1, 2)],
    ['pyautogui.moveTo(1, 2); pyautogui.click(1, 2)', click(1, 2)],
    ['pyautogui.moveTo(1, 2)\n\npyautogui.dragTo(3, 4, duration=1.0)\n', drag(p(1, 2), p(3, 4))],
    [
      'pyautogui.moveTo(1, 2)\npyautogui.mouseDown()\npyautogui.moveTo(3, 4)\npyautogui.mouseUp()',
      drag(p(1, 2), p(3, 4)),
    ],
    ['pyautogui.mouseDown(1, 2); pyautogui.mouseUp()', click(1, 2)],
    ["pyautogui.write('it\\'s', interval=0.1)", type("it's")],
    ["pyautogui.typewrite(r'C:\\temp')", type('C:\\temp')],
    [pasted, type('né\n')],
    [`${preamble}pyautogui.click(5, 6, button='left')`, click(5, 6)],
    ["pyautogui.write('ls')\npyautogui.press('enter')", type('ls\n')],
    ["pyautogui.hotkey('ctrl', 'c')", hotkey('ctrl', 'c')],
    ["pyautogui.hotkey('ctrl', 'v')", hotkey('ctrl', 'v')],
    ["pyautogui.hotkey(['ctrl', 'c'])", hotkey('ctrl', 'c')],
    ["pyautogui.hotkey(keys=['ctrl', 'c'])", hotkey('ctrl', 'c')],
    ["pyautogui.hotkey(key2='c', key1='ctrl')", hotkey('ctrl', 'c')],
    ["pyautogui.hotkey('ctrl', 'c', interval=0.1)", hotkey('ctrl', 'c')],
    ["pyautogui.write(text='a')", type('a')],
    ["pyautogui.typewrite(content='a')", type('a')],
    ["pyautogui.press(key='enter')", hotkey('enter')],
    ["pyautogui.press('Enter')", hotkey('enter')],
    ["pyautogui.press(' ')", hotkey('space')],
    ["pyautogui.keyDown('ctrl'); pyautogui.press('a'); pyautogui.keyUp('ctrl')", hotkey('ctrl', 'a')],
    [
      "pyautogui.keyDown('ctrl')\npyautogui.keyDown('c')\npyautogui.keyUp('c')\npyautogui.keyUp('ctrl')",
      hotkey('ctrl', 'c'),
    ],
    ['pyautogui.scroll(-5, x=7, y=8)', scroll(p(7, 8), 'down')],
    ['pyautogui.hscroll(3, 7, 8)', scroll(p(7, 8), 'right', 3)],
    ['pyautogui.scroll(-10000, 7, 8)', scroll(p(7, 8), 'down', 10_000)],
    ['pyautogui.FAILSAFE = False; pyautogui.click(1, 2)  # the button', click(1, 2)],
    ['time.sleep(3)', wait],
    ['WAIT', wait],
    ['DONE', { kind: 'finished', answer: '' }],
    [' FAIL\n', { kind: 'fail', why: '' }],
  ])('%j', (wire, expected) => {
    expect(read(wire)).toEqual([expected]);
  });

  test('a scroll up to the limit of the caller', () => {
    const rules = { maxNotches: 100 };
    expect(readCode('pyautogui.hscroll(-100, 1, 2)', rules)).toEqual([scroll(p(1, 2), 'left', 100)]);
    expect(() => readCode('pyautogui.scroll(101, 1, 2)', rules)).toThrow('101 notches: at most 100');
  });

  test('a program of several steps as several actions', () => {
    const program =
      "pyautogui.click(1, 2)\ntime.sleep(0.5)\npyautogui.write('a')\npyautogui.press('tab', presses=2)";
    expect(read(program)).toEqual([click(1, 2), type('a'), hotkey('tab'), hotkey('tab')]);
  });

  test('keys pressed one after the other as one hotkey each', () => {
    const hold = (letter: string) =>
      `pyautogui.keyDown('ctrl'); pyautogui.press('${letter}'); pyautogui.keyUp('ctrl')`;
    expect(read(`${hold('a')}; ${hold('c')}`)).toEqual([hotkey('ctrl', 'a'), hotkey('ctrl', 'c')]);
  });

  test('a move without a click as its own action', () => {
    expect(read('pyautogui.moveTo(1, 2); pyautogui.click(3, 4)')).toEqual([
      { kind: 'move', at: p(1, 2) },
      click(3, 4),
    ]);
    expect(read("pyautogui.moveTo(1, 2); pyautogui.press('a')")).toEqual([
      { kind: 'move', at: p(1, 2) },
      hotkey('a'),
    ]);
  });

  test.each([
    ['', 'no action'],
    ['import time', 'no action'],
    ['pyautogui.click()', 'pointer position is unknown'],
    ['pyautogui.dragTo(1, 2)', 'pointer position is unknown'],
    ['pyautogui.click(1, 2, 4)', '4 clicks of the left button'],
    ["pyautogui.click(1, 2, 2, button='right')", '2 clicks of the right button'],
    ['pyautogui.click(1, 2, speed=3)', 'does not take speed'],
    ['pyautogui.click(-1, 2)', 'from 0 up'],
    ['pyautogui.click(x, y)', 'x is not a literal'],
    ["pyautogui.write(f'{name}')", 'prefix f'],
    ["pyautogui.write('open", 'not closed'],
    ["pyautogui.keyDown('shift')", 'never released'],
    ["pyautogui.keyUp('shift')", 'not pressed'],
    ["pyautogui.keyDown('shift'); pyautogui.keyDown('shift')", 'pressed twice'],
    [
      "pyautogui.keyDown('ctrl'); pyautogui.press('a'); pyautogui.press('c'); pyautogui.keyUp('ctrl')",
      'several keys',
    ],
    [
      "pyautogui.keyDown('ctrl'); pyautogui.keyDown('a'); pyautogui.keyUp('a'); pyautogui.keyDown('c')",
      'several keys',
    ],
    ['pyautogui.scroll(1e999, 1, 2)', 'whole number'],
    ['pyautogui.scroll(1000000000, 1, 2)', '1000000000 notches: at most 10000'],
    ['pyautogui.hscroll(-10001, 1, 2)', '10001 notches: at most 10000'],
    ["pyautogui.keyDown('shift'); pyautogui.click(1, 2); pyautogui.keyUp('shift')", 'while shift is pressed'],
    ["pyautogui.press('a', presses=1000000000)", '1 to 100'],
    ['pyautogui.mouseDown(1, 2)', 'never released'],
    ['pyautogui.mouseUp(1, 2)', 'not pressed'],
    ["pyperclip.copy('x')", 'never pasted'],
    ['pyautogui.scroll(0, 1, 2)', 'scroll distance is 0'],
    ['os.system("rm")', 'os.system cannot be read'],
    ['toString()', 'toString cannot be read'],
    ['done', 'expected ('],
  ])('nothing from %j', (wire, reason) => {
    expect(() => read(wire)).toThrow(ActionFormatError);
    expect(() => read(wire)).toThrow(reason);
  });

  test('an action at the pointer, if its position is known', () => {
    expect(read('pyautogui.dragTo(3, 4)', p(1, 2))).toEqual([drag(p(1, 2), p(3, 4))]);
  });

  test('the space bar is written as a blank, the name that every version accepts', () => {
    expect(pyautogui.encode(hotkey('space'))).toBe("pyautogui.press(' ')");
    expect(computer13.encode(hotkey('ctrl', 'space'))).toEqual([
      { action_type: 'HOTKEY', parameters: { keys: ['ctrl', ' '] } },
    ]);
  });

  test('text beyond a US keyboard is written as a paste', () => {
    expect(pyautogui.encode(type('né'))).toContain("pyperclip.copy('né')");
    expect(pyautogui.encode(type('ne\n'))).toBe("pyautogui.write('ne\\n')");
  });
});

describe('computer_use reads', () => {
  const read = (given: string) =>
    computerUse(ownPixels(SCREEN)).decodeAll(
      `<tool_call>\n{"name": "computer_use", "arguments": ${given}}\n</tool_call>`,
    );
  test.each<[string, Action]>([
    ['{"action": "type", "text": 1.50}', type('1.50')],
    ['{"action": "type", "text": 12345678901234567890}', type('12345678901234567890')],
    ['{"action": "type", "text": 42}', type('42')],
    ['{"action": "type", "text": "a", "enter": "True"}', type('a\n')],
    ['{"action": "type", "text": "<function=f>"}', type('<function=f>')],
    ['{"action": "left_click", "coordinate": [10.0, 20.50]}', click(10, 21)],
    ['{"action": "scroll", "pixels": -5.0, "coordinate": [1, 2]}', scroll(p(1, 2), 'down', 5)],
  ])('%s', (given, expected) => {
    expect(read(given)).toEqual([expected]);
  });
});

describe('computer_13 reads', () => {
  const of = (action_type: string, parameters?: object): object => ({
    action_type,
    ...(parameters && { parameters }),
  });
  test.each<[unknown, Action]>([
    [of('CLICK', { x: 100, y: 200 }), click(100, 200)],
    [{ action_type: 'CLICK', x: 100, y: 200 }, click(100, 200)],
    [of('CLICK', { button: 'right', x: 1, y: 2, num_clicks: 1 }), { kind: 'right_click', at: p(1, 2) }],
    [of('CLICK', { x: 1, y: 2, num_clicks: 2 }), { kind: 'double_click', at: p(1, 2) }],
    [of('DOUBLE_CLICK', { x: 1, y: 2 }), { kind: 'double_click', at: p(1, 2) }],
    [of('RIGHT_CLICK', { x: 1, y: 2 }), { kind: 'right_click', at: p(1, 2) }],
    [of('MOVE_TO', { x: 1.9, y: 2 }), { kind: 'move', at: p(1, 2) }],
    [[of('MOVE_TO', { x: 1, y: 2 }), of('CLICK', {})], click(1, 2)],
    [[of('MOVE_TO', { x: 1, y: 2 }), of('DRAG_TO', { x: 3, y: 4 })], drag(p(1, 2), p(3, 4))],
    [
      [of('MOVE_TO', { x: 1, y: 2 }), of('MOUSE_DOWN'), of('MOVE_TO', { x: 3, y: 4 }), of('MOUSE_UP')],
      drag(p(1, 2), p(3, 4)),
    ],
    [[of('MOVE_TO', { x: 1, y: 2 }), of('SCROLL', { dx: 0, dy: -3 })], scroll(p(1, 2), 'down', 3)],
    [of('TYPING', { text: "it's\n" }), type("it's\n")],
    [of('PRESS', { key: 'Enter' }), hotkey('enter')],
    [of('HOTKEY', { keys: ['ctrl', 'c'] }), hotkey('ctrl', 'c')],
    [
      [of('KEY_DOWN', { key: 'alt' }), of('PRESS', { key: 'tab' }), of('KEY_UP', { key: 'alt' })],
      hotkey('alt', 'tab'),
    ],
    [of('WAIT'), wait],
    ['WAIT', wait],
    [of('DONE'), { kind: 'finished', answer: '' }],
    [of('FAIL', {}), { kind: 'fail', why: '' }],
  ])('%j', (wire, expected) => {
    expect(computer13.decode(wire)).toEqual(expected);
  });

  test('a drag or a scroll without its start, if the pointer position is known', () => {
    expect(computer13.decode(of('DRAG_TO', { x: 3, y: 4 }), p(1, 2))).toEqual(drag(p(1, 2), p(3, 4)));
    expect(computer13.decodeAll(of('SCROLL', { dx: 2, dy: 1 }), p(1, 2))).toEqual([
      scroll(p(1, 2), 'up', 1),
      scroll(p(1, 2), 'right', 2),
    ]);
  });

  test.each<[unknown, string]>([
    [undefined, 'action_type'],
    [[], 'no action'],
    [{ action_type: 7 }, 'action_type'],
    [of('TELEPORT'), 'TELEPORT is not an action type'],
    [of('DRAG_TO', { x: 3, y: 4 }), 'pointer position is unknown'],
    [of('SCROLL', { dx: 0, dy: 1 }), 'pointer position is unknown'],
    [of('CLICK', { x: 1 }), 'two numbers'],
    [of('CLICK', { x: 1, y: 2, num_clicks: 4 }), '4 clicks'],
    [of('TYPING', { text: 7 }), 'text as a string'],
    [of('PRESS', { key: 'hyperspace' }), 'hyperspace'],
    [of('HOTKEY', { keys: 'ctrl c' }), 'ctrl c'],
    [of('KEY_DOWN', { key: 'ctrl' }), 'never released'],
    [of('MOUSE_DOWN'), 'pointer position is unknown'],
  ])('nothing from %j', (wire, reason) => {
    expect(() => computer13.decode(wire)).toThrow(ActionFormatError);
    expect(() => computer13.decode(wire)).toThrow(reason);
  });
});
