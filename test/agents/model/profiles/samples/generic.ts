// Replies to the generic profile, on the elements of the test: 1 "File" at (50, 20), 2 "Name" at (200, 100), 3 "OK" at (300, 200).
// The screenshot is 1429 × 804.

import { click, fail, finished, hotkey, type Sample, scroll, type, wait } from './sample.ts';

export const GENERIC_SAMPLES: readonly Sample[] = [
  { name: 'an element', reply: '{"action": "click", "element": 3}', means: [click(300, 200)] },
  {
    name: 'a code block and text around it',
    reply: 'I click OK.\n```json\n{"action": "click", "element": 3}\n```\nThat closes the dialog.',
    means: [click(300, 200)],
    thought: 'I click OK.',
  },
  {
    name: 'thinking',
    reply: '<think>\nMaybe {"action": "wait"}?\n</think>\n{"action": "click", "element": 3}',
    means: [click(300, 200)],
  },
  {
    name: 'a thought in the object',
    reply: '{"thought": "Close it.", "action": "click", "element": 3}',
    means: [click(300, 200)],
    thought: 'Close it.',
  },
  {
    name: 'the form of a tool call',
    reply: '{"name": "click", "arguments": {"element": 3}}',
    means: [click(300, 200)],
  },
  { name: 'the number as a text', reply: '{"action": "click", "element": "3"}', means: [click(300, 200)] },
  { name: 'a point', reply: '{"action": "click", "x": 0, "y": 0}', means: [click(0, 0)] },
  {
    name: 'text into an element',
    reply: '{"action": "type", "text": "report", "element": 2, "enter": true}',
    means: [click(200, 100), type('report\n')],
  },
  {
    name: 'text into the focused element',
    reply: '{"action": "type", "text": "C:\\\\new"}',
    means: [type('C:\\new')],
  },
  {
    name: 'a chord in capitals',
    reply: '{"action": "hotkey", "keys": ["Ctrl", "C"]}',
    means: [hotkey('ctrl', 'c')],
  },
  {
    name: 'a scroll',
    reply: '{"action": "scroll", "direction": "down", "amount": 4, "element": 2}',
    means: [scroll(200, 100, 'down', 4)],
  },
  {
    name: 'a scroll without a target',
    reply: '{"action": "scroll", "direction": "Right"}',
    means: [scroll(960, 540, 'right', 3)],
  },
  {
    name: 'a drag',
    reply: '{"action": "drag", "element": 1, "to_element": 3}',
    means: [{ kind: 'drag', from: { x: 50, y: 20 }, to: { x: 300, y: 200 } }],
  },
  {
    name: 'a right click',
    reply: '{"action": "right_click", "element": 1}',
    means: [{ kind: 'right_click', at: { x: 50, y: 20 } }],
  },
  { name: 'wait', reply: '{"action": "wait"}', means: [wait] },
  { name: 'the end', reply: '{"action": "finished", "answer": "42"}', means: [finished('42')] },
  { name: 'failure', reply: '{"action": "fail", "reason": "no such file"}', means: [fail('no such file')] },
  {
    name: 'an element that does not exist',
    reply: '{"action": "click", "element": 4}',
    means: 'names element 4, which is not in the list: use a number from 1 to 3',
  },
  { name: 'element 0', reply: '{"action": "click", "element": 0}', means: 'names element 0' },
  { name: 'half an element', reply: '{"action": "click", "element": 1.5}', means: 'names element 1.5' },
  { name: 'no target', reply: '{"action": "click"}', means: 'click has no target: add element, or x and y' },
  {
    name: 'an unknown field',
    reply: '{"action": "click", "element": 3, "button": "right"}',
    means: 'does not take button',
  },
  { name: 'an unknown action', reply: '{"action": "constructor"}', means: '"constructor" is not an action' },
  {
    name: 'a wrong direction',
    reply: '{"action": "scroll", "direction": "sideways"}',
    means: 'use up, down, left or right',
  },
  { name: 'two objects', reply: '{"action": "wait"}\n{"action": "wait"}', means: 'has 2 JSON objects' },
  { name: 'no object', reply: 'I would click OK.', means: 'no action' },
];
