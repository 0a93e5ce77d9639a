// The messages of each profile: its window, its form of the history, and bounds.

import { describe, expect, test } from 'vitest';
import { PROFILE_IDS, type Profile, type ProfileId } from '../../../../runtime/agents/model/profile.ts';
import { PROFILES } from '../../../../runtime/agents/model/profiles/index.ts';
import type { ChatMessage, ChatPart } from '../../../../runtime/core/chat.ts';
import { SCREEN } from '../../../core/arbitraries.ts';
import { promptAfter } from './setting.ts';

const TOOL_CALL =
  'Action: Click the Save button.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [10, 20]}}\n</tool_call>';
const CODE =
  '## Thought:\nHm.\n\n## Action:\nClick the Save button.\n\n## Code:\n```python\npyautogui.click(x=10, y=20)\n```';
const REPLIES: Readonly<Record<ProfileId, string>> = {
  'ui-tars-1.5': "Thought: Save it.\nAction: click(start_box='(10,20)')",
  'ui-tars-1.0': "Thought: Save it.\nAction: click(start_box='(10,20)')",
  'qwen2.5-vl': TOOL_CALL,
  'qwen3-vl': TOOL_CALL,
  'gui-owl-1.5': TOOL_CALL,
  opencua: CODE,
  evocua: TOOL_CALL,
  generic: '{"action": "click", "element": 2}',
  micro: 'Thought: click textbox "Name"\nAction: click(start_box=\'2\')',
};

const messagesAfter = (profile: Profile, turns: number, raw = REPLIES[profile.id]) =>
  profile.messages(promptAfter(profile, turns, raw, SCREEN));
const partsOf = (messages: readonly ChatMessage[]): readonly ChatPart[] =>
  messages.flatMap(({ parts }) => parts);
const imagesOf = (messages: readonly ChatMessage[]): readonly string[] =>
  partsOf(messages).flatMap(part => (part.type === 'image' ? [part.sha256] : []));
const textOf = (messages: readonly ChatMessage[]): string =>
  partsOf(messages)
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('\n');
const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
};

describe.each(Object.values(PROFILES))('$id', profile => {
  test.each([0, 1, 2, 3, 4, 5, 12, 40, 100])(
    'after %i turns: the latest images within the window, in order',
    turns => {
      const images = imagesOf(messagesAfter(profile, turns));
      const [mode] = profile.modes;
      const count = mode === 'a11y_tree' ? 0 : Math.min(profile.history.images, turns + 1);
      expect(images).toEqual(
        Array.from({ length: count }, (_, index) => `image-${turns + 2 - count + index}`),
      );
    },
  );

  test('pure: equal messages for equal prompts, which do not change', () => {
    const prompt = freeze(promptAfter(profile, 7, REPLIES[profile.id], SCREEN));
    expect(profile.messages(prompt)).toEqual(profile.messages(prompt));
  });

  test('messages do not grow beyond the window', () => {
    const lengths = [50, 100, 1000].map(turns => {
      const messages = messagesAfter(profile, turns);
      // Step numbers gain digits.
      return [messages.length, textOf(messages).replace(/\d+/g, '').length];
    });
    expect(lengths[1]).toEqual(lengths[0]);
    expect(lengths[2]).toEqual(lengths[0]);
  });

  test('the roles alternate after the system message, and the user has the last word', () => {
    for (const turns of [0, 1, 4, 12]) {
      const roles = messagesAfter(profile, turns).map(({ role }) => role);
      expect(roles[0]).toBe(profile.id === 'micro' ? 'user' : 'system');
      expect(roles.at(-1)).toBe('user');
      expect(roles.some((role, index) => role === 'user' && roles[index + 1] === 'user')).toBe(false);
    }
  });

  test('the instruction appears once, and no message is empty', () => {
    for (const turns of [0, 3, 40]) {
      const messages = messagesAfter(profile, turns);
      expect(textOf(messages).split('Save the report as a PDF.')).toHaveLength(2);
      expect(messages.every(({ parts }) => parts.length > 0)).toBe(true);
    }
  });

  test('an empty reply and an unreadable one are in the history without an empty message', () => {
    for (const raw of ['', '   ', 'I cannot do it.']) {
      const messages = messagesAfter(profile, 3, raw);
      expect(
        messages.every(({ parts }) => parts.every(part => part.type === 'image' || part.text.trim() !== '')),
      ).toBe(true);
    }
  });
});

test('UI-TARS: all replies of the window with box tokens; the first image in the message of the prompt', () => {
  const messages = messagesAfter(PROFILES['ui-tars-1.5'], 8);
  const replies = messages.filter(({ role }) => role === 'assistant');
  expect(replies).toHaveLength(8);
  expect(textOf(replies.slice(0, 1))).toContain("click(start_box='<|box_start|>(10,20)<|box_end|>')");
  const [, first] = messagesAfter(PROFILES['ui-tars-1.5'], 2);
  expect(first?.parts.map(({ type }) => type)).toEqual(['text', 'image']);
});

test('UI-TARS: the prompt has the published action space', () => {
  const prompt = textOf(messagesAfter(PROFILES['ui-tars-1.5'], 0));
  for (const line of [
    "drag(start_box='<|box_start|>(x1,y1)<|box_end|>', end_box='<|box_start|>(x3,y3)<|box_end|>')",
    "hotkey(key='')",
    'wait()',
    "finished(content='xxx')",
    'call_user()',
  ])
    expect(prompt).toContain(line);
});

