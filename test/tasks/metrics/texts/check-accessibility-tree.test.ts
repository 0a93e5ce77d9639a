import { describe, expect, test } from 'vitest';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { checkAccessibilityTree } from '../../../../runtime/tasks/metrics/texts/check-accessibility-tree.ts';

const tree =
  '<desktop-frame xmlns:attr="https://accessibility.ubuntu.example.org/ns/attributes"><application name="Thunderbird">' +
  '<page-tab-list attr:id="tabmail-tabs"><page-tab name="Inbox">mail</page-tab><page-tab name="About Profiles"/></page-tab-list>' +
  '</application></desktop-frame>';
const score = (...rules: readonly unknown[]) => checkAccessibilityTree(tree, rules, {});

describe('check_accessibility_tree', () => {
  test.each([
    [
      'application[name=Thunderbird] page-tab-list[attr|id="tabmail-tabs"]>page-tab[name="About Profiles"]',
      1,
    ],
    ['page-tab:first-child + page-tab', 1],
    ['page-tab:not([name=Inbox])', 1],
    ['application > page-tab', 0],
    ['page-tab-list[id="tabmail-tabs"]', 0],
    ['page-tab:nth-child(2n+3)', 0],
  ])('the selector %s selects: %d', (selector, expected) => {
    expect(score({ selectors: [selector] })).toBe(expected);
  });

  test('the XPath has the prefixes of the system', () => {
    expect(score({ xpath: '//page-tab-list[@attr:id="tabmail-tabs"]/page-tab[2]' })).toBe(1);
    expect(checkAccessibilityTree(tree, [{ xpath: '//*[@attr:id]' }], { osname: 'windows' })).toBe(0);
  });

  test('multiplies the similarities of texts', () => {
    const near = { selectors: ['page-tab'], text: 'mails', exact: false };
    expect(score(near, near)).toBeCloseTo((8 / 9) ** 2);
    expect(score({ ...near, exact: true })).toBe(0);
  });

  test('rejects selectors that cannot be read', () => {
    expect(() => score({ selectors: ['page-tab['] })).toThrow(MetricError);
    expect(() => score({ xpath: '//page-tab[' })).toThrow(MetricError);
    expect(() => score({ text: 'x' })).toThrow(MetricError);
  });
});
