// Writes docs/results.md, its pictures and the table in the README from the outcomes in docs/results.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { withHeadlines } from './headlines.ts';
import { readOutcomes } from './outcome.ts';
import { missingReasons, resultsPage, sectionsOf } from './page.ts';
import { PAGES } from './pages.ts';
import { picturesOf } from './pictures.ts';

export const RESULT_FILES = {
  data: 'docs/results',
  page: 'docs/results.md',
  pictures: 'docs/media/results',
  readme: 'README.md',
};

/** Paths are relative to the project. Pictures that no outcome has any more are removed. */
export async function writeResults(say: (text: string) => void, files = RESULT_FILES): Promise<void> {
  const { outcomes, notes } = await readOutcomes(files.data);
  const pictures = new Map(
    sectionsOf(outcomes).map(({ page, outcome }) => [page.name, outcome ? picturesOf(page, outcome) : []]),
  );
  const picturesAt = posix.relative(dirname(files.page), files.pictures);
  const results = { outcomes, notes, pictures, picturesAt, data: files.data };
  const text = resultsPage(results);
  const all = [...pictures.values()].flat();
  await mkdir(files.pictures, { recursive: true });
  for (const { file, svg } of all) await writeFile(join(files.pictures, file), svg);
  const stale = (await readdir(files.pictures)).filter(
    file => file.endsWith('.svg') && !all.some(each => each.file === file),
  );
  for (const file of stale) await rm(join(files.pictures, file));
  await writeFile(files.page, text);
  const readme = await readFile(files.readme, 'utf8');
  const link = posix.relative(dirname(files.readme), files.page);
  await writeFile(files.readme, withHeadlines(readme, outcomes, link));
  say(`${files.page}: ${outcomes.length} of ${PAGES.length} benchmarks, ${all.length} pictures`);
  for (const figure of missingReasons(results))
    say(`  ${figure} misses its bar. Give the reason in ${join(files.data, 'notes.json')}.`);
}
