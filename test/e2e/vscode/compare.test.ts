// The report about chosen runs in a real VS Code: the panel asks for it, the editor asks for a place, and the file appears there.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUNS } from '../../../runtime/run/folders/run-folder.ts';
import { makeRun } from '../../compare/run-folders.ts';
import { canLaunch, launchExtension, type PackagedExtension } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };

describe.skipIf(!canLaunch)('the export of a comparison in VS Code', () => {
  let extension: PackagedExtension;

  beforeAll(async () => {
    extension = await launchExtension();
  }, LIMIT.timeout);
  afterAll(() => extension?.remove(), LIMIT.timeout);

  test('saves the report where the user chooses', LIMIT, async () => {
    const { window, workspace } = extension;
    const root = join(workspace, RUNS);
    const solved = (task: number, instance: number) => instance > task;
    const one = await makeRun({ root, name: 'one', solves: [solved] });
    const two = await makeRun({ root, name: 'two', curation: 'grpo', solves: [() => false] });
    await window.command('Dartboard: Open Training');
    const panel = await window.panel('training');
    for (const name of [one, two]) await panel.getByRole('checkbox', { name, exact: true }).click();
    await panel.getByRole('button', { name: 'Export…' }).click();
    const dialog = window.page
      .locator('.quick-input-widget')
      .filter({ hasText: 'Export the comparison of runs', visible: true });
    await window.sees('the dialog for the place', dialog);
    const name = `comparison-${one}-and-1-more.html`;
    const input = dialog.locator('input[type="text"]').first();
    await window.until('the proposed place', async () => (await input.inputValue()).endsWith(name));
    await input.press('Enter');
    await window.sees('the place of the saved report', window.notification('Saved the report'));
    expect(readdirSync(workspace).filter(file => file.includes('.html'))).toEqual([name]);
    expect(readFileSync(join(workspace, name), 'utf8')).toContain('curation dart against curation grpo');

    // The command proposes the two newest runs.
    await window.command('Dartboard: Compare Runs…');
    await window.answers('Compare Runs', one);
    await window.answer('Compare Runs');
    await window.sees('the dialog of the command', dialog);
    await window.page.keyboard.press('Escape');
  });
});
