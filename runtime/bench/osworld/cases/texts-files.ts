// Cases of metrics that compare or search texts and text files.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { changedText, foundText, oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { changedJson, jsonAtom, jsonValue } from './texts-json.ts';
import { textFile, word, words } from './words.ts';

const sentence = (random: Random): string => words(random, 2 + random.int(5)).join(' ');

const lines = (random: Random, count: number): readonly string[] => repeat(count, () => sentence(random));

const changedLines = (random: Random, all: readonly string[]): readonly string[] =>
  pick<() => readonly string[]>(random, [
    () => all,
    () => all.slice(1),
    () => [...all, sentence(random)],
    () => all.map(line => (oneIn(random, 4) ? changedText(random, line) : line)),
    () => shuffled(random, all),
    () => all.flatMap(line => [line, '']),
    () => [],
  ])();

const time = (random: Random): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(random.int(25))}:${two(random.int(62))}:${two(random.int(62))}`;
};

const number = (random: Random): string => {
  const value = (random.int(2000) - 500) / pick(random, [1, 8, 100]);
  return pick(random, [
    String(value),
    value.toFixed(3),
    value.toExponential(),
    ` ${value} `,
    `${value}\n`,
    `+${value}`,
  ]);
};

/** Lines as a program in Python has them. */
const source = (random: Random): string => {
  const header = pick(random, [
    '',
    '#!/usr/bin/env python3\n',
    '# -*- coding: utf-8 -*-\n',
    '#!/bin/sh\n# coding: utf-8\n',
  ]);
  const body = repeat(3 + random.int(5), index =>
    pick(random, [
      `def ${word(random)}_${index}(value):`,
      `\treturn "${word(random)}"`,
      `    value = ${random.int(100)}`,
      '',
      `# ${sentence(random)}`,
      'if value:\tprint(value)',
    ]),
  );
  return `${header}${body.join('\n')}\n`;
};

