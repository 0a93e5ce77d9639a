// The messages of a request as an episode.

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../runtime/model-server/api-error.ts';
import type { ChatRequestMessage, MessagePart } from '../../runtime/model-server/chat-request.ts';
import { conversationIn } from '../../runtime/model-server/conversation.ts';
import { observeConversation } from '../../runtime/model-server/observe-conversation.ts';
import { isScreenPart, readScreenPart, writeScreenPart } from '../../runtime/model-server/screen-part.ts';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const image = (url: string): MessagePart => ({ type: 'image_url', image_url: { url } });
const user = (...parts: readonly MessagePart[]): ChatRequestMessage => ({ role: 'user', parts });
const reply = (value: string): ChatRequestMessage => ({ role: 'assistant', parts: [text(value)] });

describe('a conversation', () => {
  test('has the instruction, the earlier turns and the current screen', () => {
    const prompt = 'You operate a desktop.\n## User Instruction\nMute the sound.\n';
    expect(
      conversationIn([user(text(prompt)), user(image('one')), reply('wait()'), user(image('two'))]),
    ).toEqual({
      instruction: 'Mute the sound.',
      past: [{ screen: { image: 'one' }, reply: 'wait()' }],
      current: { image: 'two' },
    });
  });

  test('takes the first text of the user as the instruction, without a heading', () => {
    const { instruction } = conversationIn([
      { role: 'system', parts: [text('You help.')] },
      user(text('Mute the sound.'), image('one')),
    ]);
    expect(instruction).toBe('Mute the sound.');
  });

  test.each([
    ['no screen', [user(text('Mute the sound.'))], /no screen/],
    ['a reply at the end', [user(text('Mute.'), image('one')), reply('wait()')], /last message/],
    ['no instruction', [user(image('one'))], /no instruction/],
    ['a damaged element list', [user(text('Mute.'), text('## Screen\n{"width":0}'))], /## Screen/],
  ])('with %s is a fault of the request', (_, messages, message) => {
    expect(() => conversationIn(messages)).toThrow(message);
  });
});

test('a screen that no model takes is a fault of the request', () => {
  const current = { listed: { size: { width: 5000, height: 20 }, elements: [] } };
  const observe = () =>
    observeConversation({ instruction: 'Mute.', past: [], current }, 'a11y_tree', 'ui-tars-1.5');
  expect(observe).toThrow(ApiError);
  expect(observe).toThrow(/5000 × 20 pixels/);
});

test('an element list survives writing and reading; unknown states are dropped', () => {
  const elements = [
    {
      ...{ role: 'button', name: 'Mute "all"', value: '' },
      states: ['checked' as const],
      box: { x: -2, y: 3, width: 10, height: 0 },
    },
  ];
  const part = writeScreenPart({ size: { width: 320, height: 240 }, elements });
  expect(isScreenPart(part)).toBe(true);
  expect(readScreenPart(part)).toEqual({ size: { width: 320, height: 240 }, elements });
  const withUnknown = part.replace('"checked"', '"checked","sparkling"');
  expect(readScreenPart(withUnknown).elements[0]?.states).toEqual(['checked']);
});
