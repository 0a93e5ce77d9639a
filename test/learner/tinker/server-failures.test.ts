// The learner after a refusal, and after its server lost the model or could not be reached.

import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../runtime/core/errors.ts';
import type { HttpBytesReply } from '../../../runtime/endpoints/http-transport.ts';
import type { TokenStep } from '../../../runtime/learner/learner.ts';
import { isOutage, StepsLost, TinkerError } from '../../../runtime/learner/tinker/tinker-error.ts';
import { networkError } from '../../doubles/tinker/faults.ts';
import { replyOf } from '../../doubles/tinker/served-result.ts';
import { HOSTED, JSON_SERVER } from '../../doubles/tinker/traits.ts';
import { ADAM, assess, LIVE, lab, open, STEPS, settled, storedState, update, updateOf } from './lab.ts';

describe('an update that the server refuses', () => {
  /** The last pass has an image with another number of tokens than the server counts. */
  const spoilt: readonly TokenStep[] = [
    ...STEPS.slice(0, -1),
    { prompt: [{ kind: 'image', sha256: 'aa', tokens: 40 }], reply: [1] },
  ];

  test.each([
    ['with numbered requests', HOSTED],
    ['without numbers', JSON_SERVER],
    ['with room for one model', { ...HOSTED, room: 1 }],
  ])('leaves no gradient behind on a server %s', async (_, traits) => {
    const [from, other] = [lab({ traits }), lab({ traits })];
    const [learner, expected] = [await open(from), await open(other)];
    await update(from, learner, 1);
    await update(other, expected, 1);
    const refused = settled(from.clock, learner.update(updateOf(7, spoilt), LIVE));
    await expect(refused).rejects.toThrow(/expected_tokens is 40/);
    expect(learner.step).toBe(1);
    await update(from, learner, 2);
    await update(other, expected, 2);
    expect(await settled(from.clock, storedState(from, learner))).toEqual(
      await settled(other.clock, storedState(other, expected)),
    );
  });

  test('is reported again when it is repeated', async () => {
    const from = lab();
    const learner = await open(from);
    for (let count = 0; count < 2; count++)
      await expect(settled(from.clock, learner.update(updateOf(7, spoilt), LIVE))).rejects.toThrow(
        /expected_tokens is 40/,
      );
  });
});

describe('a step that fails on the server', () => {
  const traits = { maxLearningRate: 1 };
  const failing = { ...updateOf(3), optimiser: { ...ADAM, learningRate: 9 } };

  test('is reported with its reason, and with the steps that it costs', async () => {
    const from = lab({ traits });
    const learner = await open(from);
    await update(from, learner, 1);
    await settled(from.clock, learner.save('one', LIVE));
    await update(from, learner, 2);
    const loss = await settled(from.clock, learner.update(failing, LIVE)).catch((error: unknown) => error);
    expect(loss).toBeInstanceOf(StepsLost);
    expect(loss).toMatchObject({ from: 2, to: 1 });
    expect(messageOf(loss)).toMatch(/not finite\. Lower the learning rate\. .*goes on from step 1/);
    expect(isOutage(loss)).toBe(false);
    expect(learner.step).toBe(1);
    expect(await update(from, learner, 2)).toMatchObject({ step: 2 });
  });

  test('is reported as it is, if it costs no step', async () => {
    const from = lab({ traits });
    const learner = await open(from);
    await update(from, learner, 1);
    await settled(from.clock, learner.save('one', LIVE));
    await expect(settled(from.clock, learner.update(failing, LIVE))).rejects.toThrow(TinkerError);
    expect(learner.step).toBe(1);
  });
});

describe('a server that lost the model', () => {
  test('gets the last saved state, and the learner reports the step', async () => {
    const from = lab();
    const learner = await open(from);
    await update(from, learner, 1);
    await settled(from.clock, learner.save('one', LIVE));
    const atOne = await assess(from, learner);
    await update(from, learner, 2);
    from.server.restart();
    const loss = await settled(from.clock, learner.update(updateOf(3), LIVE)).catch(
      (error: unknown) => error,
    );
    expect(loss).toBeInstanceOf(StepsLost);
    expect(loss).toMatchObject({ from: 2, to: 1 });
    expect(isOutage(loss)).toBe(true);
    expect(learner.step).toBe(1);
    expect(await assess(from, learner)).toEqual(atOne);
    expect(await update(from, learner, 2)).toMatchObject({ step: 2 });
  });

  test('is not noticed if the present state is saved', async () => {
    const from = lab();
    const learner = await open(from);
    const first = await update(from, learner, 1);
    await settled(from.clock, learner.save('one', LIVE));
    const before = await assess(from, learner);
    from.server.restart();
    expect(await assess(from, learner)).toEqual(before);
    from.server.restart();
    expect(await update(from, learner, 1)).toEqual(first);
    expect(await update(from, learner, 2)).toMatchObject({ step: 2 });
    from.server.restart();
    expect((await open(from)).step).toBe(1);
  });
});

describe('a server without numbers', () => {
  const noRoute = networkError('connect', 'EHOSTUNREACH');

  test.each<readonly [string, HttpBytesReply | Error]>([
    ['is away', networkError('connect', 'ECONNREFUSED')],
    ['is in a network that is away', networkError('connect', 'ENETUNREACH')],
    ['is at two addresses without a route', new AggregateError([noRoute, noRoute])],
    ['has an unknown address', networkError('getaddrinfo', 'EAI_FAIL')],
    ['rejects the key', replyOf(401, { detail: 'expired' })],
    ['is busy', replyOf(429, { detail: 'slow down' })],
  ])('that %s before the step loses nothing', async (_, failure) => {
    let isFailing = false;
    const from = lab({
      traits: JSON_SERVER,
      transport: server => ({
        sendForBytes: async request => {
          if (!isFailing || !request.url.endsWith('/optim_step')) return server.sendForBytes(request);
          if (failure instanceof Error) throw failure;
          return failure;
        },
        close: () => undefined,
      }),
    });
    const learner = await open(from);
    await update(from, learner, 1);
    isFailing = true;
    for (let count = 0; count < 2; count++)
      await expect(update(from, learner, 2)).rejects.toThrow(TinkerError);
    isFailing = false;
    expect(await update(from, learner, 2)).toMatchObject({ step: 2 });
    expect((await settled(from.clock, storedState(from, learner))).steps).toBe(2);
  });
});
