// What is kept of what was made lately.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lately } from '../../runtime/trainer/lately.ts';

test('law: what is asked for is what was made of it, and it is made anew only where so many others were asked for since', () => {
  const most = 4;
  const keys = Array.from({ length: 10 }, (_, number) => ({ number }));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: keys.length - 1 })), asked => {
      const lately = new Lately<{ readonly number: number }, { readonly number: number }>(most);
      const order: number[] = [];
      for (const number of asked) {
        const key = keys[number];
        if (key === undefined) throw new Error('no key');
        let isMade = false;
        const got = lately.of(key, ({ number }) => {
          isMade = true;
          return { number };
        });
        expect(got.number).toBe(number);
        const before = order.lastIndexOf(number);
        const since = new Set(order.slice(before + 1));
        expect(isMade).toBe(before < 0 || since.size >= most);
        order.push(number);
      }
    }),
  );
});

test('what could not be made is tried again', () => {
  const lately = new Lately<object, object>(4);
  const key = {};
  const fail = () => {
    throw new Error('unreadable');
  };
  expect(() => lately.of(key, fail)).toThrow('unreadable');
  const made = {};
  expect(lately.of(key, () => made)).toBe(made);
});
