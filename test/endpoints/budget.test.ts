// The budget of tokens and money of a router: what it counts, and how requests end when it is spent.

import { describe, expect, test } from 'vitest';
import { TokenBudget } from '../../runtime/endpoints/budget.ts';
import { EndpointError } from '../../runtime/endpoints/failure.ts';
import type { ServerTraits } from '../doubles/openai/traits.ts';
import { request, settled, setUp } from './router-setup.ts';

describe('the budget', () => {
  test('of tokens ends requests, with the limit in the error', async () => {
    const { clock, router } = setUp({ servers: [{}], options: { budget: new TokenBudget({ tokens: 30 }) } });
    const played = (async () => {
      for (;;) await router.complete(request('a'));
    })();
    await expect(settled(clock, played)).rejects.toMatchObject({ reason: 'budget' });
    // 4 of the prompt and 6 of the reply each.
    expect(router.snapshot()[0]?.replies).toBe(3);
  });

  test('ends requests that wait for the server too', async () => {
    const { clock, router } = setUp({
      servers: [{}],
      options: { budget: new TokenBudget({ tokens: 10 }), concurrency: 1 },
    });
    const requests = ['a', 'b', 'c', 'd'].map(session => router.complete(request(session)));
    const ended = await settled(clock, Promise.allSettled(requests));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(router.snapshot()).toMatchObject([{ replies: 1, inFlight: 0 }]);
  });

  test('of money counts the prices of prompts and replies', async () => {
    const budget = new TokenBudget({ money: 0.5 }, { input: 50_000, output: 25_000 });
    const { clock, router } = setUp({ servers: [{}], options: { budget } });
    const { served } = await settled(clock, router.complete(request('a')));
    expect(served.cost).toBeCloseTo(0.35, 10);
    await settled(clock, router.complete(request('a')));
    await expect(router.complete(request('a'))).rejects.toThrow(EndpointError);
  });

  test('counts the tokens themselves if the server does not say how many there are', async () => {
    const spent = async (traits: Partial<ServerTraits>) => {
      const budget = new TokenBudget();
      const { clock, router } = setUp({ servers: [{}], traits, options: { budget } });
      await settled(clock, router.complete(request('a')));
      return budget.spent;
    };
    const counted = await spent({ withoutUsage: true });
    expect(counted.completionTokens).toBeGreaterThan(0);
    expect(counted).toEqual(await spent({}));
  });

  test('counts what earlier processes of the run spent, and reports only its own', async () => {
    const before = { promptTokens: 10, completionTokens: 10, money: 0.4 };
    const budget = new TokenBudget({ tokens: 30 }, undefined, before);
    const { clock, router } = setUp({ servers: [{}], options: { budget } });
    await settled(clock, router.complete(request('a')));
    await expect(router.complete(request('a'))).rejects.toThrow(
      'The budget of 30 tokens is spent (30 used).',
    );
    expect(budget.spent).toMatchObject({ promptTokens: 4, completionTokens: 6 });
    const money = new TokenBudget({ money: 0.5 }, { input: 50_000, output: 25_000 }, before);
    money.add(2, 0);
    expect(() => money.require('toy')).toThrow('The budget of 0.5 is spent (cost 0.5000).');
  });
});
