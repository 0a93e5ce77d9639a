import { expect, test } from 'vitest';
import { migrateSettings } from '../../runtime/config/migration.ts';

const trainerOf = (trainer: object) => {
  const { value, notices } = migrateSettings({ trainer });
  return { value, notices: notices.map(({ text }) => text) };
};

test('recorded runs keep loading without their weighting', () => {
  expect(trainerOf({ weighting: 'advantage', policyRows: 8 })).toEqual({
    value: { trainer: { policyRows: 8 } },
    notices: [],
  });
});

test.each([
  ['steps', 'successes'],
  ['filtered', 'filtered'],
])('the weighting of successes with advantages of the kind %s becomes %s', (before, advantages) => {
  const given = { weighting: 'successes', advantages: before, objective: { divergence: 0.1, clipLow: 0.2 } };
  const objective = { clipLow: 0.2, clipHigh: 10, dualClip: 0, divergence: 0 };
  expect(trainerOf(given)).toEqual({
    value: { trainer: { advantages, objective } },
    notices: [expect.stringContaining(`Dartboard uses 'trainer.advantages': '${advantages}'`)],
  });
});

test('an unknown weighting is left to the validation', () => {
  expect(trainerOf({ weighting: 'none' }).value).toEqual({ trainer: { weighting: 'none' } });
});
