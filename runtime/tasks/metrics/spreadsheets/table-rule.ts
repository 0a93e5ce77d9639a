// A rule of compare_table.

import type { Options } from '../metric.ts';
import type { Books } from './table-books.ts';

export type TableRule = (rule: Options, books: Books) => boolean;
