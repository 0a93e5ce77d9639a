// The RFB connection to a real desktop.

import { randomBytes } from 'node:crypto';
import { setTimeout as passes } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import type { Pixels } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { Rfb } from '../../../runtime/environments/docker/rfb/connection.ts';
import { Warden } from '../../../runtime/environments/docker/warden.ts';
import { describeUnless } from './engine.ts';
import { image, missingDesktops } from './real-desktops.ts';
import { localAddress, outputOf } from './test-engine.ts';

const APPLICATION = { first: 2000, quiet: 300, max: 8000 };

describeUnless(missingDesktops, 'the screen of a real desktop', () => {
  let host: DockerHost;
  let id: string;
  let warden: Warden;
  let rfb: Rfb;

  const command = async (text: string): Promise<string> => {
    const stream = await host.exec(id, ['sh', '-c', text]);
    const output = outputOf(stream);
    await stream.closed;
    return output();
  };

  beforeAll(async () => {
    host = await openHost(localAddress, systemClock, 'here');
    const name = `rfb-test-${randomBytes(4).toString('hex')}`;
    id = await host.create(
      containerSpec({ name, image: image ?? '', labels: { 'dartboard.helper': 'rfb' } }),
    );
    warden = new Warden(await host.attach(id), { thing: name, clock: systemClock });
    rfb = await Rfb.open(warden.screen(), { thing: name, clock: systemClock });
  });

  afterAll(async () => {
    rfb?.close();
    await host?.remove(id);
    host?.close();
  });

  test('every typed character arrives in order, in any script and length', async () => {
    const text = `Grüße aus Zürich, 5 € & Ωμέγα 漢字 ~!@#$%^*()_+{}|:"<>?\n${'The quick brown fox. '.repeat(15)}`;
    await command('xterm -u8 -e sh -c "cat > /tmp/typed" >/dev/null 2>&1 &');
    await rfb.act({ kind: 'wait' });
    await rfb.settled(APPLICATION);
    await rfb.act({ kind: 'type', text: `${text}\n` });
    await rfb.settled();
    await rfb.act({ kind: 'hotkey', keys: [key('ctrl'), key('d')] });
    await rfb.settled();
    expect(await command('sleep 1; cat /tmp/typed')).toBe(`${text}\n`);
  });

  test('a window follows a drag of its title', async () => {
    await command('xterm -geometry 30x8+100+100 -e sleep 1000 >/dev/null 2>&1 &');
    await rfb.act({ kind: 'wait' });
    await rfb.settled(APPLICATION);
    const before = rfb.frame();
    await rfb.act({ kind: 'drag', from: { x: 90, y: 53 }, to: { x: 170, y: 113 } });
    const after = await rfb.settled({ first: 500, quiet: 100, max: 3000 });
    const title = ({ data, width }: Pixels, x: number, y: number) =>
      data.subarray((y * width + x) * 4, (y * width + x + 20) * 4);
    expect(Buffer.compare(title(before, 80, 53), title(after, 80, 53))).not.toBe(0);
    expect(Buffer.compare(title(before, 80, 53), title(after, 160, 113))).toBe(0);
  });

  test('a complete frame does not change', async () => {
    const frame = await rfb.drawn();
    await passes(300);
    expect(Buffer.compare((await rfb.drawn()).data, frame.data)).toBe(0);
  });

  test('a client connects after many checks of the screen', async () => {
    for (let check = 0; check < 8; check++) expect(await warden.greeting()).toBe('RFB 003.008\n');
    const later = await Rfb.open(warden.screen(), { thing: 'later', clock: systemClock });
    expect(later.size).toEqual(rfb.size);
    later.close();
  });

  test('a killed container fails the pending call', async () => {
    await rfb.act({ kind: 'wait' });
    const settled = rfb.settled({ first: 60_000, quiet: 20, max: 60_000 });
    const failure = expect(settled).rejects.toMatchObject({ failure: { boundary: 'environment' } });
    await host.remove(id);
    await expect(rfb.act({ kind: 'wait' })).rejects.toMatchObject({ failure: { boundary: 'environment' } });
    rfb.close();
    await failure;
  });
});
