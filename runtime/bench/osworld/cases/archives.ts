// Cases of the metrics in `tasks/metrics/archives`.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { CaseMakers } from '../metric-case.ts';
import { gzipOf, tarOf } from './archives-tar.ts';
import { changedPage, page } from './browser-pages.ts';
import { pdfOf } from './pdf-writer.ts';
import { changedText, foundFile, oneIn, pick, repeat } from './texts-choice.ts';
import { word, words } from './words.ts';
import { zipOf } from './zip.ts';

type Files = Readonly<Record<string, string>>;

const text = (random: Random): string => repeat(3, () => words(random, 4).join(' ')).join('\n');

const table = (random: Random): string =>
  `name,count\n${repeat(3, () => `${word(random)},${random.int(99)}`).join('\n')}\n`;

const mapped = (files: Files, change: (content: string, path: string) => string): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      path.endsWith('/') ? content : change(content, path),
    ]),
  );

/** Other files, or the same ones in another order. */
const changedFiles = (random: Random, files: Files): Files => {
  const entries = Object.entries(files);
  return pick<() => Files>(random, [
    () => files,
    () => files,
    () => Object.fromEntries(entries.reverse()),
    () => mapped(files, content => (oneIn(random, 2) ? changedText(random, content) : content)),
    () => mapped(files, content => changedText(random, content)),
    () => Object.fromEntries(entries.slice(1)),
    () => ({ ...files, 'more.txt': word(random) }),
    () =>
      Object.fromEntries(entries.map(([path, content]) => [path.replace(/(\w)(\.\w+)$/, '$1x$2'), content])),
  ])();
};

const archive = (random: Random, name: string, files: Files): TaskFile => {
  const kind = pick(random, ['.zip', '.zip', '.zip', '.zip', '.tar', '.tar.gz', '.tgz']);
  const bytes = kind === '.zip' ? zipOf(files) : tarOf(files);
  return { name: name + kind, bytes: kind === '.tgz' || kind === '.tar.gz' ? gzipOf(bytes) : bytes };
};

