// The router over servers that fail, under a virtual clock: no request is lost, each failure has a cause, and replies are kept as they come.

import { describe, expect, test } from 'vitest';
import type { ChatReply } from '../../runtime/core/chat.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { TokenBudget } from '../../runtime/endpoints/budget.ts';
import { EndpointClient } from '../../runtime/endpoints/client.ts';
import { EndpointError } from '../../runtime/endpoints/failure.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { EndpointRouter } from '../../runtime/endpoints/router.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { errorReply } from '../doubles/openai/replies.ts';
import { VLLM } from '../doubles/openai/traits.ts';
import { DIALECT, request, settled, setUp } from './router-setup.ts';

describe('64 episodes of 20 steps', () => {
  const FAULTS = {
    ...{ serverError: 0.05, timeout: 0.02, truncatedJson: 0.01 },
    ...{ wrongLengths: 0.01, reset: 0.01, rateLimited: 0.01 },
  };

  test('lose no step when requests fail and a server restarts', async () => {
    const { clock, router, doubles } = setUp({
      servers: [{ faults: FAULTS, downFrom: 20_000, downUntil: 80_000 }, { faults: FAULTS }],
    });
    const episodes = Array.from({ length: 64 }, async (_, episode): Promise<readonly ChatReply[]> => {
      const replies: ChatReply[] = [];
      for (let step = 0; step < 20; step++)
        replies.push(await router.complete(request(`e${episode}`, 1000 * episode + step)));
      router.end(`e${episode}`);
      return replies;
    });
    const replies = (await settled(clock, Promise.all(episodes))).flat();

    expect(replies).toHaveLength(64 * 20);
    // Each complete reply is used, and requested once.
    expect(doubles.reduce((sum, { completed }) => sum + completed, 0)).toBe(replies.length);
    const retries = replies.flatMap(({ served }) => served.retries);
    const failures = router.snapshot().flatMap(each => Object.values(each.failures));
    expect(retries).toHaveLength(failures.reduce((sum, count) => sum + count, 0));
    expect(new Set(retries)).toEqual(
      new Set(['server-error', 'timeout', 'bad-reply', 'unreachable', 'rate-limited']),
    );
    // A request is sent again with the same seed.
    const seeds = new Set(doubles.flatMap(({ seeds }) => seeds));
    expect(seeds.size).toBe(replies.length);
    const wrong = replies.filter(({ defects }) => defects.length > 0);
    expect(wrong.length).toBeGreaterThan(0);
    for (const { defects } of wrong) expect(defects).toContain('log-probabilities-length');
    for (const { served } of replies) expect(served).toMatchObject({ model: 'tars' });
  });
});

test('a server that asks for a pause of a day is down, and requests give up with its reason', async () => {
  const reports: string[] = [];
  const { clock, router } = setUp({
    servers: [{ faults: { rateLimited: 1 }, retryAfter: '86400' }],
    options: {
      outageTimeoutMs: 30_000,
      health: (thing, healthy, message) => reports.push(`${thing} ${healthy}: ${message}`),
    },
  });
  let endedAt = Number.POSITIVE_INFINITY;
  const work = router.complete(request('a')).finally(() => {
    endedAt = clock.now();
  });
  await expect(settled(clock, work)).rejects.toThrow(/has worked for 30 s\. lab\.0: .*status 429/);
  expect(endedAt).toBeLessThan(60_000);
  expect(reports).toEqual([expect.stringMatching(/^lab\.0 false: .*status 429/)]);
  expect(router.snapshot()).toMatchObject([{ phase: 'failed' }]);
});

test('a very long pause is no delay that timers cut to a millisecond', async () => {
  const delays: number[] = [];
  class RecordedClock extends VirtualClock {
    override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
      delays.push(milliseconds);
      return super.sleep(milliseconds, signal);
    }
  }
  const clock = new RecordedClock();
  const transport: HttpTransport = {
    send: async () => ({ ...errorReply(429, 'later'), headers: { 'retry-after': '1767225600' } }),
    close: () => undefined,
  };
  const client = new EndpointClient({
    ...{ name: 'lab.0', url: 'http://lab:8000/v1', timeoutMs: 60_000, transport, clock },
  });
  const router = new EndpointRouter({
    ...{ agent: 'lab', servers: [{ client, model: 'tars', dialect: DIALECT }], concurrency: 2 },
    ...{ retries: 8, budget: new TokenBudget(), clock, outageTimeoutMs: 300_000 },
  });
  await expect(settled(clock, router.complete(request('a')))).rejects.toThrow(/has worked for 300 s/);
  expect(delays.length).toBeGreaterThan(0);
  expect(Math.max(...delays)).toBeLessThan(2 ** 31);
});

