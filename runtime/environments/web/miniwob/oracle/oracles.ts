// The oracle scripts of MiniWoB++ by page: they show that a page can be solved with what an agent sees, and make demonstrations.

import type { Solver } from '../../../provider.ts';
import { CHOICES } from './choices.ts';
import { FORMS } from './forms.ts';
import { PICTURES } from './pictures.ts';
import { STEPS } from './steps.ts';
import { OracleView, type Script } from './view.ts';

const SCRIPTS: ReadonlyMap<string, Script> = new Map(
  [CHOICES, FORMS, PICTURES, STEPS].flatMap(scripts => Object.entries(scripts)),
);

/** The pages with a script. */
export const ORACLE_PAGES: readonly string[] = [...SCRIPTS.keys()].sort();

/** The solver of one episode; undefined if the page has no script. */
export function miniwobOracle(page: string, instruction: string): Solver | undefined {
  const script = SCRIPTS.get(page);
  if (script === undefined) return undefined;
  const view = new OracleView(page);
  const actions = script(view, instruction);
  return screen => {
    view.screen = screen;
    const next = actions.next();
    return next.done === true ? { kind: 'finished', answer: '' } : next.value;
  };
}
