// Programs as OSWorld's controller and agents write them, as steps; and programs that are refused whole.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoted } from '../../../runtime/agents/codecs/quoted-text.ts';
import { programOf } from '../../../runtime/environments/guest/guest-input.ts';
import { type InputStep, ProgramError } from '../../../runtime/guest-server/program/input-program.ts';
import { readProgram, usesInput } from '../../../runtime/guest-server/program/read-program.ts';

/** OSWorld's controller puts this before every command. */
const PREFIX = 'import pyautogui; import time; pyautogui.FAILSAFE = False; ';
const NO_PAUSE = 'import pyautogui; pyautogui.PAUSE = 0; ';

const steps = (program: string) => readProgram(NO_PAUSE + program).steps;
/** In a line: `move 3,4`, `left down`, `key a down`. */
const brief = (step: InputStep): string => {
  switch (step.kind) {
    case 'move':
      return `${step.isRelative ? 'by' : 'to'} ${step.x ?? ''},${step.y ?? ''}`;
    case 'button':
      return `${step.button} ${step.down ? 'down' : 'up'}`;
    case 'wheel':
      return `wheel ${step.direction} ${step.notches}`;
    case 'key':
      return `${step.key.kind === 'named' ? step.key.keysym.toString(16) : step.key.character} ${step.down ? 'down' : 'up'}`;
    case 'copy':
      return `copy ${step.text}`;
    case 'pause':
      return `pause ${step.seconds}`;
    case 'print':
      return `print ${step.what.kind === 'text' ? step.what.text : step.what.kind}`;
  }
};
const briefs = (program: string) => steps(program).map(brief);

describe('a program', () => {
  test.each([
    ['pyautogui.click(3, 4)', ['to 3,4', 'left down', 'left up']],
    ['pyautogui.click()', ['left down', 'left up']],
    ["pyautogui.click(button='right', x=3.9, y=4)", ['to 3,4', 'right down', 'right up']],
    [
      'pyautogui.click(x=1, y=2, clicks=2, interval=0.5)',
      ['to 1,2', 'left down', 'left up', 'pause 0.5', 'left down', 'left up', 'pause 0.5'],
    ],
    ['pyautogui.doubleClick((5, 6))', ['to 5,6', 'left down', 'left up', 'left down', 'left up']],
    ['pyautogui.tripleClick()', Array.from({ length: 3 }, () => ['left down', 'left up']).flat()],
    ['pyautogui.moveTo(1, 2, 0.75, pyautogui.easeInQuad)', ['to 1,2', 'pause 0.75']],
    ['pyautogui.moveTo()', []],
    ['pyautogui.moveTo(None, 7)', ['to ,7']],
    ['pyautogui.move(-5, 3)', ['by -5,3']],
    [
      "pyautogui.dragTo(9, 8, duration=1.0, button='left', mouseDownUp=True)",
      ['left down', 'to 9,8', 'pause 1', 'left up'],
    ],
    ["pyautogui.mouseDown(button='middle')", ['middle down']],
    ['pyautogui.mouseUp(x=1, y=1)', ['to 1,1', 'left up']],
    ['pyautogui.scroll(-3, 10, 20)', ['to 10,20', 'wheel down 3']],
    ['pyautogui.vscroll(2)', ['wheel up 2']],
    ['pyautogui.hscroll(2)', ['wheel right 2']],
    ["pyautogui.keyDown('shift'); pyautogui.keyUp('shift')", ['ffe1 down', 'ffe1 up']],
    ["pyautogui.press(['a', 'f13'])", ['a down', 'a up', 'ffca down', 'ffca up']],
    ["pyautogui.press('num5', presses=2)", ['ffb5 down', 'ffb5 up', 'ffb5 down', 'ffb5 up']],
    ["pyautogui.hotkey('ctrl', 'c')", ['ffe3 down', 'c down', 'c up', 'ffe3 up']],
    ["pyautogui.hotkey(['alt', 'f4'])", ['ffe9 down', 'ffc1 down', 'ffc1 up', 'ffe9 up']],
    ["pyautogui.typewrite('<ž\\n')", ['< down', '< up', 'ž down', 'ž up', 'ff0d down', 'ff0d up']],
    [
      "pyautogui.write('ab', interval=0.25)",
      ['a down', 'a up', 'pause 0.25', 'b down', 'b up', 'pause 0.25'],
    ],
    ["pyperclip.copy('漢'); time.sleep(0.2)", ['copy 漢', 'pause 0.2']],
    ['import platform; print(platform.system())', ['print Linux', 'print \n']],
    ["print('at', pyautogui.position())", ['print at', 'print  ', 'print position', 'print \n']],
    ['import pyautogui as pg\npg.press("a") # a comment', ['a down', 'a up']],
    ['from pyautogui import hotkey as h, press\npress("a")', ['a down', 'a up']],
    ['from pyautogui import *\npress("a")', ['a down', 'a up']],
    ['"""the thought"""\npyautogui.press("a")', ['a down', 'a up']],
  ])('%s', (program, expected) => {
    expect(briefs(program)).toEqual(expected);
  });

  test('pauses after each call as long as its settings say', () => {
    const program = "pyautogui.press('a'); pyautogui.PAUSE = 0.5; pyautogui.click(); pyautogui.position()";
    expect(readProgram(PREFIX + program)).toMatchObject({ seconds: 0.6 });
  });

  test('of our own client is read whole', () => {
    const text = 'a<b "c"\tž\n';
    const program = programOf({ kind: 'type', text }) ?? '';
    expect(usesInput(program)).toBe(true);
    const { steps: all } = readProgram(program);
    expect(all.filter(({ kind }) => kind === 'copy')).toEqual([{ kind: 'copy', text: 'ž' }]);
  });
});

