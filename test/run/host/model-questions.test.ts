// Joined hosts ask the model of the run through the daemon.

import { describe, expect, test } from 'vitest';
import { MAX_BLOB_BYTES } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import type { ChatReply } from '../../../runtime/core/chat.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { version } from '../../../runtime/core/ids.ts';
import { EndpointError } from '../../../runtime/endpoints/failure.ts';
import { ChannelClosed } from '../../../runtime/fabric/channels.ts';
import { settled } from '../../endpoints/rolling/fleet.ts';
import { connected, DESKTOPS, pictureOf, RecordedModel, replyOf, requestOf } from './question-path.ts';

const MINUTE = 60_000;
const quick = () => new RecordedModel(async (_, number) => replyOf(`reply ${number}`));

/** Until its signal is aborted. */
const silent = () =>
  new RecordedModel(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );

test('a question has the same messages, images and sampling at the model, and its reply the same tokens', async () => {
  const model = quick();
  const { clock, join, serve, versions } = connected(model);
  serve();
  const picture = pictureOf(1);
  const request = requestOf('episode', [picture]);
  expect(await settled(clock, join('tower').chat.complete(request))).toEqual(replyOf('reply 1'));
  const [got] = model.requests;
  expect(got).toMatchObject({ messages: request.messages, sampling: request.sampling });
  expect(Buffer.from(got?.images(picture.sha256) ?? []).equals(picture.png)).toBe(true);
  expect(versions).toEqual([3]);
});

test('a question that no message can carry fails at once', async () => {
  const { clock, join, serve } = connected(quick());
  serve();
  const text = 'x'.repeat(MAX_BLOB_BYTES);
  const request = {
    ...requestOf('episode'),
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
  } as const;
  await expect(settled(clock, join('tower').chat.complete(request))).rejects.toThrow(
    /too large for a message/,
  );
});

test('replies without versions count as the first weights, and odd numbers arrive as they are', async () => {
  const odd: ChatReply = {
    ...replyOf('odd'),
    tokens: [{ text: 'odd', logProbability: Number.NEGATIVE_INFINITY }],
    defects: ['log-probability-invalid'],
  };
  const { version: _, ...unversioned } = odd;
  const { clock, join, serve, versions } = connected(new RecordedModel(async () => unversioned));
  serve();
  expect(await settled(clock, join('tower').chat.complete(requestOf('episode')))).toEqual(unversioned);
  expect(versions).toEqual([version(0)]);
});

test('many questions of several hosts each get their own reply', async () => {
  const model = new RecordedModel(async ({ session }) => replyOf(session));
  const { clock, join, serve } = connected(model);
  serve();
  const hosts = ['tower', 'laptop', 'desk'].map(name => ({ name, ...join(name) }));
  const asking = hosts.flatMap(({ name, chat }) =>
    Array.from({ length: 20 }, (_, number) => ({
      name,
      number,
      reply: chat.complete(requestOf(`${number}`)),
    })),
  );
  for (const { name, number, reply } of asking)
    expect((await settled(clock, reply)).raw).toBe(`${name}/${number}`);
});

describe('the model is asked once', () => {
  test.each<[string, 'request' | 'reply' | 'page']>([
    ['requests are lost', 'request'],
    ['replies are lost', 'reply'],
    ['a proxy answers for the daemon', 'page'],
  ])('although %s', async (_, lost) => {
    const model = quick();
    const { clock, join, serve } = connected(model, number => (number <= 4 ? lost : undefined));
    serve();
    expect(await settled(clock, join('tower').chat.complete(requestOf('episode')))).toEqual(
      replyOf('reply 1'),
    );
    expect(model.requests).toHaveLength(1);
  });

  test('although it takes many minutes', async () => {
    const state = connected(
      new RecordedModel(async () => {
        await state.clock.sleep(14 * MINUTE);
        return replyOf('late');
      }),
    );
    state.serve();
    const chat = state.join('tower').chat;
    expect((await settled(state.clock, chat.complete(requestOf('episode')))).raw).toBe('late');
    // No request waited for longer than a connection may be silent.
    expect(state.requests).toBeGreaterThan(14 * 2);
  });
});

test('images travel once, although every turn shows those of earlier turns, and again after the daemon has lost them', async () => {
  const model = quick();
  const state = connected(model);
  state.serve();
  const { chat, blobs } = state.join('tower');
  const pictures = [1, 2, 3, 4].map(pictureOf);
  const turn = (shown: number) =>
    settled(state.clock, chat.complete(requestOf('episode', pictures.slice(0, shown))));
  for (const shown of [1, 2, 3]) await turn(shown);
  expect(blobs.puts).toEqual(pictures.slice(0, 3).map(({ sha256 }) => sha256));
  state.stored.blobs = new MemoryBlobs();
  await turn(4);
  expect(model.requests).toHaveLength(4);
  for (const { sha256, png } of pictures)
    expect(Buffer.from(model.requests[3]?.images(sha256) ?? []).equals(png)).toBe(true);
});

test('a failure of the endpoint reaches the agent with its boundary, and whether it persists', async () => {
  const model = new RecordedModel(async () => {
    throw new EndpointError('budget', 'lab', 'The budget is spent. Raise limits.tokens.');
  });
  const { clock, join, serve } = connected(model);
  serve();
  const failure = await settled(
    clock,
    join('tower')
      .chat.complete(requestOf('episode'))
      .catch((error: unknown) => error),
  );
  expect(failure).toBeInstanceOf(BoundaryError);
  expect(failure).toMatchObject({
    failure: { boundary: 'provider', thing: 'lab', isPermanent: true, message: /limits\.tokens/ },
  });
});

