// Actions and reset arguments as clients send them, the schemas that describe them, and JSON-RPC.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { pyautogui } from '../../runtime/agents/codecs/pyautogui.ts';
import { ACTION_KINDS, wordless } from '../../runtime/core/action.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { parseActionRequest, requestedActions } from '../../runtime/openenv/action-request.ts';
import { openapiDocument, schemaDocument } from '../../runtime/openenv/documents.ts';
import { answerMcp, answerMcpText } from '../../runtime/openenv/mcp.ts';
import { chooseInstance, parseReset } from '../../runtime/openenv/reset-request.ts';
import { ServedError } from '../../runtime/openenv/wire.ts';
import { action as actionOn } from '../core/arbitraries.ts';
import { expectNamed } from '../named-values.ts';

const SCREEN = { width: 640, height: 480 };

const failureOf = (call: () => unknown): ServedError => {
  try {
    call();
  } catch (error) {
    if (error instanceof ServedError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

test('every action of Dartboard but none is accepted as an object, and means the same as its code', () => {
  fc.assert(
    fc.property(actionOn(SCREEN), action => {
      fc.pre(action.kind !== 'none');
      const { actions, error } = requestedActions(parseActionRequest({ ...action }), SCREEN, undefined);
      if (error === undefined) expect(actions).toEqual([action]);
      const code = pyautogui.encode(wordless(action));
      const coded = requestedActions(parseActionRequest({ code }), SCREEN, undefined);
      if (error === undefined) expect(coded.actions).toEqual([wordless(action)]);
      else expect(coded.error).toBeDefined();
    }),
  );
});

test('fields that are null, and the metadata of the official class, are ignored', () => {
  expect(parseActionRequest({ kind: 'wait', at: null, code: null, metadata: { a: 1 } })).toEqual({
    action: { kind: 'wait' },
  });
  expect(parseActionRequest({ kind: 'finished' })).toEqual({ action: { kind: 'finished', answer: '' } });
});

test.each([
  [{ kind: 'wait', extra: 1 }, ['data', 'extra'], 'extra_forbidden'],
  [{ code: 'WAIT', kind: 'wait' }, ['data', 'kind'], 'extra_forbidden'],
  [{ kind: 'click', at: { x: 1.5, y: 2 } }, ['data', 'at', 'x'], 'invalid_type'],
  [{ kind: 'click', at: { x: 1, y: 2, z: 3 } }, ['data', 'at', 'z'], 'extra_forbidden'],
  [{ kind: 'hotkey', keys: ['nokey'] }, ['data', 'keys', 0], 'custom'],
  [{ kind: 'none', why: '' }, ['data', 'kind'], 'invalid_union'],
  [{}, ['data', 'kind'], 'invalid_union'],
])('the error of %j names its field', (action, loc, type) => {
  const { code, message, details } = failureOf(() => parseActionRequest(action, ['data']));
  expect(code).toBe('VALIDATION_ERROR');
  expect(details.errors).toMatchObject([{ loc, type }]);
  expectNamed(message, 'Invalid message', loc.join('.'));
});

test('the pointer is where code without a position clicks', () => {
  const request = parseActionRequest({ code: 'pyautogui.click()' });
  expect(requestedActions(request, SCREEN, { x: 4, y: 5 }).actions).toEqual([
    { kind: 'click', at: { x: 4, y: 5 } },
  ]);
  expect(requestedActions(request, SCREEN, undefined).error).toBeDefined();
});

test('a scroll has the same limit as an object and as code', () => {
  const scroll = { kind: 'scroll', at: { x: 5, y: 5 }, direction: 'up' } as const;
  const coded = (notches: number) =>
    requestedActions(parseActionRequest({ code: `pyautogui.scroll(${notches}, 5, 5)` }), SCREEN, undefined);
  expect(coded(100).actions).toEqual([{ ...scroll, notches: 100 }]);
  expect(parseActionRequest({ ...scroll, notches: 100 })).toEqual({ action: { ...scroll, notches: 100 } });
  const { actions, error } = coded(101);
  expect(actions).toEqual([{ kind: 'none', why: error }]);
  expectNamed(error, '101', '100');
  failureOf(() => parseActionRequest({ ...scroll, notches: 101 }));
});

test('the seed selects the instance, and without a task also the task', () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(0xffff_ffff),
        split: fc.constantFrom('train', 'test', 'unseen'),
        tier: fc.constantFrom(1, 2, 3, 4),
      }),
      data => {
        const fits = POCKET.tasks(data.split as 'train', data.tier as 1).length > 0;
        if (!fits) return void failureOf(() => chooseInstance(POCKET, parseReset(data), 0));
        const chosen = chooseInstance(POCKET, parseReset(data), 0);
        expect(chosen).toMatchObject(data);
        const named = { task_id: chosen.task, seed: chosen.seed, split: chosen.split };
        expect(chooseInstance(POCKET, parseReset(named), 0)).toEqual(chosen);
        const { split } = POCKET.task(chosen.task, chosen.instance).dartboard ?? {};
        expect(split).toBe(data.split);
      },
    ),
  );
});

