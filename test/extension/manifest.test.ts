// package.json is also the extension's manifest: what it promises to VS Code is there.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../extension/commands.ts';
import manifest from '../../package.json' with { type: 'json' };

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test('the manifest lists the commands that the extension knows, under one category', () => {
  const { commands } = manifest.contributes;
  expect(commands.map(({ command }) => command)).toEqual(Object.values(COMMANDS));
  expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Dartboard']));
});

test('nothing but its own commands wakes the extension', () => {
  expect(manifest).not.toHaveProperty('activationEvents');
  expect(Object.keys(manifest.contributes)).toEqual(['commands', 'jsonValidation']);
});

test('its entry, its icon and the schema of its configuration exist', () => {
  expect(existsSync(at(manifest.main))).toBe(true);
  for (const { url } of manifest.contributes.jsonValidation) expect(existsSync(at(url))).toBe(true);
  const png = readFileSync(at(manifest.icon));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
});

test('it is compiled against the oldest VS Code that it admits', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
});
