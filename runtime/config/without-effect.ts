// Settings that have no effect beside others. A setting that repeats its default is allowed.

import { COMPACT_AGENT } from '../core/agent.ts';
import { LESSON_SORTS } from '../core/lesson.ts';
import { needsCritics, usesRolloutRewards } from '../data/advantage.ts';
import { learnerOf } from './agent-settings.ts';
import { formatValue, leavesOf, pathText, type SettingPath, valueAt } from './leaves.ts';
import type { Config } from './shape.ts';

export interface SettingConflict {
  readonly path: SettingPath;
  readonly why: string;
}

interface EffectRule {
  readonly when: (config: Config) => boolean;
  readonly settings: readonly string[];
  readonly why: string;
}

/** When a rule applies, its settings have no effect. Wider rules come first, since the reason of a narrower one would mislead the user. */
const WITHOUT_EFFECT: readonly EffectRule[] = [
  {
    when: ({ agent }) => agent !== COMPACT_AGENT,
    settings: [
      ...['exploring', 'rollout.workers', 'rollout.batch', 'rollout.patienceMs', 'rollout.exploration'],
      ...[
        'trainer.batch',
        'trainer.replay',
        'trainer.policyWeight',
        'trainer.cloneWeight',
        'trainer.renaming',
      ],
      ...[
        'trainer.shares',
        'trainer.passes',
        'trainer.cooling',
        'trainer.publishSeconds',
        'trainer.pulse',
        'rollout.daring',
        'rollout.guided',
      ],
      ...['trainer.objective.entropyFloor', 'trainer.objective.entropyWeight'],
    ],
    why: `unless 'agent' is '${COMPACT_AGENT}', since it is for the built-in policy`,
  },
  {
    when: ({ mode }) => mode === 'screenshot',
    settings: ['trainer.renaming'],
    why: "in the mode 'screenshot', since names in pixels cannot be replaced",
  },
  {
    when: ({ environments }) => environments.kind !== 'docker',
    settings: ['environments.docker'],
    why: "while 'environments.kind' is not 'docker', since no desktop runs in a container",
  },
  {
    when: ({ environments }) => environments.kind !== 'pocket',
    settings: ['suite.phrasings'],
    why: "while 'environments.kind' is not 'pocket', whose instructions alone are generated",
  },
  {
    when: ({ environments }) => environments.kind !== 'web',
    settings: ['environments.web'],
    why: "while 'environments.kind' is not 'web', since no desktop runs in a browser",
  },
  {
    when: ({ environments }) => environments.kind !== 'guest',
    settings: ['environments.guest'],
    why: "while 'environments.kind' is not 'guest', since no desktop is a guest",
  },
  {
    when: ({ environments }) => environments.kind !== 'pocket',
    settings: [
      ...['exploring.firstSeconds', 'exploring.searching', 'exploring.otherwise', 'exploring.novelty'],
      ...['exploring.analogy', 'trainer.shares.beside', 'trainer.passes.beside'],
    ],
    why: "while 'environments.kind' is not 'pocket', since only the pocket desktop can be explored",
  },
  {
    when: ({ environments }) => environments.kind !== 'offline',
    settings: ['environments.offline'],
    why: "while 'environments.kind' is not 'offline', since no stored trajectory is played",
  },
  {
    when: ({ environments: { kind } }) => kind === 'guest' || kind === 'offline',
    settings: ['exploring.hindsight', 'trainer.shares.hindsight', 'trainer.passes.hindsight'],
    why: "while 'environments.kind' is 'guest' or 'offline', since a task has one instruction and nothing can be relabelled",
  },
  {
    when: ({ environments: { kind }, exploring }) =>
      (kind === 'docker' || kind === 'web') && !exploring.hindsight,
    settings: ['trainer.shares.hindsight', 'trainer.passes.hindsight'],
    why: "while 'exploring.hindsight' is false, since nothing is relabelled",
  },
  {
    when: ({ fabric }) => fabric.kind !== 'nats',
    settings: ['fabric'],
    why: "while 'fabric.kind' is not 'nats', since no other machine joins",
  },
  {
    when: ({ index }) => index.kind !== 'postgres',
    settings: ['index'],
    why: "while 'index.kind' is not 'postgres', since the index is a file of the workspace",
  },
  {
    when: ({ rollout }) => rollout.batch === 1,
    settings: ['rollout.patienceMs'],
    why: "while 'rollout.batch' is 1, since a batch has one request",
  },
  {
    when: ({ trainer }) => trainer.cloneWeight === 0,
    settings: ['trainer.shares', 'trainer.passes', 'trainer.replay', 'trainer.renaming', 'trainer.pulse'],
    why: "while 'trainer.cloneWeight' is 0, since imitation has no weight",
  },
  ...LESSON_SORTS.map(
    (sort): EffectRule => ({
      when: ({ trainer: { shares, passes } }) => shares[sort] === 0 && passes[sort] > 0,
      settings: [`trainer.passes.${sort}`],
      why: `while 'trainer.shares.${sort}' is 0, since no step of this sort is imitated`,
    }),
  ),
  {
    when: ({ trainer }) => trainer.policyWeight === 0,
    settings: [
      ...['trainer.objective', 'trainer.policyRows', 'trainer.advantages', 'trainer.aggregation'],
      ...['trainer.budget', 'trainer.shaping', 'trainer.positives'],
      ...['curation.successPool', 'curation.highEntropy', 'curation.alignment'],
    ],
    why: "while 'trainer.policyWeight' is 0, since the policy loss has no weight",
  },
  {
    when: ({ curation }) => !curation.revisits,
    settings: ['curation.patience'],
    why: "while 'curation.revisits' is false, since every round has every task",
  },
  {
    when: ({ recipe }) => recipe !== 'dart',
    settings: ['curation.preset'],
    why: "unless 'recipe' is 'dart', since the recipe chooses the parts of curation. Set single parts instead, such as 'curation.length'",
  },
  {
    when: ({ trainer }) => trainer.budget > 0,
    settings: ['trainer.aggregation', 'trainer.policyRows'],
    why: "while 'trainer.budget' is above 0, which sets the size of an update and divides its loss",
  },
  {
    when: ({ trainer }) => trainer.positives.share === 0,
    settings: ['trainer.positives.perBatch'],
    why: "while 'trainer.positives.share' is 0, since no success is replayed",
  },
  {
    when: ({ trainer }) => trainer.pulse.policy === 0,
    settings: ['trainer.pulse.imitation'],
    why: "while 'trainer.pulse.policy' is 0, which turns phases of imitation off",
  },
  {
    when: ({ trainer }) => !usesRolloutRewards(trainer.advantages) && !needsCritics(trainer.advantages),
    settings: ['trainer.shaping'],
    why: "unless 'trainer.advantages' is 'steps' or 'rollouts', since otherwise a step does not have the reward of its rollout",
  },
  {
    when: ({ trainer }) => needsCritics(trainer.advantages),
    settings: ['curation.successPool', 'trainer.shaping'],
    why: "while critics value the steps ('trainer.advantages'), since they compare a rollout with rewards that they have learned",
  },
  {
    when: ({ curation }) => !curation.length,
    settings: ['curation.lengthMargin', 'curation.lengthFloor'],
    why: "while 'curation.length' is false, since episodes have no length cap",
  },
  {
    when: ({ curation }) => !curation.alignment,
    settings: ['trainer.objective.truncation', 'trainer.objective.importance'],
    why: "while 'curation.alignment' is false, since importance weights are off",
  },
  {
    when: ({ agent }) => agent === COMPACT_AGENT,
    settings: [
      ...['trainer.objective.importance', 'trainer.objective.ratio', 'trainer.shaping.format'],
      'trainer.maxMismatch',
    ],
    why: `while 'agent' is '${COMPACT_AGENT}', since it is for agents that reply in tokens`,
  },
  {
    when: config => learnerOf(config)?.kind === 'file',
    settings: [
      ...['trainer.objective.divergence', 'trainer.objective.clipLow', 'trainer.objective.clipHigh'],
      ...['trainer.objective.dualClip', 'trainer.objective.ratio', 'trainer.maxMismatch'],
    ],
    why: "while the learner of the agent is of the kind 'file', which computes no log-probabilities",
  },
  {
    when: config => learnerOf(config)?.kind === 'file',
    settings: ['trainer.learningRate', 'trainer.warmupUpdates', 'trainer.clipNorm'],
    why: "while the learner of the agent is of the kind 'file', since the program that reads the files has the optimiser",
  },
  {
    when: config => learnerOf(config)?.kind === 'file',
    settings: [
      ...['evaluation.everySeconds', 'evaluation.instances', 'evaluation.lastInstances'],
      'data.stalenessUpdates',
    ],
    why: "while the learner of the agent is of the kind 'file', which returns no weights to evaluate or to play with",
  },
  {
    when: ({ trainer }) => trainer.objective.entropyWeight === 0,
    settings: ['trainer.objective.entropyFloor'],
    why: "while 'trainer.objective.entropyWeight' is 0, which turns the floor off",
  },
];

/** `given` is the tree of the settings that were given. Of several reasons for one setting, the first is reported. */
export const settingsWithoutEffect = (
  config: Config,
  defaults: Config,
  given: unknown,
): readonly SettingConflict[] => {
  const rules = WITHOUT_EFFECT.filter(({ when }) => when(config));
  return leavesOf(given)
    .filter(({ path, value }) => formatValue(value) !== formatValue(valueAt(defaults, path)))
    .flatMap(({ path }) => {
      const name = pathText(path);
      const rule = rules.find(({ settings }) => settings.some(each => isWithin(name, each)));
      return rule === undefined ? [] : [{ path, why: `'${name}' has no effect ${rule.why}. Remove it.` }];
    });
};

const isWithin = (path: string, setting: string): boolean =>
  path === setting || path.startsWith(`${setting}.`);
