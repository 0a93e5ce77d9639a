import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderId } from '../../runtime/core/ids.ts';
import { afterRestart, RolloutLedger } from '../../runtime/data/rollout-ledger.ts';

const ENDS = ['accepted', 'filtered', 'dropped', 'failed'] as const;
const NUMBERS = fc.nat(9);
const entry = fc.oneof(
  fc.record({ kind: fc.constant('submitted' as const), order: NUMBERS }),
  fc.record({ kind: fc.constant('played' as const), order: NUMBERS }),
  fc.record({ kind: fc.constant('ended' as const), order: NUMBERS, end: fc.constantFrom(...ENDS) }),
  fc.record({ kind: fc.constant('restarted' as const), untrained: NUMBERS }),
);

test('each rollout is in exactly one stage, for any order of events and across restarts', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), entries => {
      let books = new RolloutLedger();
      let [round, submitted] = [0, 0];
      const known = new Set<string>();
      for (const each of entries) {
        if (each.kind === 'restarted') {
          books = new RolloutLedger(afterRestart(JSON.parse(JSON.stringify(books.save())), each.untrained));
          round += 1;
          expect(books.counts().running).toBe(0);
        } else {
          const order = orderId(`r${round}.${each.order}`);
          if (each.kind === 'played') books.markPlayed(order);
          else if (each.kind === 'ended') books.end(order, each.end);
          else if (!known.has(order)) {
            known.add(order);
            submitted += 1;
            books.submit(order);
          }
        }
        const counts = books.counts();
        const places = ENDS.reduce((sum, end) => sum + counts[end], counts.running);
        expect(counts.submitted).toBe(submitted);
        expect(places).toBe(submitted);
        expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('repeated deliveries and unknown orders do not count', () => {
  const books = new RolloutLedger();
  const order = orderId('o1');
  books.submit(order);
  expect([books.markPlayed(order), books.markPlayed(order)]).toEqual([true, false]);
  expect([books.end(order, 'accepted'), books.end(order, 'failed')]).toEqual([true, false]);
  expect(books.markPlayed(orderId('unknown'))).toBe(false);
  expect(books.counts()).toEqual({
    ...{ submitted: 1, accepted: 1, filtered: 0, dropped: 0, failed: 0, running: 0 },
  });
});

test('an order is submitted once', () => {
  const books = new RolloutLedger();
  books.submit(orderId('o1'));
  expect(() => books.submit(orderId('o1'))).toThrow('o1 was already submitted');
});

test('after a restart, playing rollouts have failed, and judged but untrained ones are dropped', () => {
  const books = new RolloutLedger();
  for (const [number, end] of [undefined, 'played', 'accepted', 'accepted', 'filtered'].entries()) {
    const order = orderId(`o${number}`);
    books.submit(order);
    if (end === 'played') books.markPlayed(order);
    else if (end === 'accepted' || end === 'filtered') books.end(order, end);
  }
  expect(new RolloutLedger(afterRestart(books.save(), 1)).counts()).toEqual({
    ...{ submitted: 5, accepted: 1, filtered: 1, dropped: 2, failed: 1, running: 0 },
  });
});
