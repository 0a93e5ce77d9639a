// Stored trajectories as a suite: each is one task with one instance. A share of them never trains.

import { createHash } from 'node:crypto';
import type { Task } from '../../core/task.ts';
import { instanceOf, type Suite, suiteFrom, type TaskKind } from '../suite.ts';
import type { ExpertAbout } from './expert-trajectory.ts';

export interface OfflineTemplate extends TaskKind {
  readonly expert: ExpertAbout;
}

const SEEDS = { trainSeeds: 1, firstTestSeed: 1000 };

/** Of the trajectories: reserved for evaluations. */
const UNSEEN_SHARE = 0.1;

/** A policy that types a text in several actions needs more steps than the expert. */
const STEPS_PER_ACTION = 2;

export const offlineSuite = (experts: readonly ExpertAbout[]): Suite<OfflineTemplate> =>
  suiteFrom('the stored trajectories', experts.map(templateOf), instance, SEEDS);

export const NO_TRAJECTORIES: Suite = offlineSuite([]);

/** Stored trajectories have no tiers. All count as 3. */
function templateOf(expert: ExpertAbout): OfflineTemplate {
  const digest = createHash('sha256').update(expert.id).digest();
  // By its name alone, so that an import of others changes nothing.
  const isUnseen = digest.readUInt32BE(4) < UNSEEN_SHARE * 2 ** 32;
  return {
    id: `${expert.task.slice(0, MAX_NAME)} ${digest.toString('hex', 0, 4)}`,
    ...{ tier: 3, apps: [], file: expert.file, expert },
    ...(isUnseen && { unseen: true }),
  };
}

/** An id has at most 200 characters. */
const MAX_NAME = 180;

function instance(template: OfflineTemplate): Task {
  const { instruction, steps } = template.expert;
  return instanceOf(template, {
    ...{ instruction, evaluator: { func: 'expert_actions' }, maxSteps: STEPS_PER_ACTION * steps },
  });
}
