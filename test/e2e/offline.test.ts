// A training on stored trajectories with the built program, and then `eval`. Does not check whether anything was learned.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { placeOf } from '../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { savedRunState } from '../../runtime/protocol/daemon/state.ts';
import { trajectory } from '../data/trajectories.ts';
import { png } from '../environments/offline/experts.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine } from './command-line.ts';
import { storedTrajectories } from './stored-trajectories.ts';

const CONFIG = {
  environments: { kind: 'offline', desktops: 2 },
  recipe: 'ui-s1',
  demonstrations: 1,
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
  data: { rollouts: 4, trajectoriesPerBatch: 4 },
};

const IMPORTED = ['one', 'two', 'three', 'four'];

/** Two clicks and the end: imported, with all pictures. */
function imported(id: string, x: number) {
  const { run: _, group: __, ...others } = trajectory(id);
  const click = (to: number) => ({ action: { kind: 'click', at: { x: to, y: 20 } }, meant: [] }) as const;
  return {
    ...({ ...others, instruction: `Press ${id}.`, purpose: 'collect', mode: 'screenshot' } as const),
    provenance: { kind: 'imported', from: 'a file' } as const,
    steps: [click(x), click(x + 40), { action: { kind: 'finished', answer: '' }, meant: [] } as const],
    frames: { kind: 'png', images: [0, 80, 160, 160].map(png) } as const,
  };
}

describe('a training of nine seconds on stored trajectories', () => {
  const folder = temporaryFolder('offline');
  const commandLine = new CommandLine(folder);
  beforeAll(async () => {
    writeFileSync(join(folder, 'dartboard.json'), JSON.stringify(CONFIG));
    for (const [index, id] of IMPORTED.entries()) {
      const one = imported(id, 10 + 10 * index);
      const path = join(commandLine.runs, placeOf(one.id, undefined));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, encodeTrajectory(one).bytes);
    }
    const trained = await commandLine.run('train', '--minutes', '0.15');
    expect(trained.status, trained.stderr).toBe(0);
    expect(trained.stdout).toContain('Stored trajectories');
  });

  test('has a consistent ledger, and steps that are compared with the expert', async () => {
    const { latest, runs } = commandLine;
    const state = savedRunState.parse(JSON.parse(readFileSync(join(runs, latest, 'state.json'), 'utf8')));
    const { submitted, accepted, filtered, dropped, failed, running } = state.data.books;
    expect(submitted).toBe(accepted + filtered + dropped + failed + running);
    expect(state.about.desktops).toBe('offline');
    expect(state.environments.broken).toBe(0);
    const played = (await storedTrajectories(join(runs, latest))).filter(
      ({ provenance }) => provenance.kind === 'rollout',
    );
    expect(played.length).toBeGreaterThan(0);
    for (const { steps, outcome, instance } of played) {
      expect(instance.task).toMatch(/^notes-rename [0-9a-f]{8}$/);
      expect(outcome.kind).toBe('judged');
      const places = steps.map(({ match }) => match?.step);
      expect(places.every(step => step !== undefined && step < 3)).toBe(true);
    }
  });

  test('its weights are evaluated on all of them', async () => {
    // By tier, `eval` lists all tasks, also those that did not train.
    const examined = await commandLine.run('eval', '--json', '--tier', '3');
    expect(examined.status, examined.stderr).toBe(0);
    const { tasks } = JSON.parse(examined.stdout);
    // The demonstrations of the training are no tasks.
    expect(tasks).toHaveLength(IMPORTED.length);
    expect(
      tasks.every((task: { broken: number; trials: number }) => task.broken === 0 && task.trials === 1),
    ).toBe(true);
  });
});
