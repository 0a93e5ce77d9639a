// Stored trajectories as a suite: each is one task with one instance. Those of a share of the original tasks never train.

import { createHash } from 'node:crypto';
import type { Task } from '../../core/task.ts';
import { instanceOf, type Suite, suiteFrom, type TaskKind } from '../suite.ts';
import type { ExpertAbout } from './expert-trajectory.ts';

export interface OfflineTemplate extends TaskKind {
  readonly expert: ExpertAbout;
}

const SEEDS = { trainSeeds: 1, firstTestSeed: 1000 };

/** Of the tasks: their trajectories are reserved for evaluations. */
const UNSEEN_SHARE = 0.1;

/** A policy that types a text in several actions needs more steps than the expert. */
const STEPS_PER_ACTION = 2;

export function offlineSuite(experts: readonly ExpertAbout[]): Suite<OfflineTemplate> {
  const reserved = experts.filter(({ task }) => isReserved(task));
  // Where nothing would be left, everything trains.
  const unseenTasks = new Set(reserved.length < experts.length ? reserved.map(({ task }) => task) : []);
  const templates = experts.map(expert => templateOf(expert, unseenTasks.has(expert.task)));
  const suite = suiteFrom('the stored trajectories', templates, instance, SEEDS);
  const unseen = suite.tasks('unseen');
  return { ...suite, ...(unseen.length > 0 && { tested: unseen }) };
}

export const NO_TRAJECTORIES: Suite = offlineSuite([]);

/** Stored trajectories have no tiers. All count as 3. */
function templateOf(expert: ExpertAbout, isUnseen: boolean): OfflineTemplate {
  return {
    id: `${expert.task.slice(0, MAX_NAME)} ${digestOf(expert.id).toString('hex', 0, 4)}`,
    ...{ tier: 3, apps: [], file: expert.file, trajectory: expert.id, expert },
    ...(isUnseen && { unseen: true }),
  };
}

/** The id of a task of this suite: the task of the trajectory, and a digest of its id. */
export const isOfflineTask = (task: string): boolean => / [0-9a-f]{8}$/.test(task);

/** By the task, so that all its trajectories train or none, and an import of others changes nothing. */
const isReserved = (task: string): boolean => digestOf(task).readUInt32BE() < UNSEEN_SHARE * 2 ** 32;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An id has at most 200 characters. */
const MAX_NAME = 180;

function instance(template: OfflineTemplate): Task {
  const { instruction, steps } = template.expert;
  return instanceOf(template, {
    ...{ instruction, evaluator: { func: 'expert_actions' }, maxSteps: STEPS_PER_ACTION * steps },
  });
}
