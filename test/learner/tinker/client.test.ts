// The client of the Tinker protocol against replies that servers really send.

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type {
  HttpBytesReply,
  HttpBytesTransport,
  HttpRequest,
} from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import { loadRequest } from '../../../runtime/learner/tinker/requests.ts';
import { DONE, PASS, SAMPLES, SAVED, STEP } from '../../../runtime/learner/tinker/results.ts';
import { TinkerError } from '../../../runtime/learner/tinker/tinker-error.ts';
import { JSON_TYPE, PROTOBUF_TYPE } from '../../../runtime/learner/tinker/wire/messages.ts';
import { encodeResult } from '../../../runtime/learner/tinker/wire/protobuf-results.ts';
import { networkError } from '../../doubles/tinker/faults.ts';
import { LIVE, settled } from './lab.ts';

type Answer = HttpBytesReply | Error | 'nothing';

const json = (status: number, value: unknown, headers = {}): HttpBytesReply => ({
  ...{ status, headers: { 'content-type': 'application/json', ...headers } },
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});

/** Gives the answers in turn, and the last one for ever. */
class Script implements HttpBytesTransport {
  readonly requests: HttpRequest[] = [];
  readonly #answers: readonly Answer[];

  constructor(...answers: readonly Answer[]) {
    this.#answers = answers;
  }

  sendForBytes(request: HttpRequest): Promise<HttpBytesReply> {
    this.requests.push(request);
    const answer = this.#answers[this.requests.length - 1] ?? this.#answers.at(-1) ?? 'nothing';
    if (answer === 'nothing') return new Promise(() => undefined);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }

  close(): void {}
}

function clientOf(
  script: Script,
  { key, url = 'http://lab:8000' }: { readonly key?: string; readonly url?: string } = {},
) {
  const clock = new VirtualClock();
  const waits: (readonly [string | undefined, number])[] = [];
  const client = new TinkerClient({
    ...{ name: 'lab', url, transport: script, clock },
    ...(key !== undefined && { key: new ApiKey(key) }),
    waiting: (reason, since) => waits.push([reason, since]),
  });
  return { clock, client, waits };
}

const LOAD = loadRequest({ modelId: 'm', seqId: 1 }, 'tinker://m/weights/a');

async function failure(clock: VirtualClock, work: Promise<unknown>): Promise<TinkerError> {
  const error = await settled(clock, work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TinkerError) return error;
  throw new Error(`Not a TinkerError: ${inspect(error)}`);
}

