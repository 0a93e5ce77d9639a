// What was done between two worlds, said as the instructions that would have asked for it. An episode that
// did something nameable is a success for those instructions, whatever it was meant to do. Only the worlds
// are compared: as with evaluators, the way there does not count.

import type { PocketWorld } from '../world.ts';
import { calculatorDeed } from './outcomes/calculator.ts';
import { calendarDeed } from './outcomes/calendar.ts';
import { contactsDeed, senderDeed } from './outcomes/contacts.ts';
import { alike } from './outcomes/difference.ts';
import { filesDeed } from './outcomes/files.ts';
import { mailDeed } from './outcomes/mail.ts';
import type { WorldChange, WorldOutcome } from './outcomes/outcome.ts';
import { settingsDeed } from './outcomes/settings.ts';

export type { WorldChange, WorldOutcome } from './outcomes/outcome.ts';

/** Who names what was done in one part of the world, given that all others are as they were. */
const NAMERS: Readonly<
  Record<Exclude<keyof PocketWorld, 'now'>, (told: WorldChange) => WorldOutcome | undefined>
> = {
  settings: settingsDeed,
  root: filesDeed,
  contacts: contactsDeed,
  mails: mailDeed,
  events: calendarDeed,
  calculator: calculatorDeed,
};

const PARTS = Object.keys(NAMERS) as (keyof typeof NAMERS)[];

/**
 * What was done between two worlds, when all of it together is one thing that has a name; undefined
 * otherwise.
 */
export function outcomeOf(told: WorldChange): WorldOutcome | undefined {
  const { start, end } = told;
  const [first, second, ...more] = PARTS.filter(part => !alike(start[part], end[part]));
  if (first === undefined || more.length > 0) return undefined;
  if (second === undefined) return NAMERS[first](told);
  // Only to keep the address of a mail's sender concerns two parts: the mail may be read for it.
  return first === 'contacts' && second === 'mails' ? senderDeed(told) : undefined;
}

/** Whether two are one deed: they ask for it in the same words. */
export const sameOutcome = (one: WorldOutcome, other: WorldOutcome | undefined): boolean =>
  other?.kind === one.kind && other.ways[0] === one.ways[0];

/** Kinds that several templates ask for, each in words of its own. */
const SEVERAL: Readonly<Record<string, readonly string[]>> = {
  'files-delete': ['files-delete-selected', 'files-delete-by-size'],
  'calendar-move-today': ['calendar-move'],
};

/** Whether a task of this template asks for deeds of this kind, which mostly has the template's own name. */
export const asksFor = (template: string, kind: string): boolean =>
  template === kind || (SEVERAL[kind] ?? []).includes(template);

/** The kinds of deeds that a task of this template asks for. */
export const kindsFor = (template: string): readonly string[] => [
  template,
  ...Object.keys(SEVERAL).filter(kind => kind !== template && asksFor(template, kind)),
];
