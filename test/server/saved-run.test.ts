// ring.json: a resumed run continues with all that the stopped one knew.

import { expect, test } from 'vitest';
import { taskId } from '../../runtime/core/ids.ts';
import type { DartState } from '../../runtime/data/curation/dart.ts';
import { parseRingState } from '../../runtime/server/saved-run.ts';

/** Each field, so that a new one is not forgotten. */
const CURATION: Required<DartState> = {
  results: { 'mail-star': [true, false] },
  round: [taskId('mail-star')],
  rounds: 3,
  solved: { 'mail-star 1': true },
  lengths: { 'mail-star': [4, 0] },
  failures: { 'mail-star': 1 },
  capped: { 'mail-star': 2 },
  cooling: { 'mail-star': 2 },
  stage: 1,
};

test('the state of the curation survives a resume', () => {
  const words = [1, 2, 3, 4];
  const none = { submitted: 0, playing: 0, played: 0, accepted: 0, filtered: 0, dropped: 0, failed: 0 };
  const state = {
    curator: {
      curation: CURATION,
      random: { origin: words, position: words },
      ...{ books: none, untrained: 0, names: 0 },
    },
    seconds: 60,
    curve: [],
    played: { episodes: 2, steps: 8 },
  };
  expect(parseRingState(JSON.stringify(state)).curator.curation).toEqual(CURATION);
});
