// Finds a browser on this machine: a headless shell (smaller and faster), or Chromium, Chrome or Edge.

import { posix, win32 } from 'node:path';
import type { BrowserMachine } from './machine.ts';

export interface FoundBrowser {
  readonly path: string;
  /** A headless shell has no user interface at all. The others need a flag to run without one. */
  readonly kind: 'shell' | 'full';
}

type Machine = Pick<BrowserMachine, 'platform' | 'environment' | 'isExecutable'>;

/** In this order: a shell starts in half the time and needs half the memory. */
const NAMES = [
  'chrome-headless-shell',
  'chromium-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];

const LINUX_PATHS = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib64/chromium-browser/headless_shell',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/opt/microsoft/msedge/msedge',
  '/snap/bin/chromium',
];

const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge'];

const WINDOWS_PATHS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** A configured path or program name replaces the search. Undefined if there is no browser. */
export function findBrowser(configured: string | undefined, machine: Machine): FoundBrowser | undefined {
  const candidates = configured ? configuredPaths(configured, machine) : usualPaths(machine);
  const path = candidates.find(machine.isExecutable);
  return path === undefined ? undefined : { path, kind: kindOf(path) };
}

const isWindows = ({ platform }: Machine): boolean => platform === 'win32';

function configuredPaths(configured: string, machine: Machine): readonly string[] {
  const isPath = configured.includes('/') || (isWindows(machine) && configured.includes('\\'));
  return isPath ? [configured] : onPath([configured], machine);
}

function usualPaths(machine: Machine): readonly string[] {
  const { platform, environment } = machine;
  const named = onPath(NAMES, machine);
  if (platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap(
      name => environment[name] ?? [],
    );
    return shellsFirst([
      ...named,
      ...WINDOWS_PATHS.flatMap(path => roots.map(root => win32.join(root, path))),
    ]);
  }
  if (platform === 'darwin') {
    const roots = [
      '/Applications',
      ...(environment['HOME'] ? [posix.join(environment['HOME'], 'Applications')] : []),
    ];
    const programs = MAC_APPLICATIONS.flatMap(name =>
      roots.map(root => `${root}/${name}.app/Contents/MacOS/${name}`),
    );
    return shellsFirst([...named, ...programs]);
  }
  // The files before the names: distributions put a script under the name, which only starts the file.
  return shellsFirst([...LINUX_PATHS, ...named]);
}

function onPath(names: readonly string[], machine: Machine): readonly string[] {
  const { join, delimiter } = isWindows(machine) ? win32 : posix;
  const folders = (machine.environment['PATH'] ?? machine.environment['Path'] ?? '')
    .split(delimiter)
    .filter(Boolean);
  const files = names.map(name => (isWindows(machine) && !name.endsWith('.exe') ? `${name}.exe` : name));
  return files.flatMap(file => folders.map(folder => join(folder, file)));
}

const shellsFirst = (paths: readonly string[]): readonly string[] => [
  ...paths.filter(path => kindOf(path) === 'shell'),
  ...paths.filter(path => kindOf(path) === 'full'),
];

const kindOf = (path: string): FoundBrowser['kind'] =>
  /headless[-_]shell(\.exe)?$/.test(path) ? 'shell' : 'full';
