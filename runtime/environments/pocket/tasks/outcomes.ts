// Names what an episode did, as the instructions that ask for it. An episode that was meant to do something else is then a
// success for those instructions (hindsight relabelling). Like evaluators, outcomes compare worlds and ignore the actions.

import { sameValue } from '../../../tasks/metrics/same-value.ts';
import type { PocketWorld } from '../world.ts';
import { calculatorOutcome } from './outcomes/calculator.ts';
import { calendarOutcome } from './outcomes/calendar.ts';
import { contactsOutcome, senderOutcome } from './outcomes/contacts.ts';
import { filesOutcome } from './outcomes/files.ts';
import { mailOutcome } from './outcomes/mail.ts';
import { firstOf, type WorldChange, type WorldOutcome } from './outcomes/outcome.ts';
import { settingsOutcome } from './outcomes/settings.ts';

export type { WorldChange, WorldOutcome } from './outcomes/outcome.ts';

/** Each recognises changes of one part of the world while the others are unchanged. */
const RECOGNISERS = {
  settings: settingsOutcome,
  root: filesOutcome,
  contacts: contactsOutcome,
  mails: mailOutcome,
  events: calendarOutcome,
  calculator: calculatorOutcome,
} satisfies Record<Exclude<keyof PocketWorld, 'now'>, (episode: WorldChange) => WorldOutcome | undefined>;

const PARTS = Object.keys(RECOGNISERS) as (keyof typeof RECOGNISERS)[];

/** The one outcome that accounts for all changes of an episode. */
export function outcomeOf(episode: WorldChange): WorldOutcome | undefined {
  const { start, end } = episode;
  const [first, second, ...more] = PARTS.filter(part => !sameValue(start[part], end[part]));
  if (first === undefined || more.length > 0) return undefined;
  if (second === undefined) return firstOf(RECOGNISERS[first](episode));
  // Only adding the sender of a mail concerns two parts: the mail may be read for it.
  return first === 'contacts' && second === 'mails' ? senderOutcome(episode) : undefined;
}

/** The first way identifies an outcome among those of its kind. */
export const sameOutcome = (one: WorldOutcome, other: WorldOutcome | undefined): boolean =>
  other?.kind === one.kind && other.ways[0] === one.ways[0];

/** Other templates that ask for a kind, each with some of its ways. */
const ALSO_ASKED_BY: Readonly<Record<string, readonly string[]>> = {
  'files-delete': ['files-delete-selected', 'files-delete-by-size'],
  'calendar-move-today': ['calendar-move'],
};

/** Whether tasks of a template ask for outcomes of a kind, which usually has the template's id. */
export const asksFor = (template: string, kind: string): boolean =>
  template === kind || (ALSO_ASKED_BY[kind] ?? []).includes(template);

/** The kinds of outcomes that tasks of a template ask for. */
export const kindsFor = (template: string): readonly string[] => [
  template,
  ...Object.keys(ALSO_ASKED_BY).filter(kind => kind !== template && asksFor(template, kind)),
];
