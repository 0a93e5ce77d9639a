// Replies of UI-TARS 1.5, in pixels of 1932 × 1092, of UI-TARS 1.0, in thousandths, and of the micro model, with numbers of elements.

import { click, fail, finished, hotkey, type Sample, scroll, type, wait } from './sample.ts';

export const UI_TARS_15_SAMPLES: readonly Sample[] = [
  {
    name: 'a click with box tokens',
    reply:
      "Thought: The menu is open. I will click Settings near its lower end.\nAction: click(start_box='<|box_start|>(1649,862)<|box_end|>')",
    means: [click(1639, 853)],
    thought: 'The menu is open. I will click Settings near its lower end.',
  },
  {
    name: 'a click without box tokens',
    reply: "Thought: Open the menu.\nAction: click(start_box='(966,546)')",
    means: [click(960, 540)],
  },
  {
    name: 'text and Enter',
    reply: String.raw`Thought: Type the name.\nAction: type(content='report.odt\n')`.replace(
      String.raw`\nAction`,
      '\nAction',
    ),
    means: [type('report.odt\n')],
  },
  { name: 'a chord', reply: "Thought: Save it.\nAction: hotkey(key='ctrl s')", means: [hotkey('ctrl', 's')] },
  {
    name: 'a scroll',
    reply: "Thought: Look further down.\nAction: scroll(start_box='(966,546)', direction='down')",
    means: [scroll(960, 540, 'down', 5)],
  },
  {
    name: 'a drag',
    reply: "Thought: Move it.\nAction: drag(start_box='(0,0)', end_box='(966,546)')",
    means: [{ kind: 'drag', from: { x: 0, y: 0 }, to: { x: 960, y: 540 } }],
  },
  { name: 'wait', reply: 'Thought: It loads.\nAction: wait()', means: [wait] },
  {
    name: 'the end with an answer',
    reply: "Thought: 任务完成。\nAction: finished(content='已将主题切换为浅色。')",
    means: [finished('已将主题切换为浅色。')],
    thought: '任务完成。',
  },
  {
    name: 'a call for the user',
    reply: 'Thought: This is impossible.\nAction: call_user()',
    means: [fail()],
  },
  {
    name: 'a thought alone',
    reply: 'Thought: I should look for it first.',
    means: 'no action',
    thought: 'I should look for it first.',
  },
  {
    name: 'a reply that is cut off',
    reply: "Thought: Click it.\nAction: click(start_box='(96",
    means: 'not closed',
    thought: 'Click it.',
  },
  { name: 'an empty reply', reply: '', means: 'no action' },
];

export const UI_TARS_10_SAMPLES: readonly Sample[] = [
  {
    name: 'a click in thousandths',
    reply: "Thought: Click it.\nAction: click(start_box='(500,250)')",
    means: [click(960, 270)],
  },
  {
    name: 'a double click',
    reply: "Thought: Open it.\nAction: left_double(start_box='(0,0)')",
    means: [{ kind: 'double_click', at: { x: 0, y: 0 } }],
  },
  {
    name: 'a right click at the far corner',
    reply: "Action: right_single(start_box='(1000,1000)')",
    means: [{ kind: 'right_click', at: { x: 1919, y: 1079 } }],
  },
  {
    name: 'a point in pixels',
    reply: "Action: click(start_box='(1649,862)')",
    means: 'outside the 1000 × 1000 picture',
  },
  {
    name: 'the form of the hosted model',
    reply: "Thought: 点击\nAction: click(point='<point>500 250</point>')",
    means: [click(960, 270)],
  },
];

export const MICRO_SAMPLES: readonly Sample[] = [
  {
    name: 'the number of an element',
    reply: 'Thought: click button "OK"\nAction: click(start_box=\'3\')',
    means: [click(300, 200)],
    thought: 'click button "OK"',
  },
  {
    name: 'a number that is not in the list',
    reply: "Thought: click\nAction: click(start_box='9')",
    means: 'element 9',
  },
];
