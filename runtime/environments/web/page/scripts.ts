// The scripts that run in pages: two in every page, one in those whose clock stands still. They are bundled when Dartboard is built.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TabScript } from '../browser/tab.ts';

/** The name of the world that the page does not see. */
export const WORLD = 'dartboard';

/** One runs in the world of the page, the other in a world of its own. */
export const readPageScripts = (): readonly TabScript[] => [
  { source: readScript('main-world') },
  { source: readScript('isolated-world'), worldName: WORLD },
];

/** Stops the clock of a page. `startMs` is its date, in milliseconds since 1970. */
export const readPageClockScript = (startMs: number): TabScript => ({
  source: `(() => { const START_MS = ${startMs};\n${readScript('page-clock')} })();`,
});

const readScript = (name: string): string => readFileSync(join(webFolder(), `${name}.js`), 'utf8');

/** Beside the built program, or for a test that runs the sources, where the program is built. */
function webFolder(): string {
  const folders = ['web/', '../../../../dist/web/'].map(name =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const found = folders.find(folder => existsSync(join(folder, 'isolated-world.js')));
  if (found !== undefined) return found;
  throw new Error(`The scripts of web pages are not in ${folders[0]}. Build or install Dartboard again.`);
}
