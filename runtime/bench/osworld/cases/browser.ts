// Cases of the metrics in `tasks/metrics/browser`.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers, MetricCase } from '../metric-case.ts';
import { BROWSER_PAGE_CASES } from './browser-pages.ts';
import { BROWSER_SETTING_CASES } from './browser-settings.ts';
import { addressOf, changedAddress } from './browser-urls.ts';
import { oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { word, words } from './words.ts';

const wrongType = { type: 'html' };

const bookmark = (url: string): unknown => ({ type: 'url', name: url.slice(0, 9), url, date_added: '1' });

/** A tab with an address, as the getters describe tabs, or none. */
const tabCase = (random: Random, url: string, found: string): MetricCase => ({
  result: pick<unknown>(
    random,
    [found, found, { url: found, title: word(random) }, { url: found }, { title: 'x' }, '', {}, null].slice(
      0,
      oneIn(random, 4) ? 8 : 4,
    ),
  ),
  expected: oneIn(random, 30) ? { ...wrongType, url } : { type: 'url', url },
});

export const BROWSER_CASES = {
  ...BROWSER_PAGE_CASES,
  ...BROWSER_SETTING_CASES,
  is_expected_active_tab: random => {
    const url = addressOf(random);
    const found = changedAddress(random, url);
    return tabCase(random, url, found);
  },
  is_expected_active_tab_approximate: random => {
    const url = addressOf(random);
    const found = oneIn(random, 2)
      ? `${url.replace(/[?#].*$/, '')}?q=${word(random)}`
      : changedAddress(random, url);
    return tabCase(random, url, found);
  },
  is_expected_url_pattern_match: random => {
    const url = addressOf(random);
    const part = url.slice(random.int(9), 12 + random.int(20)).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    // RE2 has no look-ahead, so a task with one is an error here.
    const pattern = (): string =>
      pick(random, [
        part,
        part,
        `^${part}`,
        `${part}.*$`,
        '^https?://',
        'www\\..*\\.(?:com|org)',
        '/\\w+$',
        '[?&]q=',
        `(?i)${part.toUpperCase()}`,
        '\\d{2,}',
        '.*',
        'https',
        pick(random, ['(', '.+', '\\S+', '(?P<x>h)ttps', 'h[^/]+', oneIn(random, 4) ? `(?=${part})` : '\\w']),
      ]);
    return {
      result: pick<unknown>(random, [
        ...repeat(6, () => url),
        ...repeat(4, () => ({ url, title: 'x' })),
        { title: 'x' },
        [url],
        '',
        null,
      ]),
      expected: { expected: repeat(1 + random.int(2), pattern) },
    };
  },
  is_expected_installed_extensions: random => {
    const installed = words(random, 4);
    const expected = pick(random, [
      installed.slice(1),
      shuffled(random, installed),
      [...installed, word(random)],
      [],
      words(random, 1),
    ]);
    return {
      result: pick<unknown>(random, [...repeat(6, () => installed), [], null]),
      expected: { expected },
    };
  },
  is_expected_tabs: random => {
    const urls = repeat(1 + random.int(4), () => addressOf(random));
    const found = pick(random, [
      urls,
      shuffled(random, urls),
      urls.map(url => (oneIn(random, 3) ? changedAddress(random, url) : url)),
      urls.map(url => url.replace(/\/$/, '')),
      urls.slice(1),
      [...urls, addressOf(random)],
    ]);
    const tabs = found.map(url => ({ title: word(random), url }));
    return {
      result: pick<unknown>(random, [...repeat(12, () => tabs), [], null, [{ title: 'x' }]]),
      expected: oneIn(random, 30) ? { ...wrongType, urls } : { type: 'url', urls },
    };
  },
  is_expected_bookmarks: random => {
    const names = ['Favorites', word(random), 'Liked Authors'];
    const urls = repeat(3, () => addressOf(random));
    const liked = shuffled(
      random,
      pick(random, [urls, urls, urls.slice(1), [...urls, urls[0] ?? ''], [...urls, 'https://x.org/']]),
    );
    const children = [
      ...urls.map(bookmark),
      ...names.slice(oneIn(random, 5) ? 1 : 0, oneIn(random, 6) ? 2 : 3).map(name => ({
        type: 'folder',
        name,
        children: name === 'Liked Authors' ? liked.map(bookmark) : [],
      })),
    ];
    const bookmarks = {
      bookmark_bar: { children: shuffled(random, children), name: 'Bookmarks bar', type: 'folder' },
    };
    const authors = urls.map(url =>
      pick<unknown>(random, [url, [url], [url, addressOf(random)], [addressOf(random), url], urls]),
    );
    const rule = pick<unknown>(random, [
      {
        type: 'bookmark_bar_folders_names',
        names: oneIn(random, 4) ? names.slice(1) : shuffled(random, names),
      },
      { type: 'bookmark_bar_websites_urls', urls: oneIn(random, 4) ? urls.slice(1) : shuffled(random, urls) },
      {
        type: 'liked_authors_websites_urls',
        names: ['Liked Authors'],
        urls: oneIn(random, 8) ? authors.slice(1) : authors,
      },
      { type: 'liked_authors_websites_urls', urls: authors },
      ...(oneIn(random, 4) ? [{ type: 'other_bookmarks', urls }] : []),
    ]);
    return {
      result: pick<unknown>(random, [...repeat(12, () => bookmarks), {}, null, { other: {} }]),
      expected: rule,
    };
  },
  is_expected_search_query: random => {
    const query = pick(random, ['Nereida', word(random), 'drip+coffee']);
    const url = pick(random, [
      `https://www.google.com/search?q=${query}&oq=x`,
      `https://www.google.com/search?hl=en&q=${query}`,
      `https://www.bing.com/search?q=${query}`,
    ]);
    return {
      result: pick<unknown>(random, [...repeat(8, () => ({ url, title: 'x' })), { title: 'x' }, null]),
      expected: {
        expect: {
          pattern: pick(random, [
            `www\\.google\\.com.*?/search\\?q=${query}&`,
            `q=${query}$`,
            `[?&]q=${query}`,
            'search',
            '[',
          ]),
        },
      },
    };
  },
} satisfies CaseMakers;
