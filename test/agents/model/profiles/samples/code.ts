// Replies of OpenCUA, in pixels of 1932 × 1092 or in fractions, and of EvoCUA in both of its forms.

import { click, fail, finished, hotkey, type Sample, scroll, type, wait } from './sample.ts';

const step = (code: string, language = 'python'): string =>
  `# Step 3:\n## Thought:\nThe dialog is open. # not a heading\n\n## Action:\nClick the OK button.\n\n## Code:\n\`\`\`${language}\n${code}\n\`\`\``;
const THOUGHT = 'The dialog is open. # not a heading\nClick the OK button.';

export const OPENCUA_SAMPLES: readonly Sample[] = [
  {
    name: 'pixels',
    reply: step('pyautogui.click(x=966, y=546)'),
    means: [click(960, 540)],
    thought: THOUGHT,
  },
  { name: 'fractions', reply: step('pyautogui.click(x=0.5, y=0.25)'), means: [click(960, 270)] },
  {
    name: 'fractions at the far edge',
    reply: step('pyautogui.click(x=1, y=0.25)'),
    means: [click(1919, 270)],
  },
  { name: 'the first pixel', reply: step('pyautogui.click(x=0, y=0)'), means: [click(0, 0)] },
  {
    name: 'a parenthesis in the text',
    reply: step("pyautogui.write(message='f(x) = (1)')"),
    means: [type('f(x) = (1)')],
  },
  {
    name: 'several calls',
    reply: step("pyautogui.click(x=966, y=546)\npyautogui.write('a')\npyautogui.press('enter')"),
    means: [click(960, 540), type('a\n')],
  },
  {
    name: 'a drag',
    reply: step("pyautogui.moveTo(0, 0)\npyautogui.dragTo(966, 546, button='left')"),
    means: [{ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 960, y: 540 } }],
  },
  {
    name: 'a scroll without a position',
    reply: step('pyautogui.scroll(-5)'),
    means: [scroll(960, 540, 'down', 5)],
  },
  {
    name: 'a scroll in pixels',
    reply: step('pyautogui.scroll(-500)'),
    means: [scroll(960, 540, 'down', 100)],
  },
  { name: 'a chord as a list', reply: step("pyautogui.hotkey(['ctrl', 's'])"), means: [hotkey('ctrl', 's')] },
  {
    name: 'a triple click',
    reply: step('computer.triple_click(x=966, y=546)', 'code'),
    means: [{ kind: 'triple_click', at: { x: 960, y: 540 } }],
  },
  { name: 'wait', reply: step('computer.wait()', 'code'), means: [wait] },
  { name: 'success', reply: step('computer.terminate(status="success")', 'code'), means: [finished()] },
  {
    name: 'an answer',
    reply: step("computer.terminate(status='success', answer='''it's 42''')", 'code'),
    means: [finished("it's 42")],
  },
  { name: 'failure', reply: step("computer.terminate(status='failure')", 'code'), means: [fail()] },
  {
    name: 'the word of the first release',
    reply: step("computer.terminate(status='fail')", 'code'),
    means: [fail()],
  },
  {
    name: 'a loop',
    reply: step('for i in range(3):\n    pyautogui.press("tab")'),
    means: 'expected (',
    thought: THOUGHT,
  },
  {
    name: 'another library',
    reply: step('import os\nos.system("rm -rf /")'),
    means: 'os.system cannot be read',
  },
  {
    name: 'no code',
    reply: '## Thought:\nHm.\n\n## Action:\nClick it.',
    means: 'no code block',
    thought: 'Hm.\nClick it.',
  },
  {
    name: 'a block in one line',
    reply: '## Code:\n```pyautogui.click(x=966, y=546)```',
    means: [click(960, 540)],
  },
  {
    name: 'an empty block after the code',
    reply: `${step('pyautogui.click(x=966, y=546)')}\n\`\`\``,
    means: [click(960, 540)],
    thought: THOUGHT,
  },
  {
    name: 'a code block that is cut off',
    reply: '## Code:\n```python\npyautogui.write("hel',
    means: 'not closed',
  },
  {
    name: 'a point far outside',
    reply: step('pyautogui.click(x=3000, y=20)'),
    means: 'outside the 1932 × 1092 picture',
  },
];

/** S2 from 0 to 999; S1 in pixels of 1932 × 1092, the size to which its server resizes 1920 × 1088. */
export const EVOCUA_SAMPLES: readonly Sample[] = [
  {
    name: 'S2',
    reply:
      'Action: Click the OK button.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 999]}}\n</tool_call>',
    means: [click(961, 1079)],
    thought: 'Click the OK button.',
  },
  { name: 'S1', reply: step('pyautogui.click(x=966, y=546)'), means: [click(960, 540)], thought: THOUGHT },
  { name: 'S1, failure', reply: step('computer.terminate(status="failure")', 'code'), means: [fail()] },
  {
    name: 'keys pressed over several calls',
    reply:
      '<tool_call>\n{"name": "computer_use", "arguments": {"action": "key_down", "keys": ["shift"]}}\n</tool_call>\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key", "keys": ["left"]}}\n</tool_call>\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "key_up", "keys": ["shift"]}}\n</tool_call>',
    means: [hotkey('shift', 'left')],
  },
  {
    name: 'a key that stays pressed',
    reply:
      '<tool_call>\n{"name": "computer_use", "arguments": {"action": "key_down", "keys": ["shift"]}}\n</tool_call>',
    means: 'shift is never released',
  },
];
