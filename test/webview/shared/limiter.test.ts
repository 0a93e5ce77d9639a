import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Limiter } from '../../../webview/shared/limiter.ts';

test('all tasks run in order, never more than the limit at a time, and a failed task passes its turn on', async () => {
  const law = fc.asyncProperty(
    fc.scheduler(),
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.boolean(), { maxLength: 20 }),
    async (scheduler, max, successes) => {
      const limiter = new Limiter(max);
      const started: number[] = [];
      let running = 0;
      let most = 0;
      const results = successes.map((isSuccess, number) =>
        limiter.run(async () => {
          started.push(number);
          running += 1;
          most = Math.max(most, running);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          if (!isSuccess) throw new Error('This task fails.');
          return number;
        }),
      );
      const settled = Promise.allSettled(results);
      await scheduler.waitFor(settled);
      expect((await settled).map(({ status }) => status === 'fulfilled')).toEqual(successes);
      expect(started).toEqual(successes.map((_, number) => number));
      expect(most).toBe(Math.min(max, successes.length));
    },
  );
  await fc.assert(law);
});
