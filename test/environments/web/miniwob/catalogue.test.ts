import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  KNOWN_PAGES,
  pageNamed,
  scoreOf,
  whyNotClickAndType,
} from '../../../../runtime/environments/web/miniwob/catalogue.ts';
import { hasMiniwob, MINIWOB, NO_MINIWOB, pagesInFolder } from './folder.ts';

if (!hasMiniwob) process.stderr.write(`${NO_MINIWOB}\n`);

test('the catalogue has the 130 pages of version 1.0 once, in order', () => {
  expect(KNOWN_PAGES).toHaveLength(130);
  expect(KNOWN_PAGES).toEqual([...new Set(KNOWN_PAGES)].sort());
});

test('a page of the user that is not in the catalogue has default properties', () => {
  expect(pageNamed('my-own-page')).toMatchObject({ page: 'my-own-page', tier: 2, maxSteps: 20 });
});

describe('the class of deterministic pages of clicks and typing', () => {
  test.each([
    ['click-test', undefined],
    ['login-user', undefined],
    ['drag-box', 'needs drag'],
    ['daily-calendar', 'needs drag and scroll'],
    ['stock-market', 'needs timing'],
    ['terminal', 'it shows the date, and its cursor blinks'],
  ])('%s: %s', (page, reason) => {
    expect(whyNotClickAndType(pageNamed(page))).toBe(reason);
  });

  test('has most of the pages', () => {
    const within = KNOWN_PAGES.filter(page => whyNotClickAndType(pageNamed(page)) === undefined);
    expect(within.length).toBeGreaterThan(80);
  });
});

describe('the score of a raw reward', () => {
  test.each([
    ['click-test', 1, 1],
    ['click-test', -1, 0],
    ['buy-ticket', -0.5, 0],
    ['click-checkboxes', 0.5, 0.5],
    ['circle-center', 0.95, 1],
    ['circle-center', 0.85, 0.85],
    ['my-own-page', 7, 1],
    ['my-own-page', Number.NaN, 0],
  ])('%s: %d gives %d', (page, raw, score) => {
    expect(scoreOf(pageNamed(page), raw)).toBe(score);
  });
});

describe.skipIf(!hasMiniwob)('the pages in the folder', () => {
  const sources = hasMiniwob
    ? pagesInFolder().map(
        page => [page, readFileSync(`${MINIWOB}/html/miniwob/${page}.html`, 'utf8')] as const,
      )
    : [];

  test.each(sources)('%s is in the catalogue, and knows data modes if its code does', (page, source) => {
    expect(KNOWN_PAGES).toContain(page);
    expect(pageNamed(page).hasModes === true).toBe(source.includes('WOB_DATA_MODE'));
  });
});
