// Splits the reason of a verdict for display: text stays as it is; calls of evaluator functions become one part each. Pure.

export interface ReasonPart {
  readonly isCode: boolean;
  readonly text: string;
}

/** A condition as the evaluator writes it: 'exact_match(actual, expected) is 0'. */
const CALL = /^[a-z]\w*\(.*\) is [\d.]+$/s;
const BETWEEN = /(?<=\) is [\d.]+); (?=[a-z]\w*\()/;

export function reasonParts(why: string): readonly ReasonPart[] {
  if (why === '') return [];
  const pieces = why.split(BETWEEN);
  return pieces.every(piece => CALL.test(piece))
    ? pieces.map(text => ({ isCode: true, text }))
    : [{ isCode: false, text: why }];
}
