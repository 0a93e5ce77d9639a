// Exploration and its findings.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import { Explorer } from '../../../runtime/discovery/explore/explorer.ts';
import { currentOutcome, type RelabelledEpisode } from '../../../runtime/discovery/relabel/hindsight.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';

const TASKS = POCKET.tasks('train', 1);
const PLAYS = 250;

function explored(seed: string, plays = PLAYS, novelty = false) {
  const explorer = new Explorer(POCKET, TASKS, seeded(seed), { novelty });
  const found: { readonly finding: RelabelledEpisode; readonly asItWas: RelabelledEpisode }[] = [];
  for (let play = 0; play < plays; play++)
    for (const finding of explorer.play()) found.push({ finding, asItWas: structuredClone(finding) });
  return { explorer, found };
}

const { explorer, found } = explored('explorer');

describe('exploring', () => {
  test('finds outcomes of several kinds in several tasks within a few hundred plays', () => {
    expect(found.length).toBeGreaterThan(20);
    expect(new Set(found.map(({ finding }) => finding.outcome.kind)).size).toBeGreaterThan(5);
    expect(new Set(found.map(({ finding }) => finding.task)).size).toBeGreaterThan(3);
  });

  test('finds outcomes that its actions reproduce from the start of the instance', () => {
    for (const { finding } of found) {
      const { task, seed, actions, outcome } = finding;
      const started = startOf(POCKET.task(task, seed));
      for (const action of actions) started.machine.perform(action);
      expect(currentOutcome(started)).toEqual(outcome);
      expect(actions.length).toBeGreaterThan(0);
    }
  });

  test('does not change a finding afterwards', () => {
    for (const { finding, asItWas } of found) expect(finding).toEqual(asItWas);
  });

  test('uses training instances of its tasks only', () => {
    const seeds = new Set(Array.from({ length: 64 }, (_, index) => POCKET.seed('train', index)));
    for (const { finding } of found) {
      expect(TASKS).toContain(finding.task);
      expect(seeds).toContain(finding.seed);
    }
  });

  test('counts its steps', () => {
    expect(explorer.steps).toBeGreaterThanOrEqual(PLAYS);
    const before = explorer.steps;
    explorer.play();
    expect(explorer.steps).toBeGreaterThan(before);
  });

  test('depends on its random stream alone', () => {
    const findings = (seed: string) => explored(seed, 40).found.map(({ finding }) => finding);
    const first = findings('one');
    expect(findings('one')).toEqual(first);
    expect(findings('two')).not.toEqual(first);
  });

  test('by novelty plays other actions, whose outcomes are as reproducible', () => {
    const byNovelty = explored('one', 40, true).found.map(({ finding }) => finding);
    expect(byNovelty).toEqual(explored('one', 40, true).found.map(({ finding }) => finding));
    expect(byNovelty).not.toEqual(explored('one', 40).found.map(({ finding }) => finding));
    expect(byNovelty.length).toBeGreaterThan(3);
    for (const { task, seed, actions, outcome } of byNovelty) {
      const started = startOf(POCKET.task(task, seed));
      for (const action of actions) started.machine.perform(action);
      expect(currentOutcome(started)).toEqual(outcome);
    }
  });

  test('finds nothing without tasks', () => {
    expect(new Explorer(POCKET, [], seeded('none')).play()).toEqual([]);
  });

  test('varies a demonstration with other elements', () => {
    const [task] = POCKET.tasks('train', 2).filter(id => id === 'notes-write');
    if (task === undefined) throw new Error('There is such a task.');
    const watching = new Explorer(POCKET, [task], seeded('watching'));
    const number = POCKET.seed('train', 0);
    const shown = POCKET.task(task, number);
    const { actions } = solutionOf(POCKET, shown, number);
    watching.observe(shown, number, actions);
    const again: RelabelledEpisode[] = [];
    for (let play = 0; play < 60; play++) again.push(...watching.play());
    const same = again.filter(({ outcome }) => outcome.kind === 'notes-write');
    expect(same.length).toBeGreaterThan(3);
    expect(new Set(same.map(({ outcome }) => outcome.ways[0])).size).toBeGreaterThan(3);
    for (const { task: of, seed: at, outcome, actions: done } of same) {
      const started = startOf(POCKET.task(of, at));
      for (const action of done) started.machine.perform(action);
      expect(currentOutcome(started)).toEqual(outcome);
    }
  });

  test('does not vary an episode without an outcome', () => {
    const watching = new Explorer(POCKET, [], seeded('nameless'));
    const [task] = TASKS;
    if (task === undefined) throw new Error('There are tasks.');
    const number = POCKET.seed('train', 0);
    watching.observe(POCKET.task(task, number), number, []);
    expect(watching.play()).toEqual([]);
  });
});
