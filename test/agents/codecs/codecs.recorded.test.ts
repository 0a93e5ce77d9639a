// Turns that a real model wrote, from recorded trajectories that lie beside the project where it is developed.

import { describe, expect, test } from 'vitest';
import { uitars } from '../../../runtime/agents/codecs/uitars.ts';
import { splitTurn } from '../../../runtime/agents/codecs/uitars-turn.ts';
import { spaceOn } from '../../../runtime/agents/model/frame.ts';
import { FRAME_RULES } from '../../../runtime/agents/model/profiles/frames.ts';
import { SCREEN } from '../../core/arbitraries.ts';
import { FOLDER, files, turnsOf } from '../recorded-trajectories.ts';

describe('recorded turns of a real model', () => {
  const codec = uitars(spaceOn(FRAME_RULES['ui-tars-1.5'], SCREEN));

  // Users of the project do not have the recordings: their tests say so and pass.
  if (files.length === 0) test.skip(`skipped, there are no recorded trajectories in ${FOLDER}`, () => {});

  test.each(files)('%s decodes turn by turn and ends with finished', file => {
    const turns = turnsOf(file);
    const actions = turns.map(turn => codec.decodeAll(turn));
    expect(actions.length).toBeGreaterThan(3);
    expect(actions.at(-1)?.map(({ kind }) => kind)).toEqual(['finished']);
    for (const turn of turns) expect(splitTurn(turn).thought).not.toBe('');
  });

  test.each(files)('%s is encoded again unchanged, call by call', file => {
    for (const turn of turnsOf(file)) {
      const written = codec.decodeAll(turn).map(codec.encode).join('\n\n');
      expect(written).toBe(splitTurn(turn).calls.trim());
    }
  });
});
