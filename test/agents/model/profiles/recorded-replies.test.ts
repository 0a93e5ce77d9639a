// The profile of UI-TARS 1.5 on every reply of the recorded trajectories.

import { describe, expect, test } from 'vitest';
import { withBoxTokens } from '../../../../runtime/agents/codecs/uitars.ts';
import { UI_TARS_15 } from '../../../../runtime/agents/model/profiles/ui-tars.ts';
import { SCREEN } from '../../../core/arbitraries.ts';
import { FOLDER, files, turnsOf } from '../../recorded-trajectories.ts';
import { frameOf } from './setting.ts';

describe('recorded replies', () => {
  // Users of the project do not have the recordings: their tests say so and pass.
  if (files.length === 0) test.skip(`skipped, there are no recorded trajectories in ${FOLDER}`, () => {});

  test.each(files)('%s: each is read, and the last one ends the episode', file => {
    const readings = turnsOf(file).map(raw => UI_TARS_15.read(raw, frameOf(UI_TARS_15, SCREEN)));
    expect(readings.map(({ kind }) => kind)).toEqual(readings.map(() => 'actions'));
    expect(readings.every(({ thought }) => thought !== undefined)).toBe(true);
    expect(readings.at(-1)).toMatchObject({ actions: [{ action: { kind: 'finished' } }] });
  });

  test.each(files)('%s: without box tokens each reads the same, and the history has them again', file => {
    for (const raw of turnsOf(file)) {
      const stripped = raw.replace(/<\|box_(?:start|end)\|>/g, '');
      const frame = frameOf(UI_TARS_15, SCREEN);
      expect(UI_TARS_15.read(stripped, frame)).toEqual(UI_TARS_15.read(raw, frame));
      expect(withBoxTokens(stripped)).toBe(raw);
    }
  });
});
