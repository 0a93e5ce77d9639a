// Cases of the metric of accessibility trees.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { oneIn, pick, repeat } from './texts-choice.ts';
import { word } from './words.ts';

type System = 'ubuntu' | 'windows' | 'macos';

const NAMESPACES = {
  st: 'state',
  attr: 'attributes',
  cp: 'component',
  txt: 'text',
  val: 'value',
  act: 'action',
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const element = (random: Random, depth: number): string => {
  const tag = pick(random, [
    'push-button',
    'page-tab',
    'panel',
    'label',
    'text',
    'menu-item',
    'page-tab-list',
  ]);
  const attributes = [
    ` name="${escapeXml(word(random))}"`,
    oneIn(random, 2) ? ` st:showing="true" st:visible="${oneIn(random, 3) ? 'false' : 'true'}"` : '',
    oneIn(random, 3) ? ` attr:id="${pick(random, ['tabmail-tabs', 'main', 'menu-1', 'en-US'])}"` : '',
    oneIn(random, 3) ? ` attr:class="${pick(random, ['wide', 'wide dark', 'dark'])}"` : '',
    oneIn(random, 4) ? ` cp:screencoord="(${random.int(900)}, ${random.int(900)})"` : '',
  ].join('');
  const text = oneIn(random, 2) ? escapeXml(`${word(random)} ${word(random)}`) : '';
  const inside = depth === 0 ? [] : repeat(random.int(4), () => element(random, depth - 1));
  const comment = oneIn(random, 12) ? '<!-- note -->' : '';
  return `<${tag}${attributes}>${comment}${text}${inside.join(oneIn(random, 3) ? '\n' : '')}</${tag}>`;
};

function tree(random: Random, system: System): string {
  const prefixes = Object.entries(NAMESPACES).map(
    ([prefix, name]) => ` xmlns:${prefix}="https://accessibility.${system}.example.org/ns/${name}"`,
  );
  const tabs = repeat(
    1 + random.int(3),
    index =>
      `<page-tab name="${pick(random, ['About Profiles', 'Inbox', 'Home'])}" st:selected="${index === 0}">${word(random)}</page-tab>`,
  );
  const application = `<application name="${pick(random, ['Thunderbird', 'Thunderbird', 'Files'])}"><page-tab-list attr:id="tabmail-tabs">${tabs.join('')}</page-tab-list>${element(random, 2)}</application>`;
  return `<desktop-frame${prefixes.join('')} name="main">${application}${repeat(2, () => element(random, 3)).join('')}</desktop-frame>`;
}

const selectors = (random: Random): readonly string[] =>
  pick<readonly string[]>(random, [
    ['application[name=Thunderbird] page-tab-list[attr|id="tabmail-tabs"]>page-tab[name="About Profiles"]'],
    ['page-tab[name="Inbox"]', 'page-tab[name="Home"]'],
    ['page-tab[st|selected=true] + page-tab'],
    ['page-tab:first-child ~ page-tab'],
    ['panel > label', 'panel label'],
    ['*[attr|class~="dark"]'],
    ['[attr|id|=en]'],
    ['[attr|id^="tab"]', '[attr|id$="-1"]'],
    ['push-button[st|visible!="true"]'],
    ['application:not([name=Files])'],
    ['label:nth-child(2n+1)', 'text:nth-last-child(2)'],
    ['menu-item:last-of-type', 'menu-item:only-child'],
    ['desktop-frame:root > application:first-of-type'],
    ['page-tab:contains("a")'],
    ['panel:empty'],
    ['page-tab-list *:nth-of-type(odd)'],
    ['.dark', '#main'],
    ['[name*="e"] > text'],
    [`*[name="${pick(random, ['amber', 'stone', 'river'])}"]`],
    ['page-tab-list page-tab:nth-of-type(odd)'],
    ['*|application', '*|*[attr|id]'],
    ['panel, label', 'text'],
    ['application :is(panel, page-tab)[name]'],
    [pick(random, ['page-tab[name="Inbox"', 'x|page-tab', 'page-tab:unknown', '*:first-of-type', '> label'])],
  ]);

const xpath = (random: Random): string =>
  pick(random, [
    '//page-tab[@name="Inbox"]',
    '//*[@st:visible="false"]',
    '//panel[label]/label',
    '//page-tab-list[@attr:id="tabmail-tabs"]/page-tab[1]',
    '/desktop-frame/application[starts-with(@name, "Thunder")]',
    './application//page-tab[last()]',
    '//text[contains(., "a")]',
    '//label/ancestor::panel',
    '//push-button/@name',
    '//page-tab/text()',
    pick(random, ['count(//page-tab)', 'string(//page-tab/@name)', '//page-tab[', '//foo:page-tab']),
    '//page-tab[not(@name = preceding-sibling::page-tab/@name)]',
    'descendant-or-self::*[@attr:id]',
    '//*[local-name()="page-tab" and @st:selected="true"]',
    '//page-tab | //label',
    '//*[contains(@attr:class, "dark")][position() < 3]',
    '//panel/following-sibling::*[not(@attr:id)]',
    '//*[string-length(normalize-space(text())) > 5]',
  ]);

export const TEXT_TREE_CASES = {
  check_accessibility_tree: random => {
    const system = pick<System>(random, ['ubuntu', 'ubuntu', 'ubuntu', 'windows', 'macos']);
    const text = tree(random, system);
    const rules = repeat(oneIn(random, 3) ? 2 : 1, () => ({
      ...(oneIn(random, 2) ? { selectors: selectors(random) } : { xpath: xpath(random) }),
      ...(oneIn(random, 3) && { text: word(random), ...(!oneIn(random, 10) && { exact: oneIn(random, 3) }) }),
    }));
    return {
      result: pick(random, [...repeat(16, () => text), text.slice(0, -3), '', null]),
      expected: oneIn(random, 30) ? [{ text: 'a', exact: true }] : rules,
      ...(system !== 'ubuntu' && { options: { osname: system } }),
    };
  },
} satisfies CaseMakers;
