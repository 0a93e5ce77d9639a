// The terminal's connection to a daemon, over a real socket.

import { expect, onTestFinished, test } from 'vitest';
import { DAEMON_VERSION } from '../../runtime/protocol/daemon/messages.ts';
import { DialledDaemon } from '../../runtime/server/daemon-client.ts';
import { DAEMON } from '../extension/daemon-fixture.ts';
import { pagesFolder, serve, TOKEN } from './client.ts';
import { ScriptedRuns } from './scripted-runs.ts';

/** Its runs reject every export. */
async function dialled(): Promise<DialledDaemon> {
  const server = await serve({ pages: pagesFolder(), runs: new ScriptedRuns() });
  onTestFinished(() => server.close());
  const address = { ...DAEMON, port: server.port, token: TOKEN, version: DAEMON_VERSION };
  return DialledDaemon.dial(address, 'a test');
}

const ids = (length: number) => Array.from({ length }, (_, index) => String(index).padStart(128, 'x'));

test('a request that is larger than the daemon accepts fails with the reason', async () => {
  const daemon = await dialled();
  const params = { format: 'dart', out: '/out', trajectories: ids(16_000) } as const;
  await expect(daemon.ask('trajectories.export', params)).rejects.toThrow(
    'larger than 1 MB. Name fewer trajectories, or a run.',
  );
});

test('a request that is a little smaller arrives', async () => {
  const daemon = await dialled();
  const params = { format: 'dart', out: '/out', trajectories: ids(7900) } as const;
  await expect(daemon.ask('trajectories.export', params)).rejects.toThrow('There are no trajectories');
});
