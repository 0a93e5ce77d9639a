// The folder with pages of MiniWoB++ for tests. It is not part of the repository.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MINIWOB =
  process.env['DARTBOARD_MINIWOB'] ??
  fileURLToPath(new URL('../../../../../shared/data/miniwob', import.meta.url));

export const hasMiniwob = existsSync(`${MINIWOB}/html/core/core.js`);

/** Printed by tests that are skipped. */
export const NO_MINIWOB = `Skipped: ${MINIWOB} has no pages of MiniWoB++. DARTBOARD_MINIWOB can name another folder.`;

/** The names of the pages in the folder. */
export const pagesInFolder = (): readonly string[] =>
  readdirSync(`${MINIWOB}/html/miniwob`)
    .filter(file => file.endsWith('.html'))
    .map(file => file.slice(0, -'.html'.length))
    .sort();
