import { describe, expect, test } from 'vitest';
import { MICRO_PROFILE } from '../../../runtime/agents/micro/profile.ts';
import type { Frame, PastTurn } from '../../../runtime/agents/model/profile.ts';
import type { Element } from '../../../runtime/core/screen.ts';

const size = { width: 320, height: 240 };
const elementOf = (role: string, name: string, x: number): Element => ({
  ...{ role, name, value: '', states: [] },
  box: { x, y: 20, width: 40, height: 10 },
});
const elements = [elementOf('button', 'Apps', 0), elementOf('checkbox', 'Mute', 100)];
const frame: Frame = { screen: size, sent: size, elements };

const actionOf = (raw: string, of: Frame = frame) => {
  const reading = MICRO_PROFILE.read(raw, of);
  return reading.kind === 'actions' ? reading.actions.map(({ action }) => action) : reading.kind;
};

describe('a reply of the micro model', () => {
  test('points at an element of the list by its number', () => {
    const raw = 'Thought: click checkbox "Mute"\nAction: click(start_box=\'2\')';
    expect(MICRO_PROFILE.read(raw, frame)).toMatchObject({
      thought: 'click checkbox "Mute"',
      actions: [{ action: { kind: 'click', at: { x: 120, y: 25 } }, elements: [2] }],
    });
  });

  test('drags from one element to another', () => {
    expect(actionOf("Action: drag(start_box='1', end_box='2')")).toEqual([
      { kind: 'drag', from: { x: 20, y: 25 }, to: { x: 120, y: 25 } },
    ]);
  });

  test.each<[string, number[][]]>([
    ["click(start_box='2')\nclick(start_box='1')", [[2], [1]]],
    ["wait()\ndrag(start_box='1', end_box='2')\nclick(start_box='1')", [[], [1, 2], [1]]],
    ["click(start_box='(60,12)')\nclick(start_box='2')", [[], [2]]],
  ])('gives each action the numbers of its own call: %j', (raw, numbers) => {
    const reading = MICRO_PROFILE.read(raw, frame);
    expect(reading.kind === 'actions' && reading.actions.map(each => each.elements)).toEqual(numbers);
  });

  test('points at a pixel of the picture as it was sent', () => {
    const half = { ...frame, sent: { width: 160, height: 120 } };
    expect(actionOf("click(start_box='<|box_start|>(60,12)<|box_end|>')", half)).toEqual([
      { kind: 'click', at: { x: 120, y: 24 } },
    ]);
  });

  test('types a text that looks like a box', () => {
    expect(actionOf("Action: type(content='7')")).toEqual([{ kind: 'type', text: '7' }]);
  });

  test.each([
    "Thought: click\nAction: click(start_box='3')",
    "Action: click(start_box='0')",
    'Thought: click checkbox "Mute"',
    '',
    'Action: fly()',
  ])('is malformed: %j', raw => {
    expect(actionOf(raw)).toBe('malformed');
  });
});

describe('a prompt of the micro model', () => {
  const turns: readonly PastTurn[] = [
    {
      frame,
      raw: 'Thought: click tab "Sound"\nAction: click(start_box=\'1\')',
      actions: [{ kind: 'click', at: { x: 1, y: 1 } }],
    },
    { frame, raw: "Thought: type\nAction: type(content='a\\n')", actions: [{ kind: 'type', text: 'a\n' }] },
    { frame, raw: '?', actions: [{ kind: 'none', why: '' }], malformed: 'no action' },
  ];
  const about = { instruction: 'Switch mute on.', turns, turnCount: 3 } as const;

  test('has the task, what was done, and the list', () => {
    expect(MICRO_PROFILE.messages({ ...about, mode: 'a11y_tree', current: { frame } })).toEqual([
      {
        role: 'user',
        parts: [
          {
            type: 'text',
            text: 'Task: Switch mute on.\nDone: click tab "Sound"\nDone: type "a\\n"\nDone: nothing\nElements:\n1. button "Apps"\n2. checkbox "Mute"\n',
          },
        ],
      },
    ]);
  });

  test('has the picture and no list', () => {
    const image = { type: 'image', sha256: 'ab', ...size } as const;
    const [message] = MICRO_PROFILE.messages({
      ...about,
      turns: [],
      mode: 'screenshot',
      current: { frame, image },
    });
    expect(message?.parts).toEqual([image, { type: 'text', text: 'Task: Switch mute on.\n' }]);
  });
});
