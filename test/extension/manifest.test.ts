// The manifest in package.json agrees with the code and with the files of the project.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS, CONTEXT } from '../../extension/commands.ts';
import manifest from '../../package.json' with { type: 'json' };
import strings from '../../package.nls.json' with { type: 'json' };
import { PROFILE_IDS } from '../../runtime/agents/model/profile.ts';
import { environments } from '../../runtime/config/sections/environments.ts';
import { MODES } from '../../runtime/core/policy.ts';
import { PANELS } from '../../runtime/protocol/panels.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { contributes } = manifest;
const text = JSON.stringify(manifest);

test('lists every command of the extension, in one category', () => {
  const { commands } = contributes;
  expect(commands.map(({ command }) => command).sort()).toEqual(Object.values(COMMANDS).sort());
  expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Dartboard']));
});

test('activates for panels, runs and running daemons, besides commands and views', () => {
  expect(manifest.activationEvents).toEqual([
    'workspaceContains:.dartboard/daemon.json',
    // A training that a reload interrupted resumes, and the Testing view lists tasks.
    'workspaceContains:.dartboard/runs',
    // Commands above the agents in the file.
    'workspaceContains:dartboard.json',
    // It opens the Testing view.
    'onWalkthrough:people',
    ...PANELS.map(name => `onWebviewPanel:dartboard.panel.${name}`),
  ]);
});

interface TourStep {
  readonly description: string;
  readonly media: { readonly markdown?: string; readonly image?: string };
  readonly completionEvents: readonly string[];
}

const tours: readonly { readonly steps: readonly TourStep[] }[] = contributes.walkthroughs;
const tourSteps = tours.flatMap(({ steps }) => steps);
/** The texts beside the steps. */
const tourTexts = tourSteps.flatMap(({ media }) =>
  media.markdown === undefined ? [] : readFileSync(at(media.markdown), 'utf8'),
);
/** A string of package.nls.json, by its name between percent signs. */
const stringOf = (name: string): string => strings[name.replaceAll('%', '') as keyof typeof strings];

