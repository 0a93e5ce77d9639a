import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { ACTION_KINDS } from '../../runtime/core/action.ts';
import { decodeScreen, encodeScreen, FrameError } from '../../runtime/protocol/frame.ts';
import {
  type Element,
  message,
  PLAY_RESULTS,
  type PlayMessage,
  type PlayResults,
  request,
  type StartedTask,
} from '../../runtime/protocol/play.ts';

const at = { x: 3, y: 4 };
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const REQUESTS: readonly z.input<typeof request>[] = [
  { method: 'hello', id: 0, params: { version: 1, token: 'secret', client: 'page' } },
  { method: 'tasks', id: 1, params: {} },
  { method: 'tasks', id: 2, params: { tier: 2, split: 'unseen' } },
  { method: 'start', id: 3, params: { task: 'settings-theme' } },
  { method: 'start', id: 4, params: { task: 'settings-theme', seed: 0xffff_ffff, split: 'test' } },
  { method: 'free', id: 5, params: { seed: 7 } },
  { method: 'act', id: 6, params: { action: { kind: 'click', at } } },
  { method: 'act', id: 7, params: { action: { kind: 'drag', from: at, to: { x: 0, y: 0 } } } },
  { method: 'act', id: 8, params: { action: { kind: 'type', text: 'one\ntwo' } } },
  { method: 'act', id: 9, params: { action: { kind: 'hotkey', keys: ['ctrl', 'a'] } } },
  { method: 'act', id: 10, params: { action: { kind: 'scroll', at, direction: 'down', notches: 5 } } },
  { method: 'act', id: 11, params: { action: { kind: 'wait' } } },
  { method: 'judge', id: 12, params: { ending: 'fail' } },
  { method: 'watch', id: 13, params: { pause: 900 } },
  { method: 'stop', id: 14, params: {} },
  { method: 'elements', id: 15, params: {} },
];

test.each(REQUESTS)('the request $method $id survives encoding', sent => {
  expect(request.parse(overTheWire(sent))).toEqual(sent);
});

const judgement = {
  ending: 'finished',
  score: 0.5,
  success: false,
  steps: 3,
  checks: [{ met: false, says: 'Volume should be 3, and is 4.' }],
} as const;
const element: Element = {
  role: 'button',
  name: 'Save',
  value: '',
  states: ['disabled'],
  box: { x: -3, y: 0, width: 9, height: 5 },
};
const task: StartedTask = {
  id: 't',
  seed: 1,
  tier: 1,
  split: 'train',
  apps: ['settings'],
  instruction: 'Do it.',
  maxSteps: 6,
};
const screen = { width: 320, height: 240 };

const RESULTS: PlayResults = {
  hello: { version: 1, renderer: 'pocket-1' },
  tasks: { tasks: [{ id: 't', tier: 1, splits: ['train', 'test'], apps: [], example: 'Do it.' }] },
  start: { task, screen },
  free: { screen },
  act: { steps: 1, changed: true },
  judge: { ...judgement, checks: [...judgement.checks] },
  watch: { task, screen, actions: 0 },
  stop: {},
  elements: { elements: [element] },
};

test.each(Object.keys(PLAY_RESULTS) as (keyof PlayResults)[])(
  'the result of %s survives encoding',
  method => {
    expect(PLAY_RESULTS[method].parse(overTheWire(RESULTS[method]))).toEqual(RESULTS[method]);
  },
);

const MESSAGES: readonly unknown[] = [
  { id: 1, result: RESULTS.act },
  { id: null, error: { code: 'bad_request', field: 'method', message: 'no' } },
  { method: 'next', params: { action: { kind: 'hotkey', keys: ['ctrl', 's'] }, number: 1, steps: 0 } },
  { method: 'next', params: { action: { kind: 'fail', why: 'no printer' }, number: 2, steps: 1 } },
  { method: 'watched', params: { ...judgement, checks: [] } },
  { method: 'broken', params: { message: 'no' } },
];

