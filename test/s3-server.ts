// A real S3-compatible server on a port and a folder of its own, for tests (test/interop/s3/install.mjs). It can be killed, and started again on
// its folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { S3Keys, S3Place } from '../runtime/blobs/s3-bucket.ts';
import { freePort } from './free-port.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { S3_SERVER } from './interop/install-folder.mjs';
import { PATIENCE } from './patience.ts';
import { temporaryFolder } from './temporary.ts';

export const BUCKET = 'dartboard-tests';

export interface S3Server extends S3Place {
  readonly port: number;
  readonly keys: S3Keys;
  /** The keys of all objects of the bucket. */
  objects(): readonly string[];
  /** Puts other bytes in the place of an object, as a damaged disk. */
  damage(key: string, bytes: Uint8Array): void;
  /** SIGSTOP: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** SIGKILL, as in a crash. The objects stay. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port. Resolves when it accepts connections. */
  restart(): Promise<void>;
  /** Ends it, paused or not. May be called more than once. */
  stop(): Promise<void>;
}

const KEYS: S3Keys = { accessKeyId: 'tests', secretAccessKey: 'only-for-tests' };

/** With one empty bucket. Resolves when it accepts connections. The caller stops it, in `afterAll` or `onTestFinished`. */
export async function startS3Server(): Promise<S3Server> {
  const folder = temporaryFolder('s3');
  const [data, sidecar] = [join(folder, 'data'), join(folder, 'sidecar')];
  const bucket = join(data, BUCKET);
  for (const each of [bucket, sidecar]) mkdirSync(each, { recursive: true });
  const port = await freePort();
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecar, data];
  let child = await launch(args, port);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    ...{ port, endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, keys: KEYS },
    objects: () =>
      readdirSync(bucket, { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile())
        .map(entry => relative(bucket, join(entry.parentPath, entry.name)))
        .filter(key => !key.startsWith('.')),
    damage: (key, bytes) => {
      // It must be there.
      statSync(join(bucket, key));
      writeFileSync(join(bucket, key), bytes);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: end,
    restart: async () => {
      child = await launch(args, port);
    },
    stop: end,
  };
}

async function launch(args: readonly string[], port: number): Promise<ChildProcess> {
  const { accessKeyId, secretAccessKey } = KEYS;
  const env = { ...process.env, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey };
  const child = spawn(S3_SERVER, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      log += text;
    });
  let failure: Error | undefined;
  child.once('error', cause => {
    failure = new Error(
      `The S3-compatible server did not start: ${cause.message}. Run 'node test/interop/s3/install.mjs', then run the test again.`,
      { cause },
    );
  });
  const killWithTest = () => void child.kill('SIGKILL');
  process.once('exit', killWithTest);
  child.once('exit', () => process.off('exit', killWithTest));
  for (
    const late = Date.now() + PATIENCE.timeout;
    !(await accepts(port));
    await setTimeout(PATIENCE.interval)
  ) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null || Date.now() > late)
      throw new Error(`The S3-compatible server did not start:\n${log}`);
  }
  return child;
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    const is = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => is(true));
    socket.once('error', () => is(false));
  });
}