describe('a session that ends', () => {
  test('abandons its question, at the agent and at the model, and no other', async () => {
    const model = silent();
    const { clock, join, serve } = connected(model);
    serve();
    const { chat } = join('tower');
    const reason = new Error('the episode was taken over');
    const episode = new AbortController();
    const abandoned = chat.complete({ ...requestOf('one'), signal: episode.signal }).catch(error => error);
    chat.complete(requestOf('two')).catch(() => undefined);
    await clock.run(clock.now() + 1000);
    expect(model.requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    episode.abort(reason);
    expect(await abandoned).toBe(reason);
    chat.end('one');
    await clock.run(clock.now() + 1000);
    expect(model.ended).toEqual(['tower/one']);
    expect(model.requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test('of one host is none of another host', async () => {
    const model = silent();
    const { clock, join, serve } = connected(model);
    serve();
    join('tower')
      .chat.complete(requestOf('same'))
      .catch(() => undefined);
    join('mallory').chat.end('same');
    await clock.run(clock.now() + 1000);
    expect(model.requests.map(({ signal }) => signal.aborted)).toEqual([false]);
    expect(model.ended).toEqual(['mallory/same']);
  });

  test('is ended by the daemon when its host has vanished', async () => {
    const model = quick();
    const { clock, join, serve } = connected(model);
    serve();
    await settled(clock, join('gone').chat.complete(requestOf('episode')));
    const { chat } = join('tower');
    await settled(clock, chat.complete(requestOf('early')));
    expect(model.ended).toEqual([]);
    await clock.run(clock.now() + 20 * MINUTE);
    await settled(clock, chat.complete(requestOf('late')));
    expect([...model.ended].sort()).toEqual(['gone/episode', 'tower/early']);
  });
});

test('a host has a bounded number of open questions, and repeats others until there is room', async () => {
  const model = silent();
  const { clock, join, serve } = connected(model);
  serve();
  const { chat } = join('tower');
  const most = 2 * DESKTOPS + 8;
  const ask = (to: typeof chat, session: string) => {
    to.complete(requestOf(session)).catch(() => undefined);
  };
  for (let number = 0; number <= most; number += 1) ask(chat, `${number}`);
  await clock.run(clock.now() + MINUTE);
  expect(model.requests).toHaveLength(most);
  ask(join('laptop').chat, 'other');
  await clock.run(clock.now() + 1000);
  expect(model.requests).toHaveLength(most + 1);
  chat.end('7');
  await clock.run(clock.now() + MINUTE);
  expect(model.requests).toHaveLength(most + 2);
  expect(model.requests.at(-1)?.session).toBe(`tower/${most}`);
});

test('answered questions take no room', async () => {
  const { clock, join, serve } = connected(quick());
  serve();
  const { chat } = join('tower');
  for (let number = 0; number < 4 * DESKTOPS; number += 1)
    await settled(clock, chat.complete(requestOf(`${number}`)));
});

test('a question that its host has abandoned ends at the model, too', async () => {
  let isAway = false;
  const model = silent();
  const { clock, join, serve } = connected(model, () => (isAway ? 'request' : undefined));
  serve();
  join('tower')
    .chat.complete(requestOf('episode'))
    .catch(() => undefined);
  await clock.run(clock.now() + 1000);
  isAway = true;
  await clock.run(clock.now() + 3 * MINUTE);
  expect(model.requests.map(({ signal }) => signal.aborted)).toEqual([false]);
  isAway = false;
  await clock.run(clock.now() + MINUTE);
  expect(model.requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

test('a question outlives the process that has the servers', async () => {
  const first = silent();
  const second = quick();
  const { clock, join, serve } = connected(first);
  const end = serve();
  const reply = join('tower').chat.complete(requestOf('episode'));
  await clock.run(clock.now() + 1000);
  expect(first.requests).toHaveLength(1);
  await end();
  serve(second);
  expect((await settled(clock, reply)).raw).toBe('reply 1');
});

test('an invalid question fails with the reason, and reaches no model', async () => {
  const model = quick();
  const { clock, join, serve } = connected(model);
  serve();
  const { chat } = join('tower');
  const picture = pictureOf(1);
  const failureOf = (change: object) =>
    settled(
      clock,
      chat.complete({ ...requestOf('episode', [picture]), ...change }).catch((error: Error) => error.message),
    );
  expect(await failureOf({ images: () => pictureOf(2).png })).toMatch(/under the hash of another/);
  expect(await failureOf({ images: () => new Uint8Array(9) })).toMatch(/not a PNG/);
  expect(await failureOf({ sampling: { ...requestOf('x').sampling, topP: 2 } })).toMatch(/topP/);
  expect(await failureOf({ session: '' })).toMatch(/session/);
  expect(model.requests).toEqual([]);
});

test('a host that ends rejects its open questions, and the desk ends with the channels of the run', async () => {
  const { clock, daemon, join, serve, deskEnded } = connected(silent());
  const end = serve();
  const { chat } = join('tower');
  const open = chat.complete(requestOf('episode')).catch((error: unknown) => error);
  await clock.run(clock.now() + 1000);
  await chat.close();
  expect(await open).toBeInstanceOf(ChannelClosed);
  await end();
  daemon.questions.close();
  daemon.answers.close();
  await deskEnded;
});
