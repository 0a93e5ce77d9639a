// Relabelling by what an agent sees: small pages whose rewards are known.

import { describe, expect, test } from 'vitest';
import { decode, encode } from '../../../runtime/agents/compact/observation.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { oneOf, shuffled } from '../../../runtime/core/chance.ts';
import { taskId } from '../../../runtime/core/ids.ts';
import type { Lesson } from '../../../runtime/core/lesson.ts';
import { type Random, seeded } from '../../../runtime/core/rng.ts';
import { centre, type Element } from '../../../runtime/core/screen.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { PhraseRelabelling } from '../../../runtime/discovery/relabel/phrase-relabelling.ts';
import { element, seenOf } from '../../agents/compact/screens.ts';
import { judged, trajectory } from '../../data/trajectories.ts';

const NAMES = [
  'Ada',
  'Ben',
  'Cleo',
  'Dan',
  'Eve',
  'Finn',
  'Gus',
  'Hal',
  'Ida',
  'Jo',
  'Kim',
  'Lea',
  'Mia',
  'Ned',
];

interface Played {
  readonly instruction: string;
  readonly screens: readonly (readonly Element[])[];
  /** One per screen. */
  readonly actions: readonly Action[];
  readonly isRight: boolean;
  /** The text that a right relabelling puts into the instruction. */
  readonly done: string;
}

type Page = (random: Random) => Played;

const click = ({ box }: Element): Action => ({ kind: 'click', at: centre(box) });

const asTrajectory = ({ instruction, screens, actions, isRight }: Played): Trajectory => {
  const steps = actions.map((action, index) => ({
    ...{ action, meant: [], observation: encode(seenOf(instruction, screens[index] ?? [])) },
  }));
  return trajectory('t', {
    ...{ instruction, steps, outcome: judged(isRight ? 1 : 0) },
    instance: { ...trajectory('t').instance, task: taskId('page') },
  });
};

/** Plays, and returns each failure with the lesson that it became. */
function playedOn(page: Page, episodes: number): readonly { played: Played; lesson: Lesson | undefined }[] {
  const relabelling = new PhraseRelabelling();
  const random = seeded('page');
  return Array.from({ length: episodes }, () => {
    const played = page(random);
    return { played, lesson: relabelling.relabel(asTrajectory(played)) };
  }).filter(({ played }) => !played.isRight);
}

const instructionOf = ({ steps }: Lesson): readonly string[] => [
  ...new Set(steps.map(({ observation }) => decode(observation).instruction)),
];

const buttons = (random: Random, names: readonly string[]) =>
  shuffled(random, names).map((name, index) =>
    element({ role: 'button', name, box: [10, 40 * index, 60, 20] }),
  );

/** One click on one of `count` named buttons ends it. */
const buttonsPage =
  (count: number): Page =>
  random => {
    const names = shuffled(random, NAMES).slice(0, count);
    const screen = buttons(random, names);
    const [wanted, clicked] = [oneOf(random, names), oneOf(random, screen)];
    if (clicked === undefined) throw new Error('There is no button.');
    return {
      instruction: `Click on the "${wanted}" button.`,
      ...{ screens: [screen], actions: [click(clicked)], done: clicked.name },
      isRight: clicked.name === wanted,
    };
  };

const BUTTONS = buttonsPage(4);

test('a wrong click becomes a right one for the instruction that names it', () => {
  const failures = playedOn(BUTTONS, 200);
  const late = failures.slice(-50);
  expect(late.filter(({ lesson }) => lesson !== undefined).length).toBe(late.length);
  for (const { played, lesson } of failures)
    if (lesson !== undefined) {
      expect(lesson).toMatchObject({ sort: 'hindsight', kind: 'page' });
      expect(instructionOf(lesson)).toEqual([`Click on the "${played.done}" button.`]);
    }
});

