// The RFB connection with a simulated server and a virtual clock. ../rfb.test.ts uses real desktops.

import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../../../runtime/core/failure.ts';
import { key } from '../../../../runtime/core/key.ts';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Rfb } from '../../../../runtime/environments/docker/rfb/connection.ts';
import { ENCODING, FENCE } from '../../../../runtime/environments/docker/rfb/messages.ts';
import { fence, painted, type Rectangle, Server, u32, update } from './server.ts';

const SIZE = { width: 16, height: 8 };
const LIMITS = { first: 60, quiet: 20, max: 300 };
const AT = { x: 3, y: 2 };

async function opened() {
  const clock = new VirtualClock();
  const server = new Server(SIZE);
  const opening = Rfb.open(server, { thing: 'desktop 1', clock });
  const late = (milliseconds: number, then: () => void) => void clock.sleep(milliseconds).then(then);
  const rfb = await opening;
  server.received.length = 0;
  return { clock, server, rfb, late };
}

/** Advances the clock until the promise settles, and returns the elapsed time. */
async function took<T>(clock: VirtualClock, work: Promise<T>): Promise<{ value: T; after: number }> {
  const from = clock.now();
  const done = work.then(value => ({ value, after: clock.now() - from }));
  await clock.run();
  return done;
}

const rejection = async (work: Promise<unknown>): Promise<BoundaryError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof BoundaryError) return error;
  throw new Error(`not a failure of a boundary: ${error}`);
};

describe('opening', () => {
  test("resolves with the whole screen at the policy's resolution", async () => {
    const { rfb } = await opened();
    expect(rfb.size).toEqual({ width: 8, height: 4 });
    expect(rfb.frame().data.every((byte, index) => byte === (index % 4 === 3 ? 255 : 128))).toBe(true);
  });

  test('rejects with a failure of the environment if the process ends at once', async () => {
    const server = new Server(SIZE);
    server.isAwake = false;
    const opening = rejection(Rfb.open(server, { thing: 'desktop 1', clock: new VirtualClock() }));
    server.die(1);
    expect((await opening).failure).toMatchObject({ boundary: 'environment', thing: 'desktop 1' });
  });

  test('a refusal has its reason and the option of Xvnc against it', async () => {
    const server = new Server(SIZE);
    server.isAwake = false;
    const opening = rejection(Rfb.open(server, { thing: 'desktop 1', clock: new VirtualClock() }));
    const reason = Buffer.from('Too many security failures');
    server.send([0, ...u32(reason.length), ...reason]);
    expect((await opening).failure.message).toBe(
      'its Xvnc refused the connection: Too many security failures. Start Xvnc with -UseBlacklist=0, or build the image again.',
    );
  });
});

describe('acting', () => {
  test('sends each event once, in order', async () => {
    const { rfb, server, clock } = await opened();
    await took(clock, rfb.act({ kind: 'hotkey', keys: [key('ctrl'), key('s')] }));
    await took(clock, rfb.act({ kind: 'click', at: AT }));
    expect(server.received).toEqual([
      ...['key 1 ffe3', 'key 1 73', 'key 0 73', 'key 0 ffe3'],
      ...['pointer 7,5 0', 'pointer 7,5 1', 'pointer 7,5 0'],
    ]);
  });

  test('refuses an action off the screen without sending any event', async () => {
    const { rfb, server } = await opened();
    const { failure } = await rejection(rfb.act({ kind: 'drag', from: AT, to: { x: 8, y: 0 } }));
    expect(failure).toMatchObject({
      boundary: 'environment',
      message: expect.stringMatching(/drag at \(8, 0\).*8x4/),
    });
    expect(server.received).toEqual([]);
  });

  test('answers a fence of the server', async () => {
    const { rfb, server } = await opened();
    server.send(fence(FENCE.request | FENCE.before, [1]));
    await rfb.act({ kind: 'wait' });
    expect(server.received).toEqual(['answered a fence']);
  });
});

