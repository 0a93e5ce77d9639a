// The bound on open connections of the daemon's server for hosts.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenForHosts, MAX_CONNECTIONS } from '../../runtime/hosts/host-listener.ts';
import { MAX_HOST_DESKTOPS } from '../../runtime/hosts/messages.ts';

test('all desktops of ten of the largest machines can wait for a model', () => {
  expect(MAX_CONNECTIONS).toBeGreaterThan(10 * MAX_HOST_DESKTOPS);
});

test('connections above the limit are closed, and reported once', async () => {
  const reports: string[] = [];
  const server = await listenForHosts({
    ...{ listen: '127.0.0.1:0', credentials: undefined, maxConnections: 1 },
    answer: (_, response) => response.end(),
    full: message => void reports.push(message),
  });
  onTestFinished(() => server.close());
  const opened = () => connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
  const first = opened();
  onTestFinished(() => void first.destroy());
  await once(first, 'connect');
  for (let more = 0; more < 3; more += 1)
    await new Promise(resolve => opened().resume().once('close', resolve));
  expect(reports).toEqual([expect.stringMatching(/1 are open at 127\.0\.0\.1:0,.* use a firewall\.$/)]);
});
