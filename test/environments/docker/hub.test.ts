// The client of the elements hub: pairs replies with requests, checks them, and has a deadline.

import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { openHub } from '../../../runtime/environments/docker/hub.ts';
import { scriptedStream } from './scripted-stream.ts';

/** A hub whose replies the test writes. */
function scripted() {
  const written: string[] = [];
  const { stream, emit, end } = scriptedStream(data => void written.push(Buffer.from(data).toString()));
  return {
    stream,
    written,
    bytes: emit,
    answer: (text: string) => emit(Buffer.from(text)),
    end,
  };
}

const TREE =
  '"windows":[{"xid":7,"title":"ü","box":[0,0,9,9],"inner":[0,0,9,9],"pid":1}],"nodes":[],"late":[],"busy":[],"active":7}';

const opened = () => {
  const hub = scripted();
  const clock = new VirtualClock();
  return { ...hub, clock, hub: openHub(hub.stream, { thing: 'desktop-1', clock }) };
};

describe('the elements hub', () => {
  test('a reply in pieces is one tree', async () => {
    const { hub, written, bytes } = opened();
    const pending = hub.ask();
    expect(written).toEqual(['1\n']);
    for (const byte of Buffer.from(`{"id":1,"still":true,${TREE}\n`)) bytes(Uint8Array.of(byte));
    expect((await pending).tree().windows[0]).toMatchObject({ xid: 7, title: 'ü' });
  });

  test('equal replies have equal texts, and a late reply is ignored', async () => {
    const { hub, answer } = opened();
    const first = hub.ask();
    answer(`{"id":1,"still":true,${TREE}\n`);
    const second = hub.ask();
    answer(`{"id":1,"still":true,"windows":[]}\n{"id":2,"still":true,${TREE}\n`);
    expect((await first).text).toBe((await second).text);
  });

  test('an animated screen is not still', async () => {
    const { hub, answer } = opened();
    const pending = hub.ask();
    answer(`{"id":1,"still":false,${TREE}\n`);
    expect((await pending).isStill).toBe(false);
  });

  test('a missing reply is a broken desktop after ten seconds', async () => {
    const { hub, clock } = opened();
    const refused = expect(hub.ask()).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        thing: 'desktop-1',
        message: expect.stringContaining('did not finish within 10 s'),
      },
    });
    await clock.run(10_000);
    await refused;
  });

  test('an invalid reply and a hub that ends are a broken desktop', async () => {
    const one = opened();
    const garbage = one.hub.ask();
    one.answer('hello\n');
    await expect(garbage).rejects.toMatchObject({ failure: { boundary: 'environment' } });

    const two = opened();
    const wrong = two.hub.ask();
    two.answer('{"id":1,"still":true,"windows":[{"xid":"seven"}]}\n');
    const pending = await wrong;
    expect(() => pending.tree()).toThrow(/windows\.0\.xid/);

    const three = opened();
    const ended = three.hub.ask();
    three.end(127);
    await expect(ended).rejects.toMatchObject({
      failure: { message: expect.stringContaining('ended (exit code 127)') },
    });
    await expect(three.hub.ask()).rejects.toMatchObject({ failure: { boundary: 'environment' } });
  });
});
