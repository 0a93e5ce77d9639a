// The warden's client: programs, the screen, heartbeats and resets on one connection.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import {
  encodeArguments,
  encodeFrame,
  frameDecoder,
  Warden,
  type WardenFrame,
} from '../../../runtime/environments/docker/warden.ts';
import { scriptedStream } from './scripted-stream.ts';
import { outputOf } from './test-engine.ts';

const textOf = ({ kind, channel, bytes }: WardenFrame) => [
  kind,
  channel,
  Buffer.from(bytes).toString('latin1'),
];

describe('frames', () => {
  test('are decoded from pieces of any size; a long payload becomes several frames', () => {
    const random = seeded('frames');
    const long = Buffer.alloc(150_000, 'abc');
    const all = Buffer.concat([
      encodeFrame('d', 1, Buffer.from('one')),
      encodeFrame('e', 2),
      encodeFrame('d', 255, long),
    ]);
    const found: WardenFrame[] = [];
    const take = frameDecoder(frame => found.push({ ...frame, bytes: Buffer.from(frame.bytes) }));
    for (let at = 0; at < all.length; ) {
      const end = at + 1 + random.int(random.int(2) === 0 ? 3 : 70_000);
      take(all.subarray(at, end));
      at = end;
    }
    expect(found.slice(0, 2).map(textOf)).toEqual([
      ['d', 1, 'one'],
      ['e', 2, ''],
    ]);
    const parts = found.slice(2);
    expect(parts.map(({ kind, channel, bytes }) => [kind, channel, bytes.length])).toEqual([
      ['d', 255, 65_535],
      ['d', 255, 65_535],
      ['d', 255, 18_930],
    ]);
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(long)).toBe(true);
  });

  test('a zero terminates the program and each argument', () => {
    expect(Buffer.from(encodeArguments(['sh', '', 'ü'])).toString('hex')).toBe('73680000c3bc00');
  });
});

/** A warden whose answers the test writes. */
function scripted() {
  const sent: ReturnType<typeof textOf>[] = [];
  const { stream, emit, end } = scriptedStream(frameDecoder(frame => sent.push(textOf(frame))));
  const clock = new VirtualClock();
  const warden = new Warden(stream, { thing: 'desktop-1', clock });
  const say = (kind: string, channel: number, text = '') =>
    emit(encodeFrame(kind, channel, Buffer.from(text)));
  return { warden, clock, sent, say, end: () => end() };
}

describe('programs and the screen', () => {
  test('each is a stream, and data before the listener is not lost', async () => {
    const { warden, sent, say } = scripted();
    const [shell, screen] = [warden.run(['sh', '-c', 'x']), warden.screen()];
    say('d', 2, 'RFB 003.008\n');
    say('d', 1, 'one');
    const [ofShell, ofScreen] = [outputOf(shell), outputOf(screen)];
    say('d', 1, ' two');
    shell.write(Buffer.from('ls\n'));
    shell.end();
    expect([ofShell(), ofScreen()]).toEqual(['one two', 'RFB 003.008\n']);
    expect(sent).toEqual([
      ['r', 1, 'sh\0-c\0x\0'],
      ['s', 2, ''],
      ['d', 1, 'ls\n'],
      ['e', 1, ''],
    ]);
  });

  test('an ended program reports its exit code, and a closed one is silent', async () => {
    const { warden, sent, say } = scripted();
    const [one, other] = [warden.run(['one']), warden.run(['other'])];
    const ofOther = outputOf(other);
    say('x', 1, '7');
    expect(await one.closed).toBe(7);
    other.close();
    expect(await other.closed).toBeUndefined();
    say('d', 2, 'late');
    other.write(Buffer.from('late'));
    expect(ofOther()).toBe('');
    expect(sent.at(-1)).toEqual(['c', 2, '']);
  });

  test('end with the connection', async () => {
    const { warden, end } = scripted();
    const streams = [warden.run(['one']), warden.screen()];
    end();
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([undefined, undefined]);
    expect(await warden.run(['later']).closed).toBeUndefined();
  });

  test('channel numbers are used in turn, up to 255 at once', () => {
    const { warden, sent } = scripted();
    for (let turn = 0; turn < 300; turn++) warden.run(['x']).close();
    const numbers = sent.flatMap(([kind, number]) => (kind === 'r' ? [number] : []));
    expect(numbers.slice(0, 255)).toEqual(Array.from({ length: 255 }, (_, at) => at + 1));
    expect(numbers.slice(255, 258)).toEqual([1, 2, 3]);
    for (let turn = 0; turn < 255; turn++) warden.run(['x']);
    expect(() => warden.run(['x'])).toThrow('it runs 255 programs');
  });
});

describe('a reset', () => {
  test('closes all streams, and resolves with the answer', async () => {
    const { warden, sent, say } = scripted();
    const before = warden.run(['before']);
    const ofBefore = outputOf(before);
    const renewed = warden.reset();
    expect(await before.closed).toBeUndefined();
    say('d', 1, 'late');
    say('a', 0);
    await renewed;
    expect(ofBefore()).toBe('');
    expect(sent.map(([kind]) => kind)).toEqual(['r', 'a']);
  });

  test.each([
    [
      'something could not be undone',
      ({ say }: ReturnType<typeof scripted>) => say('a', 0, '/tmp is not empty; '),
      /\/tmp is not empty$/,
    ],
    ['the container ends', ({ end }: ReturnType<typeof scripted>) => end(), /the container ended/],
    [
      'there is no answer',
      ({ clock }: ReturnType<typeof scripted>) => clock.run(20_000),
      /the reset did not finish within 15 s/,
    ],
  ])('rejects if %s', async (_, happens, message) => {
    const made = scripted();
    const renewed = made.warden.reset();
    const refused = expect(renewed).rejects.toMatchObject({
      failure: { boundary: 'environment', thing: 'desktop-1', message: expect.stringMatching(message) },
    });
    await happens(made);
    await refused;
  });
});

test('a heartbeat is a frame that closes the unused channel 0', () => {
  const { warden, sent, end } = scripted();
  warden.heartbeat();
  expect(sent).toEqual([['c', 0, '']]);
  end();
});
