// The questions before a training, and the configuration that follows from the answers. dartboard.json takes
// precedence: what it sets is not asked again. Pure.

import { BASE, COMPACT_AGENT } from '../../runtime/core/agent.ts';
import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';
import { KIND_TITLES } from '../../runtime/protocol/desktop-kinds.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { configuredAgents } from '../agents/configured-agents.ts';
import {
  type ConfigFile,
  hasGuests,
  kindIn,
  objectIn,
  selectsTasks,
  withoutUnchosenGuests,
} from '../config-file.ts';
import type { StartAnswers, StartChoice } from './start-choice.ts';
import { trainingAgents } from './training-agents.ts';

export interface StartQuestion {
  readonly title: string;
  readonly choices: readonly StartChoice[];
  /**
   * Not asked for model agents, which are pretrained, nor for Docker desktops and stored trajectories, where random actions find no
   * solutions, nor for guests, whose tasks have no demonstrations.
   */
  readonly isPreset?: true;
}

/** Whether to ask for a kind of desktop. The daemon takes a moment to list the available kinds. */
export function asksDesktopKind(config: ConfigFile): boolean {
  if (selectsTasks(config)) return false;
  const kind = kindIn(config);
  // Only guests can be missing although the file names them.
  if (kind !== undefined) return kind === 'guest';
  // Without guests, task files describe tasks of the pocket desktop.
  return hasGuests(config) || objectIn(config['suite'])['files'] === undefined;
}

/** At most three. The previous answers come first, so that Enter repeats them. `latest` is the newest run of the built-in agent with weights. */
export function startQuestions(
  config: ConfigFile,
  previous: StartAnswers,
  kinds: readonly KindOffer[],
  latest?: string,
): readonly StartQuestion[] {
  const kind = kindIn(config);
  const { agent = COMPACT_AGENT, preset, demonstrations } = config;
  const asksPreset =
    preset === undefined && demonstrations === undefined && hasPolicyChoice(kind) && agent === COMPACT_AGENT;
  const agents = config['agent'] === undefined ? configuredAgents(config) : [];
  const offered = asksDesktopKind(config)
    ? [...webChoices(kinds), ...dockerChoices(kinds), ...guestChoices(kinds), ...offlineChoices(kinds)]
    : [];
  const tasks = tasksOf(kind, kinds) ?? [...SUITES, ...offered];
  return [
    ...(agents.length === 0
      ? []
      : [{ title: 'Train which agent?', choices: previousFirst(trainingAgents(agents), previous) }]),
    ...(selectsTasks(config) ? [] : [{ title: 'Which tasks?', choices: previousFirst(tasks, previous) }]),
    ...(asksPreset
      ? [
          {
            title: 'Start from which policy?',
            choices: previousFirst(policies(latest), previous),
            isPreset: true as const,
          },
        ]
      : []),
  ];
}

export const mustAsk = (
  { isPreset }: StartQuestion,
  { kind, agent = COMPACT_AGENT }: StartAnswers,
): boolean => isPreset === undefined || (hasPolicyChoice(kind) && agent === COMPACT_AGENT);

const hasPolicyChoice = (kind: unknown): boolean =>
  kind !== 'docker' && kind !== 'guest' && kind !== 'offline';

/** Without a browser, the choice explains how to get one. Empty if the daemon does not know this kind. */
function webChoices(kinds: readonly KindOffer[]): readonly StartChoice[] {
  const offer = kinds.find(({ kind }) => kind === 'web');
  const label = KIND_TITLES.web;
  if (offer === undefined) return [];
  if (offer.is === 'here')
    return [
      {
        label,
        detail: 'Pages in a headless browser: forms, lists, a shop. The network is off.',
        answer: { kind: 'web', tiers: [1] },
      },
    ];
  return [
    { label, detail: 'No browser was found. Shows how to install one.', answer: {}, explains: offer.why },
  ];
}

const GUESTS: StartChoice = {
  label: KIND_TITLES.guest,
  detail: "OSWorld's tasks in 'suite.files', on the machines in 'environments.guest.hosts'.",
  answer: { kind: 'guest' },
};

/** Without guests that answer, the choice explains what is missing. Empty if the daemon does not know this kind. */
function guestChoices(kinds: readonly KindOffer[]): readonly StartChoice[] {
  const offer = kinds.find(({ kind }) => kind === 'guest');
  if (offer === undefined) return [];
  if (offer.is === 'here') return [GUESTS];
  const detail = 'No guest can be used. Shows what is missing.';
  return [{ label: KIND_TITLES.guest, detail, answer: {}, explains: offer.why }];
}

/** The only choice for a kind of dartboard.json whose tasks have no tiers to choose; undefined for the others. */
const tasksOf = (kind: unknown, kinds: readonly KindOffer[]): readonly StartChoice[] | undefined =>
  kind === 'guest' ? onlyGuests(kinds) : kind === 'offline' ? [OFFLINE] : undefined;

