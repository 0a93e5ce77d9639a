// The state that the applications share: settings, files, mail, contacts, events, calculator. Plain data: a task's set-up fills
// it, the applications change it, and evaluators read it.

export const LANGUAGES = ['English', 'Deutsch', 'Español', 'Français', 'Italiano'] as const;
export const ALERT_SOUNDS = ['Bell', 'Chime', 'Drop', 'None'] as const;

export interface PocketSettings {
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

export type FileEntry = Folder | TextFile;

/** The old path of an entry in the trash; undefined elsewhere. */
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

/** The state of the calculator. Numbers are texts as displayed, so that their values are exactly what the user sees. */
export interface Calculation {
  /** A number, or 'Error'. */
  display: string;
  /** The displayed number is being typed, is an operand from elsewhere (such as the memory), or is a result. */
  stage: 'typing' | 'operand' | 'result';
  /** The pending operation; undefined while there is none. */
  waiting: { left: string; operator: Operator } | undefined;
  /** The operation that another '=' repeats. */
  again: { operator: Operator; right: string } | undefined;
  /** '' if the memory is empty. */
  memory: string;
  /** Calculations such as '2 + 3 = 5', the latest first. */
  history: string[];
}

export interface PocketWorld {
  settings: PocketSettings;
  root: Folder;
  contacts: Contact[];
  mails: Mail[];
  events: CalendarEvent[];
  calculator: Calculation;
  /** 'YYYY-MM-DD HH:MM', constant during an episode. */
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
export function timeText(time: string, format: PocketSettings['timeFormat']): string {
  if (format === '24h') return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The entry at a path such as '/Documents/plan.txt'. '/' is the root. */
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
