// All templates of the pocket suite, in the order of its lists.

import type { PocketTemplate } from '../template.ts';
import { ACROSS_CHANGES } from './across-changes.ts';
import { ACROSS_WRITING } from './across-writing.ts';
import { CALCULATOR } from './calculator.ts';
import { CALENDAR } from './calendar.ts';
import { CONTACTS } from './contacts.ts';
import { FILES } from './files.ts';
import { MAIL } from './mail.ts';
import { MAIL_WRITING } from './mail-writing.ts';
import { NOTES } from './notes.ts';
import { SETTINGS } from './settings.ts';

export const TEMPLATES: readonly PocketTemplate[] = [
  ...SETTINGS,
  ...FILES,
  ...NOTES,
  ...MAIL,
  ...MAIL_WRITING,
  ...CONTACTS,
  ...CALENDAR,
  ...CALCULATOR,
  ...ACROSS_WRITING,
  ...ACROSS_CHANGES,
];
