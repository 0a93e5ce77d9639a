// Settings that are valid alone and contradict each other.

import { COMPACT_AGENT } from '../core/agent.ts';
import { sum } from '../core/sum.ts';
import { needsExpert } from '../data/advantage.ts';
import { isLargeImage } from '../environments/docker/image-defaults.ts';
import { agentMode, learnerOf } from './agent-settings.ts';
import type { SettingPath } from './leaves.ts';
import type { Config } from './shape.ts';
import type { SettingConflict } from './without-effect.ts';

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
      environments.kind !== 'offline' && recipe !== 'ui-s1' && needsExpert(trainer.advantages),
    path: ['trainer', 'advantages'],
    why: ({ environments, trainer }) =>
      `'trainer.advantages' is '${trainer.advantages}', which compares actions with those of stored trajectories, but 'environments.kind' is '${environments.kind}'. Use 'offline', or other advantages.`,
  },
  {
    when: ({ exploring, minutes }) => exploring.firstSeconds >= 60 * minutes,
    path: ['exploring', 'firstSeconds'],
    why: () =>
      "'exploring.firstSeconds' is as long as the run, which would end before its first task. Make it shorter than 'minutes'.",
  },
];
export const contradictionsIn = (config: Config, evaluates: boolean): readonly SettingConflict[] =>
  CONTRADICTIONS.filter(({ when }) => when(config, evaluates)).map(({ path, why }) => ({
    path,
    why: why(config),
  }));
