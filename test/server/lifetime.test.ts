import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { decide, type KeepTraining, Lifetime } from '../../runtime/server/lifetime.ts';

const begun = (keepTraining: KeepTraining) => {
  const clock = new VirtualClock(1_000_000);
  const life = new Lifetime({ clock, keepTraining });
  const gone: number[] = [];
  life.over.then(() => gone.push(clock.now() - 1_000_000));
  return { clock, life, gone, at: (seconds: number) => clock.run(1_000_000 + 1000 * seconds) };
};

test('a daemon without clients exits after 30 s', async () => {
  const { life, gone, at } = begun(false);
  expect(life.now).toMatchObject({ doing: 'leaving' });
  await at(29);
  expect(gone).toEqual([]);
  await at(100);
  expect(gone).toEqual([30_000]);
});

test('it exits 30 s after its last client, and not while one is connected', async () => {
  const { life, gone, at } = begun(false);
  life.entered();
  life.entered();
  await at(100);
  life.left();
  await at(200);
  expect(life.now).toMatchObject({ doing: 'serving', clients: 1 });
  life.left();
  await at(500);
  expect(gone).toEqual([230_000]);
});

test('a client that reconnects in time keeps the daemon', async () => {
  const { life, gone, at } = begun(false);
  life.entered();
  life.left();
  await at(29);
  life.entered();
  await at(500);
  expect(gone).toEqual([]);
});

test('with keep-training it trains without clients, and exits 30 s after the run', async () => {
  const { life, gone, at } = begun(true);
  life.training('a', true);
  life.entered();
  life.left();
  await at(3600);
  expect(life.now).toMatchObject({ doing: 'training', trainings: ['a'] });
  expect(gone).toEqual([]);
  life.training('a', false);
  await at(5000);
  expect(gone).toEqual([3_630_000]);
});

test('without keep-training it exits even while a run trains', async () => {
  const { life, gone, at } = begun(false);
  life.training('a', true);
  await at(100);
  expect(gone).toEqual([30_000]);
});

test('keep-training can be switched on and off while the daemon is leaving', async () => {
  const { life, gone, at } = begun(false);
  life.training('a', true);
  await at(20);
  life.keepTraining(true);
  await at(100);
  expect(gone).toEqual([]);
  life.keepTraining(false);
  await at(500);
  expect(gone).toEqual([130_000]);
});

test('changes that give no reason to stay do not delay the exit', async () => {
  const { life, gone, at } = begun(false);
  await at(20);
  life.training('a', true);
  life.training('a', false);
  life.keepTraining(true);
  await at(100);
  expect(gone).toEqual([30_000]);
});

test('the daemon of a training in a terminal ends with it alone', async () => {
  const { life, gone, at } = begun('always');
  expect(life.now).toMatchObject({ doing: 'training', keepTraining: true });
  expect(life.now.says).toContain('terminal');
  life.entered();
  life.left();
  await at(500);
  expect(gone).toEqual([]);
});

test('a closed lifetime waits for nothing', async () => {
  const { clock, life, gone } = begun(false);
  life.close();
  life.entered();
  life.left();
  await clock.run();
  expect(gone).toEqual([]);
  expect(clock.now()).toBe(1_000_000);
});

describe('the activity of the daemon', () => {
  test.each([
    [
      { clients: 2, trainings: [], keepTraining: false },
      'serving',
      '2 clients are connected. The daemon exits 30 s after',
    ],
    [
      { clients: 1, trainings: ['a'], keepTraining: true },
      'serving',
      "continues to train 'a' without clients",
    ],
    [{ clients: 0, trainings: ['a', 'b'], keepTraining: true }, 'training', "trains 'a', 'b'"],
    [{ clients: 0, trainings: ['a'], keepTraining: false }, 'leaving', "stops 'a' with a checkpoint"],
    [{ clients: 0, trainings: [], keepTraining: true }, 'leaving', 'exits when none has been for 30 s'],
  ] as const)('with %j is %s', (known, doing, says) => {
    const life = decide({ ...known, trainings: [...known.trainings] });
    expect(life.doing).toBe(doing);
    expect(life.says).toContain(says);
  });

  test('it leaves exactly when there is no reason to stay', () => {
    const situation = fc.record({
      clients: fc.nat(3),
      trainings: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      keepTraining: fc.boolean(),
    });
    fc.assert(
      fc.property(situation, each => {
        const isKept = each.clients > 0 || (each.keepTraining && each.trainings.length > 0);
        expect(decide(each).doing !== 'leaving').toBe(isKept);
      }),
    );
  });
});
