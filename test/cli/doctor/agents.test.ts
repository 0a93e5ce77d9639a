// The doctor's check of agents: their keys and their learners.

import { describe, expect, test } from 'vitest';
import { agents } from '../../../runtime/cli/doctor/agents.ts';

describe('agents', () => {
  const lab = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1' } as const;

  test('with their keys are ok', () => {
    const found = agents(
      { lab: { ...lab, key: { env: 'LAB_KEY' } }, den: lab, web: { ...lab, key: { secret: 'WEB' } } },
      { LAB_KEY: 'sk-secret' },
    );
    expect(found).toMatchObject({
      state: 'ok',
      says: "lab (ui-tars-1.5, key in LAB_KEY); den (ui-tars-1.5, no key); web (ui-tars-1.5, key 'WEB' in the secret storage of VS Code)",
    });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  test('are listed with who trains them, and the key of the learner', () => {
    const learner = {
      kind: 'tinker',
      url: 'https://train.example',
      base: 'b',
      key: { env: 'TRAIN_KEY' },
    } as const;
    const { key: _, ...open } = learner;
    expect(agents({ lab: { ...lab, learner: open } }, {})).toMatchObject({
      state: 'ok',
      says: 'lab (ui-tars-1.5, no key, learner: Tinker server at https://train.example)',
    });
    expect(agents({ lab: { ...lab, learner } }, {})).toMatchObject({
      state: 'warning',
      says: 'lab (ui-tars-1.5, no key, learner: Tinker server at https://train.example with key missing: TRAIN_KEY is not set)',
      remedy: expect.stringContaining('TRAIN_KEY'),
    });
  });

  test('without their keys are a warning with the variable', () => {
    expect(agents({ lab: { ...lab, key: { env: 'LAB_KEY' } } }, { LAB_KEY: ' ' })).toMatchObject({
      state: 'warning',
      says: 'lab (ui-tars-1.5, key missing: LAB_KEY is not set)',
      remedy: expect.stringMatching(/^Set the environment variable LAB_KEY/),
    });
  });
});
