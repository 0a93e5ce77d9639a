import { expect, test } from 'vitest';
import { questionAbout } from '../../../runtime/server/presort/question.ts';

const png = (byte: number) => new Uint8Array([byte]);

test('the question has the instruction, the actions in order, and the screens, the last one named as such', () => {
  const { messages, images } = questionAbout({
    instruction: 'Star the mail.',
    actions: ['click checkbox "Star"', 'report the task as done'],
    screens: [1, 2].map(byte => ({ png: png(byte), width: 320, height: 240, actionsAfter: 2 - byte })),
  });
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
  const parts = messages[1]?.parts ?? [];
  const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []));
  expect(texts[0]).toContain('Star the mail.');
  expect(texts[0]).toContain('1. click checkbox "Star"\n2. report the task as done');
  expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text', 'image', 'text']);
  expect(texts[2]).toContain('last screen');
  const shown = parts.flatMap(part => (part.type === 'image' ? [images(part.sha256)] : []));
  expect(shown).toEqual([png(1), png(2)]);
  expect(() => images('other')).toThrow('other');
});

test('screens are named by the number of actions after them', () => {
  const { messages } = questionAbout({
    ...{ instruction: 'Star the mail.', actions: ['a', 'b', 'c'] },
    screens: [3, 1].map(actionsAfter => ({ png: png(actionsAfter), width: 320, height: 240, actionsAfter })),
  });
  const parts = messages[1]?.parts ?? [];
  expect(parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).slice(1, 3)).toEqual([
    'The screen before the last 3 actions:',
    'The screen before the last action:',
  ]);
});

test('of a long episode the last actions are asked about, with their numbers', () => {
  const actions = Array.from({ length: 100 }, (_, index) => `action ${index + 1}`);
  const { messages } = questionAbout({ instruction: 'Do it.', actions, screens: [] });
  const text = JSON.stringify(messages);
  expect(text).toContain('100. action 100');
  expect(text).toContain('40 earlier actions');
  expect(text).not.toContain('40. action 40');
});

test('elements are listed where they exist', () => {
  const box = { x: 0, y: 0, width: 9, height: 9 };
  const elements = [{ role: 'button', name: 'Save', value: '', states: [], box }];
  const { messages } = questionAbout({ instruction: 'Save.', actions: [], screens: [], elements });
  const texts = (messages[1]?.parts ?? []).flatMap(part => (part.type === 'text' ? [part.text] : []));
  expect(texts.some(each => each.includes('1. button "Save"'))).toBe(true);
});
