// The oracle scripts solve their pages on a web desktop, on instances of training and of tests.

import { describe, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import type { Screen } from '../../../../runtime/core/screen.ts';
import { pageNamed } from '../../../../runtime/environments/web/miniwob/catalogue.ts';
import { miniwobOracle, ORACLE_PAGES } from '../../../../runtime/environments/web/miniwob/oracle/oracles.ts';
import { canOpenMiniwob, miniwobDesktop } from './desktop.ts';
import { pagesInFolder } from './folder.ts';

const SEEDS = [0, 1000].map(seed);

describe.skipIf(!canOpenMiniwob)('a script solves', () => {
  const desktop = miniwobDesktop();
  const there = canOpenMiniwob ? ORACLE_PAGES.filter(page => pagesInFolder().includes(page)) : [];

  test.each(there)('%s', async page => {
    for (const each of SEEDS) {
      const first = await desktop.start(page, each);
      const oracle = miniwobOracle(page, first.instruction ?? '');
      let screen: Screen = first;
      for (let step = 0; step < pageNamed(page).maxSteps && screen.isOver !== true; step++) {
        const action = oracle?.(screen);
        if (action === undefined || action.kind === 'finished') break;
        screen = await desktop.act(action);
      }
      expect({ seed: each, score: await desktop.score() }).toEqual({ seed: each, score: 1 });
    }
  });
});
