// Settings that are allowed by themselves, and make no sense together: what would have no effect beside another, and what would
// come to nothing. A setting that says its default is no mistake.

import type { Config } from './config.ts';
import { leavesOf, type Path, pathText, shown, valueAt } from './leaves.ts';

export interface Conflict {
  readonly path: Path;
  readonly why: string;
}

interface Rule {
  readonly when: (config: Config) => boolean;
  readonly settings: readonly string[];
  readonly why: string;
}

/** While this is so, these settings change nothing. */
const WITHOUT_EFFECT: readonly Rule[] = [
  {
    when: ({ mode }) => mode === 'screenshot',
    settings: ['trainer.renaming'],
    why: "in the mode 'screenshot', since in pixels a name cannot be replaced by another",
  },
  {
    when: ({ environments }) => environments.kind !== 'docker',
    settings: ['environments.docker'],
    why: "while 'environments.kind' is not 'docker', since no desktop runs in a container",
  },
  {
    when: ({ environments }) => environments.kind === 'docker',
    settings: [
      'exploring',
      ...['trainer.shares.hindsight', 'trainer.shares.beside'],
      ...['trainer.passes.hindsight', 'trainer.passes.beside'],
    ],
    why: "while 'environments.kind' is 'docker', since only the pocket desktop can be explored",
  },
  {
    when: ({ demonstrations, environments }) => demonstrations === 0 && environments.kind === 'pocket',
    settings: ['exploring.analogy'],
    why: "while 'demonstrations' is 0, since nothing is shown that could be carried over",
  },
  {
    when: ({ rollout }) => rollout.batch === 1,
    settings: ['rollout.patienceMs'],
    why: "while 'rollout.batch' is 1, since nothing can share a batch",
  },
  {
    when: ({ trainer }) => trainer.cloneWeight === 0,
    settings: ['trainer.shares', 'trainer.passes', 'trainer.replay', 'trainer.renaming'],
    why: "while 'trainer.cloneWeight' is 0, since what is imitated weighs nothing",
  },
  {
    when: ({ trainer }) => trainer.policyWeight === 0,
    settings: [
      ...['trainer.objective', 'trainer.policyRows'],
      ...['curation.successPool', 'curation.highEntropy', 'curation.alignment'],
    ],
    why: "while 'trainer.policyWeight' is 0, since steps of groups weigh nothing",
  },
  {
    when: ({ curation }) => !curation.length,
    settings: ['curation.lengthMargin', 'curation.lengthFloor'],
    why: "while 'curation.length' is false, since no episode is capped",
  },
  {
    when: ({ curation }) => !curation.alignment,
    settings: ['trainer.objective.truncation'],
    why: "while 'curation.alignment' is false, since staleness weighs nothing",
  },
  {
    when: ({ trainer }) => trainer.objective.entropyWeight === 0,
    settings: ['trainer.objective.entropyFloor'],
    why: "while 'trainer.objective.entropyWeight' is 0, which leaves the floor out",
  },
];

interface Contradiction extends Conflict {
  readonly when: Rule['when'];
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    when: ({ preset, demonstrations }) => preset === 'taught' && demonstrations === 0,
    path: ['demonstrations'],
    why: "The preset 'taught' begins with demonstrations, and 'demonstrations' is 0; say 1 or more, or take the preset 'scratch'.",
  },
  {
    when: ({ demonstrations, trainer }) => demonstrations > 0 && trainer.shares.demonstrations === 0,
    path: ['trainer', 'shares', 'demonstrations'],
    why: "With 'trainer.shares.demonstrations' 0 no demonstration is ever imitated, and 'demonstrations' is above 0; make one of them agree.",
  },
  {
    when: ({ environments: { kind, desktops, docker }, evaluation }) =>
      kind === 'docker' && sum(docker.hosts.map(each => each.capacity)) < desktops + evaluation.desktops,
    path: ['environments', 'docker', 'hosts'],
    why: "The hosts hold fewer containers than there are desktops; raise their 'capacity', or lower 'environments.desktops' or 'evaluation.desktops'.",
  },
  {
    when: ({ environments, suite }) => environments.kind === 'docker' && suite.files !== undefined,
    path: ['suite', 'files'],
    why: "Tasks of a folder are for the pocket desktop, and 'environments.kind' is 'docker'; remove one of them.",
  },
  {
    when: ({ exploring, minutes }) => exploring.firstSeconds >= 60 * minutes,
    path: ['exploring', 'firstSeconds'],
    why: "'exploring.firstSeconds' is as long as the run, which would end before it plays a task; make it less than 'minutes'.",
  },
];

/** `said` is the tree of what was not left to defaults. */
export function conflicts(config: Config, defaults: Config, said: unknown): readonly Conflict[] {
  const without = WITHOUT_EFFECT.filter(({ when }) => when(config)).flatMap(({ settings, why }) =>
    leavesOf(said)
      .filter(({ path }) => settings.some(each => isWithin(pathText(path), each)))
      .filter(({ path, value }) => shown(value) !== shown(valueAt(defaults, path)))
      .map(({ path }) => ({ path, why: `'${pathText(path)}' has no effect ${why}; remove it.` })),
  );
  return [...CONTRADICTIONS.filter(({ when }) => when(config)), ...without];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const isWithin = (path: string, setting: string): boolean =>
  path === setting || path.startsWith(`${setting}.`);
