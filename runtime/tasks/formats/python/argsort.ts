// The places of numbers in ascending order, as `numpy.argsort` returns them. Equal numbers are in the order that NumPy's quicksort leaves
// them in, since metrics take one of several equal numbers. On processors with AVX-512 NumPy sorts otherwise.

import { at } from '../../../core/at.ts';

/** Parts with at most one number more than this are sorted by insertion. */
const MAX_INSERTION = 15;

/** A part of the places that waits to be sorted. Both ends belong to it. */
interface Part {
  readonly first: number;
  readonly last: number;
  /** The divisions that remain before heapsort takes over. */
  readonly depth: number;
}

export function argsort(values: readonly number[]): readonly number[] {
  const places = values.map((_, index) => index);
  const valueAt = (index: number): number => at(values, at(places, index));
  const depth = 2 * Math.floor(Math.log2(Math.max(1, values.length)));
  const parts: Part[] = [{ first: 0, last: places.length - 1, depth }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part.depth < 0) {
      sortByHeap(values, places, part);
      continue;
    }
    let { first, last, depth: left } = part;
    while (last - first > MAX_INSERTION) {
      const middle = partition(places, valueAt, first, last);
      left -= 1;
      // The larger part waits.
      if (middle - first < last - middle) {
        parts.push({ first: middle + 1, last, depth: left });
        last = middle - 1;
      } else {
        parts.push({ first, last: middle - 1, depth: left });
        first = middle + 1;
      }
    }
    insertInOrder(values, places, first, last);
  }
  return places;
}

function swap(places: number[], a: number, b: number): void {
  const place = at(places, a);
  places[a] = at(places, b);
  places[b] = place;
}

/** Moves smaller numbers to the front and larger ones to the back. Returns the index of the number between them. */
function partition(
  places: number[],
  valueAt: (index: number) => number,
  first: number,
  last: number,
): number {
  const middle = first + ((last - first) >> 1);
  if (valueAt(middle) < valueAt(first)) swap(places, middle, first);
  if (valueAt(last) < valueAt(middle)) swap(places, last, middle);
  if (valueAt(middle) < valueAt(first)) swap(places, middle, first);
  const pivot = valueAt(middle);
  let [left, right] = [first, last - 1];
  swap(places, middle, right);
  for (;;) {
    do left += 1;
    while (valueAt(left) < pivot);
    do right -= 1;
    while (pivot < valueAt(right));
    if (left >= right) break;
    swap(places, left, right);
  }
  swap(places, left, last - 1);
  return left;
}

function insertInOrder(values: readonly number[], places: number[], first: number, last: number): void {
  for (let index = first + 1; index <= last; index++) {
    const place = at(places, index);
    let gap = index;
    for (; gap > first && at(values, place) < at(values, at(places, gap - 1)); gap--)
      places[gap] = at(places, gap - 1);
    places[gap] = place;
  }
}

function sortByHeap(values: readonly number[], places: number[], { first, last }: Part): void {
  let size = last - first + 1;
  /** Of a node of the heap; the root has the number 1. */
  const indexOf = (node: number): number => first + node - 1;
  const numberOf = (node: number): number => at(values, at(places, indexOf(node)));
  const sink = (place: number, start: number): void => {
    let node = start;
    for (let child = 2 * node; child <= size; child = 2 * node) {
      if (child < size && numberOf(child) < numberOf(child + 1)) child += 1;
      if (at(values, place) >= numberOf(child)) break;
      places[indexOf(node)] = at(places, indexOf(child));
      node = child;
    }
    places[indexOf(node)] = place;
  };
  for (let node = size >> 1; node > 0; node--) sink(at(places, indexOf(node)), node);
  while (size > 1) {
    const place = at(places, indexOf(size));
    places[indexOf(size)] = at(places, first);
    size -= 1;
    sink(place, 1);
  }
}
