import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findNatsServer } from '../../runtime/hosts/nats-server.ts';
import { temporaryFolder } from '../temporary.ts';

/** A program that prints a version. */
async function programWith(version: string): Promise<string> {
  const file = join(temporaryFolder('program'), 'nats-server');
  await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  await chmod(file, 0o700);
  return file;
}

const posix = process.platform === 'win32' ? test.skip : test;

posix.each(['2.9.4', '2.9.10', '2.10.0', '3.0.0', '2.11.0-beta.1'])('version %s is used', async version => {
  const path = await programWith(version);
  expect(await findNatsServer(path)).toEqual({ path, version: version.replace(/-.*/, '') });
});

posix.each(['2.9.3', '2.8.99', '1.99.99'])('version %s is too old', async version => {
  await expect(findNatsServer(await programWith(version))).rejects.toThrow(version);
});

test('a program that does not exist is named', async () => {
  await expect(findNatsServer('/nowhere/nats-server')).rejects.toThrow(/\/nowhere\/nats-server.*--server/);
});

posix('a file or a folder of PATH that cannot be used does not end the search', async () => {
  const folder = temporaryFolder('path');
  const file = join(folder, 'nats-server');
  await writeFile(file, '', { mode: 0o600 });
  await expect(findNatsServer(file)).rejects.toMatchObject({ code: 'EACCES' });
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const path of [folder, file]) {
    vi.stubEnv('PATH', path);
    const found = await findNatsServer().then(
      program => program.path,
      (error: Error) => error.message,
    );
    // One of a usual folder, where this machine has one.
    expect(found).toMatch(/^(?:\/\S+\/nats-server$|The program nats-server was not found\. Install it: )/);
  }
});
