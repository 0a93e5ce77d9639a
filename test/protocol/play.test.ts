import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeScreen, encodeScreen, FrameError } from '../../runtime/protocol/frame.ts';
import { message, type PlayMessage, type PlayRequestInput, request } from '../../runtime/protocol/play.ts';

const at = { x: 3, y: 4 };
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const REQUESTS: readonly PlayRequestInput[] = [
  { call: 'hello', id: 0, version: 1, token: 'secret' },
  { call: 'tasks', id: 1 },
  { call: 'tasks', id: 2, tier: 2, split: 'unseen' },
  { call: 'start', id: 3, task: 'settings-theme' },
  { call: 'start', id: 4, task: 'settings-theme', seed: 0xffff_ffff, split: 'test' },
  { call: 'free', id: 5, seed: 7 },
  { call: 'act', id: 6, action: { kind: 'click', at } },
  { call: 'act', id: 7, action: { kind: 'drag', from: at, to: { x: 0, y: 0 } } },
  { call: 'act', id: 8, action: { kind: 'type', text: 'one\ntwo' } },
  { call: 'act', id: 9, action: { kind: 'hotkey', keys: ['ctrl', 'a'] } },
  { call: 'act', id: 10, action: { kind: 'scroll', at, direction: 'down', notches: 5 } },
  { call: 'act', id: 11, action: { kind: 'wait' } },
  { call: 'judge', id: 12, ending: 'fail' },
  { call: 'watch', id: 13, pause: 900 },
  { call: 'stop', id: 14 },
  { call: 'elements', id: 15 },
];

test.each(REQUESTS)('the request $call $id survives encoding', sent => {
  expect(request.parse(overTheWire(sent))).toEqual(sent);
});

const judgement = {
  ending: 'finished',
  score: 0.5,
  success: false,
  steps: 3,
  checks: [{ met: false, says: 'Volume should be 3, and is 4.' }],
} as const;
const element = {
  role: 'button',
  name: 'Save',
  value: '',
  states: ['disabled'],
  box: { x: -3, y: 0, width: 9, height: 5 },
};
const task = {
  id: 't',
  seed: 1,
  tier: 1,
  split: 'train',
  apps: ['settings'],
  instruction: 'Do it.',
  maxSteps: 6,
};
const screen = { width: 320, height: 240 };

const MESSAGES: readonly unknown[] = [
  { kind: 'welcome', id: 0, version: 1, renderer: 'pocket-1' },
  {
    kind: 'tasks',
    id: 1,
    tasks: [{ id: 't', tier: 1, splits: ['train', 'test'], apps: [], example: 'Do it.' }],
  },
  { kind: 'started', id: 2, task, screen },
  { kind: 'started', id: 2, task: null, screen },
  { kind: 'acted', id: 3, steps: 1, changed: true },
  { kind: 'judged', id: 4, judgement: { ...judgement, checks: [...judgement.checks] } },
  { kind: 'watching', id: 5, task, screen, actions: 0 },
  { kind: 'stopped', id: 6 },
  { kind: 'elements', id: 7, elements: [element] },
  { kind: 'error', id: null, code: 'bad_request', field: 'call', message: 'no' },
  { kind: 'next', action: { kind: 'hotkey', keys: ['ctrl', 's'] }, number: 1, steps: 0 },
  { kind: 'next', action: { kind: 'fail', why: 'it has no printer' }, number: 2, steps: 1 },
  { kind: 'watched', judgement: { ...judgement, checks: [] } },
  { kind: 'broken', message: 'no' },
];

test.each(MESSAGES.map(each => [each]))('the message %j survives encoding', sent => {
  const parsed: PlayMessage = message.parse(overTheWire(sent));
  expect(parsed).toEqual(sent);
});

describe('invalid requests', () => {
  test.each([
    ['no call', { id: 1 }],
    ['an unknown call', { call: 'reboot', id: 1 }],
    ['no id', { call: 'stop' }],
    ['a negative id', { call: 'stop', id: -1 }],
    ['an unknown field', { call: 'stop', id: 1, now: true }],
    ['half a pixel', { call: 'act', id: 1, action: { kind: 'click', at: { x: 0.5, y: 1 } } }],
    ['no such key', { call: 'act', id: 1, action: { kind: 'hotkey', keys: ['any'] } }],
    ['no keys', { call: 'act', id: 1, action: { kind: 'hotkey', keys: [] } }],
    ['a control character', { call: 'act', id: 1, action: { kind: 'type', text: 'a\u0007' } }],
    ['nothing to type', { call: 'act', id: 1, action: { kind: 'type', text: '' } }],
    ['an ending as an action', { call: 'act', id: 1, action: { kind: 'finished', answer: '' } }],
    ['a seed that is none', { call: 'start', id: 1, task: 't', seed: -1 }],
    ['a pause without end', { call: 'watch', id: 1, pause: 1e9 }],
    ['a running out of steps, which is not said', { call: 'judge', id: 1, ending: 'capped' }],
  ])('%s', (_, value) => {
    expect(request.safeParse(value).success).toBe(false);
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
