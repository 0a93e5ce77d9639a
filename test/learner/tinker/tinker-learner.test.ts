// The learner on a double of its server: what it sends, what it reports, and what it needs to open.

import { describe, expect, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { StepsLost } from '../../../runtime/learner/tinker/tinker-error.ts';
import { HOSTED, JSON_SERVER } from '../../doubles/tinker/traits.ts';
import { ADAM, assess, LIVE, lab, open, settled, update, updateOf } from './lab.ts';

describe('training', () => {
  test('reports the loss before the step, and the norm of the gradient', async () => {
    const from = lab();
    const learner = await open(from);
    const before = await assess(from, learner);
    const { rows } = updateOf(1);
    const loss = -rows.reduce(
      (sum, { weights }, row) =>
        sum + weights.reduce((total, weight, token) => total + weight * at(at(before, row), token), 0),
      0,
    );
    const report = await update(from, learner, 1);
    expect(report.step).toBe(1);
    expect(report.loss).toBeCloseTo(loss, 5);
    expect(report.gradientNorm).toBeGreaterThan(0);
  });

  test.each([
    ['JSON', JSON_SERVER],
    ['protobuf', HOSTED],
  ])(
    'reports the hardware time of its passes and its step over %s, also after a crash',
    async (_, traits) => {
      const from = lab({ traits: { ...traits, hardwareSeconds: 0.25 } });
      // Two passes and a step.
      const report = await update(from, await open(from), 1);
      expect(report.hardwareSeconds).toBe(0.75);
      expect(await update(from, await open(from), 1)).toEqual(report);
    },
  );

  test('reports no hardware time if the server reports none', async () => {
    const from = lab();
    expect(await update(from, await open(from), 1)).not.toHaveProperty('hardwareSeconds');
  });

  test('lowers the loss of the same batch', async () => {
    const from = lab();
    const learner = await open(from);
    const losses: number[] = [];
    for (let number = 0; number < 5; number++) {
      const { loss } = await settled(from.clock, learner.update({ ...updateOf(1), id: `${number}` }, LIVE));
      losses.push(loss ?? Number.NaN);
    }
    expect(losses).toEqual(losses.toSorted((one, other) => other - one));
  });

  test('sends passes within the limits, then one step', async () => {
    const from = lab();
    const learner = await open(from);
    from.server.routes.length = 0;
    await update(from, learner, 1);
    const sent = from.server.routes.filter(route => route !== '/retrieve_future');
    expect(sent).toEqual(['/forward_backward', '/forward_backward', '/optim_step']);
  });

  test.each([
    ['JSON', JSON_SERVER],
    ['protobuf', HOSTED],
  ])('gives the same weights over %s', async (_, traits) => {
    const [from, other] = [lab({ traits }), lab()];
    const [learner, expected] = [await open(from), await open(other)];
    for (const number of [1, 2]) {
      await update(from, learner, number);
      await update(other, expected, number);
    }
    const present = await assess(from, learner);
    for (const [row, values] of (await assess(other, expected)).entries())
      for (const [token, value] of values.entries())
        expect(at(at(present, row), token)).toBeCloseTo(value, 5);
  });

  test('gives the same weights on a server that takes the mean over rows', async () => {
    const from = lab({ traits: { reduction: 'row-mean' }, learner: { reduction: 'row-mean' } });
    const other = lab();
    const [learner, expected] = [await open(from), await open(other)];
    const [report, wanted] = [await update(from, learner, 1), await update(other, expected, 1)];
    expect(report.loss).toBeCloseTo(wanted.loss ?? Number.NaN, 4);
    const present = await assess(from, learner);
    for (const [row, values] of (await assess(other, expected)).entries())
      for (const [token, value] of values.entries())
        expect(at(at(present, row), token)).toBeCloseTo(value, 4);
  });
});

describe('the reference weights', () => {
  test.each([
    ['are a second model', {}],
    ['are the prompts of the base model, if there is room for one model', { room: 1 }],
  ])('%s', async (_, traits) => {
    const from = lab({ traits, learner: { needsReference: true } });
    const learner = await open(from);
    expect(learner.capabilities.hasReference).toBe(true);
    const first = await assess(from, learner);
    await update(from, learner, 1);
    const reference = await assess(from, learner, 'reference');
    for (const [row, values] of first.entries())
      for (const [token, value] of values.entries())
        expect(at(at(reference, row), token)).toBeCloseTo(value, 5);
    expect(await assess(from, learner)).not.toEqual(first);
  });

  test('are absent on a server with neither', async () => {
    const from = lab({
      traits: { room: 1, promptLogProbabilities: false },
      learner: { needsReference: true },
    });
    const learner = await open(from);
    expect(learner.capabilities.hasReference).toBe(false);
    await expect(assess(from, learner, 'reference')).rejects.toThrow('has no reference weights');
  });

  test('are made again after a restart of the server', async () => {
    const from = lab({ learner: { needsReference: true } });
    const learner = await open(from);
    const first = await assess(from, learner, 'reference');
    from.server.restart();
    expect(await assess(from, learner, 'reference')).toEqual(first);
  });
});

describe('publishing', () => {
  test('returns the path of the weights, once per step', async () => {
    const from = lab();
    const learner = await open(from);
    const publish = () => settled(from.clock, learner.publish(LIVE));
    const first = await publish();
    expect(first).toEqual({
      step: 0,
      path: expect.stringMatching(/^tinker:\/\/.+\/sampler_weights\/step-0-\d+$/),
    });
    expect(await publish()).toEqual(first);
    await update(from, learner, 1);
    const second = await publish();
    expect(second.step).toBe(1);
    expect(from.server.disk.get(second.path)?.steps).toBe(1);
  });

  test('never returns weights of a step that was lost', async () => {
    const from = lab();
    const learner = await open(from);
    await update(from, learner, 1);
    const lost = await settled(from.clock, learner.publish(LIVE));
    from.server.restart();
    await expect(assess(from, learner)).rejects.toBeInstanceOf(StepsLost);
    await settled(from.clock, learner.update({ ...updateOf(2), id: 'other' }, LIVE));
    const next = await settled(from.clock, learner.publish(LIVE));
    expect(next.step).toBe(1);
    expect(next.path).not.toBe(lost.path);
  });
});

describe('opening', () => {
  test('needs a model that the server lists', async () => {
    const from = lab({ learner: { model: { baseModel: 'chair', rank: 8, seed: 1 } } });
    await expect(open(from)).rejects.toThrow("does not train 'chair'. It lists table: set one of them.");
  });

  test('needs the model of the journal', async () => {
    const from = lab();
    await (await open(from)).close();
    const { files, clock } = from;
    const other = lab({ learner: { files, model: { baseModel: 'table', rank: 16, seed: 1 } } });
    await expect(settled(clock, settled(other.clock, other.open()))).rejects.toThrow(
      'belongs to table of rank 8, not to table of rank 16',
    );
  });

  test('names a damaged journal', async () => {
    const from = lab();
    from.files.contents.set('learner.json', Buffer.from('{"step":'));
    await expect(open(from)).rejects.toThrow('learner.json, is damaged');
  });

  test('keeps the session alive with heartbeats until the learner is closed', async () => {
    const from = lab();
    const learner = await open(from);
    await from.clock.run(from.clock.now() + 65_000);
    const beats = () => from.server.routes.filter(route => route === '/session_heartbeat').length;
    expect(beats()).toBe(6);
    await settled(from.clock, learner.close());
    await from.clock.run(from.clock.now() + 65_000);
    expect(beats()).toBe(6);
    await expect(learner.update(updateOf(1), LIVE)).rejects.toThrow(
      'The learner is closed. Open another one.',
    );
  });

  test('finds the encoding that the server reads', async () => {
    const from = lab({ traits: JSON_SERVER });
    await open(from);
    expect(from.server.routes).toContain('/forward');
    const state: unknown = JSON.parse(Buffer.from(await from.files.read('learner.json')).toString());
    expect(state).toMatchObject({ encoding: 'json', recognisesRepeats: false });
  });
});

test('an update without rows or with wrong weights is refused before anything is sent', async () => {
  const from = lab();
  const learner = await open(from);
  const sent = from.server.routes.length;
  await expect(learner.update({ id: 'x', rows: [], optimiser: ADAM }, LIVE)).rejects.toThrow('has no rows');
  expect(from.server.routes).toHaveLength(sent);
});
