// Trajectories as messages for fine-tuning: the turns of a model as it saw them, or whole conversations.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeChat } from '../../runtime/agents/model/chat-observation.ts';
import type { ChatMessage } from '../../runtime/core/chat.ts';
import { version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { writeLlamaFactory, writeTrl } from '../../runtime/formats/chat/write.ts';
import { stepsOfTurn } from '../../runtime/formats/steps.ts';
import { WriteRefusal } from '../../runtime/formats/written-files.ts';
import { afterVerdict } from '../../runtime/server/exchange/after-verdict.ts';
import { trajectory } from '../data/trajectories.ts';
import { picture } from './sources.ts';

const SCREEN = { width: 1920, height: 1080 };
const options = { screen: SCREEN, domainOf: () => 'x' };
const hashOf = (png: Uint8Array): string => createHash('sha256').update(png).digest('hex');
const [FIRST, SECOND] = [picture(SCREEN, 1), picture(SCREEN, 2)];

const done: readonly Step[] = [
  ...stepsOfTurn({
    raw: '',
    thought: 'Click it.',
    reading: { kind: 'actions', actions: [{ kind: 'click', at: { x: 960, y: 540 } }] },
  }),
  { action: { kind: 'finished', answer: '' }, meant: [] },
];
const demonstration = trajectory('t', { steps: done, instruction: 'Open it.' });

/** A turn of a model, with the messages that it saw. */
function seen(raw: string, messages: readonly ChatMessage[]): Step {
  const [step] = stepsOfTurn({ raw, reading: { kind: 'actions', actions: [{ kind: 'wait' }] } });
  if (step === undefined) throw new Error('no step');
  return {
    ...step,
    observation: encodeChat(messages),
    chosen: { version: version(3), ...step.chosen, trace: step.chosen?.trace ?? { kind: 'same-turn' } },
  };
}
const prompt = (text: string): readonly ChatMessage[] => [
  { role: 'system', parts: [{ type: 'text', text: 'Be helpful.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text },
      { type: 'image', sha256: hashOf(FIRST), ...SCREEN },
    ],
  },
];
const played: Trajectory = trajectory('p', {
  steps: [seen('Action: wait()', prompt('One.')), seen('Action: wait() again', prompt('Two.'))],
  images: [{ sha256: hashOf(FIRST), png: FIRST }],
});

const examplesOf = (written: ReturnType<typeof writeTrl>) =>
  written.lines.map(({ text }) => JSON.parse(text));

test('turns of a model are examples exactly as it saw them, one for each turn', () => {
  const written = writeTrl(played, [], options);
  const text = (value: string) => ({ type: 'text', text: value });
  const image = `images/${hashOf(FIRST)}.png`;
  expect(examplesOf(written)).toEqual(
    [
      ['One.', 'Action: wait()'],
      ['Two.', 'Action: wait() again'],
    ].map(([asked = '', replied = '']) => ({
      messages: [
        { role: 'system', content: [text('Be helpful.')] },
        { role: 'user', content: [text(asked), { type: 'image' }] },
        { role: 'assistant', content: [text(replied)] },
      ],
      images: [image],
    })),
  );
  expect(written).toMatchObject({ examples: 2, files: [{ place: image, bytes: FIRST }] });
  expect(examplesOf(writeLlamaFactory(played, [], options))[0]).toEqual({
    messages: [
      { role: 'system', content: 'Be helpful.' },
      { role: 'user', content: 'One.<image>' },
      { role: 'assistant', content: 'Action: wait()' },
    ],
    images: [image],
  });
});

test('a demonstration is one conversation in the grammar of UI-TARS, with each picture before its reply', () => {
  const [example] = examplesOf(writeLlamaFactory(demonstration, [FIRST, SECOND], options));
  expect(example.messages.map(({ role }: { role: string }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'user', 'assistant'],
  ]);
  expect(example.messages[1].content).toMatch(/## User Instruction\nOpen it\.\n<image>$/);
  expect(example.messages.slice(2).map(({ content }: { content: string }) => content)).toEqual([
    "Thought: Click it.\nAction: click(start_box='<|box_start|>(966,546)<|box_end|>')",
    '<image>',
    'Action: finished()',
  ]);
  expect(example.images).toEqual([FIRST, SECOND].map(each => `images/${hashOf(each)}.png`));
});

test('an episode that a person corrected is one conversation, with the steps of both', () => {
  const click: Step = { action: { kind: 'click', at: { x: 960, y: 540 } }, meant: [] };
  const corrected = { ...played, steps: [...played.steps.slice(0, 1), click] };
  const [example, ...others] = examplesOf(writeLlamaFactory(corrected, [FIRST, SECOND], options));
  expect(others).toEqual([]);
  const replies = example.messages.filter(({ role }: { role: string }) => role === 'assistant');
  expect(replies.map(({ content }: { content: string }) => content)).toEqual([
    'Action: wait()',
    "Action: click(start_box='<|box_start|>(966,546)<|box_end|>')",
  ]);
});

test('no message of a trajectory has the instruction that a person replaced', () => {
  const corrected = afterVerdict({ ...played, instruction: 'One.' }, { newInstruction: 'Wait for it.' });
  for (const write of [writeTrl, writeLlamaFactory]) {
    const [example, ...others] = examplesOf(write(corrected, [FIRST, SECOND], options));
    expect(others).toEqual([]);
    expect(example.messages).toHaveLength(5);
    expect(JSON.stringify(example)).toContain('Wait for it.');
    expect(JSON.stringify(example)).not.toMatch(/One\.|Two\./);
  }
});

test('an instruction that a person confirmed changes no example', () => {
  const confirmed = afterVerdict({ ...played, instruction: 'One.' }, { newInstruction: 'One.' });
  expect(writeTrl(confirmed, [], options)).toEqual(writeTrl(played, [], options));
});

test('as many images as placeholders, in both formats', () => {
  for (const each of [played, demonstration]) {
    for (const { messages, images } of examplesOf(writeTrl(each, [FIRST, SECOND], options)))
      expect(
        messages.flatMap(({ content }: { content: object[] }) =>
          content.filter(part => 'type' in part && part.type === 'image'),
        ),
      ).toHaveLength(images.length);
    for (const { messages, images } of examplesOf(writeLlamaFactory(each, [FIRST, SECOND], options)))
      expect(
        messages
          .map(({ content }: { content: string }) => content)
          .join('')
          .match(/<image>/g),
      ).toHaveLength(images.length);
  }
});

test('what the formats cannot hold is refused with the reason', () => {
  expect(() => writeTrl(demonstration, [FIRST], options)).toThrow(
    /^Reply 2 has no picture before it, and a model learns nothing/,
  );
  const marked = { ...played, steps: [seen('Action: wait() <image>', prompt('One.'))] };
  expect(() => writeLlamaFactory(marked, [], options)).toThrow(WriteRefusal);
  expect(examplesOf(writeTrl(marked, [], options))).toHaveLength(1);
  const half = { ...played, steps: [...marked.steps, ...played.steps] };
  expect(writeLlamaFactory(half, [], options)).toMatchObject({
    examples: 2,
    omitted: [expect.stringMatching(/^1 of its turns contain a placeholder/)],
  });
  expect(() => writeTrl({ ...played, images: [] }, [], options)).toThrow(/lacks the image [0-9a-f]{64}/);
});
