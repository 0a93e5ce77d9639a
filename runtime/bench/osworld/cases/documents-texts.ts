// Cases of the metrics that compare the text of documents.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMakers } from '../metric-case.ts';
import { textDocx, textLine, textLines } from './documents-blocks.ts';
import { once, perhapsDamaged, pick } from './documents-damage.ts';
import { odt, odtParagraph, odtSpan, odtText } from './documents-odt.ts';
import { word, words } from './words.ts';

type Texts = readonly string[];

const CHANGES: readonly ((random: Random, texts: Texts) => Texts)[] = [
  (_, texts) => texts,
  (_, texts) => texts,
  (_, texts) => texts.map(text => text.toUpperCase()),
  (_, texts) => texts.map(text => text.replaceAll(' ', '  ')),
  (_, texts) => texts.map(text => text.replaceAll(' ', '\u00a0')),
  (_, texts) => [...texts].reverse(),
  (_, texts) => texts.flatMap(text => [text, '']),
  (_, texts) => ['', ...texts, '  '],
  (_, texts) => texts.filter(text => text.trim() !== ''),
  (_, texts) => texts.map(text => `${text} `),
  (_, texts) => [texts.join(' ')],
  (random, texts) => [...texts, textLine(random)],
  (random, texts) => texts.toSpliced(random.int(texts.length), 1),
  (random, texts) => texts.with(random.int(texts.length), `${word(random)} ${textLine(random)}`),
  (random, texts) => texts.toSpliced(random.int(texts.length), 0, textLine(random)),
];

const changed = (random: Random, texts: Texts): Texts => pick(random, CHANGES)(random, texts);

/** Options that are mostly on, so that changes pass as often as not. */
const someOptions = (random: Random, names: readonly string[]) =>
  Object.fromEntries(names.filter(() => once(random, 3)).map(name => [name, !once(random, 4)]));

const COMPARE_OPTIONS = [
  'ignore_blanks',
  'ignore_case',
  'ignore_order',
  'content_only',
  'fuzzy_match',
  'delete_empty_lines',
];

function odtFile(random: Random, name: string, texts: Texts): TaskFile {
  const body = texts.map(text => {
    const middle = text.indexOf(' ') + 1;
    const [start, end] = [odtText(text.slice(0, middle)), odtText(text.slice(middle))];
    return pick(random, [
      odtParagraph(odtText(text)),
      odtParagraph(odtText(text)),
      odtParagraph(odtSpan(start, 'T1') + odtSpan(end, 'T2')),
      odtParagraph(start + odtSpan(end, 'T1')),
      `<text:list><text:list-item>${odtParagraph(odtText(text))}</text:list-item></text:list>`,
      `<table:table table:name="A"><table:table-row><table:table-cell>${odtParagraph(odtText(text))}</table:table-cell></table:table-row></table:table>`,
      ...(once(random, 3)
        ? [
            `<text:h text:outline-level="1">${odtText(text)}</text:h>`,
            odtParagraph(`${start}<text:a xlink:href="http://a/" xlink:type="simple">${end}</text:a>`),
            odtParagraph(odtSpan(`${start}${odtSpan(end, 'T2')}`, 'T1')),
            odtParagraph(
              `${odtText(text)}<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${odtParagraph('note')}</text:note-body></text:note>`,
            ),
          ]
        : []),
    ]);
  });
  const header = once(random, 3) ? odtParagraph('Header') : '';
  return odt(name, {
    body: body.join(''),
    header,
    listed: once(random, 30) ? ['Pictures/lost.png'] : ['Configurations2/'],
  });
}

const trainLine = (random: Random): string => `08:0${random.int(9)}:00,${word(random)},S${random.int(9)},P1`;

const reference = (random: Random): string =>
  `${words(random, 5 + random.int(5)).join(' ')}, ${random.int(2000)}.`;

