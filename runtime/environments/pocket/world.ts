// What the applications of a desktop share, and what tasks are about: settings, files, mail, contacts, events. Plain data:
// an evaluator reads it, a task's set-up fills it, and the applications change it. Nothing here is drawn.

export const LANGUAGES = ['English', 'Deutsch', 'Español', 'Français', 'Italiano'] as const;
export const ALERT_SOUNDS = ['Bell', 'Chime', 'Drop', 'None'] as const;

export interface Settings {
  theme: 'light' | 'dark';
  brightness: number;
  nightLight: boolean;
  volume: number;
  muted: boolean;
  alertSound: (typeof ALERT_SOUNDS)[number];
  wifi: boolean;
  network: string;
  bluetooth: boolean;
  notifications: boolean;
  deviceName: string;
  language: (typeof LANGUAGES)[number];
  timeFormat: '24h' | '12h';
}

/** A folder holds entries by name; a file holds text. */
export type FileEntry = Folder | TextFile;

/** Where an entry in the trash was before; nothing anywhere else. */
interface Trashable {
  trashedFrom?: string;
}

export interface Folder extends Trashable {
  kind: 'folder';
  entries: Record<string, FileEntry>;
}

export interface TextFile extends Trashable {
  kind: 'file';
  text: string;
}

export interface Contact {
  name: string;
  phone: string;
  mail: string;
  company: string;
}

export interface Mail {
  id: number;
  folder: 'Inbox' | 'Sent' | 'Drafts' | 'Trash';
  from: string;
  to: string;
  subject: string;
  body: string;
  read: boolean;
  starred: boolean;
}

export interface CalendarEvent {
  id: number;
  /** 'YYYY-MM-DD' */
  date: string;
  /** 'HH:MM' */
  time: string;
  title: string;
}

export const OPERATORS = ['+', '-', '*', '/'] as const;
export type Operator = (typeof OPERATORS)[number];

/** What the calculator shows and keeps. Numbers are texts as they are displayed, so that they are what they look like. */
export interface Calculation {
  /** A number, or 'Error'. */
  display: string;
  /** Whether the number displayed is being typed, is an operand all the same (as from memory), or is a result. */
  stage: 'typing' | 'operand' | 'result';
  /** The left operand and what will be done with it; undefined where nothing waits for a right operand. */
  waiting: { left: string; operator: Operator } | undefined;
  /** What a further '=' does again. */
  again: { operator: Operator; right: string } | undefined;
  /** '' where nothing is kept. */
  memory: string;
  /** Sums as '2 + 3 = 5', the latest first. */
  history: string[];
}

export interface PocketWorld {
  settings: Settings;
  root: Folder;
  contacts: Contact[];
  mails: Mail[];
  events: CalendarEvent[];
  calculator: Calculation;
  /** 'YYYY-MM-DD HH:MM', which stands still during an episode. */
  now: string;
}

export const emptyWorld = (): PocketWorld => ({
  settings: {
    theme: 'light',
    brightness: 70,
    nightLight: false,
    volume: 40,
    muted: false,
    alertSound: 'Bell',
    wifi: true,
    network: 'Orchard',
    bluetooth: false,
    notifications: true,
    deviceName: 'pocket',
    language: 'English',
    timeFormat: '24h',
  },
  root: { kind: 'folder', entries: {} },
  contacts: [],
  mails: [],
  events: [],
  calculator: {
    display: '0',
    stage: 'typing',
    waiting: undefined,
    again: undefined,
    memory: '',
    history: [],
  },
  now: '2026-03-12 10:24',
});

/** Formats 'HH:MM' as the settings ask: '15:05' or '3:05 PM'. */
export function timeText(time: string, format: Settings['timeFormat']): string {
  if (format === '24h') return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The entry at a path such as '/Documents/plan.txt'; undefined where there is none. '/' is the root. */
export function entryAt(root: Folder, path: string): FileEntry | undefined {
  let entry: FileEntry | undefined = root;
  for (const name of path.split('/').filter(part => part !== '')) {
    if (entry?.kind !== 'folder') return undefined;
    entry = Object.hasOwn(entry.entries, name) ? entry.entries[name] : undefined;
  }
  return entry;
}

export function folderAt(root: Folder, path: string): Folder | undefined {
  const entry = entryAt(root, path);
  return entry?.kind === 'folder' ? entry : undefined;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joined = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`;
