import { expect, test } from 'vitest';
import { SharedCalls } from '../../../extension/panels/shared-calls.ts';

test('calls of a key share the result of the one under way, also its failure, and later ones begin anew', async () => {
  const calls = new SharedCalls<string, number>();
  const begun: string[] = [];
  const open = (key: string) =>
    calls.run(key, async () => {
      const number = begun.push(key);
      await Promise.resolve();
      if (number === 3) throw new Error('There is no page.');
      return number;
    });
  expect(await Promise.all([open('training'), open('training'), open('desktops')])).toEqual([1, 1, 2]);
  const failures = await Promise.allSettled([open('training'), open('training')]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await open('training')).toBe(4);
  expect(begun).toEqual(['training', 'desktops', 'training', 'training']);
});
