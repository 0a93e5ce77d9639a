// The pages of the own tasks of web desktops: where they are, and their addresses.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The host that serves the pages to a browser. */
export const PAGES_HOST = 'tasks.test';

/** The folder is beside the bundled program, or beside this source file. */
export function pagesFolder(): string {
  const folders = ['web/pages/', 'pages/'].map(name => fileURLToPath(new URL(name, import.meta.url)));
  const found = folders.find(folder => existsSync(join(folder, 'page.js')));
  if (found !== undefined) return found;
  throw new Error(`The pages of the web tasks are not in ${folders[0]}. Build or install Dartboard again.`);
}
