// The automatic filter of a sheet and its order.

import { attribute, child, children, type Element } from '../xml.ts';
import { flag, flagAttribute, integerAttribute, numberAttribute, textAttribute } from './attributes.ts';

/** Lists of values that have no order are sorted. */
export interface FilterColumn {
  readonly column: number;
  readonly hiddenButton: boolean;
  readonly showButton: boolean;
  readonly values?: { readonly blank: boolean | null; readonly shown: readonly string[] };
  readonly conditions?: { readonly all: boolean | null; readonly terms: readonly string[] };
}

export interface SortCondition {
  readonly descending: boolean | null;
  readonly key: string | null;
  readonly ref: string | null;
  readonly customList: string | null;
  readonly formatId: number | null;
  readonly iconSet: string | null;
  readonly iconId: number | null;
}

export interface SheetFilter {
  readonly ref: string | null;
  readonly columns: readonly FilterColumn[];
  readonly sort: {
    readonly byColumns: boolean | null;
    readonly caseSensitive: boolean | null;
    readonly method: string | null;
    readonly ref: string | null;
    readonly conditions: readonly SortCondition[];
  } | null;
}

/** A sheet without a filter has one without a range. */
export function readFilter(element: Element | undefined): SheetFilter {
  const columns = element === undefined ? [] : children(element, 'filterColumn').map(readColumn);
  const sort = child(element, 'sortState');
  return {
    ref: upper(element),
    columns: columns.toSorted((a, b) => a.column - b.column),
    sort:
      sort === undefined
        ? null
        : {
            byColumns: flagAttribute(sort, 'columnSort'),
            caseSensitive: flagAttribute(sort, 'caseSensitive'),
            method: textAttribute(sort, 'sortMethod'),
            ref: upper(sort),
            conditions: children(sort, 'sortCondition').map(readCondition),
          },
  };
}

const upper = (element: Element | undefined): string | null =>
  textAttribute(element, 'ref')?.toUpperCase() ?? null;

const unordered = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

function readColumn(element: Element): FilterColumn {
  const [values, conditions] = [child(element, 'filters'), child(element, 'customFilters')];
  return {
    column: integerAttribute(element, 'colId'),
    hiddenButton: flag(attribute(element, 'hiddenButton')) ?? false,
    showButton: flag(attribute(element, 'showButton')) ?? true,
    ...(values && {
      values: {
        blank: flagAttribute(values, 'blank'),
        shown: unordered(children(values, 'filter').map(value => attribute(value, 'val') ?? '')),
      },
    }),
    ...(conditions && {
      conditions: {
        all: flagAttribute(conditions, 'and'),
        terms: unordered(
          children(conditions, 'customFilter').map(
            term => `${attribute(term, 'operator') ?? 'equal'} ${attribute(term, 'val') ?? ''}`,
          ),
        ),
      },
    }),
  };
}

const readCondition = (element: Element): SortCondition => ({
  descending: flagAttribute(element, 'descending'),
  key: textAttribute(element, 'sortBy'),
  ref: upper(element),
  customList: textAttribute(element, 'customList'),
  formatId: numberAttribute(element, 'dxfId'),
  iconSet: textAttribute(element, 'iconSet'),
  iconId: numberAttribute(element, 'iconId'),
});
