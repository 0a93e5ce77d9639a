// Opens the presentations of a metric. A result that cannot be read scores 0; an expected file that cannot be read is an error of the task.

import { type Deck, openDeck } from '../../formats/presentation/deck.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { expectedFile, isFile, MetricError } from '../metric.ts';

/** The score that `score` computes from the result; 0 if the result, or a part that is needed, cannot be read. */
export function scoreDeck(result: unknown, score: (deck: Deck) => number): number {
  if (!isFile(result)) return 0;
  try {
    return score(openDeck(result.bytes));
  } catch (error) {
    if (error instanceof PresentationError) return 0;
    throw error;
  }
}

/** Reads an expected presentation with `read`. */
export function readExpected<T>(expected: unknown, metric: string, read: (deck: Deck) => T): T {
  const file = expectedFile(expected, metric);
  try {
    return read(openDeck(file.bytes));
  } catch (error) {
    if (!(error instanceof PresentationError)) throw error;
    throw new MetricError(`${metric} cannot use the expected file ${file.name}. ${error.message}`, {
      cause: error,
    });
  }
}
