// ring.json: a resumed run continues with all that the stopped one knew.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { taskId } from '../../runtime/core/ids.ts';
import type { DartState } from '../../runtime/data/curation/dart.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { type Spending, spentState } from '../../runtime/run/spending.ts';
import { parseRingState, readSavedRun } from '../../runtime/server/saved-run.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelRunState } from './model-run-state.ts';

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

test('without ring.json, the money of the learner stays apart from that of requests, which has a limit', async () => {
  const folder = temporaryFolder('saved-run');
  const spent: Spending = {
    ...{ promptTokens: 900, completionTokens: 100, hardwareSeconds: 50 },
    ...{ money: 2, learnerMoney: 3, successes: 4 },
  };
  const shown = modelRunState(600, { spent: spentState(spent, []) });
  writeFileSync(join(folder, 'state.json'), JSON.stringify(shown));
  const tasks = [taskId('mail-star')];
  const options = { folder, config: parseConfig({}), suite: POCKET, tasks, seconds: 600 };
  const { state } = await readSavedRun(options);
  expect(shown.spent).toMatchObject({ money: 5 });
  expect(state?.spent).toEqual(spent);
});
