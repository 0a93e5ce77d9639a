// Routes that open files and manage windows.

import { posix } from 'node:path';
import * as z from 'zod';
import { detachedLine, quotePath, windowLine } from '../../environments/command.ts';
import { textAnswer } from '../answer.ts';
import { answered } from '../commands.ts';
import { type GuestCall, type GuestRoutes, jsonOf } from '../guest-call.ts';
import { expandedPath } from '../guest-paths.ts';
import type { ServedMachine } from '../served-machine.ts';
import { type ListedWindow, windowList } from '../window-list.ts';

/** Large programs on a busy machine need many seconds until their first window. */
const WINDOW_TIMEOUT_MS = 60_000;
const WINDOW_POLL_MS = 100;
/** Then another new window counts: some titles do not have the name of the file. Before, it may be one that a program shows while it starts. */
const OTHER_WINDOW_MS = 10_000;

/** Programs of the images by the suffix of a file; the first that is installed opens it. */
const OPENERS: readonly (readonly [RegExp, string])[] = [
  [/\.(?:docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp)$/i, 'soffice'],
  [/\.(?:html?|pdf|svg)$/i, 'chromium'],
  [/\.(?:png|jpe?g|gif|xcf|bmp)$/i, 'gimp'],
  [/\.(?:mp[34]|ogg|wav|avi|mkv|webm)$/i, 'vlc'],
];

const EDITOR = 'mousepad';
const FILE_MANAGER = 'pcmanfm';

export const WINDOW_ROUTES: GuestRoutes = {
  /** Waits for the window of the file, as OSWorld's server does. A name that is no file is a program. */
  '/setup/open_file': {
    method: 'POST',
    run: async (machine, call) => {
      const { path } = jsonOf(call, z.object({ path: z.string().default('') }));
      if (path === '') return textAnswer('Path not supplied!', 400);
      return answered(
        async () => {
          const line = await openingLine(machine, path);
          if (line === undefined) return textAnswer(`Application/file not found: ${path}`, 404);
          const before = (await windowList(machine)).map(({ id }) => id);
          await machine.run(detachedLine(line));
          if (await windowOpened(machine, posix.basename(path), before))
            return textAnswer('File opened and window activated successfully');
          const seconds = WINDOW_TIMEOUT_MS / 1000;
          return textAnswer(
            `Failed to find window for ${posix.basename(path)} within ${seconds} seconds. Open it with /setup/launch.`,
            500,
          );
        },
        message => textAnswer(`Failed to open ${path}. Error: ${message}`, 500),
      );
    },
  },
  /** A window that is not there is no error, as in OSWorld. */
  '/setup/activate_window': {
    method: 'POST',
    run: async (machine, call) => {
      if (!(await windowCommand(machine, call, 'a'))) return textAnswer('window_name required', 400);
      return textAnswer('Window activated successfully');
    },
  },
  '/setup/close_window': {
    method: 'POST',
    run: async (machine, call) => {
      if (!(await windowCommand(machine, call, 'c'))) return textAnswer('window_name required', 400);
      return textAnswer('Window closed successfully.');
    },
  },
};

const windowName = z.object({
  window_name: z.string().default(''),
  strict: z.boolean().default(false),
  by_class: z.boolean().default(false),
});

/** False without a name. */
async function windowCommand(machine: ServedMachine, call: GuestCall, action: 'a' | 'c'): Promise<boolean> {
  const { window_name: name, strict, by_class: byClass } = jsonOf(call, windowName);
  if (name === '') return false;
  await machine.run(windowLine(action, name, { strict, byClass }));
  return true;
}

/** Undefined if there is neither a file nor a program of that name. */
async function openingLine(machine: ServedMachine, path: string): Promise<string | undefined> {
  const test = async (line: string) => (await machine.run(line)).code === 0;
  const word = quotePath(await expandedPath(machine, path));
  if (!(await test(`[ -e ${word} ]`)))
    return (await test(`command -v ${quotePath(path)}`)) ? `exec ${quotePath(path)}` : undefined;
  if (await test(`[ -d ${word} ]`)) return `exec ${FILE_MANAGER} ${word}`;
  const [, opener = EDITOR] = OPENERS.find(([suffix]) => suffix.test(path)) ?? [];
  const program = (await test(`command -v ${opener}`)) ? opener : EDITOR;
  return `exec ${program} ${word}`;
}

/** A window with the name of the file, or a new one with its name without the suffix, or after a while any new one. */
async function windowOpened(
  machine: ServedMachine,
  name: string,
  before: readonly string[],
): Promise<boolean> {
  const { clock } = machine;
  const stem = name.replace(/(?!^)\.[^.]*$/, '');
  const start = clock.now();
  for (; clock.now() < start + WINDOW_TIMEOUT_MS; await clock.sleep(WINDOW_POLL_MS)) {
    const windows = await windowList(machine);
    const isLate = clock.now() >= start + OTHER_WINDOW_MS;
    const isNew = ({ id }: ListedWindow): boolean => !before.includes(id);
    const found =
      windows.find(({ title }) => title.includes(name)) ??
      windows.find(each => stem !== '' && each.title.includes(stem) && (isLate || isNew(each))) ??
      windows.find(each => isLate && isNew(each));
    if (found === undefined) continue;
    await machine.run(`wmctrl -i -a ${found.id}`);
    return true;
  }
  return false;
}
