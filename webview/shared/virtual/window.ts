// Which rows of a long list are on the page: those in sight and a few around, so that scrolling never shows a gap. Pure.

export interface Span {
  /** This row is in it, the one at `to` is not any more. */
  readonly from: number;
  readonly to: number;
}

/** Rows beyond either edge of what is in sight. */
const MARGIN = 8;

export function rowsInSight(scrolled: number, height: number, row: number, total: number): Span {
  const first = Math.floor(scrolled / row) - MARGIN;
  const last = Math.ceil((scrolled + height) / row) + MARGIN;
  const from = Math.min(Math.max(0, first), total);
  return { from, to: Math.min(Math.max(from, last), total) };
}

/** Pages of that many rows which a span touches. */
export function pagesOf({ from, to }: Span, page: number): readonly number[] {
  if (to <= from) return [];
  const first = Math.floor(from / page);
  return Array.from({ length: Math.floor((to - 1) / page) - first + 1 }, (_, index) => first + index);
}

/** Where the list has to be scrolled for a row to be seen whole; where it is, if it is. */
export function scrolledTo(at: number, row: number, scrolled: number, height: number): number {
  const [top, bottom] = [at * row, (at + 1) * row];
  if (top < scrolled) return top;
  return bottom > scrolled + height ? bottom - height : scrolled;
}

/** Where a key leads in a list; undefined where it leads nowhere. */
export function movedBy(
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
