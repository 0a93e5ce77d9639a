// All templates of the pocket suite, in the order of its lists.

import type { PocketTemplate } from '../template.ts';
import { ACROSS_CALENDAR } from './across-calendar.ts';
import { ACROSS_CONTACTS } from './across-contacts.ts';
import { ACROSS_MAIL } from './across-mail.ts';
import { ACROSS_NOTES } from './across-notes.ts';
import { ACROSS_SETTINGS } from './across-settings.ts';
import { ACROSS_UNSEEN } from './across-unseen.ts';
import { CALCULATOR } from './calculator.ts';
import { CALENDAR } from './calendar.ts';
import { CALENDAR_FORMS } from './calendar-forms.ts';
import { CONTACTS } from './contacts.ts';
import { FILES } from './files.ts';
import { FINDING_FILES } from './files-finding.ts';
import { MANY_FILES } from './files-many.ts';
import { MAIL_ANSWERING } from './mail-answering.ts';
import { MAIL_FOLDERS } from './mail-folders.ts';
import { MAIL_MARKS } from './mail-marks.ts';
import { MAIL_WRITING } from './mail-writing.ts';
import { NOTES } from './notes.ts';
import { NOTES_EDITING } from './notes-editing.ts';
import { SETTINGS } from './settings.ts';

export const TEMPLATES: readonly PocketTemplate[] = [
  ...SETTINGS,
  ...FILES,
  ...FINDING_FILES,
  ...MANY_FILES,
  ...NOTES,
  ...NOTES_EDITING,
  ...MAIL_MARKS,
  ...MAIL_FOLDERS,
  ...MAIL_WRITING,
  ...MAIL_ANSWERING,
  ...CONTACTS,
  ...CALENDAR,
  ...CALENDAR_FORMS,
  ...CALCULATOR,
  ...ACROSS_MAIL,
  ...ACROSS_NOTES,
  ...ACROSS_CALENDAR,
  ...ACROSS_CONTACTS,
  ...ACROSS_SETTINGS,
  ...ACROSS_UNSEEN,
];
