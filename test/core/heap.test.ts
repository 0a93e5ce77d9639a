import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '../../runtime/core/heap.ts';

test('the first item is always the smallest, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20))), steps => {
      const heap = new Heap<number>((a, b) => a - b);
      let list: number[] = [];
      // A step without a number removes the first item.
      for (const step of steps) {
        if (step === null) {
          expect(heap.pop()).toBe(list[0]);
          list = list.slice(1);
        } else {
          heap.push(step);
          list = [...list, step].sort((a, b) => a - b);
        }
        expect(heap.first).toBe(list[0]);
      }
    }),
  );
});
