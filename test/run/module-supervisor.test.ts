// The supervisor of a module: when it replaces a process, what it reports, and that closing is final.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { ModuleEnd } from '../../runtime/run/module-process.ts';
import { type ModuleLife, ModuleSupervisor } from '../../runtime/run/module-supervisor.ts';
import { expectNamed } from '../named-values.ts';

/** A life that is ready, dies and closes as the test says. */
class ModelLife implements ModuleLife {
  readonly patiences: number[] = [];
  readonly ready: Promise<void>;
  readonly ended: Promise<ModuleEnd>;
  silentMs = 0;
  isReady = () => {};
  #unfit: (reason: Error) => void = () => {};
  #end: (end: ModuleEnd) => void = () => {};

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.isReady = resolve;
      this.#unfit = reject;
    });
    this.ready.catch(() => undefined);
    this.ended = new Promise(resolve => {
      this.#end = resolve;
    });
  }

  dies(message = 'It died.'): void {
    this.#unfit(new Error(message));
    this.#end({ wasClosed: false, isClean: false, message });
  }

  async close(patience: number): Promise<void> {
    this.patiences.push(patience);
    this.#unfit(new Error('It was closed.'));
    this.#end({ wasClosed: true, isClean: true, message: 'It was closed.' });
  }
}

function watched(from?: string, closeTimeoutMs?: number, start = () => new ModelLife()) {
  const clock = new VirtualClock();
  const lives: ModelLife[] = [];
  const said: string[] = [];
  const module = new ModuleSupervisor({
    name: 'the model',
    ...(from !== undefined && { from }),
    ...(closeTimeoutMs !== undefined && { closeTimeoutMs }),
    begin: () => {
      const life = start();
      lives.push(life);
      return life;
    },
    clock,
    health: (thing, healthy, message) =>
      said.push(`${clock.now() / 1000} ${thing} ${healthy ? 'up' : 'down'}: ${message}`),
  });
  const pass = (seconds: number) => clock.run(clock.now() + 1000 * seconds);
  const last = () => lives.at(-1) ?? new ModelLife();
  /** It is ready, and lives so long. */
  const lasts = async (seconds: number) => {
    last().isReady();
    await pass(seconds);
    last().dies();
    await pass(0);
  };
  return { module, lives, said, pass, last, lasts };
}

test('a dead process is replaced after 1, 2, then 4 s; a stable one resets the delay', async () => {
  const { lives, said, pass, lasts } = watched();
  for (const pause of [1, 2, 4]) {
    await lasts(10);
    const before = lives.length;
    await pass(pause - 0.001);
    expect(lives).toHaveLength(before);
    await pass(0.001);
    expect(lives).toHaveLength(before + 1);
  }
  await lasts(60);
  await pass(1);
  expect(said.filter(line => line.includes('down'))).toEqual([
    '10 the model down: It died. It is started again in 1 s.',
    '21 the model down: It died. It is started again in 2 s.',
    '33 the model down: It died. It is started again in 4 s.',
    '97 the model down: It died. It is started again in 1 s.',
  ]);
  expect(said.filter(line => line.includes('up'))).toHaveLength(3);
  expect(lives).toHaveLength(5);
});

test('the report names where the replacement resumes', async () => {
  const { said, lasts } = watched('from its last checkpoint');
  await lasts(1);
  expect(said).toEqual(['1 the model down: It died. It is started again in 1 s, from its last checkpoint.']);
});

test('no delay exceeds a minute', async () => {
  const { lives, pass, lasts } = watched();
  for (let life = 0; life < 10; life++) {
    await lasts(1);
    await pass(60);
    expect(lives).toHaveLength(life + 2);
  }
});

test('a replacement that dies before it is ready is replaced', async () => {
  const { lives, said, pass, last, lasts } = watched();
  await lasts(1);
  await pass(1);
  last().dies('It found no weights.');
  await pass(2);
  expect(lives).toHaveLength(3);
  expectNamed(said.at(-1), 'the model', 'It found no weights.', 'in 2 s');
});