test('consecutive seeds draw many tasks', () => {
  const drawn = Array.from({ length: 100 }, (_, seed) => chooseInstance(POCKET, { seed }, 0).task);
  expect(new Set(drawn).size).toBeGreaterThan(25);
});

test.each([
  [{ task_id: 'no-such-task' }, 'no-such-task'],
  [{ task_id: POCKET.tasks('unseen')[0], split: 'train' }, 'train'],
  [{ task_id: POCKET.tasks('train', 1)[0], tier: 4 }, 'tier 4'],
  [{ tier: 5 }, 'data.tier'],
  [{ observation: 'video' }, 'data.observation'],
  [{ taskid: 'x' }, 'data.taskid'],
])('the reset %j is refused with what is wrong', (data, named) => {
  const refusal = failureOf(() => chooseInstance(POCKET, parseReset(data, ['data']), 0));
  expect(refusal.code).toBe('VALIDATION_ERROR');
  expectNamed(refusal.message, named);
});

test('the published schemas describe the kinds of actions, and JSON Schema can read them', () => {
  const { action, observation, reset_observation, state } = schemaDocument();
  const text = JSON.stringify(action);
  for (const kind of ACTION_KINDS) expect(text.includes(`"const":"${kind}"`), kind).toBe(kind !== 'none');
  expect(text).toContain('"code"');
  for (const schema of [observation, reset_observation, state])
    expect(schema).toMatchObject({
      type: 'object',
      title: expect.any(String),
      properties: expect.any(Object),
    });
  const { info, paths } = z
    .object({ info: z.object({ version: z.string() }), paths: z.record(z.string(), z.unknown()) })
    .parse(openapiDocument('pocket'));
  expect(info.version).toMatch(/^1\./);
  expect(Object.keys(paths)).toEqual([
    '/reset',
    '/step',
    '/state',
    '/metadata',
    '/health',
    '/schema',
    '/mcp',
  ]);
});

test.each([
  ['', -32_700],
  ['[1]', -32_700],
  ['{}', -32_600],
  ['{"jsonrpc":"2.0","method":"tools/list","id":1,"x":1}', -32_600],
  ['{"jsonrpc":"2.0","method":"nope","id":1}', -32_601],
  ['{"jsonrpc":"2.0","method":"tools/list","id":1}', -32_603],
  ['{"jsonrpc":"2.0","method":"tools/call","id":1,"params":{"name":"reset"}}', -32_603],
])('JSON-RPC %s has the error of the official server', (text, code) => {
  expect(answerMcpText(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test('the reply of JSON-RPC has the id of the request', () => {
  expect(answerMcp({ jsonrpc: '2.0', method: 'tools/list', id: 'a' })).toMatchObject({ id: 'a' });
});

test('thousands of wrong fields get a short error', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1]));
  const { message, details } = failureOf(() => parseReset(fields, ['data']));
  expect(details.errors?.length).toBeLessThan(50);
  expect(message.length).toBeLessThan(5000);
  const reply = answerMcp({ jsonrpc: '2.0', method: 'm'.repeat(50_000), id: 1 });
  expect(reply.error.message.length).toBeLessThan(1000);
});

test.each(['[', '{"type":'])('a message that nests %s too deeply is an error', text => {
  const close = text === '[' ? ']' : '}';
  const nested = `{"type":${text.repeat(20_000)}1${close.repeat(20_000)}}`;
  expect(answerMcpText(nested).error.message).toBe('Parse error');
});
