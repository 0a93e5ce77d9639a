// Metrics of formatting first require that the text is unchanged.

import type { Docx } from '../../formats/document/docx.ts';
import { haveSameText } from './compare-text.ts';
import { scoreNamedPair, textsOf } from './open-documents.ts';

export const scoreSameText = (
  result: unknown,
  expected: unknown,
  metric: string,
  score: (document: Docx, expected: Docx) => number,
): number =>
  scoreNamedPair(result, expected, metric, (document, gold) =>
    haveSameText(textsOf(document), textsOf(gold)) ? score(document, gold) : 0,
  );
