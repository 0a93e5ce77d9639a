// `dartboard serve --guests` with a real engine, from its start to Ctrl-C.

import { expect, test } from 'vitest';
import { serveGuests } from '../../../runtime/cli/serve-guests.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { openHost } from '../../../runtime/environments/docker/host.ts';
import { contextWithoutProcesses } from '../../cli/command-context.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { image, missingDesktops } from '../../environments/docker/real-desktops.ts';
import { localAddress } from '../../environments/docker/test-engine.ts';
import { call } from './real-server.ts';

describeUnless(missingDesktops, 'dartboard serve --guests', () => {
  test('serves each desktop at a port, replaces one that dies, and leaves no container behind', async () => {
    const host = await openHost(localAddress, systemClock, 'here');
    const mine = async () =>
      (await host.list({ 'dartboard.owner': 'guests', 'dartboard.pid': String(process.pid) })).map(
        ({ id }) => id,
      );
    const { context, output, errors } = contextWithoutProcesses();
    const stop = new AbortController();
    const over = serveGuests(
      { ...context, clock: systemClock, environment: process.env, stopSignal: () => stop.signal },
      { guests: 2, ...(image !== undefined && { image }), firstPort: 0 },
    );
    try {
      await expect.poll(() => output.text, { timeout: 120_000 }).toContain('Ctrl-C stops.');
      const addresses = output.text.match(/http:\/\/127\.0\.0\.1:\d+$/gm) ?? [];
      expect(new Set(addresses).size).toBe(2);
      expect(output.text).toContain(`curl -X POST ${addresses[0]}/dartboard/revert`);
      for (const address of addresses)
        expect(await call(address, '/screen_size', {})).toMatchObject({ status: 200 });
      const [killed = ''] = await mine();
      await host.remove(killed);
      await expect.poll(() => errors.join('\n'), { timeout: 120_000 }).toMatch(/: works again/);
      expect(errors.join('\n')).toMatch(/^http:\/\/127\.0\.0\.1:\d+ failed: its container ended/m);
      expect(await mine()).toHaveLength(2);
    } finally {
      stop.abort();
      await over;
    }
    expect(await mine()).toEqual([]);
    host.close();
  });
});
