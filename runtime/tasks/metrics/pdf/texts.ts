// Metrics of the text of PDF files.

import { isWebPage, printedText } from '../../formats/html/printed-text.ts';
import { pageText } from '../../formats/pdf/page-text.ts';
import { wordText } from '../../formats/pdf/word-text.ts';
import { ratio } from '../../similarity/ratio.ts';
import { expectedFile, isFile, isRecord, MetricError, type Metrics, pass, type TaskFile } from '../metric.ts';
import { readExpectedPages, readResultPages } from './read-pdf.ts';

export const PDF_TEXT_METRICS = {
  /** The mean similarity of the texts of each file and its partner. A missing or unreadable result counts as 0. A web page has a text. */
  compare_pdfs: async (result, expected) => {
    const [found, wanted] = Array.isArray(expected) ? [result, expected] : [[result], [expected]];
    if (!Array.isArray(found)) return 0;
    let total = 0;
    for (const [index, each] of found.slice(0, wanted.length).entries()) {
      const text = await textOf(each);
      if (text === undefined) continue;
      const other = await readExpectedPages(wanted[index], 'compare_pdfs', pageText);
      total += ratio(text, other.join('').trim());
    }
    return total / wanted.length;
  },

  /** The PDF contains each value of the expected JSON file. */
  is_gold_text_included_in_pdf: async (result, expected) => {
    if (!isFile(result)) return 0;
    const values = valuesOf(expectedFile(expected, 'is_gold_text_included_in_pdf'));
    const text = (await readResultPages(result, wordText))?.join('');
    return pass(text !== undefined && values.every(value => text.includes(value)));
  },
} satisfies Metrics;

async function textOf(result: unknown): Promise<string | undefined> {
  const text =
    isFile(result) && isWebPage(result.bytes)
      ? printedText(result.bytes)
      : (await readResultPages(result, pageText))?.join('');
  return text?.trim();
}

function valuesOf(file: TaskFile): readonly string[] {
  const wrong = (problem: string): MetricError =>
    new MetricError(
      `is_gold_text_included_in_pdf cannot use ${JSON.stringify(file.name)}: ${problem}. Write a JSON object whose values are texts.`,
    );
  const value = parsed(file, wrong);
  if (!isRecord(value)) throw wrong('it is not a JSON object');
  return Object.entries(value).map(([key, each]) => {
    if (typeof each !== 'string') throw wrong(`the value of ${key} is ${JSON.stringify(each)}`);
    return each;
  });
}

function parsed({ bytes }: TaskFile, wrong: (problem: string) => MetricError): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw wrong('it is not JSON');
  }
}