/** Without the list of the daemon, the training itself reports what is missing. */
function onlyGuests(kinds: readonly KindOffer[]): readonly StartChoice[] {
  const choices = guestChoices(kinds);
  return choices.length > 0 ? choices : [GUESTS];
}

const OFFLINE: StartChoice = {
  label: KIND_TITLES.offline,
  detail: 'Imported and recorded successes with their pictures. The agent sees screenshots alone.',
  answer: { kind: 'offline' },
};

/** Empty if the workspace has no stored trajectories. */
const offlineChoices = (kinds: readonly KindOffer[]): readonly StartChoice[] =>
  kinds.some(({ kind }) => kind === 'offline') ? [OFFLINE] : [];

const DOCKER_LABEL = KIND_TITLES.docker;

/** Empty if no Docker engine responds. */
function dockerChoices(kinds: readonly KindOffer[]): readonly StartChoice[] {
  switch (kinds.find(({ kind }) => kind === 'docker')?.is) {
    case 'here':
      return [
        {
          label: DOCKER_LABEL,
          detail:
            'Real applications in containers: editor, calculator, files, terminal. Begins with demonstrations.',
          answer: { kind: 'docker', tiers: [1] },
        },
      ];
    case 'unbuilt':
      return [
        {
          label: DOCKER_LABEL,
          detail: 'The image is missing. Builds it in a terminal (dartboard docker build small).',
          answer: {},
          buildsImage: true,
        },
      ];
    default:
      return [];
  }
}

const SUITES: readonly StartChoice[] = [
  {
    label: tierTitle(1),
    detail: 'Recommended first: the agent learns most of these tasks within five minutes.',
    answer: { kind: 'pocket', tiers: [1] },
  },
  {
    label: 'Tiers 1 and 2: up to eight steps',
    detail: 'Takes about 15 minutes with demonstrations.',
    answer: { kind: 'pocket', tiers: [1, 2] },
  },
  {
    label: 'Tiers 1 to 3: long tasks',
    detail: 'Adds tasks with many steps in one application.',
    answer: { kind: 'pocket', tiers: [1, 2, 3] },
  },
  {
    label: 'All four tiers',
    detail: 'Adds tasks that use several applications.',
    answer: { kind: 'pocket', tiers: [1, 2, 3, 4] },
  },
];

const policies = (latest: string | undefined): readonly StartChoice[] => [
  {
    label: 'Random weights',
    detail: 'The agent explores the desktop without demonstrations.',
    answer: { preset: 'scratch', from: undefined },
  },
  {
    label: 'Demonstrations',
    detail: 'The agent first imitates five scripted solutions of each task.',
    answer: { preset: 'taught', from: undefined },
  },
  {
    label: 'Base weights',
    detail: 'The agent goes on from the weights that come with Dartboard, trained on the pocket desktop.',
    answer: { preset: 'scratch', from: BASE },
  },
  ...(latest === undefined
    ? []
    : [
        {
          label: `Weights of ${latest}`,
          detail: 'The agent goes on from the newest checkpoint of the latest run.',
          answer: { preset: 'scratch', from: latest },
        },
      ]),
];

/** Whether a choice continues towards a training, rather than preparing one. */
export const startsTraining = ({
  buildsImage,
  explains,
  opensAgent,
}: Pick<StartChoice, 'buildsImage' | 'explains' | 'opensAgent'>): boolean =>
  buildsImage === undefined && explains === undefined && opensAgent === undefined;

function previousFirst(choices: readonly StartChoice[], previous: StartAnswers): readonly StartChoice[] {
  const values: Readonly<Record<string, unknown>> = { ...previous };
  const isPrevious = ({ answer, ...choice }: StartChoice): boolean =>
    startsTraining(choice) &&
    Object.entries(answer).every(([name, value]) => JSON.stringify(value) === JSON.stringify(values[name]));
  return [...choices.filter(isPrevious), ...choices.filter(choice => !isPrevious(choice))];
}

/** The configuration of the run: dartboard.json, completed by the answers. */
export function configOf(
  config: ConfigFile,
  { agent, kind, tiers, preset }: StartAnswers,
): Record<string, unknown> {
  const { suite, environments, ...others } = kind === 'guest' ? config : withoutUnchosenGuests(config);
  return {
    ...others,
    ...(suite !== undefined && { suite }),
    ...(environments !== undefined && { environments }),
    ...(agent !== undefined && { agent }),
    // The pocket desktop is the default.
    ...(kind !== undefined && kind !== 'pocket' && { environments: { ...objectIn(environments), kind } }),
    ...(tiers !== undefined && { suite: { ...objectIn(suite), tiers } }),
    ...(preset !== undefined && { preset }),
  };
}
