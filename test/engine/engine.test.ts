// What the caller's side of an engine process promises when things go wrong.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../runtime/engine/engine.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { engineFor } from '../graph/engines.ts';
import { perceptron, perceptronFeeds, startingWeights } from '../graph/networks.ts';

const opened = async (engine: Awaited<ReturnType<typeof engineFor>>) => {
  const network = perceptron();
  const session = await engine.open(forwardProgram(network.graph, network.outputs));
  await session.write(startingWeights(network));
  const { x } = perceptronFeeds('any');
  if (x === undefined) throw new Error('The feeds have x.');
  return { session, run: () => session.run({ x }) };
};

test('an engine reports the runtime that it loaded', async () => {
  const [native, wasm, any] = [await engineFor('native'), await engineFor('wasm'), await engineFor('any')];
  expect([native.runtime, wasm.runtime, any.runtime]).toEqual(['native', 'wasm', 'native']);
  expect(native.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(wasm.version).toBe(native.version);
});

test('when the process is killed, pending and later calls reject and the caller survives', async () => {
  const engine = await engineFor('native');
  const { run } = await opened(engine);
  const calls = [run(), run(), run()].map(call => call.catch(error => error));
  process.kill(engine.pid, 'SIGKILL');
  const results = await Promise.all(calls);
  expect(results.some(result => result instanceof Error && /ended with SIGKILL/.test(result.message))).toBe(
    true,
  );
  await expect(run()).rejects.toThrow('ended with SIGKILL');
});

test('closing an engine ends its process', async () => {
  const engine = await engineFor('native');
  await engine.close();
  expect(() => process.kill(engine.pid, 0)).toThrow('ESRCH');
});

test('without the native package, WebAssembly is used, unless native is required', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entry = pathToFileURL(join(folder, 'engine.mjs'));
  copyFileSync(new URL('../../dist/engine.js', import.meta.url), entry);
  mkdirSync(join(folder, 'node_modules'));
  const web = fileURLToPath(new URL('../../node_modules/onnxruntime-web', import.meta.url));
  symlinkSync(web, join(folder, 'node_modules/onnxruntime-web'), 'junction');
  const engine = await startEngine({ entry });
  onTestFinished(() => engine.close());
  expect(engine.runtime).toBe('wasm');
  expect(engine.insteadOfNative).toContain('onnxruntime-node');
  expect((await (await opened(engine)).run())['y']?.dims).toEqual([8, 1]);
  await expect(startEngine({ entry, runtime: 'native' })).rejects.toThrow(
    /did not get ready: .*onnxruntime-node/,
  );
});

test('a process that cannot start is an error, not an endless wait', async () => {
  const node = process.execPath;
  onTestFinished(() => {
    process.execPath = node;
  });
  process.execPath = '/no/such/node';
  await expect(startEngine({ entry: new URL('./any.js', import.meta.url) })).rejects.toThrow(
    /did not get ready: .*ENOENT/,
  );
});

test('an entry that does not exist is an error', async () => {
  const entry = new URL('./no-such-file.js', import.meta.url);
  await expect(startEngine({ entry })).rejects.toThrow('did not get ready');
});

test('replies keep the order of the calls, and errors keep their names', async () => {
  const { session, run } = await opened(await engineFor('native'));
  const order: number[] = [];
  await Promise.all([0, 1, 2, 3].map(index => run().then(() => order.push(index))));
  expect(order).toEqual([0, 1, 2, 3]);
  await expect(session.run({})).rejects.toMatchObject({ name: 'FeedError' });
});

test('a closed session rejects runs', async () => {
  const { session, run } = await opened(await engineFor('native'));
  await session.close();
  await expect(run()).rejects.toThrow(/The session \d+ is closed/);
});