const changedSource = (random: Random, text: string): string =>
  pick<() => string>(random, [
    () => text,
    () => `#!/usr/bin/python\n${text}`,
    () => text.replace(/^#.*\n/, ''),
    () => text.replaceAll('\t', '    '),
    () => text.replaceAll('\t', '  '),
    () => text.replaceAll('\n', '\n\n'),
    () => text.replaceAll('\n', ' \n'),
    () => text.replaceAll('\n', '\r\n'),
    () => `\`\`\`python\n${text}\`\`\`\n`,
    () => text.replace(/\d/, '7'),
    () => `\n\n\n# coding: utf-8\n${text}`,
  ])();

const style = (random: Random, address: string): string =>
  pick(random, [
    `<style>body { background-image: url('${address}'); }</style>`,
    `<style media="screen">\nbody {\n  color: red;\n  background-image: url('${address}');\n}\n</style>`,
    `<title>A <style></title><style>p>a { background-image: url('${address}') }</style>`,
    `<style>h1 { color: red }</style>\n<style>body { background-image: url('${address}'); }</style>`,
    `<style>body { background-image: url("${address}"); }</style>`,
    `<style>body { background-image:url('${address}'); }</style>`,
    `<style type="text/css">h1 { color: red }</style><STYLE>body{background-image: url('${address}')}</STYLE>`,
    `<style>body { background-image: url('${address}'); }`,
    `<!-- <style>body { background-image: url('${address}'); }</style> -->`,
    `<body style="background-image: url('${address}')">`,
    `<script>var s = "<style>background-image: url('${address}')<\\/style>"</script>`,
    `<style>/* <b> &amp; */ body { background-image: url('${address}'); }</style >`,
  ]);

export const TEXT_FILE_CASES = {
  literal_match: random => {
    const value = jsonValue(random, 2);
    const list = repeat(random.int(4), () => jsonAtom(random));
    const options = {
      ...(oneIn(random, 2) && { type: pick(random, ['str', 'list', 'list', 'text']) }),
      ...(oneIn(random, 2) && { ignore_case: oneIn(random, 2) }),
    };
    const isList = 'type' in options && options.type === 'list';
    const expected = isList && !oneIn(random, 5) ? list : value;
    const upper = typeof expected === 'string' ? expected.toUpperCase() : expected;
    return {
      result: pick(random, [expected, expected, upper, changedJson(random, expected)]),
      expected,
      options,
    };
  },
  is_in_list: random => {
    const list = repeat(3, () => jsonAtom(random));
    const expected = oneIn(random, 2) ? pick(random, list) : jsonAtom(random);
    const text = sentence(random);
    return pick(random, [
      { result: list, expected: { expected } },
      { result: list, expected: { expected: pick(random, list) } },
      { result: text, expected: { expected: oneIn(random, 2) ? text.slice(1, 5) : word(random) } },
      {
        result: { [word(random)]: 1, amber: 2 },
        expected: { expected: pick(random, ['amber', word(random), 1]) },
      },
      { result: null, expected: { expected } },
    ]);
  },
  fuzzy_match: random => {
    const text = sentence(random);
    return {
      result: oneIn(random, 20) ? null : oneIn(random, 5) ? sentence(random) : changedText(random, text),
      expected: { expected: oneIn(random, 20) ? '' : text },
    };
  },
  diff_text_file: random => {
    // Python's matcher ignores frequent lines in files of 200 lines and more.
    const isLong = oneIn(random, 5);
    const all = isLong
      ? repeat(220, () => (oneIn(random, 3) ? word(random) : sentence(random)))
      : lines(random, random.int(12));
    const end = pick(random, ['\n', '\n', '\r\n']);
    return {
      result: foundText(random, 'a.tex', changedLines(random, all).join(end)),
      expected: textFile('b.tex', all.join('\n')),
    };
  },
  file_contains: random => {
    const text = lines(random, 5).join('\n');
    const parts = repeat(random.int(4), () => text.slice(random.int(10), 12 + random.int(20)));
    return {
      result: foundText(random, 'report.txt', changedText(random, text)),
      expected: { expected: oneIn(random, 4) ? words(random, 2) : parts },
    };
  },
  check_line_number: random => {
    const all = repeat(random.int(9), () =>
      oneIn(random, 3) ? sentence(random) : `${time(random)} ${word(random)}`,
    );
    const count = all.filter(line => /([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)/.test(line)).length;
    const expected = count + (oneIn(random, 3) ? random.int(3) - 1 : 0);
    return {
      result: foundText(random, 'report.txt', all.join(pick(random, ['\n', '\r\n']))),
      expected: {
        expected: pick<unknown>(random, [expected, `${expected}`, ` ${expected} `, expected + 0.5, 'many']),
      },
    };
  },
  compare_terminal_and_txt: random => {
    const text = lines(random, 1 + random.int(3)).join('\n');
    return {
      result: foundText(random, 'output.txt', oneIn(random, 2) ? text : changedText(random, text)),
      expected: oneIn(random, 10) ? '' : text,
    };
  },
  compare_python_pure_text: random => {
    const text = source(random);
    return {
      result: foundText(random, 'main.py', changedSource(random, text)),
      expected: textFile('gold.py', text),
    };
  },
  compare_config: random => {
    const text = lines(random, random.int(3)).join('\n');
    const found = oneIn(random, 2) ? text : changedText(random, text);
    return { result: foundText(random, 'config.txt', found), expected: { expected: text } };
  },
  compare_answer: random => {
    const value = jsonValue(random, 1);
    return {
      result: oneIn(random, 3) ? changedJson(random, value) : value,
      expected: { expected: value },
    };
  },
  compare_result_files: random => {
    const wanted = oneIn(random, 4) ? sentence(random) : number(random);
    const found = pick<() => string>(random, [
      () => wanted,
      () => changedText(random, wanted),
      () => `The result is ${wanted.trim()}.`,
      () => number(random),
      () => String(Number(wanted) + pick(random, [0, 1e-5, 1e-4, 2e-4, -3e-5])),
      () => sentence(random),
      () => 'nan',
    ])();
    return { result: foundText(random, 'result.txt', found), expected: textFile('gold.txt', wanted) };
  },
  is_in_vm_clickboard: random => {
    const text = lines(random, 2).join('\n');
    const parts = repeat(1 + random.int(2), () => text.slice(random.int(8), 9 + random.int(9)));
    const expected = pick<unknown>(random, [parts, parts[0], word(random), words(random, 2), []]);
    return { result: { expected }, expected: oneIn(random, 15) ? null : text };
  },
  // OSWorld's function is empty, so it never gives a score.
  check_python_file_by_gold_file: random => ({
    result: textFile('main.py', source(random)),
    expected: textFile('gold.py', source(random)),
  }),
  check_html_background_image: random => {
    const address = `images/${word(random)}-${random.int(9)}.jpg`;
    const page = `<!DOCTYPE html>\n<html><head>${style(random, address)}</head>\n<body><p>${sentence(random)}</p></body></html>`;
    const value = oneIn(random, 6) ? `${word(random)}.jpg` : address;
    return { result: foundText(random, 'index.html', page), expected: { value } };
  },
} satisfies CaseMakers;
