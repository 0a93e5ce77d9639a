// The contract of sessions in this process, in a native child and in a WebAssembly child.

import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../runtime/graph/graph.ts';
import { constant } from '../../runtime/graph/initial.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { forwardProgram, type Program, trainingProgram } from '../../runtime/graph/program.ts';
import { loadRuntime } from '../../runtime/graph/runtime.ts';
import { openSession, type Session } from '../../runtime/graph/session.ts';
import { tensor } from '../../runtime/graph/tensor.ts';
import { engineOf } from './engines.ts';
import {
  ADAM,
  floats,
  type Network,
  perceptron,
  perceptronFeeds,
  reader,
  readerFeeds,
  startingWeights,
} from './networks.ts';

type Open = (program: Program) => Promise<Session>;

const [native, wasm] = await Promise.all([engineOf('native'), engineOf('wasm')]);
afterAll(() => Promise.all([native.close(), wasm.close()]));

const PLACES: Readonly<Record<string, Open>> = {
  'in this process': async program => openSession(await loadRuntime('native'), program),
  'in a native child process': program => native.open(program),
  'in a WebAssembly child process': program => wasm.open(program),
};

async function openUntilFinished(open: Open, program: Program): Promise<Session> {
  const session = await open(program);
  onTestFinished(() => session.close());
  return session;
}

async function training(open: Open, network: Network = perceptron()): Promise<Session> {
  const session = await openUntilFinished(
    open,
    trainingProgram(network.graph, network.loss, ADAM, network.outputs),
  );
  await session.write(startingWeights(network));
  return session;
}

describe.each(Object.entries(PLACES))('a session %s', (_place, open) => {
  test('learns', async () => {
    const session = await training(open);
    const first = await session.run(perceptronFeeds('batch', 32));
    for (let step = 0; step < 200; step++) await session.run(perceptronFeeds('batch', 32));
    const last = await session.run(perceptronFeeds('batch', 32));
    expect(floats(last, 'loss')[0]).toBeLessThan(0.1 * Number(floats(first, 'loss')[0]));
    expect(floats(last, 'applied')).toEqual([1]);
  });

  test('gives the same weights, bit for bit, for the same seed and batches after 100 updates', async () => {
    const weightsAfter = async (): Promise<readonly number[]> => {
      const session = await training(open, reader());
      for (let step = 0; step < 100; step++) await session.run(readerFeeds(`batch ${step}`));
      return floats(await session.read(), 'weights');
    };
    const [first, second] = [await weightsAfter(), await weightsAfter()];
    expect(first.every(Number.isFinite)).toBe(true);
    expect(second).toEqual(first);
  });

  test('does not change in a step that produces NaN, reports it, and continues', async () => {
    const session = await training(open);
    await session.run(perceptronFeeds('good'));
    const before = await session.read();
    const poisoned = perceptronFeeds('bad');
    (poisoned['x']?.data as Float32Array)[3] = Number.NaN;
    const refused = await session.run(poisoned);
    expect(floats(refused, 'applied')).toEqual([0]);
    expect(floats(refused, 'loss')[0]).toBeNaN();
    expect(await session.read()).toEqual(before);
    expect(floats(await session.run(perceptronFeeds('good')), 'applied')).toEqual([1]);
    expect(await session.read()).not.toEqual(before);
  });

  test('continues identically from a saved and restored state', async () => {
    const [kept, moved] = [await training(open), await training(open)];
    await kept.run(perceptronFeeds('one'));
    await moved.write(await kept.read());
    await kept.run(perceptronFeeds('two'));
    await moved.run(perceptronFeeds('two'));
    expect(await moved.read()).toEqual(await kept.read());
  });

  test('reads state by name and lists the names if one is unknown', async () => {
    const session = await training(open);
    await session.run(perceptronFeeds('one'));
    const { weights } = await session.read();
    expect(await session.read(['weights'])).toEqual({ weights });
    expect(await session.read([])).toEqual({});
    await expect(session.read(['weight'])).rejects.toThrow(
      "The program has no state 'weight'; it has weights,",
    );
  });

  test('returns copies of the state', async () => {
    const session = await training(open);
    const before = await session.read();
    const copy = floats(before, 'weights');
    await session.run(perceptronFeeds('one'));
    expect(floats(before, 'weights')).toEqual(copy);
    expect(floats(await session.read(), 'weights')).not.toEqual(copy);
  });

  test('runs different batch sizes', async () => {
    const network = perceptron();
    const session = await openUntilFinished(open, forwardProgram(network.graph, network.outputs));
    await session.write(startingWeights(network));
    for (const size of [1, 7, 32]) {
      const { x } = perceptronFeeds('any', size);
      expect((await session.run({ x: x ?? tensor('float32', [0], new Float32Array()) }))['y']?.dims).toEqual([
        size,
        1,
      ]);
    }
  });

  test('rejects a run before the weights are written, and state of a wrong shape', async () => {
    const network = perceptron();
    const session = await openUntilFinished(open, forwardProgram(network.graph, network.outputs));
    const { x } = perceptronFeeds('any');
    const feeds = { x: x ?? tensor('float32', [0], new Float32Array()) };
    await expect(session.run(feeds)).rejects.toThrow("The state 'weights' was never written");
    const short = tensor('float32', [3], new Float32Array(3));
    await expect(session.write({ weights: short })).rejects.toThrow(
      /'weights' is float32 \[33\]; float32 \[3\] was given/,
    );
    await expect(session.write({ bias: short })).rejects.toThrow("no state 'bias'; it has weights");
  });

  test('copies written state and writes nothing if one tensor is wrong', async () => {
    const session = await training(open);
    const written = startingWeights(perceptron());
    const copy = floats(written, 'weights');
    await session.write(written);
    await session.run(perceptronFeeds('one'));
    expect(floats(written, 'weights')).toEqual(copy);
    const before = await session.read();
    const odd = tensor('int32', [33], new Int32Array(33));
    await expect(session.write({ weights: odd })).rejects.toThrow(
      /'weights' is float32 \[33\]; int32 \[33\] was given/,
    );
    const lying = { dtype: 'float32', dims: [33], data: new Float32Array(3) } as const;
    await expect(session.write({ weights: lying })).rejects.toThrow('its data has 3 numbers, 33 are needed');
    const zeros = tensor('float32', [33], new Float32Array(33));
    await expect(session.write({ weights: zeros, bias: zeros })).rejects.toThrow("no state 'bias'");
    expect(await session.read()).toEqual(before);
  });

  test('runs concurrent calls sequentially', async () => {
    const session = await training(open);
    await Promise.all([1, 2, 3].map(number => session.run(perceptronFeeds(`batch ${number}`))));
    expect(floats(await session.read(), 'adam.step')).toEqual([3]);
  });

  test('checks multiples of a symbol in any order of feeds', async () => {
    const graph = new Graph();
    const [twice, once] = [graph.input('twice', 'float32', ['2*B']), graph.input('once', 'float32', ['B'])];
    const sum = op.add(op.reduceSum(twice), op.reduceSum(once));
    const session = await openUntilFinished(open, forwardProgram(graph, { sum }));
    const ones = (count: number) => tensor('float32', [count], new Float32Array(count).fill(1));
    expect(floats(await session.run({ twice: ones(6), once: ones(3) }), 'sum')).toEqual([9]);
    await expect(session.run({ twice: ones(7), once: ones(3) })).rejects.toThrow(
      "axis 0 must be 6, as in 'once'",
    );
  });

  test('rejects feeds with a wrong name, type or shape, and continues', async () => {
    const session = await training(open);
    const { x, wanted } = perceptronFeeds('any');
    if (x === undefined || wanted === undefined) throw new Error('The feeds have both.');
    await expect(session.run({ x })).rejects.toThrow("The feed 'wanted' (float32 [B,1]) is missing.");
    await expect(session.run({ x, wanted, y: x })).rejects.toThrow(
      "There is no feed 'y'; the program takes x, wanted.",
    );
    const whole = tensor('int32', [8, 2], new Int32Array(16));
    await expect(session.run({ x: whole, wanted })).rejects.toThrow(
      /'x' is int32 \[8,2\].*takes float32 \[B,2\]: the types differ/,
    );
    const flat = tensor('float32', [16], new Float32Array(16));
    await expect(session.run({ x: flat, wanted })).rejects.toThrow('the number of axes differs');
    const wide = tensor('float32', [8, 3], new Float32Array(24));
    await expect(session.run({ x: wide, wanted })).rejects.toThrow(
      "'x' is float32 [8,3], the program takes float32 [B,2]: axis 1 must be 2",
    );
    const few = tensor('float32', [4, 1], new Float32Array(4));
    await expect(session.run({ x, wanted: few })).rejects.toThrow("axis 0 must be 8, as in 'x'");
    const lying = { dtype: 'float32', dims: [8, 2], data: new Float32Array(15) } as const;
    await expect(session.run({ x: lying, wanted })).rejects.toThrow('its data has 15 numbers, 16 are needed');
    expect(floats(await session.run({ x, wanted }), 'applied')).toEqual([1]);
  });
});

