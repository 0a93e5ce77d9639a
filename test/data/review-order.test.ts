// The order of reviews: reasons, bounds, and independence of the order of arrival.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { type ReviewFacts, rankReviews, rankSuggested } from '../../runtime/data/review-order.ts';

const facts = fc
  .array(
    fc.record(
      {
        uncertainty: fc.integer({ min: 0, max: 10 }).map(each => each / 10),
        estimator: fc.constantFrom('exact', 'top-k'),
        ending: fc.constantFrom('finished' as const, 'fail' as const, 'capped' as const),
        group: fc.tuple(fc.nat(8), fc.nat(8)).map(([successes, others]) => ({
          ...{ successes, trials: successes + others },
        })),
        votes: fc.array(fc.record({ who: fc.constantFrom('ada', 'bob'), isMember: fc.boolean() })),
      },
      { requiredKeys: ['votes'] },
    ),
  )
  .map(all => all.map((each, number): ReviewFacts => ({ ...each, id: trajectoryId(`t${number}`) })));

test('each trajectory is ranked once, with a value from 0 to 4 that never rises', () => {
  fc.assert(
    fc.property(facts, all => {
      const ranked = rankReviews(all);
      expect(ranked.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
      for (const [index, { value }] of ranked.entries()) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(4);
        expect(value).toBeLessThanOrEqual(ranked[index - 1]?.value ?? 4);
      }
    }),
  );
});

test('the value and the reasons of a trajectory do not depend on the order of arrival', () => {
  fc.assert(
    fc.property(facts, all => {
      const byId = (some: readonly ReviewFacts[]) =>
        Object.fromEntries(rankReviews(some).map(({ id, value, reasons }) => [id, [value, reasons]]));
      expect(byId(all.toReversed())).toEqual(byId(all));
    }),
  );
});

test('the reasons of a trajectory compare it with the whole queue, not with those of its page', () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 20 }), (all, size) => {
      const page = all.slice(0, size);
      const whole = new Map(rankReviews(all).map(each => [each.id, each]));
      for (const each of rankReviews(page, all)) expect(each).toEqual(whole.get(each.id));
    }),
  );
});

test('names the reasons', () => {
  const clear: ReviewFacts = { id: trajectoryId('clear'), uncertainty: 0.1, ending: 'finished', votes: [] };
  const doubted: ReviewFacts = {
    ...{ id: trajectoryId('doubted'), uncertainty: 0.9, ending: 'capped' },
    group: { successes: 4, trials: 8 },
    votes: [
      { who: 'ada', isMember: true },
      { who: 'bob', isMember: false },
    ],
  };
  const [first, second] = rankReviews([clear, doubted]);
  expect(first?.id).toBe('doubted');
  expect([...(first?.reasons ?? [])].sort()).toEqual(['contested', 'disputed', 'uncertain', 'unclaimed']);
  expect(second).toEqual({ id: 'clear', value: 0, reasons: [] });
});

test('uncertainties of different estimators are not compared', () => {
  const one = (id: string, uncertainty: number, estimator?: string): ReviewFacts => ({
    ...{ id: trajectoryId(id), uncertainty, votes: [] },
    ...(estimator !== undefined && { estimator }),
  });
  // 0.4 is the highest of its estimator, 2 and 3 nats are the lower ones of theirs.
  const ranked = rankReviews([one('a', 0.1), one('b', 0.4), one('c', 2, 'exact'), one('d', 9, 'exact')]);
  const rankedValue = (id: string) => ranked.find(each => each.id === id)?.value;
  expect(rankedValue('b')).toBe(rankedValue('d'));
  expect(rankedValue('a')).toBe(rankedValue('c'));
});

test('doubts of a model come first, the surest first; then its agreements, the least sure first; then the rest in its order', () => {
  const suggested = fc.record({ isSuccess: fc.boolean(), confidence: fc.integer({ min: 5, max: 10 }) });
  const reviews = fc.array(fc.record({ isSuccess: fc.boolean(), suggested: fc.option(suggested) }));
  fc.assert(
    fc.property(reviews, all => {
      const ranked = rankSuggested(
        all.map(({ isSuccess, suggested: given }, number) => ({
          ...{ number, isSuccess },
          suggestion:
            given === null
              ? undefined
              : {
                  ...{ trajectory: trajectoryId('t'), agent: 'a', model: 'm', at: 1, reason: '' },
                  ...{ isSuccess: given.isSuccess, confidence: given.confidence / 10 },
                },
        })),
      );
      expect(ranked.map(({ number }) => number).sort((a, b) => a - b)).toEqual(all.map((_, index) => index));
      const places = ranked.map(({ isSuccess, suggestion, number }) => {
        if (suggestion === undefined) return [2, 0, number];
        const agrees = suggestion.isSuccess === isSuccess;
        return [Number(agrees), agrees ? suggestion.confidence : -suggestion.confidence, number];
      });
      expect(places).toEqual(
        places.toSorted((a, b) => a.reduce((order, value, index) => order || value - (b[index] ?? 0), 0)),
      );
    }),
  );
});
