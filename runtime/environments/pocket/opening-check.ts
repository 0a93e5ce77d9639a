// Checks the value `what` of the set-up step `pocket_open`. An application ignores a value that it does not know, so the task would start
// on another screen than its file describes.

import { dayOf } from './apps/calendar/dates.ts';
import { search } from './apps/files/entries.ts';
import { contactAt } from './apps/mail/mailbox.ts';
import { PAGES } from './apps/settings/settings.ts';
import { entryAt, type PocketWorld } from './world.ts';

interface OpeningRule {
  readonly isValid: (world: PocketWorld, what: string) => boolean;
  /** For the error; '' if there are none. */
  readonly choices: (world: PocketWorld) => string;
}

const MAX_CHOICES = 20;

const oneOf = (choices: readonly string[]): string =>
  choices.length === 0 ? '' : `one of these: ${choices.slice(0, MAX_CHOICES).join(', ')}`;

/** The applications compare paths as texts, so other forms of a path are other paths. */
const isPath = (what: string): boolean => what === '/' || /^(\/[^/]+)+$/.test(what);

const OPENING_RULES: Readonly<Record<string, OpeningRule>> = {
  files: {
    isValid: ({ root }, what) => isPath(what) && entryAt(root, what) !== undefined,
    choices: ({ root }) => oneOf(['/', ...search(root, '/', '').map(({ path }) => path)]),
  },
  notes: {
    isValid: ({ root }, what) => isPath(what) && entryAt(root, what)?.kind === 'file',
    choices: ({ root }) =>
      oneOf(search(root, '/', '').flatMap(({ path, entry }) => (entry.kind === 'file' ? [path] : []))),
  },
  mail: {
    isValid: ({ mails }, what) => what.startsWith('new:') || mails.some(({ id }) => what === `mail:${id}`),
    choices: ({ mails }) => oneOf(['new:', ...mails.map(({ id }) => `mail:${id}`)]),
  },
  contacts: {
    isValid: ({ contacts }, what) =>
      what.startsWith('new:') ||
      (what.startsWith('mail:') && contactAt(contacts, what.slice('mail:'.length)) !== undefined) ||
      contacts.some(({ name }) => name === what),
    choices: ({ contacts }) => oneOf(['new:', 'mail:ADDRESS', ...contacts.map(({ name }) => name)]),
  },
  calculator: { isValid: () => false, choices: () => '' },
  calendar: { isValid: (_, what) => dayOf(what) !== undefined, choices: () => 'a date such as 2026-03-12' },
  settings: { isValid: (_, what) => PAGES.some(page => page === what), choices: () => oneOf(PAGES) },
};

/** Why a task cannot show `what` in an application; undefined if it can. */
export function openingFault(world: PocketWorld, app: string, what: string): string | undefined {
  const rule = Object.hasOwn(OPENING_RULES, app) ? OPENING_RULES[app] : undefined;
  // The shell rejects an application that does not exist.
  if (rule === undefined || rule.isValid(world, what)) return undefined;
  const choices = rule.choices(world);
  const remedy = choices === '' ? 'Leave it out.' : `Leave it out, or give ${choices}.`;
  return `pocket_open.what is ${JSON.stringify(what)}, which ${app} does not have. ${remedy}`;
}
