// Why a trajectory was judged as it was, in pieces to show: words as they are; what only the evaluator's functions said, call by call.
// Pure.

export interface Why {
  readonly isCode: boolean;
  readonly text: string;
}

/** As the evaluator writes each condition: 'exact_match(what was found, what was wanted) is 0'. */
const CALL = /^[a-z]\w*\(.*\) is [\d.]+$/s;
const BETWEEN = /(?<=\) is [\d.]+); (?=[a-z]\w*\()/;

export function piecesOf(why: string): readonly Why[] {
  if (why === '') return [];
  const pieces = why.split(BETWEEN);
  return pieces.every(piece => CALL.test(piece))
    ? pieces.map(text => ({ isCode: true, text }))
    : [{ isCode: false, text: why }];
}
