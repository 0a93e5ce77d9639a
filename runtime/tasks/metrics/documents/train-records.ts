// Metrics of a list of trains, one a line: time, train, station, platform. Duplicates of a train must be removed.

import { openDocx } from '../../formats/document/docx.ts';
import { strip } from '../../formats/python/text.ts';
import { expectedFile, MetricError, type Metrics, pass } from '../metric.ts';
import { openExpected, scoreDocument, scorePair, textsOf } from './open-documents.ts';
import { isBlank } from './white-space.ts';

const FIELDS = 4;

export const TRAIN_METRICS = {
  /** The second document has each train of the first one exactly once. */
  check_no_duplicates: (initial, processed) =>
    scorePair(initial, processed, 'check_no_duplicates', (before, after) => {
      const trains = new Set(trainsIn(textsOf(before)));
      const kept = trainsIn(textsOf(after));
      return pass(kept.length === trains.size && hasSameItems(new Set(kept), trains));
    }),

  /** The result has only lines of the initial document, and each train of the gold document exactly once. */
  compare_unique_train_records: (result, expected) => {
    const [gold, initial] = expectedLines(expected);
    return scoreDocument(result, document => {
      const lines = filledLines(textsOf(document));
      const trains = trainsIn(lines);
      const known = new Set(initial);
      return pass(
        lines.every(line => known.has(line)) &&
          new Set(trains).size === trains.length &&
          hasSameItems(new Set(trains), new Set(trainsIn(gold))) &&
          lines.length === gold.length,
      );
    });
  },
} satisfies Metrics;

const trainsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap(line => {
    const fields = line.split(',');
    return fields.length === FIELDS ? [strip(fields[1] ?? '')] : [];
  });

const filledLines = (texts: readonly string[]): readonly string[] =>
  texts.filter(text => !isBlank(text)).map(strip);

const hasSameItems = (first: ReadonlySet<string>, second: ReadonlySet<string>): boolean =>
  first.size === second.size && [...first].every(each => second.has(each));

/** The lines of the gold document and those of the initial one. */
function expectedLines(expected: unknown): readonly [readonly string[], readonly string[]] {
  if (!Array.isArray(expected) || expected.length < 2) {
    throw new MetricError(
      'compare_unique_train_records needs two expected files. List the gold document and the initial one.',
    );
  }
  const linesOf = (value: unknown) => {
    const file = expectedFile(value, 'compare_unique_train_records');
    return filledLines(textsOf(openExpected(file, 'compare_unique_train_records', openDocx)));
  };
  return [linesOf(expected[0]), linesOf(expected[1])];
}