test('a reply to an earlier request does not end a pause', async () => {
  const clock = new VirtualClock();
  const model = new ModelServer({ traits: VLLM, clock, model: () => 'Action: wait()' });
  let requests = 0;
  const transport: HttpTransport = {
    async send(sent) {
      const isFirst = ++requests === 1;
      await clock.sleep(isFirst ? 100 : 2000, sent.signal);
      return isFirst
        ? { ...errorReply(429, 'later'), headers: { 'retry-after': '86400' } }
        : model.send(sent);
    },
    close: () => undefined,
  };
  const client = new EndpointClient({
    ...{ name: 'lab.0', url: 'http://lab:8000/v1', timeoutMs: 60_000, transport, clock },
  });
  const router = new EndpointRouter({
    ...{ agent: 'lab', servers: [{ client, model: 'tars', dialect: DIALECT }], concurrency: 2 },
    ...{ retries: 8, budget: new TokenBudget(), clock, outageTimeoutMs: 30_000 },
  });
  const limited = router.complete(request('a')).catch((error: unknown) => `${error} at ${clock.now()}`);
  const replied = router.complete(request('b'));
  expect((await settled(clock, replied)).served.endpoint).toBe('lab.0');
  expect(await settled(clock, limited)).toMatch(/has worked for 30 s.* at 30100$/s);
  expect(router.snapshot()).toMatchObject([{ phase: 'failed' }]);
});

describe('a session', () => {
  test('stays with its server', async () => {
    const { clock, router, doubles } = setUp({ servers: [{}, {}, {}] });
    const play = async (session: string) => {
      const names = new Set<string>();
      for (let step = 0; step < 10; step++)
        names.add((await router.complete(request(session))).served.endpoint);
      return names.size;
    };
    const sessions = ['a', 'b', 'c', 'd', 'e', 'f'].map(play);
    expect(await settled(clock, Promise.all(sessions))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(doubles.map(({ seeds }) => seeds.length)).toEqual([20, 20, 20]);
  });

  test('moves from a server that keeps failing', async () => {
    const { clock, router } = setUp({ servers: [{ faults: { serverError: 1 } }, {}] });
    const sessions = ['a', 'b'].map(session => router.complete(request(session)));
    const replies = await settled(clock, Promise.all(sessions));
    expect(replies.map(({ served }) => served.endpoint)).toEqual(['lab.1', 'lab.1']);
  });
});

test('a server that asks for a delay delays no request that another server can answer', async () => {
  const { clock, router } = setUp({ servers: [{ faults: { rateLimited: 1 }, retryAfter: '3600' }, {}] });
  const sent = router.complete(request('a')).then(({ served }) => [served.endpoint, clock.now()] as const);
  const [endpoint, at] = await settled(clock, sent);
  expect(endpoint).toBe('lab.1');
  expect(at).toBeLessThan(60_000);
});

test('a server never has more requests than its limit', async () => {
  const { clock, router, doubles } = setUp({ servers: [{}], options: { concurrency: 4 } });
  const all = Array.from({ length: 50 }, (_, index) => router.complete(request(`${index}`)));
  await settled(clock, Promise.all(all));
  expect(doubles[0]?.maxInFlight).toBe(4);
});

test('a failed server gets single requests until one succeeds', async () => {
  const reports: string[] = [];
  const { clock, router, doubles } = setUp({
    servers: [{ downFrom: 0, downUntil: 30_000 }],
    options: { retries: 100, health: (thing, healthy) => reports.push(`${thing} ${healthy}`) },
  });
  const all = Array.from({ length: 20 }, (_, index) => router.complete(request(`${index}`)));
  await settled(clock, Promise.all(all));
  expect(reports).toEqual(['lab.0 false', 'lab.0 true']);
  expect(doubles[0]?.completed).toBe(20);
});

test('a failed server is tested by new sessions, although the others have room', async () => {
  const { clock, router, doubles } = setUp({ servers: [{ downFrom: 0, downUntil: 20_000 }, {}] });
  for (let session = 0; clock.now() < 120_000; session++)
    await settled(clock, router.complete(request(`${session}`)));
  expect(router.snapshot().map(({ phase }) => phase)).toEqual(['serving', 'serving']);
  expect(doubles[0]?.completed).toBeGreaterThan(20);
});

describe('when no server works', () => {
  const dead = { downFrom: 0, downUntil: Number.POSITIVE_INFINITY };

  test('requests end after the patience of the router, with the reason of each server', async () => {
    const { clock, router } = setUp({
      servers: [dead, dead],
      options: { retries: 100, outageTimeoutMs: 30_000 },
    });
    const all = Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => router.complete(request(`${index}`))),
    );
    const results = await settled(clock, all);
    for (const result of results)
      expect(result.status === 'rejected' && String(result.reason)).toMatch(
        /No server of agent 'lab' has worked for 30 s\. lab\.0: No reply from .* lab\.1: No reply from/,
      );
    expect(clock.now()).toBeLessThan(120_000);
    await expect(settled(clock, router.complete(request('later')))).rejects.toThrow(/No server of agent/);
  });

  test('one server that works again is enough', async () => {
    const { clock, router } = setUp({
      servers: [dead, { ...dead, downUntil: 20_000 }],
      options: { retries: 100, outageTimeoutMs: 60_000 },
    });
    const replies = await settled(clock, Promise.all(['a', 'b'].map(each => router.complete(request(each)))));
    expect(replies.map(({ served }) => served.endpoint)).toEqual(['lab.1', 'lab.1']);
  });
});

