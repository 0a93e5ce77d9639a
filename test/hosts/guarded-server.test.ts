// A server of NATS on a disk that becomes full. A program that only waits stands for the server.

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { GuardedServer } from '../../runtime/hosts/guarded-server.ts';
import { temporaryFolder } from '../temporary.ts';

const [FULL, ROOM] = [0, 2 ** 30];
const posix = process.platform === 'win32' ? test.skip : test;

/** Each start of the program adds a line with its arguments to a file. */
async function guarded(free: number) {
  const folder = temporaryFolder('guarded');
  const [program, starts] = [join(folder, 'nats-server'), join(folder, 'starts')];
  const lines = [
    '#!/bin/sh',
    `echo "$*" >> ${starts}`,
    'echo "Listening for client connections on 127.0.0.1:4333" >&2',
    'echo "Server is ready" >&2',
    'exec sleep 600',
  ];
  await writeFile(program, lines.join('\n'));
  await chmod(program, 0o700);
  const disk = { free };
  const said: string[] = [];
  const start = () =>
    GuardedServer.start({
      ...{ program, configuration: 'server.conf', store: join(folder, 'store'), clock: systemClock },
      freeBytes: async () => disk.free,
      say: text => said.push(text),
    });
  const started = async () => (await readFile(starts, 'utf8')).trim().split('\n');
  return { disk, said, start, started };
}

posix('it is stopped while the disk is full, and then started again on its port', async () => {
  const { disk, said, start, started } = await guarded(ROOM);
  const server = await start();
  onTestFinished(() => server.stop());
  let hasEnded = false;
  void server.ended().then(() => {
    hasEnded = true;
  });
  disk.free = FULL;
  await expect.poll(() => said.length).toBe(1);
  expect(said[0]).toMatch(/store is almost full/);
  disk.free = ROOM;
  await expect.poll(() => said.length).toBe(2);
  expect(await started()).toEqual(['-c server.conf', '-c server.conf -p 4333']);
  expect(server.port).toBe(4333);
  expect(hasEnded).toBe(false);
});

posix('it can be stopped while the disk is full', async () => {
  const { disk, said, start, started } = await guarded(ROOM);
  const server = await start();
  disk.free = FULL;
  await expect.poll(() => said.length).toBe(1);
  await server.stop();
  expect(await started()).toHaveLength(1);
});

posix('it does not start on a full disk, and names the disk', async () => {
  const { start } = await guarded(FULL);
  await expect(start()).rejects.toThrow(/store has 0 MB left.*Free/);
});
