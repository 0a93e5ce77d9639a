// What starting a training asks, and the configuration that comes of it. What dartboard.json says is settled: it is not asked about, and
// it holds. Pure.

import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';
import type { Translate } from '../words.ts';

export interface Answers {
  readonly kind?: KindOffer['kind'];
  readonly tiers?: readonly number[];
  readonly preset?: string;
}

export interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly answer: Answers;
  /** It cannot be had yet: the image of its desktops is built first. */
  readonly builds?: true;
}

export interface Question {
  readonly title: string;
  readonly choices: readonly Choice[];
  /** Settled where desktops are real ones: nobody would ever find out by chance how they are used. */
  readonly ofPocket?: true;
}

/** What dartboard.json says; an empty one where there is none. */
export type Said = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Said) : {};

/** Throws a SyntaxError that says where. What is said is checked by the daemon, which names the key. */
export const saidIn = (text: string): Said => objectIn(JSON.parse(text.replace(/^\uFEFF/, '')));

/** Whether it says which tasks are trained. */
export function saysTasks(said: Said): boolean {
  const suite = objectIn(said['suite']);
  return suite['tiers'] !== undefined || suite['tasks'] !== undefined;
}

/** Whether kinds of desktops are asked about: it takes a moment to find out which there are. */
export function asksKinds(said: Said): boolean {
  const isSaid = objectIn(said['environments'])['kind'] !== undefined;
  // Tasks of a folder are for the pocket desktop.
  return !saysTasks(said) && !isSaid && objectIn(said['suite'])['files'] === undefined;
}

/** At most two. The answers of last time come first, so that pressing Enter means "as before". */
export function questions(
  said: Said,
  last: Answers,
  kinds: readonly KindOffer[],
  t: Translate,
): readonly Question[] {
  const isReal = objectIn(said['environments'])['kind'] === 'docker';
  const asksPreset = said['preset'] === undefined && said['demonstrations'] === undefined && !isReal;
  const tasks = [...suites(t), ...(asksKinds(said) ? real(kinds, t) : [])];
  return [
    ...(saysTasks(said) ? [] : [{ title: t('Which tasks?'), choices: first(tasks, last) }]),
    ...(asksPreset
      ? [{ title: t('How does it begin?'), choices: first(presets(t), last), ofPocket: true as const }]
      : []),
  ];
}

/** Whether it is still to be asked. */
export const isOpen = ({ ofPocket }: Question, { kind }: Answers): boolean =>
  ofPocket === undefined || kind !== 'docker';

/** Nothing where no engine answers. */
function real(kinds: readonly KindOffer[], t: Translate): readonly Choice[] {
  const label = t('Real desktops (Docker)');
  switch (kinds.find(({ kind }) => kind === 'docker')?.is) {
    case 'here':
      return [
        {
          label,
          detail: t(
            'An editor, a calculator, files and a terminal, in containers. It is shown solutions first.',
          ),
          answer: { kind: 'docker', tiers: [1] },
        },
      ];
    case 'unbuilt':
      return [
        {
          label,
          detail: t('Their image is not there yet: builds it in a terminal (dartboard docker build small).'),
          answer: {},
          builds: true,
        },
      ];
    default:
      return [];
  }
}

const suites = (t: Translate): readonly Choice[] => [
  {
    label: t('Tier 1: single steps'),
    detail: t('The place to begin: most of it is learned in five minutes.'),
    answer: { kind: 'pocket', tiers: [1] },
  },
  {
    label: t('Tiers 1 and 2: up to eight steps'),
    detail: t('Give it a quarter of an hour, and demonstrations.'),
    answer: { kind: 'pocket', tiers: [1, 2] },
  },
  {
    label: t('Tiers 1 to 3: long tasks'),
    detail: t('Also what takes many steps in one application.'),
    answer: { kind: 'pocket', tiers: [1, 2, 3] },
  },
  {
    label: t('All four tiers'),
    detail: t('Also what goes from one application to another.'),
    answer: { kind: 'pocket', tiers: [1, 2, 3, 4] },
  },
];

const presets = (t: Translate): readonly Choice[] => [
  {
    label: t('From scratch'),
    detail: t('It explores the desktop and finds out all by itself.'),
    answer: { preset: 'scratch' },
  },
  {
    label: t('Taught'),
    detail: t('It is shown five scripted solutions of each task first.'),
    answer: { preset: 'taught' },
  },
];

function first(choices: readonly Choice[], last: Answers): readonly Choice[] {
  const isLast = ({ answer, builds }: Choice): boolean =>
    builds === undefined &&
    Object.entries(answer).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(last[name as keyof Answers]),
    );
  return [...choices.filter(isLast), ...choices.filter(choice => !isLast(choice))];
}

/** What is sent to the daemon: what the file says, and the answers for the rest. */
export function configOf(said: Said, { kind, tiers, preset }: Answers): Record<string, unknown> {
  return {
    ...said,
    // The pocket desktop is what there is where nobody says.
    ...(kind === 'docker' && { environments: { ...objectIn(said['environments']), kind } }),
    ...(tiers !== undefined && { suite: { ...objectIn(said['suite']), tiers } }),
    ...(preset !== undefined && { preset }),
  };
}
