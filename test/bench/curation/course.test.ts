import { expect, test } from 'vitest';
import { courseOf } from '../../../runtime/bench/curation/course.ts';

test('a course has the measurements on test worlds alone, with the steps that were played by then', () => {
  const point = (split: 'train' | 'test', steps: number, successes: number) => ({
    ...{
      split,
      steps,
      successes,
      seconds: steps / 10,
      trials: 10,
      rate: successes / 10,
      low: 0,
      high: 1,
      version: 3,
    },
  });
  expect(courseOf([point('test', 0, 1), point('train', 0, 9), point('test', 250, 5)])).toEqual([
    { steps: 0, successes: 1, trials: 10 },
    { steps: 250, successes: 5, trials: 10 },
  ]);
});
