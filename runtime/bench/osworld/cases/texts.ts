// Cases of the metrics in `tasks/metrics/texts`.

import type { CaseMakers } from '../metric-case.ts';
import { TEXT_DESKTOP_CASES } from './texts-desktop.ts';
import { TEXT_FILE_CASES } from './texts-files.ts';
import { TEXT_STRUCTURE_CASES } from './texts-structures.ts';
import { TEXT_TREE_CASES } from './texts-trees.ts';

export const TEXT_CASES = {
  ...TEXT_FILE_CASES,
  ...TEXT_DESKTOP_CASES,
  ...TEXT_STRUCTURE_CASES,
  ...TEXT_TREE_CASES,
} satisfies CaseMakers;
