// Replies of the families that call `computer_use`.

import { click, fail, finished, hotkey, type Sample, scroll, type, wait } from './sample.ts';

const call = (given: string): string =>
  `<tool_call>\n{"name": "computer_use", "arguments": ${given}}\n</tool_call>`;

/** Pixels of 1932 × 1092. */
export const QWEN_25_SAMPLES: readonly Sample[] = [
  {
    name: 'a click',
    reply: call('{"action": "left_click", "coordinate": [966, 546]}'),
    means: [click(960, 540)],
  },
  {
    name: 'a thought and a click',
    reply: `I will open the file.\n${call('{"action": "double_click", "coordinate": [0, 546]}')}`,
    means: [{ kind: 'double_click', at: { x: 0, y: 540 } }],
    thought: 'I will open the file.',
  },
  {
    name: 'a call without an end tag',
    reply: '<tool_call>\n{"name": "computer_use", "arguments": {"action": "wait", "time": 3}}',
    means: [wait],
  },
  {
    name: 'a call without tags',
    reply: '{"name": "computer_use", "arguments": {"action": "type", "text": "hello"}}',
    means: [type('hello')],
  },
  {
    name: 'arguments alone in a code block',
    reply: '```json\n{"action": "key", "keys": ["ctrl", "s"]}\n```',
    means: [hotkey('ctrl', 's')],
  },
  {
    name: 'a missing brace',
    reply:
      '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [966, 546]}\n</tool_call>',
    means: [click(960, 540)],
  },
  {
    name: 'a cut-off number',
    reply: '<tool_call>\n{"name": "computer_use", "arguments": {"action": "scroll", "pixels": -5',
    means: 'no JSON object',
  },
  {
    name: 'a point far outside',
    reply: call('{"action": "left_click", "coordinate": [5000, 20]}'),
    means: 'outside the 1932 × 1092 picture',
  },
  {
    name: 'two calls',
    reply: `${call('{"action": "left_click", "coordinate": [966, 546]}')}\n${call('{"action": "type", "text": "a"}')}`,
    means: [click(960, 540), type('a')],
  },
  { name: 'no call', reply: 'The task is done.', means: 'no action' },
];

