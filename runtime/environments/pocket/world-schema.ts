// The values that the set-up step `pocket_world` accepts. Task files are untrusted input. Evaluators may read further fields of a record,
// so the schemas keep them.

import * as z from 'zod';
import { dateText, dayOf } from './apps/calendar/dates.ts';
import {
  ALERT_SOUNDS,
  type CalendarEvent,
  type Contact,
  type FileEntry,
  LANGUAGES,
  type Mail,
  OPERATORS,
  type PocketSettings,
  type PocketWorld,
} from './world.ts';

/** A schema for each field. */
type Schemas<Fields> = { readonly [Name in keyof Fields]: z.ZodType<Fields[Name]> };

const text = z.string();
const flag = z.boolean();
const percent = z.number().min(0).max(100);

const settings = z.looseObject({
  theme: z.enum(['light', 'dark']),
  brightness: percent,
  nightLight: flag,
  volume: percent,
  muted: flag,
  alertSound: z.enum(ALERT_SOUNDS),
  wifi: flag,
  network: text,
  bluetooth: flag,
  notifications: flag,
  deviceName: text,
  language: z.enum(LANGUAGES),
  timeFormat: z.enum(['24h', '12h']),
} satisfies Schemas<PocketSettings>);

const trashedFrom = text.exactOptional();
const file = z.looseObject({ kind: z.literal('file'), text, trashedFrom });
const entry: z.ZodType<FileEntry> = z.lazy(() => z.discriminatedUnion('kind', [file, folder]));

/** Checks the names first, since z.record leaves out __proto__. */
const entries = z
  .unknown()
  .superRefine((given, context) => {
    for (const name of typeof given === 'object' && given !== null ? Object.keys(given) : []) {
      if (name !== '' && !name.includes('/') && name !== '__proto__') continue;
      const message = `${JSON.stringify(name)} is no name; give one that is not empty, has no '/' and is not __proto__`;
      context.addIssue({ code: 'custom', message, path: [name, 'name'] });
    }
  })
  .pipe(z.record(text, entry));
const folder = z.looseObject({ kind: z.literal('folder'), entries, trashedFrom });

const contact = z.looseObject({
  name: text,
  phone: text,
  mail: text,
  company: text,
} satisfies Schemas<Contact>);

const mail = z.looseObject({
  id: z.int(),
  folder: z.enum(['Inbox', 'Sent', 'Drafts', 'Trash']),
  from: text,
  to: text,
  subject: text,
  body: text,
  read: flag.default(false),
  starred: flag.default(false),
} satisfies Schemas<Mail>);

/** The calendar finds its events by this text. */
function isDate(given: string): boolean {
  const day = dayOf(given);
  return day !== undefined && dateText(day) === given;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const isMoment = (given: string): boolean =>
  isDate(given.slice(0, 10)) && given[10] === ' ' && TIME.test(given.slice(11));

const event = z.looseObject({
  id: z.int(),
  date: text.refine(isDate, 'give a date such as 2026-03-12'),
  time: text
    .transform(given => (/^\d:/.test(given) ? `0${given}` : given))
    .refine(given => TIME.test(given), 'give a time such as 09:30'),
  title: text,
} satisfies Schemas<CalendarEvent>);

const hasOwnIds = (records: readonly { readonly id: number }[]): boolean =>
  new Set(records.map(({ id }) => id)).size === records.length;
const OWN_IDS = 'give each record an id of its own';

const operator = z.enum(OPERATORS);
const calculator = z.object({
  display: text,
  stage: z.enum(['typing', 'operand', 'result']),
  waiting: z.object({ left: text, operator }).optional(),
  again: z.object({ operator, right: text }).optional(),
  memory: text,
  history: z.array(text),
});

export const worldParts = z
  .object({
    settings: settings.partial(),
    root: folder,
    contacts: z.array(contact),
    mails: z.array(mail).refine(hasOwnIds, OWN_IDS),
    events: z.array(event).refine(hasOwnIds, OWN_IDS),
    calculator,
    now: text.refine(isMoment, 'give a time such as 2026-03-12 10:24'),
  } satisfies Readonly<Record<keyof PocketWorld, z.ZodType>>)
  .partial();