test('replacements that end after a long start are no stable ones', async () => {
  const { module, said, pass, last, lasts } = watched();
  await lasts(1);
  let pause = 1;
  for (let failures = 2; failures <= 4; failures++) {
    await pass(pause + 90);
    last().dies();
    await pass(0);
    pause *= 2;
    expectNamed(said.at(-1), 'the model down', `in ${pause} s`);
    expect(module.isStalled).toBe(failures <= 3);
  }
});

test('a first process that does not get ready is not replaced', async () => {
  const { module, lives, said, pass, last } = watched();
  last().dies('It found no weights.');
  await expect(module.ready).rejects.toThrow('It found no weights.');
  await pass(100);
  await module.close();
  expect(lives).toHaveLength(1);
  expect(said).toEqual([]);
});

const outOfMemory = (): never => {
  throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM', syscall: 'spawn' });
};

test('a replacement that cannot be started is tried again like one that died', async () => {
  let hasMemory = true;
  const { lives, said, pass, lasts } = watched(undefined, undefined, () =>
    hasMemory ? new ModelLife() : outOfMemory(),
  );
  await lasts(1);
  hasMemory = false;
  await pass(1);
  expectNamed(said.at(-1), 'the model down', 'spawn ENOMEM', 'in 2 s');
  hasMemory = true;
  await pass(1.999);
  expect(lives).toHaveLength(1);
  await pass(0.001);
  expect(lives).toHaveLength(2);
});

test('a first process that cannot be started is not replaced, and can be closed', async () => {
  const { module, said, pass } = watched(undefined, undefined, outOfMemory);
  await expect(module.ready).rejects.toThrow(/^The process of the model cannot be started: spawn ENOMEM\./);
  await pass(100);
  const ended = { wasClosed: false, isClean: false, message: expect.stringContaining('spawn ENOMEM') };
  expect(await module.close()).toEqual(ended);
  expect(said).toEqual([]);
});

test('a closed process is neither replaced nor reported', async () => {
  const { module, lives, said, pass, last } = watched();
  last().isReady();
  await module.ready;
  await pass(5);
  await Promise.all([module.close(), module.close()]);
  await pass(100);
  expect(lives).toHaveLength(1);
  expect(said).toEqual([]);
  expect(last().patiences.every(patience => patience >= 10_000)).toBe(true);
});

test('closing during the delay starts no replacement', async () => {
  const { module, lives, pass, lasts } = watched();
  await lasts(5);
  await module.close();
  await pass(100);
  expect(lives).toHaveLength(1);
});

test('closing does not wait for a process that is not ready', async () => {
  const { module, last, lasts, pass } = watched();
  await lasts(5);
  await pass(1);
  await module.close();
  expect(last().patiences).toEqual([0]);
});

test('a module with long work gets its own time to close, and a second close shortens it', async () => {
  const { module, last, pass } = watched(undefined, 3_600_000);
  last().isReady();
  await pass(1);
  await Promise.all([module.close(), module.close(20_000)]);
  expect(last().patiences).toEqual([3_600_000, 20_000]);
});

test('a module is stalled while it is silent or replaced, so that the clock of the run stands still', async () => {
  const { module, pass, last, lasts } = watched();
  expect(module.isStalled).toBe(true);
  last().isReady();
  await pass(1);
  expect(module.isStalled).toBe(false);
  last().silentMs = 5000;
  expect(module.isStalled).toBe(true);
  last().silentMs = 0;
  expect(module.isStalled).toBe(false);
  await lasts(1);
  expect(module.isStalled).toBe(true);
  await pass(1);
  last().isReady();
  await pass(1);
  expect(module.isStalled).toBe(false);
});

test('a module that keeps dying no longer stops the clock of the run', async () => {
  const { module, pass, lasts } = watched();
  for (let death = 1; death <= 4; death++) {
    await lasts(1);
    expect(module.isStalled).toBe(death <= 3);
    await pass(10);
  }
});