/** From 0 to 999. */
export const QWEN_3_SAMPLES: readonly Sample[] = [
  {
    name: 'thinking that is cut off',
    reply: `<think>\nMaybe ${call('{"action": "wait"}')}`,
    means: 'no action',
  },
  {
    name: 'thinking whose opening tag is in the prompt',
    reply: `Maybe {"action": "wait"}.\n</think>\n${call('{"action": "left_click", "coordinate": [0, 0]}')}`,
    means: [click(0, 0)],
  },
  {
    name: 'a sentence and a call',
    reply: `Action: Click the Save button.\n${call('{"action": "left_click", "coordinate": [500, 999]}')}`,
    means: [click(961, 1079)],
    thought: 'Click the Save button.',
  },
  {
    name: 'the prompt promises 1000',
    reply: call('{"action": "mouse_move", "coordinate": [1000, 0]}'),
    means: [{ kind: 'move', at: { x: 1919, y: 0 } }],
  },
  {
    name: 'thinking, with a brace in it',
    reply: `<think>\nThe field {name} is empty.\n</think>\n\nAction: Type the name.\n${call('{"action": "type", "text": "it\'s \\"new\\"\\n"}')}`,
    means: [type('it\'s "new"\n')],
    thought: 'The field {name} is empty.\nType the name.',
  },
  {
    name: 'the XML form of Qwen3.5',
    reply:
      'Action: Click it.\n<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 999]\n</parameter>\n</function>\n</tool_call>',
    means: [click(961, 1079)],
  },
  {
    name: 'a text of two lines in the XML form',
    reply:
      '<tool_call>\n<function=computer_use>\n<parameter=action>\ntype\n</parameter>\n<parameter=text>\n  one\n2\n</parameter>\n</function>\n</tool_call>',
    means: [type('  one\n2')],
  },
  {
    name: 'a chord as one text',
    reply: call('{"action": "key", "keys": "Ctrl+Shift+T"}'),
    means: [hotkey('ctrl', 'shift', 't')],
  },
  {
    name: 'a chord with the name of the field',
    reply: call(`{"action": "key", "keys": ["keys=['ctrl'", "'c']"]}`),
    means: [hotkey('ctrl', 'c')],
  },
  {
    name: 'X11 key names',
    reply: call('{"action": "key", "keys": ["Control_L", "Page_Down"]}'),
    means: [hotkey('ctrl', 'pagedown')],
  },
  {
    name: 'a scroll at a position',
    reply: call('{"action": "scroll", "coordinate": [500, 500], "pixels": -5}'),
    means: [scroll(961, 541, 'down', 5)],
  },
  {
    name: 'a scroll without a position',
    reply: call('{"action": "scroll", "pixels": 3}'),
    means: [scroll(960, 540, 'up', 3)],
  },
  {
    name: 'a scroll in pixels',
    reply: call('{"action": "scroll", "pixels": -500}'),
    means: [scroll(960, 540, 'down', 5)],
  },
  {
    name: 'a scroll to the right',
    reply: call('{"action": "hscroll", "coordinate": [0, 0], "pixels": 2}'),
    means: [scroll(0, 0, 'right', 2)],
  },
  {
    name: 'a drag after a move',
    reply: `${call('{"action": "mouse_move", "coordinate": [0, 0]}')}\n${call('{"action": "left_click_drag", "coordinate": [500, 999]}')}`,
    means: [{ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 961, y: 1079 } }],
  },
  {
    name: 'a drag from an unknown pointer',
    reply: call('{"action": "left_click_drag", "coordinate": [500, 999]}'),
    means: 'the pointer position is unknown',
  },
  {
    name: 'a triple click',
    reply: call('{"action": "triple_click", "coordinate": [0, 0]}'),
    means: [{ kind: 'triple_click', at: { x: 0, y: 0 } }],
  },
  {
    name: 'a middle click',
    reply: call('{"action": "middle_click", "coordinate": [0, 0]}'),
    means: [{ kind: 'middle_click', at: { x: 0, y: 0 } }],
  },
  { name: 'success', reply: call('{"action": "terminate", "status": "success"}'), means: [finished()] },
  {
    name: 'failure is not success',
    reply: call('{"action": "terminate", "status": "failure"}'),
    means: [fail()],
  },
  { name: 'an answer', reply: call('{"action": "answer", "text": "42"}'), means: [finished('42')] },
  {
    name: 'a click with a key held',
    reply: call('{"action": "left_click", "coordinate": [0, 0], "text": "ctrl"}'),
    means: 'holds ctrl',
  },
  { name: 'an unknown action', reply: call('{"action": "teleport"}'), means: 'teleport is not an action' },
  {
    name: 'an unknown tool',
    reply: '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>',
    means: 'bash does not exist',
  },
  {
    name: 'a wrong coordinate',
    reply: call('{"action": "left_click", "coordinate": "there"}'),
    means: 'needs coordinate as [x, y]',
  },
  {
    name: 'single quotes',
    reply:
      "<tool_call>\n{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': [0, 0]}}\n</tool_call>",
    means: [click(0, 0)],
  },
];

/** From 0 to 1000. */
export const GUI_OWL_SAMPLES: readonly Sample[] = [
  {
    name: 'a sentence and a call',
    reply: `Action: Click the address bar.\n${call('{"action": "left_click", "coordinate": [500, 250]}')}`,
    means: [click(960, 270)],
    thought: 'Click the address bar.',
  },
  {
    name: 'thinking before the sentence',
    reply: `<thinking>\nThe page loads.\n</thinking>Action: Wait.\n${call('{"action": "wait", "time": 2}')}`,
    means: [wait],
    thought: 'The page loads.\nWait.',
  },
  {
    name: 'the user is needed',
    reply: call('{"action": "interact", "text": "Solve the captcha"}'),
    means: [fail('Solve the captcha')],
  },
  {
    name: 'two coordinates',
    reply: call('{"action": "drag", "coordinate": [0, 0], "coordinate2": [500, 250]}'),
    means: [{ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 960, y: 270 } }],
  },
  {
    name: 'clear, text, Enter',
    reply: call('{"action": "type", "text": "a", "clear": 1, "enter": 1}'),
    means: [hotkey('ctrl', 'a'), hotkey('backspace'), type('a\n')],
  },
];
