// The input of a desktop from programs: clamped positions, drags in parts, and the state that outlasts a program.

import { describe, expect, test } from 'vitest';
import type { InputBurst, InputEvent } from '../../../runtime/environments/docker/input.ts';
import { Performer } from '../../../runtime/guest-server/program/performer.ts';
import { readProgram } from '../../../runtime/guest-server/program/read-program.ts';

const SIZE = { width: 640, height: 480 };

function performer() {
  const bursts: InputBurst[] = [];
  const others: string[] = [];
  let fails = false;
  const sink = {
    size: SIZE,
    perform: async (given: readonly InputBurst[]) => {
      if (fails) throw new Error('gone');
      bursts.push(...given);
    },
    setClipboard: async (text: string) => void others.push(`copy ${text}`),
  };
  const clock = { now: () => 0, sleep: async (ms: number) => void others.push(`sleep ${ms}`) };
  const made = new Performer(sink, clock);
  return {
    ...{ bursts, others },
    fail: (value: boolean) => {
      fails = value;
    },
    pointer: () => made.pointer,
    run: (program: string) => made.perform(readProgram(`import pyautogui; pyautogui.PAUSE = 0\n${program}`)),
  };
}

const brief = (event: InputEvent): string =>
  event.kind === 'key'
    ? `${event.down ? '+' : '-'}${event.keysym.toString(16)}`
    : `${event.at.x},${event.at.y}:${event.buttons}`;
const events = (bursts: readonly InputBurst[]) => bursts.flatMap(burst => burst.events.map(brief));

describe('a desktop receives', () => {
  test('positions on the screen only', async () => {
    const { run, bursts } = performer();
    await run('pyautogui.moveTo(-5, 1000); pyautogui.move(10, -2); pyautogui.moveTo(None, 3)');
    expect(events(bursts)).toEqual(['0,479:0', '10,477:0', '10,3:0']);
  });

  test('a drag in parts, of which the last two wait until the screen has settled', async () => {
    const { run, bursts } = performer();
    await run('pyautogui.moveTo(60, 60); pyautogui.dragTo(120, 120)');
    expect(events(bursts)).toEqual([
      '60,60:0',
      '60,60:1',
      ...['70,70:1', '80,80:1', '90,90:1', '100,100:1', '110,110:1', '120,120:1'],
      '120,120:0',
    ]);
    const settled = bursts.filter(({ until }) => until === 'settled');
    expect(events(settled)).toEqual(['110,110:1', '120,120:1']);
  });

  test('a button that one program presses and another one releases', async () => {
    const { run, bursts } = performer();
    await run('pyautogui.moveTo(6, 6); pyautogui.mouseDown()');
    await run('pyautogui.moveTo(12, 12)');
    await run('pyautogui.mouseUp()');
    expect(events(bursts).slice(0, 2)).toEqual(['6,6:0', '6,6:1']);
    expect(events(bursts).slice(-2)).toEqual(['12,12:1', '12,12:0']);
  });

  test('the upper characters of keys under shift, and releases of what was pressed', async () => {
    const { run, bursts } = performer();
    await run("pyautogui.hotkey('shift', ','); pyautogui.hotkey('ctrl', 'shift', 't')");
    expect(events(bursts)).toEqual([
      ...['+ffe1', '+3c', '-3c', '-ffe1'],
      ...['+ffe3', '+ffe1', '+54', '-54', '-ffe1', '-ffe3'],
    ]);
    bursts.length = 0;
    await run(
      "pyautogui.keyDown('shift'); pyautogui.keyDown('a'); pyautogui.keyUp('shift'); pyautogui.keyUp('a')",
    );
    expect(events(bursts)).toEqual(['+ffe1', '+41', '-ffe1', '-41']);
  });

  test('wheel turns as button presses', async () => {
    const { run, bursts } = performer();
    await run('pyautogui.scroll(-2, 5, 5)');
    expect(events(bursts)).toEqual(['5,5:0', '5,5:16', '5,5:0', '5,5:16', '5,5:0']);
  });

  test('long texts in bursts that fit the queue of its server', async () => {
    const { run, bursts } = performer();
    await run(`pyautogui.write('${'a'.repeat(500)}')`);
    expect(events(bursts)).toHaveLength(1000);
    for (const burst of bursts) expect(burst.events.length).toBeLessThanOrEqual(64);
  });

  test('everything before a pause or a copy first', async () => {
    const { run, bursts, others } = performer();
    await run("pyautogui.press('a'); time.sleep(0.5); pyperclip.copy('ž'); pyautogui.hotkey('ctrl', 'v')");
    expect(others).toEqual(['sleep 500', 'copy ž']);
    expect(bursts.map(burst => burst.events.length)).toEqual([2, 4]);
  });
});

test('a program prints the position and the size', async () => {
  const { run } = performer();
  expect(await run('print(pyautogui.position())')).toBe('Point(x=639, y=240)\n');
  expect(await run('pyautogui.moveTo(1, 2); print(pyautogui.position(), pyautogui.size())')).toBe(
    'Point(x=1, y=2) Size(width=640, height=480)\n',
  );
});

test('events of a failed program do not reach the next one', async () => {
  const { run, bursts, fail } = performer();
  fail(true);
  await expect(run("pyautogui.press('a')")).rejects.toThrow('gone');
  fail(false);
  await run("pyautogui.press('b')");
  expect(events(bursts)).toEqual(['+62', '-62']);
});
