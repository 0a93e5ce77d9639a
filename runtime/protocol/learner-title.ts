// Where a model agent is trained, for every page, editor and terminal.

import type { RunLearnerState } from './daemon/model-run.ts';

/** 'Tinker server at http://localhost:8000', 'folder rows', 'this machine'. */
export function learnerTitle({ kind, place }: Pick<RunLearnerState, 'kind' | 'place'>): string {
  switch (kind) {
    case 'tinker':
      return `Tinker server at ${place}`;
    case 'file':
      return `folder ${place}`;
    case 'in-process':
      return 'this machine';
  }
}
