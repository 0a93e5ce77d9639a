// The pages of 'Dartboard: Open Documentation'.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pagesIn } from '../../../extension/documentation/pages.ts';
import { temporaryFolder } from '../../temporary.ts';

const DOCS = new URL('../../../docs/', import.meta.url).pathname;

test('every page has a title of its own, and the file that messages name', async () => {
  const pages = await pagesIn(DOCS);
  const files = readdirSync(DOCS).filter(name => name.endsWith('.md'));
  expect(pages.map(({ description }) => description).sort()).toEqual(
    files.map(file => `docs/${file}`).sort(),
  );
  expect(new Set(pages.map(({ label }) => label)).size).toBe(files.length);
  expect(pages).toContainEqual({ label: 'Recipes of related systems', description: 'docs/recipes.md' });
});

test('a page without a title has the name of its file, and other files are no pages', async () => {
  const folder = temporaryFolder('docs');
  writeFileSync(join(folder, 'plain.md'), 'No title.');
  writeFileSync(join(folder, 'picture.svg'), '<svg/>');
  expect(await pagesIn(folder)).toEqual([{ label: 'plain.md', description: 'docs/plain.md' }]);
});
