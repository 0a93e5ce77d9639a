// Every control of the panels, made from the component library that is named here and nowhere else: what replaces it, replaces this file.

import {
  Button as ButtonElement,
  Checkbox as CheckboxElement,
  Dropdown as DropdownElement,
  provideVSCodeDesignSystem,
  TextArea as TextAreaElement,
  TextField as TextFieldElement,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { make } from './dom.ts';

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodeTextArea(),
  vsCodeTextField(),
);

// The library takes the colours up again when the page's classes change, as they do when an editor's theme does. In a browser the
// theme changes without that.
for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'])
  matchMedia(query).addEventListener('change', () => document.body.classList.toggle('other-theme'));

function element<T extends HTMLElement>(tag: string, kind: new () => T): T {
  const made = document.createElement(tag);
  if (made instanceof kind) return made;
  throw new TypeError(`This browser has no '${tag}'.`);
}

// Buttons

export interface Button {
  readonly element: HTMLElement;
  say(text: string, label?: string): void;
  enable(isEnabled: boolean): void;
  /** Of a button that stays down. */
  press(isPressed: boolean): void;
}

interface ButtonLooks {
  readonly text: string;
  /** What a screen reader says, where the text is a sign. */
  readonly label?: string;
  readonly title?: string;
  readonly kind?: 'primary' | 'secondary' | 'icon';
}

export function button({ text, label, title, kind = 'secondary' }: ButtonLooks, pressed: () => void): Button {
  const made = element('vscode-button', ButtonElement);
  made.appearance = kind;
  made.textContent = text;
  // The library calls every icon without a name of its own 'Icon Button'.
  const name = label ?? (kind === 'icon' ? text : undefined);
  if (name !== undefined) made.setAttribute('aria-label', name);
  if (title !== undefined) made.title = title;
  made.addEventListener('click', pressed);
  return {
    element: made,
    say(next, nextLabel) {
      made.textContent = next;
      if (nextLabel !== undefined) made.setAttribute('aria-label', nextLabel);
    },
    enable(isEnabled) {
      made.disabled = !isEnabled;
    },
    press(isPressed) {
      made.setAttribute('aria-pressed', String(isPressed));
      // The button within has the focus, and is what is read aloud.
      made.shadowRoot?.querySelector('button')?.setAttribute('aria-pressed', String(isPressed));
    },
  };
}

// A choice of one

export interface Option {
  readonly value: string;
  readonly text: string;
}

export interface Choice {
  readonly element: HTMLElement;
  show(options: readonly Option[], value: string): void;
}

export function choice(label: string, changed: (value: string) => void): Choice {
  const made = element('vscode-dropdown', DropdownElement);
  made.setAttribute('aria-label', label);
  made.title = label;
  made.addEventListener('change', () => changed(made.value));
  let shown = '';
  return {
    element: made,
    show(options, value) {
      const told = JSON.stringify(options);
      if (told !== shown) {
        shown = told;
        made.replaceChildren(
          ...options.map(({ value: each, text }) => {
            const option = document.createElement('vscode-option');
            option.setAttribute('value', each);
            if (each === value) option.setAttribute('selected', '');
            option.textContent = text;
            return option;
          }),
        );
      }
      // It takes its options up a moment after they were put in.
      requestAnimationFrame(() => {
        if (made.value !== value) made.value = value;
      });
    },
  };
}

// Text

export interface Field {
  readonly element: HTMLElement;
  value: string;
}

interface FieldLooks {
  readonly label: string;
  readonly placeholder?: string;
}

export function field({ label, placeholder = '' }: FieldLooks, changed: (value: string) => void): Field {
  const made = element('vscode-text-field', TextFieldElement);
  // Whenever it is put into a page it takes its name from its text, which the style sheet hides.
  made.textContent = label;
  made.placeholder = placeholder;
  return listening(made, changed);
}

export function area({ label, placeholder = '' }: FieldLooks, changed: (value: string) => void): Field {
  const made = element('vscode-text-area', TextAreaElement);
  made.textContent = label;
  made.placeholder = placeholder;
  made.rows = 2;
  return listening(made, changed);
}

function listening(made: TextFieldElement | TextAreaElement, changed: (value: string) => void): Field {
  made.addEventListener('input', () => changed(made.value));
  return {
    element: made,
    get value() {
      return made.value;
    },
    set value(next: string) {
      if (made.value !== next) made.value = next;
    },
  };
}

// Yes or no

export interface Check {
  readonly element: HTMLElement;
  set(isChecked: boolean): void;
}

export function check(text: string, changed: (isChecked: boolean) => void): Check {
  const made = element('vscode-checkbox', CheckboxElement);
  made.textContent = text;
  let isSetting = false;
  made.addEventListener('change', () => {
    if (!isSetting) changed(made.checked);
  });
  return {
    element: made,
    set(isChecked) {
      isSetting = true;
      made.checked = isChecked;
      isSetting = false;
    },
  };
}

/** Something goes on of which nobody knows how long it takes. */
export function waiting(says: string): HTMLElement {
  // Not the library's: that one writes styles into its markup, which a strict policy refuses.
  const ring = make('span', { class: 'ring' });
  ring.setAttribute('aria-hidden', 'true');
  const shown = make('div', { class: 'waiting' }, ring, make('p', { text: says }));
  shown.setAttribute('role', 'status');
  return shown;
}