test('Qwen2.5-VL states the size of the sent image, the others 1000 × 1000', () => {
  expect(textOf(messagesAfter(PROFILES['qwen2.5-vl'], 0))).toContain('resolution is 1932x1092');
  for (const id of ['qwen3-vl', 'gui-owl-1.5', 'evocua'] as const)
    expect(textOf(messagesAfter(PROFILES[id], 0))).toContain('resolution is 1000x1000');
});

test('the definition of the tool is JSON with every action of its description', () => {
  for (const id of ['qwen2.5-vl', 'qwen3-vl', 'gui-owl-1.5', 'evocua'] as const) {
    const definition = /<tools>\n(.*)\n<\/tools>/.exec(textOf(messagesAfter(PROFILES[id], 0)))?.[1] ?? '';
    const { action } = JSON.parse(definition).function.parameters.properties;
    for (const name of action.enum) expect(action.description).toContain(`\`${name}\``);
    expect(action.enum.includes('interact')).toBe(id === 'gui-owl-1.5');
  }
});

test('the tool families repeat four turns and list earlier ones by number', () => {
  const messages = messagesAfter(PROFILES['qwen3-vl'], 6);
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(4);
  expect(textOf(messages)).toContain(
    'Previous actions:\nStep 1: Click the Save button.\nStep 2: Click the Save button.',
  );
  expect(textOf(messagesAfter(PROFILES['qwen3-vl'], 4))).toContain('Previous actions:\nNone');
});

test('the step numbers continue beyond the window', () => {
  expect(textOf(messagesAfter(PROFILES['qwen3-vl'], 100))).toContain(
    'Previous actions:\nStep 71: Click the Save button.',
  );
});

test('OpenCUA: earlier steps as one text, the latest two with their images', () => {
  const messages = messagesAfter(PROFILES.opencua, 4);
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
  expect(textOf(messages.slice(1, 2))).toBe(
    '# Step 1:\n## Action:\nClick the Save button.\n\n# Step 2:\n## Action:\nClick the Save button.\n',
  );
});

test('a text that is cut within an emoji loses it: servers reject half of one', () => {
  for (const length of [250, 251]) {
    const long = `${'a'.repeat(length)}${'😀'.repeat(100)}`;
    const typed = JSON.stringify({ action: 'type', text: long });
    const tool = `<tool_call>\n{"name": "computer_use", "arguments": ${typed}}\n</tool_call>`;
    const unreadable = JSON.stringify({ action: long });
    const prompts = [
      messagesAfter(PROFILES['qwen3-vl'], 6, `Action: ${long}\n${tool}`),
      messagesAfter(PROFILES['qwen3-vl'], 6, tool),
      messagesAfter(PROFILES.generic, 6, typed),
      messagesAfter(PROFILES.generic, 6, unreadable),
    ];
    for (const messages of prompts) {
      const text = partsOf(messages.filter(({ role }) => role === 'user'))
        .map(part => (part.type === 'text' ? part.text : ''))
        .join('\n');
      expect(text).toContain('a😀');
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
  }
});

describe('the generic profile', () => {
  const genericAfter = (
    turns: number,
    mode: 'a11y_tree' | 'screenshot' | 'screenshot_a11y_tree',
    raw = REPLIES.generic,
  ) => {
    const { current, ...prompt } = promptAfter(PROFILES.generic, turns, raw, SCREEN);
    const { image, ...withoutImage } = current;
    return PROFILES.generic.messages({
      ...prompt,
      mode,
      current: mode === 'a11y_tree' ? withoutImage : current,
    });
  };

  test('a11y_tree: the list of elements and no image', () => {
    expect(imagesOf(genericAfter(2, 'a11y_tree'))).toEqual([]);
    expect(textOf(genericAfter(2, 'a11y_tree'))).toContain(
      '1. menuitem "File"\n2. textbox "Name"\n3. button "OK"',
    );
  });

  test('screenshot: the image, its size and no list', () => {
    expect(imagesOf(genericAfter(0, 'screenshot'))).toHaveLength(1);
    expect(textOf(genericAfter(0, 'screenshot'))).toContain('1429 wide and 804 high');
    expect(textOf(genericAfter(0, 'screenshot'))).not.toContain('button "OK"');
  });

  test('earlier actions name their elements, and an unreadable reply its reason', () => {
    expect(textOf(genericAfter(2, 'a11y_tree'))).toContain(
      '1. click textbox "Name"\n2. click textbox "Name"',
    );
    const drag = '{"action": "drag", "element": 1, "to_element": 3}';
    expect(textOf(genericAfter(1, 'a11y_tree', drag))).toContain(
      '1. drag from menuitem "File" to button "OK"',
    );
    const typed = '{"action": "type", "element": 2, "text": "a"}';
    expect(textOf(genericAfter(1, 'a11y_tree', typed))).toContain('1. click textbox "Name", then type "a"');
    const point = '{"action": "scroll", "direction": "down", "x": 0, "y": 0}';
    expect(textOf(genericAfter(1, 'a11y_tree', point))).toContain('1. scroll down by 3 at (0, 0)');
    expect(textOf(genericAfter(1, 'a11y_tree', 'Hm.'))).toContain(
      '1. your reply could not be read: no action found',
    );
  });
});

test('the table has every profile under its name', () => {
  expect(Object.keys(PROFILES)).toEqual([...PROFILE_IDS]);
  for (const id of PROFILE_IDS) expect(PROFILES[id].id).toBe(id);
});