const toc = (random: Random): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<ncx><head>\n<meta name="dtb:uid" content="${random.int(9999)}"/>\n</head>\n<navMap>\n<navPoint id="n${random.int(99)}">\n<text>${word(random)}</text>\n</navPoint>\n</navMap></ncx>\n`;

const opf = (random: Random): string =>
  `<package>\n<metadata>\n<dc:title>${word(random)}</dc:title>\n<dc:identifier id="uuid">${random.int(99_999)}</dc:identifier>\n</metadata>\n<manifest>\n<item id="a" href="a.html"/>\n</manifest></package>\n`;

const chapter = (random: Random): string => {
  const paragraphs = repeat(2 + random.int(5), () => `<p class="x">${words(random, 6).join(' ')}</p>`).join(
    '\n  ',
  );
  return pick(random, [
    `<?xml version='1.0' encoding='utf-8'?>\n<html xmlns="http://www.w3.org/1999/xhtml">\n  <head>\n    <title>${word(random)}</title>\n    <link rel="stylesheet" type="text/css" href="a b.css"/>\n  </head>\n  <body>\n  <h1>${word(random)}</h1>\n  ${paragraphs}\n<div><img src="ü.png" alt=""/><br/></div></body></html>\n`,
    `<!DOCTYPE html><html><head><meta charset="utf-8"/><title>${word(random)}</title></head><body>${paragraphs}</body></html>`,
    `<html><body>${paragraphs}<ul><li>${word(random)}</li><li></li></ul></body></html>`,
    page(random),
    paragraphs,
    `<p>${word(random)}</p>`,
    `${word(random)} <i>${word(random)}</i>`,
  ]);
};

const book = (random: Random): Files => ({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container/>',
  ...(!oneIn(random, 8) && { 'toc.ncx': toc(random) }),
  ...(!oneIn(random, 8) && { 'content.opf': opf(random) }),
  'style.css': 'p { margin: 0 }',
  ...Object.fromEntries(repeat(1 + random.int(3), index => [`index_split_00${index}.html`, chapter(random)])),
  ...(oneIn(random, 20) && { 'text/part.html': chapter(random) }),
});

const changedBook = (random: Random, files: Files): Files =>
  pick<() => Files>(random, [
    () => files,
    () => ({ ...files, 'content.opf': (files['content.opf'] ?? '').replace(/>\d+<\/dc/, '>1</dc') }),
    () => ({ ...files, 'toc.ncx': toc(random) }),
    () =>
      mapped(files, (content, path) =>
        path.endsWith('.html') && oneIn(random, 2) ? changedPage(random, content) : content,
      ),
    () =>
      mapped(files, (content, path) =>
        path.endsWith('.html') ? content.replace(/<p class="x">[\s\S]*?<\/p>/, '') : content,
      ),
    () =>
      mapped(files, (content, path) =>
        path.endsWith('.html') ? content.replace(/ class="x"/g, '') : content,
      ),
    () => ({ ...files, 'index_split_009.html': chapter(random) }),
    () => Object.fromEntries(Object.entries(files).slice(0, -1)),
    () => ({ ...files, 'index_split_000.html': '' }),
    () => mapped(files, content => changedText(random, content)),
  ])();

/** A page with a few lines of letters of Latin-1. */
const pdf = (lines: readonly string[]): Uint8Array =>
  pdfOf([
    {
      texts: lines.map((line, index) => ({
        x: 50,
        y: 780 - 20 * index,
        size: 12,
        font: 'Helvetica',
        text: line,
      })),
    },
  ]);

/** Files of an archive, with PDF files of nearly equal, or of other texts. */
function zipPair(
  random: Random,
): readonly [found: Record<string, string | Uint8Array>, gold: Record<string, string | Uint8Array>] {
  const folder = pick(random, ['', 'data/']);
  const gold: Record<string, string | Uint8Array> = {
    [`${folder}notes.txt`]: text(random),
    [`${folder}b.csv`]: table(random),
  };
  if (folder !== '' && oneIn(random, 2)) gold[folder] = '';
  const found = { ...gold };
  if (oneIn(random, 2)) {
    const lines = repeat(6, () => words(random, 6).join(' '));
    const others = pick(random, [
      lines,
      [...lines.slice(0, 5), `${lines[5] ?? ''} x`],
      lines.slice(1),
      [...lines].reverse(),
    ]);
    gold[`${folder}Paper.PDF`] = pdf(lines);
    found[`${folder}Paper.PDF`] = oneIn(random, 15) ? 'no PDF file' : pdf(others);
  }
  return [found, gold];
}

export const ARCHIVE_CASES = {
  // Identical files count as equal here. OSWorld raises an exception for identical PDF files that PyPDF2 cannot read.
  compare_zip_files: random => {
    const [files, gold] = zipPair(random);
    const entries = Object.entries(files);
    const found = pick<() => Readonly<Record<string, string | Uint8Array>>>(random, [
      () => files,
      () => files,
      () => files,
      () => Object.fromEntries(entries.reverse()),
      () => Object.fromEntries(entries.slice(1)),
      () => ({ ...files, 'more/': '' }),
      () =>
        Object.fromEntries(
          entries.map(([path, content]) => [
            path,
            typeof content === 'string' && !path.endsWith('/') ? changedText(random, content) : content,
          ]),
        ),
      () => Object.fromEntries(entries.map(([path, content]) => [path.toLowerCase(), content])),
    ])();
    return {
      result: foundFile(random, { name: 'found.zip', bytes: zipOf(found) }),
      expected: { name: 'gold.zip', bytes: zipOf(gold) },
    };
  },
  compare_archive: random => {
    const type = pick(random, ['text', 'text', 'csv']);
    const folder = pick(random, ['', '', 'lecture_slides/', 'a/b/']);
    const make = type === 'csv' ? table : text;
    const files = Object.fromEntries(
      repeat(1 + random.int(3), index => [`${folder}${index}-${word(random)}.${type}`, make(random)]),
    );
    const all = {
      ...files,
      ...(folder !== '' && oneIn(random, 2) && { 'readme.txt': word(random) }),
      ...(folder !== '' && oneIn(random, 3) && { [folder]: '' }),
    };
    const extra = oneIn(random, 15)
      ? { [`${folder}sub/x.txt`]: 'x' }
      : oneIn(random, 20)
        ? { [`${folder}empty/`]: '' }
        : {};
    return {
      result: foundFile(random, archive(random, 'book', { ...changedFiles(random, all), ...extra })),
      expected: archive(random, 'gold_book', { ...all, ...(oneIn(random, 2) && extra) }),
      options: {
        ...(folder !== '' && { file_path: oneIn(random, 12) ? 'other' : folder.replace(/\/$/, '') }),
        ...((type === 'csv' || oneIn(random, 3)) && { file_type: oneIn(random, 25) ? 'word' : type }),
        ...(type === 'text' && oneIn(random, 3) && { ignore_blanks: oneIn(random, 2) }),
        ...(type === 'text' && oneIn(random, 3) && { ignore_case: oneIn(random, 2) }),
      },
    };
  },
  // lxml switches to Latin-1 at the first such character of a text, and ours at the first one in the page, so the lines of a page with
  // a line separator inside of a tag differ (case 46).
  compare_epub: random => {
    const files = book(random);
    return {
      result: foundFile(random, { name: 'Pass Through.epub', bytes: zipOf(changedBook(random, files)) }),
      expected: { name: 'gold.epub', bytes: zipOf(files) },
    };
  },
} satisfies CaseMakers;
