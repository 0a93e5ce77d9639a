// What replaces the contents of a panel: an empty state with the next step, or an error with a button to try again.

import { button } from './controls.ts';
import { make } from './dom.ts';

export const emptyState = (title: string, nextStep: string): HTMLElement =>
  make('div', { class: 'nothing' }, make('h2', { text: title }), make('p', { text: nextStep }));

export function errorState(title: string, cause: string, retry: () => void): HTMLElement {
  const element = make(
    'div',
    { class: 'nothing failure' },
    make('h2', { text: title }),
    make('p', { text: cause }),
    button({ text: 'Try again' }, retry).element,
  );
  element.setAttribute('role', 'alert');
  return element;
}