describe('a request', () => {
  test('goes below /api/v1, with the key in its own header', async () => {
    for (const url of ['http://lab:8000', 'http://lab:8000/', 'http://lab:8000/api/v1']) {
      const script = new Script(json(200, { request_id: 7 }));
      const { clock, client } = clientOf(script, { key: 'tml-secret-0123', url });
      expect(await settled(clock, client.submit(LOAD, LIVE))).toBe('7');
      const [request] = script.requests;
      expect(request).toMatchObject({
        ...{ method: 'POST', url: 'http://lab:8000/api/v1/load_weights' },
        headers: { 'x-api-key': 'tml-secret-0123', 'content-type': JSON_TYPE },
      });
      expect(request?.headers).not.toHaveProperty('authorization');
    }
  });

  test('never shows the key in an error', async () => {
    const script = new Script(json(401, { detail: 'The key tml-secret-0123 is unknown' }));
    const { clock, client } = clientOf(script, { key: 'tml-secret-0123' });
    const error = await failure(clock, client.submit(LOAD, LIVE));
    expect(error).toMatchObject({ reason: 'unauthorized', failure: { isPermanent: true } });
    expect(inspect(error, { depth: 9 })).not.toContain('secret');
    expect(error.message).toContain('The key [key] is unknown');
  });

  test('is repeated after temporary failures, with growing delays', async () => {
    const reset = new Error('read ECONNRESET');
    const script = new Script(json(500, 'oops'), reset, json(503, ''), json(200, { request_id: 'f' }));
    const { clock, client } = clientOf(script);
    const start = clock.now();
    expect(await settled(clock, client.submit(LOAD, LIVE))).toBe('f');
    expect(script.requests).toHaveLength(4);
    expect(new Set(script.requests.map(({ body }) => Buffer.from(String(body[0])).toString())).size).toBe(1);
    expect(clock.now() - start).toBeGreaterThanOrEqual(1000 + 2000 + 4000);
  });

  test('waits as long as a busy server asks for', async () => {
    const busy = json(429, { detail: 'slow down' }, { 'retry-after': '90' });
    const { clock, client } = clientOf(new Script(busy, json(200, { request_id: 'f' })));
    await settled(clock, client.submit(LOAD, LIVE));
    expect(clock.now()).toBeGreaterThanOrEqual(90_000);
  });

  test('is repeated with growing delays also if a busy server asks for none', async () => {
    const busy = json(429, { detail: 'slow down' }, { 'retry-after': '0' });
    const { clock, client } = clientOf(new Script(busy, busy, busy, json(200, { request_id: 'f' })));
    await settled(clock, client.submit(LOAD, LIVE));
    expect(clock.now()).toBeGreaterThanOrEqual(1000 + 2000 + 4000);
  });

  test('reports its wait for the server, and the end of the wait', async () => {
    const reset = new Error('read ECONNRESET');
    const script = new Script(json(500, 'oops'), reset, json(200, { request_id: 'f' }));
    const { clock, client, waits } = clientOf(script);
    await settled(clock, client.submit(LOAD, LIVE));
    expect(waits).toEqual([
      [expect.stringMatching(/^the server of the learner: .* \/load_weights with status 500: oops\./), 0],
      [expect.stringMatching(/^the server of the learner: No reply from .*ECONNRESET/), 0],
      [undefined, 3000],
    ]);
  });

  test('gives up on a server that stays away', async () => {
    const script = new Script(new Error('getaddrinfo ENOTFOUND lab'));
    const { clock, client } = clientOf(script);
    const error = await failure(clock, client.submit(LOAD, LIVE));
    expect(error.reason).toBe('unreachable');
    expect(clock.now()).toBeGreaterThan(200_000);
    expect(clock.now()).toBeLessThan(400_000);
  });

  test('without an answer fails at its deadline', async () => {
    const script = new Script('nothing');
    const { clock, client } = clientOf(script);
    expect(await failure(clock, client.submit(LOAD, LIVE))).toMatchObject({ reason: 'timeout' });
    for (const { signal } of script.requests) expect(signal.aborted).toBe(true);
  });

  test('that must not be repeated is repeated only if it did not arrive', async () => {
    const unconnected = [
      ...[networkError('connect', 'ECONNREFUSED'), networkError('connect', 'EHOSTUNREACH')],
      ...[networkError('getaddrinfo', 'EAI_FAIL'), json(429, {})],
    ];
    for (const [last, reason] of [
      [json(500, 'oops'), 'server-error'],
      [networkError('read', 'ECONNRESET'), 'unreachable'],
    ] as const) {
      const script = new Script(...unconnected, last);
      const { clock, client } = clientOf(script);
      const sent = client.submit(LOAD, LIVE, { mayRepeat: false });
      expect(await failure(clock, sent)).toMatchObject({ reason, isUnsent: false });
      expect(script.requests).toHaveLength(unconnected.length + 1);
    }
  });

  test.each([
    [400, 'bad-request'],
    [404, 'no-model'],
    [409, 'conflict'],
    [410, 'no-model'],
    [413, 'bad-request'],
    [422, 'bad-request'],
  ])('with status %i fails at once', async (status, reason) => {
    const script = new Script(json(status, { detail: 'no' }));
    const { clock, client } = clientOf(script);
    const error = await failure(clock, client.submit(LOAD, LIVE));
    expect(error).toMatchObject({ reason, status });
    expect(error.message).toMatch(/answered \/load_weights with status \d+: no\. \S.*\.$/);
    expect(script.requests).toHaveLength(1);
  });

  test('ends with its signal', async () => {
    const controller = new AbortController();
    const { clock, client } = clientOf(new Script('nothing'));
    const call = client.submit(LOAD, controller.signal);
    const reason = new Error('The run stops.');
    controller.abort(reason);
    await expect(settled(clock, call)).rejects.toBe(reason);
  });
});

