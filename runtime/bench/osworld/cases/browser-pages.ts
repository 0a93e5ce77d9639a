// Cases of the metric that compares web pages.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { changedText, foundText, oneIn, pick, repeat } from './texts-choice.ts';
import { textFile, word } from './words.ts';

const sentence = (random: Random): string =>
  pick(random, [
    word(random),
    `${word(random)} &amp; ${word(random)}`,
    `${word(random)}&nbsp;&hellip; <b>${word(random)}</b>`,
    `a &lt; b`,
    `<i>${word(random)}</i> ${word(random)}`,
    `<a href="x?a=1&b=2" rel="nofollow  me">${word(random)}</a>`,
  ]);

/** A table as LibreOffice Calc exports it. */
const table = (random: Random): string => {
  const row = (): string =>
    `<tr>${repeat(3, () => `<td height="17" align="left" sdval="${random.int(99)}" sdnum="1033;"><font color="#000000">${word(random)}</font></td>`).join('\n')}</tr>`;
  return `<table cellspacing="0" border="0">\n<colgroup width="85"></colgroup>\n${repeat(2, row).join('\n')}\n</table>`;
};

const block = (random: Random): string =>
  pick<() => string>(random, [
    () => `<p class="a  b">${sentence(random)}</p>`,
    () => `<p>${sentence(random)}`,
    () => `<ul><li>${sentence(random)}<li>${sentence(random)}</ul>`,
    () => `<h1 id=title>${sentence(random)}</h1>`,
    () => table(random),
    () => `<img src="${word(random)}.png" alt=''><br/>`,
    () => `<!-- ${word(random)} -->`,
    () => `<pre>  two\n  lines </pre>`,
    () => `<script>if (a < b && c) { "</p>" }</script>`,
    () => `<div><p>${sentence(random)}<div>${sentence(random)}</div></p></div>`,
    () => `<input type="checkbox" checked disabled="">`,
    () => `<dl><dt>${word(random)}<dd>${word(random)}</dl>`,
    () => `text ${word(random)}`,
    () => `<template><p>${word(random)}</p></template><ruby>${word(random)}<rt>${word(random)}</rt></ruby>`,
    () => `<table><tr><td>${word(random)}<tr><th>${word(random)}</table>`,
    () => `<form><select><option>a<option selected>b</select><textarea> ${word(random)} </textarea></form>`,
    () => `</span><b><p>${word(random)}</b></p>`,
    () => `<custom-element data-x>${word(random)}</custom-element>`,
  ])();

/** Now and then without the elements that a browser adds. */
export function page(random: Random): string {
  const body = repeat(1 + random.int(6), () => block(random)).join(pick(random, ['\n', '', '\n\t']));
  const head = `<head>\n<meta http-equiv="content-type" content="text/html; charset=utf-8"/>\n<title>${word(random)}</title>\n<style type="text/css">body,div { font-size: x-small }</style>\n</head>`;
  const doctype = pick(random, [
    '<!DOCTYPE html>\n',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n',
    '',
    '<?xml version="1.0" encoding="utf-8"?>\n',
  ]);
  return pick(random, [
    `${doctype}<html>\n${head}\n<body>\n${body}\n</body>\n</html>\n`,
    `${doctype}<html lang="en">${head}<body>${body}</body></html>`,
    `${doctype}<html><body>${body}`,
    `${doctype}${body}`,
    `${doctype}<title>${word(random)}</title>${body}`,
  ]);
}

export const changedPage = (random: Random, text: string): string =>
  pick<() => string>(random, [
    () => text,
    () => text,
    () => text.replace(/sdnum="1033;"/g, 'sdnum="2057;0;0"'),
    () => text.replace(/ sdnum="[^"]*"/g, ''),
    () => text.replace(/sdval="\d/, 'sdval="7'),
    () => text.replace('a  b', 'a b'),
    () => text.replace('a  b', 'b a'),
    () => text.replace(/align="left"/, 'align="right"'),
    () => text.replace(/<\/li>|<\/p>/g, ''),
    () => text.replaceAll('\n', '\n\n'),
    () => text.replaceAll('\n', '\r\n'),
    () => text.replaceAll('\n', ' '),
    () => text.replace(/<!--[\s\S]*?-->/g, ''),
    () => text.replace(/<(\/?)html>/g, '<$1HTML>'),
    () => text.replace(/<\/?(html|body)>/g, ''),
    () => text.replaceAll('"', "'"),
    () => text.slice(0, random.int(text.length)),
    () => `${text}<p>${word(random)}</p>`,
    () => `${text}${word(random)}`,
    () => changedText(random, text),
  ])();

export const BROWSER_PAGE_CASES = {
  compare_htmls: random => {
    const text = page(random);
    return {
      result: foundText(random, 'page.html', changedPage(random, text)),
      expected: textFile('gold.html', text),
      options: { ...(oneIn(random, 3) && { ignore_sdnum: !oneIn(random, 3) }) },
    };
  },
} satisfies CaseMakers;