export const TEXT_DOCUMENT_CASES = {
  compare_docx_files: random => {
    const texts = textLines(random);
    const [write, ending] = once(random, 4) ? ([odtFile, 'odt'] as const) : ([textDocx, 'docx'] as const);
    const result = write(random, `result.${once(random, 40) ? 'doc' : ending}`, changed(random, texts));
    return {
      result: perhapsDamaged(random, result),
      expected: write(random, `gold.${ending}`, texts),
      options: someOptions(random, COMPARE_OPTIONS),
    };
  },
  compare_docx_files_and_ignore_new_lines: random => {
    const texts = textLines(random);
    return {
      result: perhapsDamaged(random, textDocx(random, 'result.docx', changed(random, texts))),
      expected: textDocx(random, 'gold.docx', texts),
      options: someOptions(random, ['ignore_blanks', 'ignore_case']),
    };
  },
  compare_docx_lines: random => {
    const texts = textLines(random);
    const result = once(random, 4) ? [...texts, ...texts] : changed(random, texts);
    return {
      result: perhapsDamaged(random, textDocx(random, 'result.docx', result)),
      expected: textDocx(random, 'gold.docx', texts),
    };
  },
  compare_init_lines: random => {
    const texts = textLines(random);
    const result = once(random, 3) ? [...texts, ...textLines(random)] : changed(random, texts);
    return {
      result: perhapsDamaged(random, textDocx(random, 'result.docx', result)),
      expected: textDocx(random, 'gold.docx', texts),
    };
  },
  compare_references: random => {
    const heading = pick(random, ['References', 'References', 'Bibliography']);
    const references = Array.from({ length: 1 + random.int(4) }, () => reference(random));
    const found = pick<Texts>(random, [
      references,
      references.map(text => text.toUpperCase()),
      references.map(text => text.slice(random.int(9))),
      references.map(text => `${text} ${word(random)}`),
      references.flatMap(text => [text, '']),
      references.slice(1),
      [...references].reverse(),
    ]);
    const document = (name: string, items: Texts, hasHeading: boolean) =>
      textDocx(random, name, [textLine(random), ...(hasHeading ? [heading] : []), ...items]);
    return {
      result: perhapsDamaged(random, document('result.docx', found, !once(random, 8))),
      expected: document('gold.docx', references, !once(random, 8)),
      options: {
        ...((heading !== 'References' || once(random, 3)) && { reference_indicator: heading }),
        ...(once(random, 2) && { reference_base_result: pick(random, [0.2, 0.6, 0.92, 1]) }),
      },
    };
  },
  // OSWorld takes an unreadable initial document for one without trains, and passes a second one without trains. Ours scores 0.
  check_no_duplicates: random => {
    const lines = Array.from({ length: 3 + random.int(5) }, () => trainLine(random));
    const unique = lines.filter(
      (line, index) => lines.findIndex(each => each.split(',')[1] === line.split(',')[1]) === index,
    );
    const kept = pick<Texts>(random, [
      unique,
      unique,
      unique,
      ['Time,Train', ...unique],
      lines,
      unique.slice(1),
    ]);
    return {
      result: perhapsDamaged(random, textDocx(random, 'initial.docx', lines)),
      expected: textDocx(random, 'processed.docx', kept),
    };
  },
  compare_unique_train_records: random => {
    const lines = Array.from({ length: 2 + random.int(6) }, () => trainLine(random));
    const gold = [...new Map(lines.map(line => [line.split(',')[1], line])).values()];
    const first = [...new Map([...lines].reverse().map(line => [line.split(',')[1], line])).values()];
    const kept = pick<Texts>(random, [
      gold,
      gold,
      first,
      ['', ...gold],
      lines,
      gold.slice(1),
      [...gold, 'More'],
    ]);
    return {
      result: perhapsDamaged(random, textDocx(random, 'result.docx', kept)),
      expected: [
        textDocx(random, 'gold.docx', gold),
        ...(once(random, 20) ? [] : [textDocx(random, 'initial.docx', lines)]),
      ],
    };
  },
  fuzzy_place_math: random => {
    const places = ['深圳市福田区益田路5055号', '深圳市福田区福华三路111号', word(random), word(random)];
    const count = once(random, 4) ? 2 + random.int(3) : 3;
    const found = Array.from({ length: count }, () =>
      once(random, 4) ? word(random) : pick(random, places).slice(random.int(3)),
    );
    const texts = pick<Texts>(random, [found, [found.join(' ')], ['', ...found, ' '], [found.join('\t')]]);
    return {
      result: perhapsDamaged(random, textDocx(random, 'list.docx', texts)),
      expected: { expected: places },
    };
  },
} satisfies CaseMakers;
