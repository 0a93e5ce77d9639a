import { expect } from 'vitest';

/** Checks that every tag closes in its order, that no text opens a tag, and that all numbers are finite. */
export function expectSoundSvg(svg: string): void {
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const open: string[] = [];
  for (const [, end, name, alone] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/gs))
    if (end === '/') expect(open.pop()).toBe(name);
    else if (alone !== '/' && name !== undefined) open.push(name);
  expect(open).toEqual([]);
}
