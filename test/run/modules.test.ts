// The processes of a run with model modules: each trainer that works gets the lessons at its start.

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { ModuleEnd } from '../../runtime/run/module-process.ts';
import { startTrainer } from '../../runtime/run/modules.ts';
import { folder } from '../data/trajectories.ts';
import { program } from '../e2e/program.ts';
import { below } from '../e2e/training.ts';
import { PATIENCE } from '../patience.ts';

let entry: URL;
beforeAll(async () => {
  entry = await program(new URL('./model-modules.ts', import.meta.url));
});

const options = () => ({
  ...{
    run: runId('run'),
    config: parseConfig({ seed: 'works' }),
    tasks: [],
    shape: COMPACT,
    folder: folder(),
  },
  ...{ entries: { host: entry, worker: entry, trainer: entry, engine: entry }, clock: systemClock },
});

test('a trainer that cannot start gets no lessons: nobody would take them', async () => {
  let taught = 0;
  const startProcess = () => ({
    ready: Promise.reject(new Error('The checkpoints are damaged.')),
    ended: new Promise<never>(() => undefined),
    silentMs: 0,
    close: async () => undefined,
  });
  const trainer = startTrainer({ ...options(), startProcess }, embeddedFabric(), async () => {
    taught += 1;
  });
  await expect(trainer.ready).rejects.toThrow('damaged');
  expect(taught).toBe(0);
});

test('a restarted trainer gets its lessons again, and the report names its checkpoint', async () => {
  let taught = 0;
  const fabric = embeddedFabric();
  const trainer = startTrainer(options(), fabric, async () => {
    taught += 1;
  });
  onTestFinished(async () => {
    await trainer.close();
  });
  const heard = fabric.events.listen()[Symbol.asyncIterator]();
  await trainer.ready;
  expect(taught).toBe(1);
  const [child] = below(process.pid).filter(({ command }) => command.includes(entry.pathname));
  process.kill(child?.pid ?? 0, 'SIGKILL');
  await vi.waitUntil(() => taught === 2, PATIENCE);
  const { value } = await heard.next();
  const message = expect.stringContaining('from its last checkpoint, or anew');
  expect(value?.event).toMatchObject({ kind: 'health', message });
});

test('a trainer of a language model gets hours for the update in work, that of the built-in policy does not', async () => {
  const qwen = {
    ...{ profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' },
    learner: { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' },
  };
  const patienceWith = async (settings: object): Promise<number | undefined> => {
    let patience: number | undefined;
    let end: (ended: ModuleEnd) => void = () => undefined;
    const ended = new Promise<ModuleEnd>(resolve => {
      end = resolve;
    });
    const startProcess = () => ({
      ...{ ready: Promise.resolve(), ended, silentMs: 0 },
      close: async (timeoutMs: number) => {
        patience = timeoutMs;
        end({ wasClosed: true, isClean: true, message: 'It ended.' });
      },
    });
    const config = parseConfig(settings);
    const trainer = startTrainer({ ...options(), config, startProcess }, embeddedFabric(), async () => {});
    await vi.waitUntil(() => !trainer.isStalled, PATIENCE);
    await trainer.close();
    return patience;
  };
  expect(await patienceWith({ agent: 'qwen', agents: { qwen } })).toBeGreaterThanOrEqual(3_600_000);
  expect(await patienceWith({})).toBe(20_000);
});
