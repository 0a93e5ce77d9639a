// Writes the page of results, its pictures and the few numbers of the readme, of the outcomes that are kept.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { ASKED } from './asked/all.ts';
import { documentOf, unexplained } from './document.ts';
import { withHeadlines } from './headlines.ts';
import { nameOf, outcomesIn } from './outcome.ts';
import { picturesOf } from './pictures.ts';

export interface Places {
  /** Outcomes, with notes.json beside them. */
  readonly data: string;
  readonly page: string;
  readonly pictures: string;
  readonly readme: string;
}

export const RESULTS: Places = {
  data: 'docs/results',
  page: 'docs/results.md',
  pictures: 'media/results',
  readme: 'README.md',
};

/** In the folder of the project. Pictures of what is not there any more go. */
export async function writeResults(say: (text: string) => void, places: Places = RESULTS): Promise<void> {
  const { outcomes, notes } = await outcomesIn(places.data);
  const pictures = new Map(
    ASKED.flatMap(asked => {
      const outcome = outcomes.find(each => nameOf(each) === asked.name);
      return outcome === undefined ? [] : [[asked.name, picturesOf(asked, outcome)] as const];
    }),
  );
  const picturesAt = posix.relative(dirname(places.page), places.pictures);
  const results = { asked: ASKED, outcomes, notes, pictures, picturesAt, data: places.data };
  const page = documentOf(results);
  const drawn = [...pictures.values()].flat();
  await mkdir(places.pictures, { recursive: true });
  for (const { file, svg } of drawn) await writeFile(join(places.pictures, file), svg);
  for (const file of await readdir(places.pictures))
    if (file.endsWith('.svg') && !drawn.some(each => each.file === file))
      await rm(join(places.pictures, file));
  await writeFile(places.page, page);
  const readme = await readFile(places.readme, 'utf8');
  const pageAt = posix.relative(dirname(places.readme), places.page);
  await writeFile(places.readme, withHeadlines(readme, ASKED, outcomes, pageAt));
  say(`${places.page}: ${outcomes.length} of ${ASKED.length} benchmarks, ${drawn.length} pictures`);
  for (const figure of unexplained(results))
    say(`  ${figure} falls short: say why in ${join(places.data, 'notes.json')}`);
}
