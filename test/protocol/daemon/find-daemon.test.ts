// The search for a daemon reads only, on every platform: it runs whenever the extension activates.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DAEMON } from '../../extension/daemon-fixture.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The modules as they load on that platform, with an empty home folder. */
async function loadedOn(platform: NodeJS.Platform) {
  const home = mkdtempSync(join(tmpdir(), 'dartboard-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  vi.stubEnv('HOME', home);
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
  vi.resetModules();
  const { findDaemon } = await import('../../../runtime/protocol/daemon/find-daemon.ts');
  const { thisProcess, identityOf } = await import('../../../runtime/core/process-identity.ts');
  const file = join(home, 'daemon.json');
  return { home, file, findDaemon, ownIdentity: () => identityOf(thisProcess()) };
}

test.each(['darwin', 'linux'] as const)('on %s it writes nothing', async platform => {
  const { home, file, findDaemon } = await loadedOn(platform);
  expect(await findDaemon(file)).toEqual({ kind: 'none' });
  writeFileSync(file, JSON.stringify({ ...DAEMON, place: hostname() }));
  await findDaemon(file);
  expect(readdirSync(home)).toEqual(['daemon.json']);
});

test.each(['darwin', 'linux'] as const)('on %s it finds a running daemon, and no other', async platform => {
  const { file, findDaemon, ownIdentity } = await loadedOn(platform);
  const daemon = { ...DAEMON, ...ownIdentity() };
  writeFileSync(file, JSON.stringify(daemon));
  expect(await findDaemon(file)).toEqual({ kind: 'running', daemon });
  writeFileSync(file, JSON.stringify({ ...daemon, place: 'another machine' }));
  expect(await findDaemon(file)).toMatchObject({ kind: 'stale' });
  writeFileSync(file, '{ "pid": ');
  expect(await findDaemon(file)).toMatchObject({ kind: 'stale' });
});
