// The time since a moment, in elements that the page keeps up to date.

import { formatAgo } from './labels.ts';

export function showAge(element: HTMLElement, moment: number, now: number): void {
  element.dataset['moment'] = String(moment);
  element.textContent = formatAgo(moment, now);
}

/** Called once a minute, the smallest difference that an age shows. */
export function refreshAges(now: number): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-moment]'))
    element.textContent = formatAgo(Number(element.dataset['moment']), now);
}
