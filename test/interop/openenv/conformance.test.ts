// The official server of OpenEnv and ours get the same messages: the types, codes and statuses of their replies agree.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { type OpenEnvServer, startOpenEnvServer } from '../../../runtime/openenv/server.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { testDesktops } from '../../openenv/desktops.ts';
import { PATIENCE } from '../../patience.ts';
import { BIN, missingOpenEnv } from './serve-openenv.ts';

const MESSAGES: readonly (string | object)[] = [
  'no JSON',
  { type: 'unknown' },
  {},
  { type: 'reset' },
  { type: 'reset', data: { seed: 1, episode_id: 'e1' } },
  { type: 'state' },
  { type: 'reset', data: {}, extra: 1 },
  { type: 'reset', data: 5 },
  { type: 'step' },
  { type: 'step', data: 5 },
  { type: 'step', data: { kind: 'wait' } },
  { type: 'step', data: { kind: 'wait', metadata: { a: 1 } } },
  { type: 'step', data: { kind: 'wait', extra: 1 } },
  { type: 'step', data: {} },
  { type: 'step', data: { kind: 'wait' }, extra: 1 },
  { type: 'state', extra: 1 },
  { type: 'state' },
  { type: 'mcp' },
  { type: 'mcp', data: {} },
  { type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/list', id: 7 } },
  { type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/call', id: 'x', params: { name: 'reset' } } },
  { type: 'mcp', data: { jsonrpc: '2.0', method: 'nothing', id: 7 } },
];

const REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/health'],
  ['GET', '/metadata'],
  ['GET', '/schema'],
  ['GET', '/state'],
  ['GET', '/openapi.json'],
  ['GET', '/nothing'],
  ['PUT', '/reset'],
  ['GET', '/reset'],
  ['POST', '/health'],
  ['POST', '/reset', '{}'],
  ['POST', '/reset', ''],
  ['POST', '/reset', '{"seed":-1}'],
  ['POST', '/reset', 'no JSON'],
  ['POST', '/step', '{}'],
  ['POST', '/step', '{"action":{"kind":"wait","extra":1}}'],
  ['POST', '/mcp', ''],
  ['POST', '/mcp', '{}'],
  ['POST', '/mcp', '[1]'],
  ['POST', '/mcp', '{"jsonrpc":"2.0","method":"tools/list","id":1}'],
  ['POST', '/mcp', '{"jsonrpc":"2.0","method":"nothing","id":1}'],
];

const reply = z.object({
  type: z.string(),
  data: z.looseObject({
    code: z.string().optional(),
    step_count: z.int().optional(),
    done: z.boolean().optional(),
    reward: z.number().optional(),
    id: z.unknown().optional(),
    error: z.object({ code: z.int() }).optional(),
    errors: z.array(z.object({ loc: z.array(z.unknown()) })).optional(),
  }),
});

/** The parts that must agree. Texts, and the fields of states and observations, differ by environment. */
const shapeOf = (text: string) => {
  const { type, data } = reply.parse(JSON.parse(text));
  const { code, step_count, done, reward, id, error, errors } = data;
  const fields = errors?.map(({ loc }) => loc.at(-1));
  return {
    ...{ type, code, step_count, fields },
    ...(type === 'observation' && { done, reward }),
    ...(type === 'mcp' && { id, error: error?.code }),
  };
};

async function replies(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  const received: string[] = [];
  socket.on('message', data => received.push(String(data)));
  await once(socket, 'open');
  for (const [index, message] of MESSAGES.entries()) {
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    await vi.waitFor(() => expect(received).toHaveLength(index + 1), PATIENCE);
  }
  const closed = once(socket, 'close');
  socket.send('{"type":"close"}');
  const [code] = await closed;
  return { shapes: received.map(shapeOf), code };
}

async function answers(url: string) {
  const shapes: object[] = [];
  for (const [method, path, body] of REQUESTS) {
    const init = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } };
    const response = await fetch(`${url}${path}`, { method, ...init });
    const value: unknown = await response.json();
    const { error, detail } = z.looseObject({ error: z.object({ code: z.int() }).optional() }).parse(value);
    shapes.push({
      ...{ method, path, body, status: response.status, type: response.headers.get('content-type') },
      ...{ error: error?.code, hasDetail: detail !== undefined, allow: response.headers.get('allow') },
    });
  }
  return shapes;
}

describeUnless(missingOpenEnv, 'the official server', () => {
  let ours: OpenEnvServer;
  let stopTheirs = (): void => undefined;
  let theirs = '';
  beforeAll(async () => {
    const script = fileURLToPath(new URL('official_server.py', import.meta.url));
    const official = spawn(join(BIN, 'python'), [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    stopTheirs = () => void official.kill();
    const [port] = await once(official.stdout, 'data');
    theirs = `http://127.0.0.1:${Number(String(port))}`;
    await vi.waitFor(async () => expect((await fetch(`${theirs}/health`)).ok).toBe(true), PATIENCE);
    const { options } = testDesktops({ size: 2, clock: systemClock });
    ours = await startOpenEnvServer({ ...options, kind: 'pocket', port: 0, idleMs: 600_000 });
  });
  afterAll(async () => {
    stopTheirs();
    await ours.close();
  });

  test('replies to messages have the same types, codes, and fields at fault', async () => {
    const [their, our] = [await replies(theirs), await replies(ours.url)];
    for (const [index, message] of MESSAGES.entries())
      expect(our.shapes[index], JSON.stringify(message)).toEqual(their.shapes[index]);
    expect(our.code).toBe(their.code);
  });

  test('replies over HTTP have the same status, type and JSON-RPC error', async () => {
    expect(await answers(ours.url)).toEqual(await answers(theirs));
  });
});
