// A machine in memory: its files are a map, and it records what was done to it.

import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Machine, MachineBrowser, MachineTab } from '../../../runtime/environments/osworld/machine.ts';
import type { TaskRun } from '../../../runtime/environments/osworld/task-run.ts';

export interface MemoryMachine extends Machine {
  readonly files: Map<string, Uint8Array>;
  readonly done: string[];
  readonly openTabs: MachineTab[];
}

interface MachineParts {
  readonly files?: Readonly<Record<string, string>>;
  readonly tabs?: readonly MachineTab[];
  readonly tree?: string;
  /** The output of each command. */
  readonly outputs?: readonly string[];
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function memoryMachine({
  files = {},
  tabs = [],
  tree = '<desktop/>',
  outputs = [],
}: MachineParts = {}): MemoryMachine {
  const stored = new Map(Object.entries(files).map(([path, content]) => [path, bytesOf(content)]));
  const done: string[] = [];
  const openTabs = [...tabs];
  const left = [...outputs];
  const note = async (text: string) => void done.push(text);
  const browser: MachineBrowser = {
    started: async () => undefined,
    tabs: async () => [...openTabs],
    openTab: async url => void openTabs.push({ title: '', url }),
    closeTab: async isMatch => {
      const index = openTabs.findIndex(({ url }) => isMatch(url));
      if (index >= 0) openTabs.splice(index, 1);
      return index >= 0;
    },
    evaluate: async (isMatch, expression) =>
      openTabs.some(({ url }) => isMatch(url)) ? expression : undefined,
    visit: async (url, expressions) => ({ url, expressions }),
    printPdf: async url => bytesOf(`%PDF of ${url}`),
  };
  return {
    files: stored,
    done,
    openTabs,
    browser,
    run: async ({ command }) => {
      await note(`run ${[command].flat().join(' ')}`);
      return { output: left.shift() ?? '', errors: '', code: 0 };
    },
    launch: ({ command }) => note(`launch ${[command].flat().join(' ')}`),
    open: path => note(`open ${path}`),
    readFile: async path => stored.get(path),
    writeFile: async (path, bytes) => void stored.set(path, bytes),
    directory: async path => ({
      type: 'directory',
      name: path,
      children: [...stored.keys()]
        .filter(each => each.startsWith(`${path}/`))
        .map(each => ({ type: 'file', name: each.slice(path.length + 1) })),
    }),
    activateWindow: ({ name }) => note(`activate ${name}`),
    closeWindow: ({ name }) => note(`close ${name}`),
    changeWallpaper: path => note(`wallpaper ${path}`),
    wallpaper: async () => stored.get('wallpaper'),
    screenSize: async () => ({ width: 1920, height: 1080 }),
    windowSize: async () => undefined,
    accessibilityTree: async () => tree,
    terminalText: async () => null,
    typeCommand: (_, text) => note(`type ${text}`),
    vlcStatus: async () => undefined,
  };
}

export const taskRun = (machine: Machine, others: Partial<TaskRun> = {}): TaskRun => ({
  machine,
  clock: systemClock,
  now: () => new Date(Date.UTC(2026, 10, 25, 12)),
  timeZone: 'UTC',
  downloads: { fetch: async url => bytesOf(`content of ${url}`) },
  cache: new Map(),
  folder: '.',
  password: 'secret',
  ...others,
});
