// The two scripts that run in every page. They are bundled when Dartboard is built.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TabScript } from '../browser/tab.ts';

/** The name of the world that the page does not see. */
export const WORLD = 'dartboard';

/** One runs in the world of the page, the other in a world of its own. */
export function readPageScripts(): readonly TabScript[] {
  const folder = webFolder();
  const read = (name: string) => readFileSync(join(folder, `${name}.js`), 'utf8');
  return [{ source: read('main-world') }, { source: read('isolated'), worldName: WORLD }];
}

/** Beside the built program, or for a test that runs the sources, where the program is built. */
function webFolder(): string {
  const folders = ['web/', '../../../../dist/web/'].map(name =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const found = folders.find(folder => existsSync(join(folder, 'isolated.js')));
  if (found !== undefined) return found;
  throw new Error(`The scripts of web pages are not in ${folders[0]}. Build or install Dartboard again.`);
}
