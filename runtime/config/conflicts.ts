// Finds settings that are valid alone but not together: settings without effect, and contradictions. A setting that repeats its
// default is allowed.

import { COMPACT_AGENT } from '../core/agent.ts';
import { LESSON_SORTS } from '../core/lesson.ts';
import { sum } from '../core/sum.ts';
import { needsCritics } from '../data/advantage.ts';
import { isLargeImage } from '../environments/docker/image-defaults.ts';
import { agentMode, learnerOf } from './agent-settings.ts';
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

/** When a rule applies, its settings have no effect. */
const WITHOUT_EFFECT: readonly EffectRule[] = [
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
      ...['exploring.firstSeconds', 'exploring.searching', 'exploring.otherwise', 'exploring.analogy'],
      ...['trainer.shares.beside', 'trainer.passes.beside'],
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
      why: `while 'trainer.shares.${sort}' is 0, since none of these steps is imitated`,
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
    when: ({ trainer }) => ['contributions', 'matches', 'successes'].includes(trainer.advantages),
    settings: ['trainer.shaping'],
    why: "while 'trainer.advantages' is 'contributions', 'matches' or 'successes', since the reward of a step does not depend on the length of its rollout",
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
    settings: [...['trainer.objective.importance', 'trainer.objective.ratio'], 'trainer.maxMismatch'],
    why: `while 'agent' is '${COMPACT_AGENT}', since it is for agents that reply in tokens`,
  },
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