test('a text beside what was clicked, and the value of a field at the end', () => {
  const page: Page = random => {
    const names = shuffled(random, NAMES).slice(0, 3);
    const days = names.map(() => `${random.int(28) + 1}/05/2016`);
    const rows = names.map((name, index) => element({ role: 'text', name, box: [10, 40 * index, 60, 20] }));
    const icons = names.map((_, index) =>
      element({ role: 'icon', name: 'delete', box: [90, 40 * index, 20, 20] }),
    );
    const [wanted, clicked] = [random.int(3), random.int(3)];
    const [day = '', entered = ''] = [oneOf(random, days), oneOf(random, days)];
    const field = (value: string) => element({ role: 'textbox', name: 'Day', value, box: [10, 200, 60, 20] });
    const [icon, name = ''] = [icons[clicked], names[clicked]];
    if (icon === undefined) throw new Error('There is no such row.');
    const screen = (value: string) => [...rows, ...icons, field(value)];
    return {
      instruction: `Enter ${day} and delete the mail of ${names[wanted]}.`,
      screens: [screen(''), screen(entered)],
      actions: [click(field('')), click(icon)],
      ...{
        isRight: wanted === clicked && day === entered,
        done: `Enter ${entered} and delete the mail of ${name}.`,
      },
    };
  };
  const lessons = playedOn(page, 400).flatMap(({ played, lesson }) => (lesson ? [{ played, lesson }] : []));
  expect(lessons.length).toBeGreaterThan(100);
  for (const { played, lesson } of lessons) expect(instructionOf(lesson)).toEqual([played.done]);
});

test.each([
  [4, 400],
  [12, 4000],
])(
  'nothing is relabelled on a page of %i buttons where success depends on more than what was acted on',
  (count, episodes) => {
    const page: Page = random => {
      const played = buttonsPage(count)(random);
      return { ...played, isRight: played.isRight && random.next() < 0.5 };
    };
    // A few lessons come where five successes follow one another by chance.
    const failures = playedOn(page, episodes);
    expect(failures.filter(({ lesson }) => lesson !== undefined).length).toBeLessThan(failures.length / 20);
  },
);

test('names in other alphabets are blanks', () => {
  const cyrillic = [
    'Анна',
    'Борис',
    'Вера',
    'Глеб',
    'Дина',
    'Егор',
    'Жанна',
    'Зоя',
    'Иван',
    'Кира',
    'Лев',
    'Мира',
    'Нина',
    'Олег',
  ];
  const page: Page = random => {
    const played = BUTTONS(random);
    const named = (text: string) =>
      NAMES.reduce((all, name, index) => all.replace(name, cyrillic[index] ?? ''), text);
    const screens = played.screens.map(screen => screen.map(each => ({ ...each, name: named(each.name) })));
    return { ...played, screens, instruction: named(played.instruction), done: named(played.done) };
  };
  const lessons = playedOn(page, 200).flatMap(({ played, lesson }) => (lesson ? [{ played, lesson }] : []));
  expect(lessons.length).toBeGreaterThan(50);
  for (const { played, lesson } of lessons)
    expect(instructionOf(lesson)).toEqual([`Click on the "${played.done}" button.`]);
});

describe('no lesson', () => {
  test('for the instruction that was missed, though its spaces differ from those of the name', () => {
    const page: Page = random => {
      const played = BUTTONS(random);
      const instruction = played.instruction.replace(/"(\w+)"/, '"$1  $1son"');
      const screens = played.screens.map(screen =>
        screen.map(each => ({ ...each, name: `${each.name} ${each.name}son` })),
      );
      return { ...played, screens, instruction };
    };
    const relabelling = new PhraseRelabelling();
    const random = seeded('page');
    for (let episode = 0; episode < 100; episode++) relabelling.relabel(asTrajectory(page(random)));
    let played = page(random);
    while (!played.isRight) played = page(random);
    expect(relabelling.relabel(asTrajectory({ ...played, isRight: false }))).toBeUndefined();
  });

  test('without successes', () => {
    const page: Page = random => ({ ...BUTTONS(random), isRight: false });
    expect(playedOn(page, 100).filter(({ lesson }) => lesson !== undefined)).toEqual([]);
  });

  test('from longer episodes than successes', () => {
    const relabelling = new PhraseRelabelling();
    const random = seeded('page');
    for (let episode = 0; episode < 100; episode++) relabelling.relabel(asTrajectory(BUTTONS(random)));
    const played = { ...BUTTONS(random), isRight: false };
    const twice = {
      ...played,
      screens: [...played.screens, ...played.screens],
      actions: [...played.actions, ...played.actions],
    };
    expect(relabelling.relabel(asTrajectory(twice))).toBeUndefined();
  });
});
