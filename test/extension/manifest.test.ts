// The manifest in package.json agrees with the code and with the files of the project.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS, CONTEXT } from '../../extension/commands.ts';
import manifest from '../../package.json' with { type: 'json' };
import strings from '../../package.nls.json' with { type: 'json' };
import { PANELS } from '../../runtime/protocol/panels.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { contributes } = manifest;
const text = JSON.stringify(manifest);

test('lists every command of the extension, in one category', () => {
  const { commands } = contributes;
  expect(commands.map(({ command }) => command).sort()).toEqual(Object.values(COMMANDS).sort());
  expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Dartboard']));
});

test('activates for panels and running daemons, besides commands and views', () => {
  expect(manifest.activationEvents).toEqual([
    'workspaceContains:.dartboard/daemon.json',
    // Commands above the agents in the file.
    'workspaceContains:dartboard.json',
    ...PANELS.map(name => `onWebviewPanel:dartboard.panel.${name}`),
  ]);
});

test('menus, welcome views and the tour use existing commands and context keys', () => {
  const commands = [
    ...`${text}${JSON.stringify(strings)}`.matchAll(/(?:command:|"command":"|onCommand:)(dartboard\.\w+)/g),
  ];
  expect(commands.length).toBeGreaterThan(40);
  for (const [, command] of commands) expect(Object.values(COMMANDS)).toContain(command);
  const conditions = [...text.matchAll(/"when":"([^"]*)"/g)].flatMap(([, when = '']) => [
    ...when.matchAll(/dartboard\.\w+/g),
  ]);
  const views = contributes.views.dartboard.map(({ id }) => id);
  expect(conditions.length).toBeGreaterThan(10);
  for (const [name] of conditions) expect([...Object.values(CONTEXT), ...views]).toContain(name);
});

test('defines every string that it uses, and no other', () => {
  const used = new Set([...text.matchAll(/%([\w.]+)%/g)].map(([, key]) => key));
  expect([...used].sort()).toEqual(Object.keys(strings).sort());
});

test('the tour has at most five steps, and its images exist', () => {
  for (const { steps } of contributes.walkthroughs) {
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const { media } of steps) expect(existsSync(at(media.markdown ?? media.image ?? ''))).toBe(true);
  }
});

test('its entry point, icons and configuration schema exist', () => {
  expect(existsSync(at(manifest.main))).toBe(true);
  for (const { url } of contributes.jsonValidation) expect(existsSync(at(url))).toBe(true);
  for (const { icon } of contributes.viewsContainers.activitybar) expect(existsSync(at(icon))).toBe(true);
  const png = readFileSync(at(manifest.icon));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
});

test('an untrusted folder cannot set the program to run', () => {
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain('dartboard.node');
});

test('is compiled against the oldest VS Code that it supports', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
});

/** The context keys of a window. */
const NO_FOLDER = { isWorkspaceTrusted: true, workspaceFolderCount: 0 };
const FOLDER = { isWorkspaceTrusted: true, workspaceFolderCount: 1, [CONTEXT.isEmpty]: true };
const RUNS = { ...FOLDER, [CONTEXT.isEmpty]: false, [CONTEXT.hasRuns]: true };
const WINDOWS = {
  'no folder': NO_FOLDER,
  'no trust': { ...FOLDER, isWorkspaceTrusted: false },
  'no run': FOLDER,
  'an ended run': RUNS,
  'a running run': { ...RUNS, [CONTEXT.isLive]: true, [CONTEXT.isRunning]: true },
  'a paused run': { ...RUNS, [CONTEXT.isLive]: true, [CONTEXT.isPaused]: true },
} as const;
type WindowName = keyof typeof WINDOWS;

const EVERYWHERE = Object.keys(WINDOWS) as WindowName[];
const TRUSTED: readonly WindowName[] = ['no run', 'an ended run', 'a running run', 'a paused run'];

/** The windows in which the palette offers each command. */
const OFFERED: Readonly<Record<keyof typeof COMMANDS, readonly WindowName[]>> = {
  start: ['no run', 'an ended run'],
  stop: ['a running run', 'a paused run'],
  pause: ['a running run'],
  resume: ['no run', 'an ended run', 'a paused run'],
  delete: TRUSTED,
  evaluate: TRUSTED,
  collect: TRUSTED,
  importTrajectories: TRUSTED,
  exportTrajectories: TRUSTED,
  run: TRUSTED,
  configureAgent: TRUSTED,
  checkEndpoint: TRUSTED,
  setKey: TRUSTED,
  forgetKey: TRUSTED,
  restartDaemon: TRUSTED,
  openTraining: TRUSTED,
  openTrajectories: TRUSTED,
  openUncertain: TRUSTED,
  openDesktops: TRUSTED,
  annotate: TRUSTED,
  record: TRUSTED,
  doctor: ['no folder', ...TRUSTED],
  openSample: EVERYWHERE,
  showLog: EVERYWHERE,
  // Needs a sample run on disk.
  deleteSample: [],
  // Only a button of a view.
  refresh: [],
};

function holds(when: string, window: Readonly<Record<string, unknown>>): boolean {
  const inner = /\(([^()]*)\)/.exec(when);
  if (inner !== null) return holds(when.replace(inner[0], String(holds(inner[1] ?? '', window))), window);
  const atom = (text: string): boolean => {
    const [, name = '', least] = /^!?([\w.]+)(?: > (\d+))?$/.exec(text) ?? [];
    if (name === 'true' || name === 'false') return name === 'true';
    const value = least === undefined ? window[name] === true : Number(window[name]) > Number(least);
    return text.startsWith('!') ? !value : value;
  };
  return when.split(' || ').some(part => part.split(' && ').every(atom));
}

test.each(Object.entries(OFFERED))('the palette offers %s only where it applies', (name, windows) => {
  const command: string = COMMANDS[name as keyof typeof COMMANDS];
  const { when = 'true' } = contributes.menus.commandPalette.find(each => each.command === command) ?? {};
  const offered = EVERYWHERE.filter(window => holds(when, WINDOWS[window]));
  expect(offered.sort()).toEqual([...windows].sort());
});

test('buttons of views have icons and need trust', () => {
  const { menus, commands } = contributes;
  const buttons = [
    ...menus['view/title'],
    ...menus['view/item/context'].filter(({ group }) => group.startsWith('inline')),
  ];
  expect(buttons.length).toBeGreaterThan(8);
  for (const { command } of buttons)
    expect(commands.find(each => each.command === command)).toHaveProperty('icon');
  for (const { command, when } of menus['view/title'])
    if (command !== COMMANDS.openTraining) expect(when).toContain('isWorkspaceTrusted');
});

test('settings have descriptions, and empty views and the tour lead to the next action', () => {
  for (const property of Object.values(contributes.configuration.properties))
    expect('description' in property || 'markdownDescription' in property).toBe(true);
  for (const key of ['welcome.folder', 'welcome.trust', 'welcome.runs', 'tour.start'] as const)
    expect(strings[key]).toContain('(command:dartboard.openSample)');
  expect(strings['welcome.pool']).toContain('(command:dartboard.collect)');
  expect(strings['welcome.runs']).toContain('(command:dartboard.configureAgent)');
  expect(contributes.walkthroughs[0]?.steps.at(-1)?.completionEvents).toEqual(['onCommand:dartboard.run']);
});