test('menus, shortcuts, views and tours use existing commands and context keys', () => {
  const texts = [text, JSON.stringify(strings), ...tourTexts].join('\n');
  const commands = [...texts.matchAll(/(?:command:|"command":"|onCommand:|<keybinding:)(dartboard\.\w+)/g)];
  expect(commands.length).toBeGreaterThan(40);
  for (const [, command] of commands) expect(Object.values(COMMANDS)).toContain(command);
  const conditions = [...text.matchAll(/"when":"([^"]*)"/g)].flatMap(([, when = '']) => [
    ...when.matchAll(/dartboard\.\w+/g),
  ]);
  const views = contributes.views.dartboard.map(({ id }) => id);
  expect(conditions.length).toBeGreaterThan(10);
  for (const [name] of conditions) expect([...Object.values(CONTEXT), ...views]).toContain(name);
});

test('activates for a tour that exists', () => {
  const events = manifest.activationEvents.filter(event => event.startsWith('onWalkthrough:'));
  const names = contributes.walkthroughs.map(({ id }) => `onWalkthrough:${id}`);
  expect(names).toEqual(expect.arrayContaining(events));
});

test('defines every string that it uses, and no other', () => {
  const used = new Set([...text.matchAll(/%([\w.]+)%/g)].map(([, key]) => key));
  expect([...used].sort()).toEqual(Object.keys(strings).sort());
});

test('a tour has at most five steps, its media exist, and each step leads to the command that completes it', () => {
  for (const { steps } of tours) expect(steps.length).toBeLessThanOrEqual(5);
  for (const { media, description, completionEvents } of tourSteps) {
    expect(existsSync(at(media.markdown ?? media.image ?? ''))).toBe(true);
    const targets = completionEvents.map(event => event.replace(/^on\w+:/, ''));
    expect(targets.filter(target => stringOf(description).includes(`(command:${target}`))).not.toEqual([]);
  }
});

test('the tours, the welcome views and the shortcuts lead to everything that a person does with an agent', () => {
  const completing = tourSteps.flatMap(({ completionEvents }) => completionEvents);
  const keys = contributes.keybindings.map(({ command }) => command);
  const { run, takeOver, record, annotate, compareRuns } = COMMANDS;
  for (const command of [run, takeOver, record, annotate, compareRuns]) {
    expect(completing).toContain(`onCommand:${command}`);
    expect(keys).toContain(command);
  }
  expect(completing).toContain('onView:workbench.view.testing');
  expect(strings['welcome.tasks']).toContain('(command:workbench.view.testing.focus)');
  for (const command of [run, record, annotate])
    expect(strings['welcome.pool']).toContain(`(command:${command})`);
});

test('titles are verbs in title case, with an ellipsis of one character', () => {
  const verbs =
    /^(Start|Stop|Pause|Resume|Delete|Open|Take Over|Annotate|Record|Collect|Compare|Import|Export|Configure|Check|Set|Forget|Restart|Evaluate|Run|Show|Refresh)\b/;
  for (const { title } of contributes.commands) {
    const shown = stringOf(title);
    expect(shown).toMatch(verbs);
    // Articles are lower case.
    expect(shown).toMatch(/^[A-Z][A-Za-z-]*(?: (?:[A-Z][A-Za-z-]*|an?|the))*…?$/);
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
  takeOver: ['a running run'],
  compareRuns: TRUSTED,
  annotate: TRUSTED,
  record: TRUSTED,
  doctor: ['no folder', ...TRUSTED],
  openDocumentation: EVERYWHERE,
  openSample: EVERYWHERE,
  showLog: EVERYWHERE,
  openSettings: EVERYWHERE,
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

describe('shortcuts', () => {
  const { keybindings, menus } = contributes;
  const offers = (when: string): readonly WindowName[] =>
    EVERYWHERE.filter(window => holds(when, WINDOWS[window]));

  test('are chords of VS Code, one letter per command', () => {
    for (const { key, mac } of keybindings) {
      expect(key).toMatch(/^ctrl\+k shift\+[a-z]$/);
      expect(mac).toBe(key.replace('ctrl', 'cmd'));
      // VS Code pins and copies with these.
      expect(key).not.toMatch(/shift\+[no]$/);
    }
  });

  test('apply only where the palette offers the command', () => {
    for (const { command, when } of keybindings) {
      const inPalette = menus.commandPalette.find(each => each.command === command)?.when ?? 'true';
      expect(offers(inPalette)).toEqual(expect.arrayContaining([...offers(when)]));
      expect(offers(when)).not.toEqual([]);
    }
  });

  test('have one command in each window', () => {
    for (const window of EVERYWHERE) {
      const active = keybindings.filter(({ when }) => holds(when, WINDOWS[window])).map(({ key }) => key);
      expect(new Set(active).size).toBe(active.length);
    }
  });

  test('are all in the documentation', () => {
    const page = readFileSync(at('docs/vscode.md'), 'utf8');
    for (const { key, command } of keybindings) {
      const letter = key.slice(-1).toUpperCase();
      const row = page.split('\n').find(line => line.startsWith(`| <kbd>Shift+${letter}</kbd>`)) ?? '';
      const title = contributes.commands.find(each => each.command === command)?.title ?? '';
      expect(row).toContain(stringOf(title));
    }
  });
});

describe('settings of a user', () => {
  const { properties } = contributes.configuration;

  test('have the scope of the machine, so that no folder can set them', () => {
    for (const name of ['dartboard.agents', 'dartboard.docker.hosts'] as const)
      expect(properties[name].scope).toBe('machine');
  });

  test('accept what the daemon accepts', () => {
    const { profile, mode } = properties['dartboard.agents'].additionalProperties.properties;
    expect(profile.enum).toEqual([...PROFILE_IDS]);
    expect([...mode.enum].sort()).toEqual([...MODES].sort());
    const host = environments.shape.docker.shape.hosts.element;
    expect(Object.keys(properties['dartboard.docker.hosts'].items.properties)).toEqual(
      Object.keys(host.shape),
    );
  });

  test('are in the documentation, as all settings', () => {
    const page = readFileSync(at('docs/vscode.md'), 'utf8');
    for (const name of Object.keys(properties)) expect(page).toContain(`| \`${name}\` |`);
  });
});

test('every view has help for screen readers', () => {
  for (const { accessibilityHelpContent } of contributes.views.dartboard)
    expect(strings).toHaveProperty([accessibilityHelpContent.replaceAll('%', '')]);
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
