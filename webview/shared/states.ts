// What a part of a panel shows in place of its contents: there is nothing, or it did not work.

import { button } from './controls.ts';
import { make } from './dom.ts';

export const nothing = (title: string, remedy: string): HTMLElement =>
  make('div', { class: 'nothing' }, make('h2', { text: title }), make('p', { text: remedy }));

export function troubled(title: string, cause: string, retry: () => void): HTMLElement {
  const shown = make(
    'div',
    { class: 'nothing troubled' },
    make('h2', { text: title }),
    make('p', { text: cause }),
    button({ text: 'Try again' }, retry).element,
  );
  shown.setAttribute('role', 'alert');
  return shown;
}
