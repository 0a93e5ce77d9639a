// Opens the documents of a call. An unreadable result scores 0; an unreadable expected document is an error of the task.

import { DocumentError } from '../../formats/document/document-error.ts';
import { type Docx, openDocx } from '../../formats/document/docx.ts';
import { odtParagraphs, openOdt } from '../../formats/document/odt.ts';
import { paragraphsOf, paragraphText } from '../../formats/document/paragraph.ts';
import { expectedFile, isFile, MetricError, type TaskFile } from '../metric.ts';

/** Scores one document. */
export function scoreDocument(result: unknown, score: (document: Docx) => number): number {
  return isFile(result) ? zeroIfUnreadable(() => score(openDocx(result.bytes))) : 0;
}

/** Scores a document in comparison with the expected one. */
export function scorePair(
  result: unknown,
  expected: unknown,
  metric: string,
  score: (document: Docx, expected: Docx) => number,
): number {
  const pair = openPair(result, expected, metric);
  if (pair === undefined) return 0;
  try {
    return score(...pair);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.xml === pair[1].xml) throw unreadable(expectedFile(expected, metric), metric, error);
    return 0;
  }
}

/** Opens the result and the expected document; undefined if the result is unreadable. */
export function openPair(
  result: unknown,
  expected: unknown,
  metric: string,
): readonly [Docx, Docx] | undefined {
  const gold = openExpected(expectedFile(expected, metric), metric, openDocx);
  if (!isFile(result)) return undefined;
  try {
    return [openDocx(result.bytes), gold];
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** As scorePair, for metrics that read only files with names in .docx. */
export function scoreNamedPair(
  result: unknown,
  expected: unknown,
  metric: string,
  score: (document: Docx, expected: Docx) => number,
): number {
  const { name } = expectedFile(expected, metric);
  if (!name.endsWith('.docx')) {
    throw new MetricError(
      `${metric} cannot compare ${JSON.stringify(name)}. Use an expected file whose name ends in .docx.`,
    );
  }
  const isNamed = isFile(result) && result.name.endsWith('.docx');
  return scorePair(isNamed ? result : null, expected, metric, score);
}

/** The texts of the paragraphs of a document. */
export const textsOf = ({ body }: Docx): readonly string[] => paragraphsOf(body).map(paragraphText);

/** Scores the texts of two docx files or of two odt files. Their names decide how they are read. */
export function scoreTexts(
  result: unknown,
  expected: unknown,
  metric: string,
  score: (texts: readonly string[], expected: readonly string[]) => number,
): number {
  const file = expectedFile(expected, metric);
  const read = readerOf(file);
  if (read === undefined) {
    throw new MetricError(
      `${metric} cannot compare ${JSON.stringify(file.name)}. Use an expected file whose name ends in .docx or .odt.`,
    );
  }
  const wanted = openExpected(file, metric, read);
  if (!isFile(result) || readerOf(result) !== read) return 0;
  return zeroIfUnreadable(() => score(read(result.bytes), wanted));
}

type Reader = (bytes: Uint8Array) => readonly string[];

const docxTexts: Reader = bytes => textsOf(openDocx(bytes));
const odtTexts: Reader = bytes => odtParagraphs(openOdt(bytes));

function readerOf({ name }: TaskFile): Reader | undefined {
  if (name.endsWith('.docx')) return docxTexts;
  return name.endsWith('.odt') ? odtTexts : undefined;
}

export function zeroIfUnreadable(score: () => number): number {
  try {
    return score();
  } catch (error) {
    if (error instanceof DocumentError) return 0;
    throw error;
  }
}

/** Opens the expected file of a task. */
export function openExpected<Opened>(
  file: TaskFile,
  metric: string,
  open: (bytes: Uint8Array) => Opened,
): Opened {
  try {
    return open(file.bytes);
  } catch (error) {
    if (error instanceof DocumentError) throw unreadable(file, metric, error);
    throw error;
  }
}

const unreadable = (file: TaskFile, metric: string, error: DocumentError): MetricError =>
  new MetricError(
    `${metric} cannot read the expected file ${JSON.stringify(file.name)}: ${error.message} Replace the file.`,
    { cause: error },
  );