describe.each([402, 403])('a server that refuses every request with status %d', refusalStatus => {
  const refusing = { faults: { unauthorized: 1 }, refusalStatus };

  test('gets no more of them while another one answers, and is reported once', async () => {
    const reports: unknown[] = [];
    const { clock, router, doubles } = setUp({
      servers: [refusing, {}],
      options: { retries: 0, health: (...report) => void reports.push(report) },
    });
    const play = async (episode: number) => {
      for (let step = 0; step < 3; step++) await router.complete(request(`${episode}`));
    };
    await settled(clock, Promise.all([1, 2, 3, 4].map(play)));
    expect(doubles.map(({ seeds }) => seeds.length)).toEqual([2, 12]);
    expect(reports).toEqual([['lab.0', false, expect.stringContaining('this key has no access')]]);
    expect(router.snapshot().map(({ phase }) => phase)).toEqual(['out', 'serving']);
  });

  test('is the error if it is the last one, at once', async () => {
    const { clock, router } = setUp({ servers: [refusing, refusing] });
    await expect(settled(clock, router.complete(request('a')))).rejects.toMatchObject({
      reason: 'unauthorized',
    });
    expect(clock.now()).toBeLessThan(5000);
  });
});

test('requests that were in flight together are one failure: a short restart costs seconds, not a minute', async () => {
  const { clock, router, doubles } = setUp({
    servers: [{ downFrom: 1000, downUntil: 3000 }],
    options: { concurrency: 64 },
  });
  const play = async (episode: number) => {
    for (let step = 0; step < 4; step++) await router.complete(request(`${episode}`));
  };
  const all = Array.from({ length: 64 }, (_, episode) => play(episode));
  let endedAt = Number.NaN;
  const ended = Promise.all(all).then(() => {
    endedAt = clock.now();
  });
  await settled(clock, ended);
  expect(doubles[0]?.completed).toBe(256);
  // Two steps of half a second before the restart, and two after it.
  expect(endedAt).toBeLessThan(10_000);
});

test('retries are bounded, and the last cause is the error', async () => {
  const { clock, router, doubles } = setUp({
    servers: [{ faults: { serverError: 1 } }],
    options: { retries: 3 },
  });
  await expect(settled(clock, router.complete(request('a')))).rejects.toMatchObject({
    reason: 'server-error',
  });
  expect(doubles[0]?.seeds).toHaveLength(4);
});

test('a request that is abandoned rejects with the reason, and frees its place', async () => {
  const stop = new AbortController();
  const { clock, router } = setUp({ servers: [{ faults: { timeout: 1 } }], options: { concurrency: 1 } });
  const abandoned = router.complete(request('a', 1, stop.signal));
  const waiting = router.complete(request('b', 1, stop.signal));
  const results = Promise.allSettled([abandoned, waiting]);
  await clock.run(1000);
  stop.abort(new Error('stopped'));
  await clock.run(2000);
  expect((await results).map(each => each.status === 'rejected' && String(each.reason))).toEqual([
    'Error: stopped',
    'Error: stopped',
  ]);
  expect(router.snapshot()[0]?.inFlight).toBe(0);
});

describe('a key', () => {
  test('is sent, and never printed, even if a server repeats it', async () => {
    const { clock, router } = setUp({
      key: 'sk-secret',
      servers: [{ faults: { serverError: 1 }, echo: ({ headers }) => `bad ${headers['authorization']}` }],
      options: { retries: 0 },
    });
    const error = await settled(clock, router.complete(request('a'))).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EndpointError);
    expect(`${error} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''}`).not.toContain(
      'secret',
    );
    expect(String(error)).toContain('bad Bearer');
  });
});

describe('a misreport', () => {
  test.each([
    [{ missingLogProbability: true }, 'log-probability-invalid'],
    [{ logProbabilities: 'logits' }, 'log-probability-invalid'],
    [{ shortReport: true }, 'log-probabilities-length'],
    [{ pastStop: [' and', ' more'] }, 'text-after-stop'],
    [{ answersAs: 'another' }, 'wrong-model'],
    [{ weightVersions: ['12', '13'], versionReport: 'spans' }, 'mixed-versions'],
  ] as const)('%j is named %s', async (traits, defect) => {
    const { clock, router } = setUp({ servers: [{}], traits });
    const reply = await settled(clock, router.complete(request('a')));
    expect(reply.defects).toContain(defect);
    expect(reply.raw).toBe('Action: wait()');
  });
});
