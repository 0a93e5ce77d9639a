// Our Tinker learner on SkyRL's own server with its JAX backend: the client of one project and the server of another.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { at } from '../../runtime/core/at.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import { decodeSafetensors } from '../../runtime/graph/safetensors.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { clippedBatch } from '../learner/clipped-batches.ts';
import { MemoryFiles } from '../learner/tinker/lab.ts';
import { temporaryFolder } from '../temporary.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { SKYRL_VERSIONS } from './install-folder.mjs';
import { ADAM, LearnerProcess, LIVE, openOn, STEPS, updateOf, weightsOf } from './skyrl/learners.ts';
import { missingSkyrl, SkyrlFolder, type SkyrlServer, startSkyrl } from './skyrl/server.ts';

const table = z.array(z.array(z.number()));
const comparison = z.object({
  before: table,
  after: table,
  /** Norms over all weights of the adapter. */
  gradient: z.number(),
  error: z.number(),
});

type Table = readonly (readonly number[])[];

const farthest = (one: Table, other: Table): number =>
  Math.max(
    ...one.flatMap((row, index) => row.map((value, token) => Math.abs(value - at(at(other, index), token)))),
  );

/** −Σ weight · log p. */
const lossOf = (weights: Table, logProbabilities: Table): number =>
  -sum(
    weights.flatMap((row, index) =>
      row.map((weight, token) => weight * at(at(logProbabilities, index), token)),
    ),
  );

/** A request to 0.3.0 takes 0.3 s, because the server looks for results at growing intervals. */
const UPDATES = 100;
const CLIPPED_UPDATES = 4;
/** Rate and ε of an Adam that is plain gradient descent: the step is RATE · gradient. */
const [RATE, EPSILON] = [0.01, 1e6];
const DESCENT = { ...ADAM, beta1: 0, beta2: 0, epsilon: EPSILON, learningRate: RATE * EPSILON };

/** Entries by tensor, in the order of their names. */
type Entries = readonly number[];

/** The gradient of a step, from the adapter before and after it. */
const gradientOf = (before: Entries, after: Entries): Entries =>
  before.map((each, index) => (each - at(after, index)) / RATE);

const largest = (numbers: Entries): number =>
  numbers.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

/** Of LoRA: 32 / rank. */
const SCALING = 8;