interface Contradiction {
  readonly when: (config: Config, evaluates: boolean) => boolean;
  readonly path: SettingPath;
  readonly why: (config: Config) => string;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    when: ({ agent, agents }) => agent !== COMPACT_AGENT && !Object.hasOwn(agents, agent),
    path: ['agent'],
    why: ({ agent, agents }) =>
      `No agent is named '${agent}'. The agents are ${[COMPACT_AGENT, ...Object.keys(agents)].join(', ')}. Name one of them, or add it to 'agents'.`,
  },
  {
    when: ({ agent, preset }) => (agent === COMPACT_AGENT) === (preset === 'dart-7b'),
    path: ['preset'],
    why: ({ agent, preset }) =>
      agent === COMPACT_AGENT
        ? `The preset '${preset}' is for pretrained models, but 'agent' is '${COMPACT_AGENT}'. Name an agent of 'agents', or use another preset.`
        : `The preset '${preset}' is for the built-in policy, but 'agent' is '${agent}'. Remove 'preset', or use 'dart-7b'.`,
  },
  {
    when: ({ agent, recipe }) => agent === COMPACT_AGENT && recipe === 'gspo',
    path: ['recipe'],
    why: () =>
      `The recipe 'gspo' has one ratio per reply, but 'agent' is '${COMPACT_AGENT}', which writes no replies. Use 'grpo' or 'dapo', or name an agent of 'agents'.`,
  },
  {
    when: config => learnerOf(config)?.kind === 'file' && config.recipe === 'gspo',
    path: ['recipe'],
    why: () =>
      "The recipe 'gspo' has one ratio per reply, but a learner of the kind 'file' computes none. Use 'grpo' or 'dapo', or a learner of the kind 'tinker'.",
  },
  {
    when: ({ agent, recipe }) => agent !== COMPACT_AGENT && recipe === 'computer-rl',
    path: ['recipe'],
    why: ({ agent }) =>
      `The recipe 'computer-rl' imitates successes in phases, but the agent '${agent}' does not imitate. Choose another recipe, or use the built-in policy.`,
  },
  {
    when: ({ agent, trainer }) => agent !== COMPACT_AGENT && trainer.advantages === 'contributions',
    path: ['trainer', 'advantages'],
    why: ({ agent }) =>
      `'trainer.advantages' is 'contributions', which compares the elements of screens, but the steps of the agent '${agent}' hold none. Use 'steps' or 'rollouts'.`,
  },
  {
    when: ({ agent, trainer: { policyWeight, cloneWeight, shares } }) =>
      agent === COMPACT_AGENT && policyWeight === 0 && cloneWeight * sum(Object.values(shares)) === 0,
    path: ['trainer', 'policyWeight'],
    why: ({ trainer: { cloneWeight } }) =>
      `'trainer.policyWeight' and ${cloneWeight === 0 ? "'trainer.cloneWeight'" : "all 'trainer.shares'"} are 0, so nothing trains. Set one of them above 0.`,
  },
  {
    when: ({ agent, trainer: { policyWeight, pulse } }) =>
      agent === COMPACT_AGENT && policyWeight === 0 && pulse.policy > 0,
    path: ['trainer', 'policyWeight'],
    why: ({ trainer: { pulse } }) =>
      `'trainer.policyWeight' is 0, but 'trainer.pulse.policy' is ${pulse.policy}, so training would stop in the first phase on groups. Set 'trainer.pulse.policy' to 0, or 'trainer.policyWeight' above 0.`,
  },
  {
    when: ({ agent, demonstrations }) => agent !== COMPACT_AGENT && demonstrations > 0,
    path: ['demonstrations'],
    why: ({ agent }) =>
      `'demonstrations' is above 0, but the agent '${agent}' replies in tokens, and scripts give actions only. Set it to 0.`,
  },
  {
    when: config => agentMode(config) !== undefined && agentMode(config) !== config.mode,
    path: ['mode'],
    why: config =>
      `'mode' is '${config.mode}', but the agent '${config.agent}' observes '${agentMode(config)}'. Remove 'mode', or change 'agents.${config.agent}.mode'.`,
  },
  {
    when: ({ index }) => index.kind === 'postgres' && index.url === undefined,
    path: ['index', 'kind'],
    why: () =>
      "'index.kind' is 'postgres', but no database is named. Set 'index.url', such as postgresql://user@host:5432/dartboard.",
  },
  {
    when: ({ preset, demonstrations }) => preset === 'taught' && demonstrations === 0,
    path: ['demonstrations'],
    why: () =>
      "The preset 'taught' needs demonstrations, but 'demonstrations' is 0. Set it to 1 or more, or use the preset 'scratch'.",
  },
  {
    when: ({ demonstrations, trainer }) => demonstrations > 0 && trainer.shares.demonstrations === 0,
    path: ['trainer', 'shares', 'demonstrations'],
    why: () =>
      "'trainer.shares.demonstrations' is 0, so no demonstration is imitated, but 'demonstrations' is above 0. Change one of them.",
  },
  {
    when: ({ data }) => data.trajectoriesAhead < data.trajectoriesPerBatch,
    path: ['data', 'trajectoriesAhead'],
    why: ({ data }) =>
      `'data.trajectoriesAhead' is ${data.trajectoriesAhead}, below 'data.trajectoriesPerBatch' (${data.trajectoriesPerBatch}), so no batch would become full. Raise the first or lower the second.`,
  },
  {
    when: ({ environments: { kind, desktops, docker }, evaluation }, evaluates) =>
      kind === 'docker' &&
      sum(docker.hosts.map(each => each.capacity)) < desktops + (evaluates ? evaluation.desktops : 0),
    path: ['environments', 'docker', 'hosts'],
    why: () =>
      "The hosts have room for fewer containers than there are desktops. Raise their 'capacity', or lower 'environments.desktops' or 'evaluation.desktops'.",
  },
  {
    when: ({ environments: { kind, docker } }) =>
      kind === 'docker' && isLargeImage(docker.image) && docker.screen === '640x480',
    path: ['environments', 'docker', 'screen'],
    why: ({ environments: { docker } }) =>
      `'environments.docker.screen' is '${docker.screen}', but windows of the image '${docker.image}' do not fit on less than 1280x720. Use 1280x720 or 1920x1080, or the image 'small'.`,
  },
  {
    when: ({ environments, suite }) => environments.kind === 'docker' && suite.files !== undefined,
    path: ['suite', 'files'],
    why: () =>
      "A folder of tasks needs pocket, web, guest or offline desktops, but 'environments.kind' is 'docker'. Remove one of them.",
  },
  {
    when: ({ environments: { kind, desktops, guest } }) => kind === 'guest' && guest.hosts.length < desktops,
    path: ['environments', 'guest', 'hosts'],
    why: ({ environments: { desktops, guest } }) =>
      `There are ${guest.hosts.length} guests for ${desktops} desktops. Add to 'environments.guest.hosts', or lower 'environments.desktops'.`,
  },
  {
    when: ({ environments, suite }) => environments.kind === 'guest' && suite.files === undefined,
    path: ['suite', 'files'],
    why: () =>
      "'environments.kind' is 'guest', and there are no tasks. Save OSWorld's task files in '.dartboard/tasks/guest', or name their folder in 'suite.files'.",
  },
  {
    when: ({ environments, demonstrations }) => environments.kind === 'guest' && demonstrations > 0,
    path: ['demonstrations'],
    why: () => "OSWorld's tasks have no scripted solutions, but 'demonstrations' is above 0. Set it to 0.",
  },
  {
    when: ({ environments, mode }) => environments.kind === 'offline' && mode !== 'screenshot',
    path: ['mode'],
    why: ({ agent, mode }) =>
      `'mode' is '${mode}', but stored trajectories have no elements. Set ${agent === COMPACT_AGENT ? "'mode'" : `'agents.${agent}.mode'`} to 'screenshot'.`,
  },
  {
    when: ({ environments, fabric }) => environments.kind === 'offline' && fabric.kind === 'nats',
    path: ['fabric', 'kind'],
    why: () =>
      "'fabric.kind' is 'nats', but other machines do not get the stored trajectories. Use 'embedded', or desktops of another kind.",
  },
  {
    when: ({ environments, recipe }) => environments.kind !== 'offline' && recipe === 'ui-s1',
    path: ['recipe'],
    why: ({ environments }) =>
      `The recipe 'ui-s1' compares actions with those of stored trajectories, but 'environments.kind' is '${environments.kind}'. Use 'offline', or another recipe.`,
  },
  {
    when: ({ environments, recipe, trainer }) =>
      environments.kind !== 'offline' && recipe !== 'ui-s1' && trainer.advantages === 'matches',
    path: ['trainer', 'advantages'],
    why: ({ environments }) =>
      `'trainer.advantages' is 'matches', which compares actions with those of stored trajectories, but 'environments.kind' is '${environments.kind}'. Use 'offline', or other advantages.`,
  },
  {
    when: ({ exploring, minutes }) => exploring.firstSeconds >= 60 * minutes,
    path: ['exploring', 'firstSeconds'],
    why: () =>
      "'exploring.firstSeconds' is as long as the run, which would end before its first task. Make it shorter than 'minutes'.",
  },
];

/** `given` is the tree of the settings that were given. */
export const settingsWithoutEffect = (
  config: Config,
  defaults: Config,
  given: unknown,
): readonly SettingConflict[] =>
  WITHOUT_EFFECT.filter(({ when }) => when(config)).flatMap(({ settings, why }) =>
    leavesOf(given)
      .filter(({ path }) => settings.some(each => isWithin(pathText(path), each)))
      .filter(({ path, value }) => formatValue(value) !== formatValue(valueAt(defaults, path)))
      .map(({ path }) => ({ path, why: `'${pathText(path)}' has no effect ${why}. Remove it.` })),
  );

export const contradictionsIn = (config: Config, evaluates: boolean): readonly SettingConflict[] =>
  CONTRADICTIONS.filter(({ when }) => when(config, evaluates)).map(({ path, why }) => ({
    path,
    why: why(config),
  }));

const isWithin = (path: string, setting: string): boolean =>
  path === setting || path.startsWith(`${setting}.`);