test('a native and a WebAssembly engine train the same program to the same losses', async () => {
  const lossesOf = async (open: Open): Promise<readonly number[]> => {
    const session = await training(open, reader());
    const losses: number[] = [];
    for (let step = 0; step < 20; step++) {
      losses.push(...floats(await session.run(readerFeeds(`batch ${step}`)), 'loss'));
    }
    return losses;
  };
  const inWasm = await lossesOf(program => wasm.open(program));
  const inNative = await lossesOf(program => native.open(program));
  for (const [step, loss] of inNative.entries()) expect(inWasm[step]).toBeCloseTo(loss, 4);
});

test('writing state in place gives the same bits as copying it', async () => {
  const runtime = await loadRuntime('native');
  const after = async (writesInPlace: boolean): Promise<unknown> => {
    const session = await training(program => openSession({ ...runtime, writesInPlace }, program), reader());
    for (let step = 0; step < 20; step++) await session.run(readerFeeds(`batch ${step}`));
    return session.read();
  };
  expect(await after(true)).toEqual(await after(false));
});

test('after a failed run, the state must be written before the next call', async () => {
  const graph = new Graph();
  const w = graph.parameter('w', [2], constant(0));
  const place = graph.input('place', 'int32', [1]);
  const extra = op.gather(graph.constant('float32', [2], [1, 2]), place);
  const program = trainingProgram(graph, op.reduceSum(op.square(w)), ADAM, { extra });
  const session = await openUntilFinished(PLACES['in this process'] ?? native.open, program);
  await session.write({ weights: tensor('float32', [2], Float32Array.of(1, 2)) });
  const at = (index: number) => session.run({ place: tensor('int32', [1], Int32Array.of(index)) });
  await at(1);
  const good = await session.read();
  await expect(at(7)).rejects.toThrow();
  await expect(at(1)).rejects.toThrow('A run failed and may have written');
  await expect(session.read()).rejects.toThrow('A run failed and may have written');
  await session.write(good);
  expect(await session.read()).toEqual(good);
  expect(floats(await at(0), 'applied')).toEqual([1]);
});