describeUnless(missingSkyrl, 'on SkyRL', () => {
  describe.each(SKYRL_VERSIONS)('%s', version => {
    let folder: SkyrlFolder;
    let server: SkyrlServer;
    beforeAll(async () => {
      folder = new SkyrlFolder(version, temporaryFolder('skyrl'));
      await folder.write();
      server = await startSkyrl(folder);
    });
    afterAll(() => server?.kill());

    test(`${UPDATES} updates with signed weights: the loss falls, and a step follows the gradient`, async () => {
      const learner = await openOn(server, folder, { needsReference: true });
      const weights = weightsOf(0);
      const first = await learner.assess(STEPS, 'present', LIVE);
      const losses: number[] = [];
      for (let number = 0; number < UPDATES; number++) {
        const report = await learner.update(updateOf(number, ADAM, weights), LIVE);
        expect(report.step).toBe(number + 1);
        losses.push(report.loss ?? Number.NaN);
      }
      expect(at(losses, 0)).toBeCloseTo(lossOf(weights, first), 4);
      const last = await learner.assess(STEPS, 'present', LIVE);
      expect(lossOf(weights, last)).toBeLessThan(at(losses, 0) - 5);
      // A positive weight makes its token likelier, a negative one less likely, if the weight is not tiny.
      const moved = last.map((row, index) => row.map((value, token) => value - at(at(first, index), token)));
      const wrong = weights.flatMap((row, index) =>
        row.filter((weight, token) => Math.abs(weight) > 0.2 && weight * at(at(moved, index), token) < 0),
      );
      expect(wrong).toEqual([]);
      expect(farthest(await learner.assess(STEPS, 'reference', LIVE), first)).toBeLessThan(1e-4);
      await compareWithDifferentiation(learner);
      await learner.close();
    });

    /** One step whose Adam is plain gradient descent: with so large an ε, the step is −(rate / ε) · gradient. */
    async function compareWithDifferentiation(learner: Awaited<ReturnType<typeof openOn>>): Promise<void> {
      const [epsilon, rate] = [1e6, 0.01];
      const descent = { ...ADAM, beta1: 0, beta2: 0, epsilon, learningRate: rate * epsilon };
      const weights = weightsOf(1);
      const before = await learner.publish(LIVE);
      const assessed = await learner.assess(STEPS, 'present', LIVE);
      const report = await learner.update(updateOf(UPDATES, descent, weights), LIVE);
      const after = await learner.publish(LIVE);
      const stepped = await learner.assess(STEPS, 'present', LIVE);
      const rows = STEPS.map(({ prompt, reply }, row) => ({
        prompt: prompt.flatMap(chunk => (chunk.kind === 'text' ? chunk.tokens : [])),
        ...{ reply, weights: weights[row] },
      }));
      const own = comparison.parse(
        await folder.python('differentiate.py', {
          ...{ model: folder.model, scaling: SCALING, rate, rows },
          ...{ before: await folder.unpacked(before), after: await folder.unpacked(after) },
        }),
      );
      expect(farthest(assessed, own.before)).toBeLessThan(1e-3);
      expect(farthest(stepped, own.after)).toBeLessThan(1e-3);
      expect(farthest(assessed, stepped)).toBeGreaterThan(0.01);
      expect(own.error / own.gradient).toBeLessThan(1e-3);
      expect(report.gradientNorm).toBeDefined();
    }

    test('the gradient of its PPO loss is that of signed weights, over random batches with every switch', async () => {
      const random = seeded(`clipped ${version}`);
      const [clipping, plain] = [await openOn(server, folder), await openOn(server, folder)];
      expect(clipping.capabilities.clips).toBe(true);
      for (let number = 0; number < CLIPPED_UPDATES; number++) {
        // Both begin each batch with the same weights: rounding makes their gradients drift apart.
        await clipping.load(await plain.save(`b${number}`, LIVE), LIVE);
        const before = await adapterOf(plain);
        const present = await plain.assess(STEPS, 'present', LIVE);
        const batch = { steps: STEPS, present, optimiser: DESCENT };
        const { clipped, signed, objective } = clippedBatch(`b${number}`, batch, random);
        const report = await clipping.update(clipped, LIVE);
        await plain.update(signed, LIVE);
        expect(report.divergence).toBeGreaterThan(0);
        const built = gradientOf(before, await adapterOf(clipping));
        const wanted = gradientOf(before, await adapterOf(plain));
        const apart = largest(built.map((each, index) => each - at(wanted, index)));
        expect(largest(wanted)).toBeGreaterThan(1e-3);
        expect(apart, JSON.stringify(objective)).toBeLessThan(1e-5);
      }
      for (const learner of [clipping, plain]) await learner.close();
    });

    test('with another reduction than the server has, no learner opens', async () => {
      await expect(openOn(server, folder, { reduction: 'sum' })).rejects.toThrow(
        /divides the loss of a row by the sum of its weights.*Set "reduction": "row-mean"/,
      );
    });

    async function adapterOf(learner: Awaited<ReturnType<typeof openOn>>): Promise<Entries> {
      const unpacked = await folder.unpacked(await learner.publish(LIVE));
      const { tensors } = decodeSafetensors(await readFile(join(unpacked, 'adapter_model.safetensors')));
      const names = Object.keys(tensors).sort();
      return names.flatMap(name => [...(tensors[name]?.data ?? [])].map(Number));
    }

    test('killed between request and answer, the learner applies each update once', async () => {
      const control = await openOn(server, folder);
      for (let number = 0; number < 6; number++) await control.update(updateOf(number), LIVE);
      const expected = await control.assess(STEPS, 'present', LIVE);
      await control.close();
      const files = new MemoryFiles();
      for (let number = 0; number < 6; number++) {
        const process = new LearnerProcess(files);
        const learner = await openOn(server, folder, { process });
        expect(learner.step).toBe(number);
        // Without numbers, a server that was asked for a step may have made it: only a saved state is certain.
        await learner.save('before', LIVE);
        const route = at(['/forward_backward', '/optim_step', '/retrieve_future'], number % 3);
        process.dieAt({ route, when: number < 3 ? 'after' : 'before' });
        await expect(learner.update(updateOf(number), process.life)).rejects.toThrow(
          'The process was killed.',
        );
        await expect(learner.close()).rejects.toThrow('The process was killed.');
        const next = await openOn(server, folder, { process: new LearnerProcess(files) });
        expect((await next.update(updateOf(number), LIVE)).step).toBe(number + 1);
        await next.close();
      }
      const learner = await openOn(server, folder, { process: new LearnerProcess(files) });
      expect(farthest(await learner.assess(STEPS, 'present', LIVE), expected)).toBeLessThan(1e-3);
      await learner.close();
    });

    test('the server is killed and started again, between updates and within one: each update is applied once', async () => {
      const control = await openOn(server, folder);
      for (let number = 0; number < 4; number++) await control.update(updateOf(number), LIVE);
      const expected = await control.assess(STEPS, 'present', LIVE);
      await control.close();
      let killAt = '';
      const restart = async (): Promise<void> => {
        const { port } = server;
        await server.kill();
        server = await startSkyrl(folder, port);
      };
      const process = new LearnerProcess(new MemoryFiles(), async route => {
        if (killAt === '' || !route.endsWith(killAt)) return;
        killAt = '';
        await restart();
      });
      const learner = await openOn(server, folder, { process });
      await learner.update(updateOf(0), LIVE);
      await learner.save('first', LIVE);
      await restart();
      expect((await learner.update(updateOf(1), LIVE)).step).toBe(2);
      await learner.save('second', LIVE);
      killAt = '/optim_step';
      expect((await learner.update(updateOf(2), LIVE)).step).toBe(3);
      expect((await learner.update(updateOf(3), LIVE)).step).toBe(4);
      expect(farthest(await learner.assess(STEPS, 'present', LIVE), expected)).toBeLessThan(1e-3);
      await learner.close();
    });
  });
});