describe('a result', () => {
  const PASSED = { outputType: 'ArrayRecord', outputs: [], metrics: {} };

  test('is waited for while the server works on it', async () => {
    const script = new Script(
      json(408, { detail: 'Timeout waiting for result' }),
      json(200, { type: 'try_again', request_id: 'f', queue_state: 'active' }),
      json(200, { path: 'tinker://m/weights/a' }),
    );
    const { clock, client } = clientOf(script);
    expect(await settled(clock, client.result('f', SAVED, LIVE))).toEqual({ path: 'tinker://m/weights/a' });
    expect(script.requests).toHaveLength(3);
  });

  test('reports its wait in a queue with the reason of the server, without the key', async () => {
    const queued = {
      ...{ type: 'try_again', queue_state: 'paused_capacity' },
      queue_state_reason: 'All GPUs of tml-secret-0123 are busy',
    };
    const script = new Script(
      ...[json(200, queued), json(200, queued), json(200, { type: 'try_again', queue_state: 'active' })],
      ...[json(200, { ...queued, queue_state_reason: null }), json(408, '<html>')],
      ...[json(408, { queue_state: 'paused_rate_limit' }), json(200, { path: 'tinker://m/weights/a' })],
    );
    const { clock, client, waits } = clientOf(script, { key: 'tml-secret-0123' });
    await settled(clock, client.result('f', SAVED, LIVE));
    const reason = 'the queue of http://lab:8000 (paused_capacity: All GPUs of [key] are busy)';
    expect(waits).toEqual([
      [reason, 0],
      [reason, 0],
      [undefined, 400],
      ['the queue of http://lab:8000 (paused_capacity)', 600],
      [undefined, 800],
      ['the queue of http://lab:8000 (paused_rate_limit)', 1000],
      [undefined, 1200],
    ]);
  });

  test('reports no part of a key at which a long reason is cut', async () => {
    const why = `${'x'.repeat(290)} tml-secret-0123`;
    const queued = { type: 'try_again', queue_state: 'paused_capacity', queue_state_reason: why };
    const script = new Script(json(200, queued), json(400, { detail: why }));
    const { clock, client, waits } = clientOf(script, { key: 'tml-secret-0123' });
    const error = await failure(clock, client.result('f', SAVED, LIVE));
    for (const text of [waits[0]?.[0], error.message]) {
      expect(text).toContain('x [key]');
      expect(text).not.toContain('tml');
    }
  });

  test('is read in the encoding in which it arrives', async () => {
    const protobuf: HttpBytesReply = {
      ...{ status: 200, headers: { 'content-type': PROTOBUF_TYPE }, body: encodeResult(PASSED) },
    };
    const script = new Script(
      protobuf,
      json(200, { loss_fn_output_type: 'ArrayRecord', loss_fn_outputs: [], metrics: {} }),
    );
    const { clock, client } = clientOf(script);
    for (let count = 0; count < 2; count++)
      expect(await settled(clock, client.result('f', PASS, LIVE))).toEqual(PASSED);
    expect(script.requests[0]?.headers['accept']).toBe(PROTOBUF_TYPE);
  });

  test('may contain NaN as Python writes it', async () => {
    const body = '{"sequences":[],"prompt_logprobs":[NaN,-1.5]}';
    const { clock, client } = clientOf(new Script(json(200, body)));
    expect(await settled(clock, client.result('f', SAMPLES, LIVE))).toMatchObject({
      promptLogprobs: [null, -1.5],
    });
  });

  test('of an optimiser step may lack metrics', async () => {
    const { clock, client } = clientOf(new Script(json(200, { metrics: null }), json(200, {})));
    expect(await settled(clock, client.result('f', STEP, LIVE))).toEqual({ metrics: null });
    expect(await settled(clock, client.result('f', STEP, LIVE))).toEqual({});
  });

  test.each([
    ['a handled failure in the body', json(200, { error: 'Image is broken', category: 'user' }), 'failed'],
    ['a handled failure with status 400', json(400, { detail: 'Image is broken' }), 'failed'],
    [
      'a model that a restarted server lost',
      json(400, { detail: 'Model m_1 not loaded (stale)' }),
      'no-model',
    ],
    ['a model that is unknown', json(404, { detail: 'Model not found' }), 'no-model'],
    ['an unknown result', json(404, { detail: 'Future not found' }), 'no-future'],
    ['a result that expired', json(410, { detail: 'expired' }), 'no-future'],
    ['a reply that is cut', json(200, '{"path":"tin'), 'bad-reply'],
    ['a reply of another kind', json(200, { loss: 1 }), 'bad-reply'],
  ])('%s is an error', async (_, answer, reason) => {
    const script = new Script(answer);
    // The name of the server must not decide it.
    const { clock, client } = clientOf(script, { url: 'http://model-server:8000' });
    const error = await failure(clock, client.result('f', SAVED, LIVE));
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/[.:] \S.*\.$/);
    expect(script.requests).toHaveLength(1);
  });

  test('is retrieved again after lost connections', async () => {
    const script = new Script(new Error('socket hang up'), json(502, ''), json(200, {}));
    const { clock, client } = clientOf(script);
    expect(await settled(clock, client.result('f', DONE, LIVE))).toEqual({});
  });
});

test('the models of the server are listed', async () => {
  const script = new Script(json(200, { supported_models: [{ model_name: 'a' }, {}] }));
  const { clock, client } = clientOf(script);
  expect(await settled(clock, client.models(LIVE))).toEqual(['a']);
  expect(script.requests[0]).toMatchObject({ method: 'GET', body: [] });
});
