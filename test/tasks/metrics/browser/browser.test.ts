import { expect, test } from 'vitest';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { BROWSER_METRICS } from '../../../../runtime/tasks/metrics/browser/browser.ts';
import { sameUrl } from '../../../../runtime/tasks/metrics/browser/compare-urls.ts';

test.each([
  ['https://www.airbnb.com/', 'https://airbnb.co.uk', true],
  ['https://a.example.com', 'https://www.example.com', false],
  ['https://user.github.io/x', 'https://user.github.com/x', true],
  ['example.org/a?b=1', 'http://example.org/a?b=1', true],
  ['https://example.org/a', 'http://example.org/a', false],
  ['https://example.org/a', 'https://example.org/a/', false],
  ['http://127.0.0.1:80/', 'http://127.0.0.1', true],
  ['http://[bad', 'http://[bad', undefined],
])('sameUrl(%s, %s) is %s', (first, second, same) => {
  expect(sameUrl(first, second)).toBe(same);
});

test('is_expected_tabs ignores the order, but not the number', () => {
  const tabs = (...urls: readonly string[]) => urls.map(url => ({ title: '', url }));
  const rules = { type: 'url', urls: ['https://a.org', 'https://b.org'] };
  expect(BROWSER_METRICS.is_expected_tabs(tabs('https://b.org/', 'https://a.org/'), rules, {})).toBe(1);
  expect(BROWSER_METRICS.is_expected_tabs(tabs('https://a.org'), rules, {})).toBe(0);
});

test('is_expected_bookmarks accepts one address of each author and no others', () => {
  const bar = (...urls: readonly string[]) => ({
    bookmark_bar: {
      children: [
        { type: 'folder', name: 'Liked Authors', children: urls.map(url => ({ type: 'url', url })) },
      ],
    },
  });
  const rules = { type: 'liked_authors_websites_urls', urls: [['a', 'b'], 'c', ['a', 'd']] };
  const score = (...urls: readonly string[]) =>
    BROWSER_METRICS.is_expected_bookmarks(bar(...urls), rules, {});
  expect(score('b', 'c', 'd')).toBe(1);
  expect(score('a', 'c')).toBe(1);
  expect(score('a', 'b', 'c', 'd')).toBe(0);
  expect(score('b', 'c')).toBe(0);
});

test('patterns are those of Python', () => {
  const score = (pattern: string) =>
    BROWSER_METRICS.is_expected_url_pattern_match({ url: 'https://ü.org/7' }, { expected: [pattern] }, {});
  expect(score('//\\w\\.org')).toBe(1);
  expect(score('/\\d$')).toBe(1);
  expect(score('(?P<a>org)/x')).toBe(0);
});

test('is_cookie_deleted compares the sites of domains', () => {
  const cookies = [[1, '.amazon.co.uk']];
  const rules = (domain: string) => ({ type: 'domains', domains: [domain] });
  expect(BROWSER_METRICS.is_cookie_deleted(cookies, rules('.amazon.com'), {})).toBe(0);
  expect(BROWSER_METRICS.is_cookie_deleted(cookies, rules('.google.com'), {})).toBe(1);
});

test('compare_htmls adds implied tags, and ignores sdnum on request', () => {
  const score = (found: string, wanted: string, options = {}) =>
    BROWSER_METRICS.compare_htmls(textFile('a', found), textFile('b', wanted), options);
  expect(score('<p class="a  b">x<p>y', '<html><body><p class="a b">x</p><p>y</p></body></html>')).toBe(1);
  expect(score('<td sdnum="1">x', '<td sdnum="2">x')).toBe(0);
  expect(score('<td sdnum="1">x', '<td sdnum="2">x', { ignore_sdnum: true })).toBe(1);
  expect(score('<p>x</p>', '<p>y</p>')).toBe(0);
});