test.each(MESSAGES.map(each => [each]))('the message %j survives encoding', sent => {
  const parsed: PlayMessage = message.parse(overTheWire(sent));
  expect(parsed).toEqual(sent);
});

describe('invalid requests', () => {
  test.each([
    ['no method', { id: 1, params: {} }],
    ['an unknown method', { method: 'reboot', id: 1, params: {} }],
    ['no id', { method: 'stop', params: {} }],
    ['a negative id', { method: 'stop', id: -1, params: {} }],
    ['an unknown field', { method: 'stop', id: 1, params: { now: true } }],
    ['half a pixel', { method: 'act', id: 1, params: { action: { kind: 'click', at: { x: 0.5, y: 1 } } } }],
    ['no such key', { method: 'act', id: 1, params: { action: { kind: 'hotkey', keys: ['any'] } } }],
    ['no keys', { method: 'act', id: 1, params: { action: { kind: 'hotkey', keys: [] } } }],
    ['a control character', { method: 'act', id: 1, params: { action: { kind: 'type', text: 'a\u0007' } } }],
    ['nothing to type', { method: 'act', id: 1, params: { action: { kind: 'type', text: '' } } }],
    [
      'an ending as an action',
      { method: 'act', id: 1, params: { action: { kind: 'finished', answer: '' } } },
    ],
    ['a seed that is none', { method: 'start', id: 1, params: { task: 't', seed: -1 } }],
    ['a pause without end', { method: 'watch', id: 1, params: { pause: 1e9 } }],
    ['a running out of steps, which is not said', { method: 'judge', id: 1, params: { ending: 'capped' } }],
  ])('%s', (_, value) => {
    expect(request.safeParse(value).success).toBe(false);
  });

  test('an action that a user cannot send is answered with those that a user can send', () => {
    const sent = { method: 'act', id: 1, params: { action: { kind: 'none', why: '' } } };
    const [issue] = request.safeParse(sent).error?.issues ?? [];
    const listed = /^must be one of (.*)\. To end a task, send 'judge'\.$/.exec(issue?.message ?? '')?.[1];
    const ends: readonly string[] = ['finished', 'fail', 'none'];
    expect(listed?.split(', ').sort()).toEqual(ACTION_KINDS.filter(kind => !ends.includes(kind)).sort());
  });

  test('any value is rejected or parsed unchanged', () => {
    fc.assert(
      fc.property(fc.anything(), value => {
        const parsed = request.safeParse(value);
        expect(parsed.success ? parsed.data : undefined).toEqual(parsed.success ? value : undefined);
      }),
    );
  });
});

describe('a screen as a frame', () => {
  const copied = (frame: Uint8Array): ArrayBuffer => Uint8Array.from(frame).buffer;

  test('survives encoding', () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(size, size, fc.constantFrom('rgb', 'rgba'), fc.nat(255), (width, height, layout, value) => {
        const data = new Uint8Array(width * height * layout.length).fill(value);
        expect(decodeScreen(copied(encodeScreen({ layout, width, height, data })))).toEqual({
          layout,
          width,
          height,
          data,
        });
      }),
    );
  });

  test('is rejected if it is truncated', () => {
    const frame = encodeScreen({ layout: 'rgb', width: 3, height: 2, data: new Uint8Array(18) });
    for (let length = 0; length < frame.length; length++) {
      expect(() => decodeScreen(copied(frame.subarray(0, length))), `${length}`).toThrow(FrameError);
    }
  });

  test('is rejected if its header describes something else', () => {
    const header = new TextEncoder().encode('{"kind":"sound"}');
    const frame = new Uint8Array(4 + header.length);
    new DataView(frame.buffer).setUint32(0, header.length);
    frame.set(header, 4);
    expect(() => decodeScreen(frame.buffer)).toThrow(/sound.*does not describe a screen/);
  });
});