function refused(program: string, message: RegExp): void {
  const read = () => readProgram(PREFIX + program);
  expect(read).toThrow(ProgramError);
  expect(read).toThrow(message);
  expect(read).toThrow(/Nothing was performed/);
}

describe('a program is refused whole', () => {
  test.each([
    ['pyautogui.click(1, 2); pyautogui.alert("hi")', /pyautogui\.alert is not known/],
    ['for i in range(3):\n  pyautogui.click()', /"for i in range\(3\):"/],
    ['if True: pyautogui.click()', /"if True: pyautogui\.click\(\)"/],
    ['x = 3; pyautogui.click(x, x)', /"x = 3"/],
    ['pyautogui.click(x, 3)', /x is not a literal/],
    ['pyautogui.click("button.png")', /needs a position of two numbers/],
    ["pyautogui.press('nokey')", /has no key "nokey"/],
    ["pyautogui.press('a', presses=5000)", /from 0 to 1000/],
    ['pyautogui.click(1, 2, colour=3)', /does not take colour/],
    ['pyautogui.write(f"{x}")', /prefix f/],
    ['import os; os.system("rm -rf /")', /os\.system is not known/],
    ['print(open("/etc/passwd").read())', /open is not a literal/],
    ['time.sleep(121)', /waits 121 s in all, the limit is 120 s/],
    ['pyautogui.click(1, 2', /expected \)/],
  ])('%s', (program, message) => refused(program, message));

  test('with too many steps, however long its text is', () => {
    refused(`pyautogui.write('${'a'.repeat(150_000)}')`, /has more than 200000 steps/);
  });

  test('the error names the line and the statement', () => {
    const read = () => readProgram("import pyautogui\npyautogui.press('a')\nlaunch('x')");
    expect(read).toThrow(/^Line 3, "launch\('x'\)": launch is not known here/);
  });
});

test('any text that is no program is refused or read, and never crashes', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'pyautogui.',
      'click(',
      ')',
      "'",
      '"',
      'import ',
      'print(',
      ';',
      '\n',
      '1',
      'x=',
      '\\',
      '#',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      try {
        readProgram(pieces.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(ProgramError);
      }
    }),
  );
});

test('every text that Python can quote is typed as it is, except control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const typed = steps(`pyautogui.write(${quoted(text)})`)
        .filter(step => step.kind === 'key' && step.down)
        .map(step => (step.kind === 'key' && step.key.kind === 'character' ? step.key.character : ''));
      const plain = [...text].filter(character => !/[\p{Cc}\p{Cs} ]/u.test(character));
      expect(typed.filter(character => character !== '').join('')).toBe(plain.join(''));
    }),
  );
});
