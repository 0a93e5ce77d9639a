// The applications of the desktop in the order of the launcher.

import type { App, ShellServices } from '../shell/app.ts';
import type { PocketWorld } from '../world.ts';
import { CalculatorApp } from './calculator/calculator.ts';
import { CalendarApp } from './calendar/calendar.ts';
import { ContactsApp } from './contacts/contacts.ts';
import { FilesApp } from './files/files.ts';
import { MailApp } from './mail/mail.ts';
import { NotesApp } from './notes/notes.ts';
import { SettingsApp } from './settings/settings.ts';

export const APPS: readonly (new (world: PocketWorld, shell: ShellServices) => App)[] = [
  FilesApp,
  NotesApp,
  MailApp,
  ContactsApp,
  CalculatorApp,
  CalendarApp,
  SettingsApp,
];
