// Which rows of a long list are in the page: the visible ones and a margin, so that scrolling shows no gap. Pure.

export interface RowSpan {
  /** Inclusive; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Rows beyond either edge. */
const MARGIN_ROWS = 8;

export function visibleRows(scrolled: number, height: number, row: number, total: number): RowSpan {
  const first = Math.floor(scrolled / row) - MARGIN_ROWS;
  const last = Math.ceil((scrolled + height) / row) + MARGIN_ROWS;
  const from = Math.min(Math.max(0, first), total);
  return { from, to: Math.min(Math.max(from, last), total) };
}

/** The pages of `page` rows that a span touches. */
export function pagesInSpan({ from, to }: RowSpan, page: number): readonly number[] {
  if (to <= from) return [];
  const first = Math.floor(from / page);
  return Array.from({ length: Math.floor((to - 1) / page) - first + 1 }, (_, index) => first + index);
}

/** The scroll position that shows a whole row; unchanged if the row is visible. */
export function scrollTopFor(at: number, row: number, scrolled: number, height: number): number {
  const [top, bottom] = [at * row, (at + 1) * row];
  if (top < scrolled) return top;
  return bottom > scrolled + height ? bottom - height : scrolled;
}

/** The row that a key moves to; undefined for other keys. */
export function indexAfterKey(
  key: string,
  at: number | undefined,
  total: number,
  inSight: number,
): number | undefined {
  if (total === 0) return undefined;
  const within = (index: number) => Math.min(total - 1, Math.max(0, index));
  switch (key) {
    case 'ArrowDown':
      return within((at ?? -1) + 1);
    case 'ArrowUp':
      return within((at ?? total) - 1);
    case 'PageDown':
      return within((at ?? 0) + Math.max(1, inSight - 1));
    case 'PageUp':
      return within((at ?? 0) - Math.max(1, inSight - 1));
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}