describe('settling', () => {
  test('without a change it takes the wait for the first change, and the frame is the same object', async () => {
    const { rfb, clock } = await opened();
    const before = rfb.frame();
    const act = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    const { value, after } = await took(clock, act);
    expect(value).toBe(before);
    expect(after).toBe(60);
  });

  test('ends after the quiet time, with everything that was drawn', async () => {
    const { rfb, server, clock, late } = await opened();
    const act = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    late(30, () => server.paint({ x: 2, y: 2, width: 2, height: 2 }, 0xff0000));
    late(45, () => server.paint({ x: 0, y: 4, width: 2, height: 2 }, 0x00ff00));
    const { value, after } = await took(clock, act);
    expect(after).toBe(65);
    expect([...value.data.subarray((8 + 1) * 4, (8 + 2) * 4)]).toEqual([255, 0, 0, 255]);
    expect([...value.data.subarray(2 * 8 * 4, 2 * 8 * 4 + 4)]).toEqual([0, 255, 0, 255]);
  });

  test('a redraw of equal pixels is no change', async () => {
    const { rfb, server, clock, late } = await opened();
    const act = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    late(50, () => server.paint({ x: 2, y: 2, width: 2, height: 2 }, 0x808080));
    expect((await took(clock, act)).after).toBe(60);
  });

  test('a change directly after the fence counts, one before it does not', async () => {
    const { rfb, server, clock } = await opened();
    const box = { x: 2, y: 2, width: 2, height: 2 };
    server.behindFence = update(painted(box, 0xff0000));
    const act = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    expect((await took(clock, act)).after).toBe(20);
    server.paint(box, 0x0000ff);
    const next = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    expect((await took(clock, next)).after).toBe(60);
  });

  test('endless changes settle at the limit', async () => {
    const { rfb, server, clock, late } = await opened();
    for (let at = 5; at < 600; at += 10)
      late(at, () => server.paint({ x: 2, y: 2, width: 2, height: 2 }, at));
    const act = rfb.act({ kind: 'click', at: AT }).then(() => rfb.settled(LIMITS));
    const { after } = await took(clock, act);
    expect(after).toBeGreaterThanOrEqual(300);
    expect(after).toBeLessThan(320);
  });
});

describe('breaking', () => {
  test('after its process has died, pending and later calls fail', async () => {
    const { rfb, server } = await opened();
    server.isAwake = false;
    const act = rejection(rfb.act({ kind: 'click', at: AT }));
    server.die(137);
    expect((await act).failure).toEqual({
      boundary: 'environment',
      thing: 'desktop 1',
      message: expect.stringContaining('137'),
    });
    expect((await rejection(rfb.drawn())).failure.message).toContain('137');
    expect((await rejection(rfb.settled(LIMITS))).failure.message).toContain('137');
  });

  test('a server that does not answer is a failure after 15 s', async () => {
    const { rfb, server, clock } = await opened();
    server.isAwake = false;
    const act = rejection(rfb.act({ kind: 'click', at: AT }));
    const { value, after } = await took(clock, act);
    expect(value.failure.message).toContain('its screen did not answer within 15 s');
    expect(after).toBeLessThanOrEqual(17_000);
  });

  test('invalid data ends the connection with an error', async () => {
    const { rfb, server } = await opened();
    server.send([77]);
    expect((await rejection(rfb.act({ kind: 'wait' }))).failure.message).toContain(
      'unknown message of type 77',
    );
  });

  test('close rejects pending calls and can be repeated', async () => {
    const { rfb, server } = await opened();
    server.isAwake = false;
    const act = rejection(rfb.act({ kind: 'click', at: AT }));
    rfb.close();
    rfb.close();
    expect((await act).failure.message).toContain('was closed');
  });
});

describe('hostile data', () => {
  const copy = { box: { x: 0, y: 0, ...SIZE }, encoding: ENCODING.copy, bytes: [0, 0, 0, 0] };
  const rectangles = (count: number, rectangle: Rectangle): number[] =>
    update(...Array.from({ length: count }, () => rectangle));

  test('rows without pixels take no time', async () => {
    const { rfb, server, clock } = await opened();
    // 65,535 rows in each of 60,000 rectangles.
    const empty = { box: { x: 0, y: 0, width: 0, height: 0xffff }, encoding: ENCODING.raw, bytes: [] };
    server.send(rectangles(60_000, empty));
    const { value } = await took(clock, rfb.drawn());
    expect(value).toBe(rfb.frame());
  });

  test('a piece of data that copies the screen too often ends the connection', async () => {
    const { rfb, server, clock } = await opened();
    server.send(rectangles(60_000, copy));
    const { value } = await took(clock, rejection(rfb.drawn()));
    expect(value.message).toMatch(/copied 16x8 pixels too often/);
  });

  test('a copy in each of many pieces does not', async () => {
    const { rfb, server, clock } = await opened();
    for (let piece = 0; piece < 50; piece += 1) server.send(rectangles(500, copy));
    const { value } = await took(clock, rfb.drawn());
    expect(value).toBe(rfb.frame());
  });

  test.each([
    [
      'a screen that would fill the memory',
      update({ box: { x: 0, y: 0, width: 16_384, height: 16_384 }, encoding: ENCODING.resized, bytes: [] }),
      /16384x16384/,
    ],
    ['the reply to a fence without its number', fence(0, [1]), /fence of 1 bytes/],
  ])('%s ends the connection', async (_, bytes, reason) => {
    const { rfb, server, clock } = await opened();
    server.send(bytes);
    const { value } = await took(clock, rejection(rfb.drawn()));
    expect(value.message).toMatch(reason);
  });
});
