// The controls of the panels. This file alone imports the component library, so replacing the library changes only this file.

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
import { isCombined } from './shortcut-key.ts';

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodeTextArea(),
  vsCodeTextField(),
);

// The library reads its colours again when the classes of <body> change, which an editor does when its theme changes. A browser
// changes its theme without that, so the page toggles a class.
for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'])
  matchMedia(query).addEventListener('change', () => document.body.classList.toggle('theme-changed'));

function element<T extends HTMLElement>(tag: string, kind: new () => T): T {
  const made = document.createElement(tag);
  if (made instanceof kind) return made;
  throw new TypeError(`The element '${tag}' is not registered. Reload the page.`);
}

// Buttons

export interface ButtonControl {
  readonly element: HTMLElement;
  setText(text: string, label?: string): void;
  setEnabled(isEnabled: boolean): void;
  /** For toggle buttons. */
  setPressed(isPressed: boolean): void;
}

interface ButtonOptions {
  readonly text: string;
  /** The accessible name, if the text is only a symbol. */
  readonly label?: string;
  readonly title?: string;
  readonly kind?: 'primary' | 'secondary' | 'icon';
}

export function button(
  { text, label, title, kind = 'secondary' }: ButtonOptions,
  onPress: () => void,
): ButtonControl {
  const made = element('vscode-button', ButtonElement);
  made.appearance = kind;
  made.textContent = text;
  // The library names an icon button without a label 'Icon Button'.
  const name = label ?? (kind === 'icon' ? text : undefined);
  if (name !== undefined) made.setAttribute('aria-label', name);
  if (title !== undefined) made.title = title;
  made.addEventListener('click', onPress);
  return {
    element: made,
    setText(next, nextLabel) {
      made.textContent = next;
      if (nextLabel !== undefined) made.setAttribute('aria-label', nextLabel);
    },
    setEnabled(isEnabled) {
      made.disabled = !isEnabled;
    },
    setPressed(isPressed) {
      made.setAttribute('aria-pressed', String(isPressed));
      // The inner button has the focus, and screen readers read its attributes.
      made.shadowRoot?.querySelector('button')?.setAttribute('aria-pressed', String(isPressed));
    },
  };
}

// Select

export interface SelectOption {
  readonly value: string;
  readonly text: string;
}

export interface SelectControl {
  readonly element: HTMLElement;
  setOptions(options: readonly SelectOption[], value: string): void;
}

export const select = (label: string, onChange: (value: string) => void): SelectControl =>
  selectIn(element('vscode-dropdown', DropdownElement), label, onChange);

/**
 * A select whose options act at once, and whose option '' does nothing. Enter, Space or a click chooses. The library would also choose
 * with an arrow key or a letter on the closed list, and whenever the open list closes.
 */
export function menu(label: string, onChoose: (value: string) => void): SelectControl {
  const made = element('vscode-dropdown', DropdownElement);
  const reset = () => {
    made.value = '';
  };
  // Captured, so that these run before the listeners of the library.
  made.addEventListener('focusout', reset, true);
  made.addEventListener('click', ({ target }) => target === made && reset(), true);
  made.addEventListener(
    'keydown',
    event => {
      if (event.key === 'Escape' || event.key === 'Tab') reset();
      if (made.open || !/^(?:.|ArrowDown|ArrowUp|Home|End)$/u.test(event.key)) return;
      event.stopImmediatePropagation();
      if (isCombined(event)) return;
      event.preventDefault();
      made.open = true;
    },
    true,
  );
  return selectIn(made, label, onChoose);
}

function selectIn(made: DropdownElement, label: string, onChange: (value: string) => void): SelectControl {
  made.setAttribute('aria-label', label);
  made.title = label;
  let current: string | undefined;
  made.addEventListener('change', () => {
    // The library also reports a change for Shift, Ctrl or Escape on a closed list.
    if (made.value === current) return;
    current = made.value;
    onChange(current);
  });
  let currentOptions = '';
  return {
    element: made,
    setOptions(options, value) {
      current = value;
      const nextOptions = JSON.stringify(options);
      if (nextOptions !== currentOptions) {
        currentOptions = nextOptions;
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
      // The dropdown registers its options asynchronously, so the value is set in the next frame.
      requestAnimationFrame(() => {
        if (made.value !== value) made.value = value;
      });
    },
  };
}

// Text

export interface TextControl {
  readonly element: HTMLElement;
  value: string;
}

interface TextOptions {
  readonly label: string;
  readonly placeholder?: string;
}

export function textField(
  { label, placeholder = '' }: TextOptions,
  onChange: (value: string) => void,
): TextControl {
  const made = element('vscode-text-field', TextFieldElement);
  // The library takes the accessible name from the text, which the style sheet hides.
  made.textContent = label;
  made.placeholder = placeholder;
  return withInput(made, onChange);
}

export function textArea(
  { label, placeholder = '' }: TextOptions,
  onChange: (value: string) => void,
): TextControl {
  const made = element('vscode-text-area', TextAreaElement);
  made.textContent = label;
  made.placeholder = placeholder;
  made.rows = 2;
  return withInput(made, onChange);
}

function withInput(made: TextFieldElement | TextAreaElement, onChange: (value: string) => void): TextControl {
  made.addEventListener('input', () => onChange(made.value));
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

// Checkbox

export interface CheckboxControl {
  readonly element: HTMLElement;
  setChecked(isChecked: boolean): void;
}

export function checkbox(text: string, onChange: (isChecked: boolean) => void): CheckboxControl {
  const made = element('vscode-checkbox', CheckboxElement);
  made.textContent = text;
  let isSetting = false;
  made.addEventListener('change', () => {
    if (!isSetting) onChange(made.checked);
  });
  return {
    element: made,
    setChecked(isChecked) {
      isSetting = true;
      made.checked = isChecked;
      isSetting = false;
    },
  };
}

/** A spinner with a text, for work of unknown length. */
export function spinner(text: string): HTMLElement {
  // The library's spinner uses inline styles, which the content security policy forbids.
  const ring = make('span', { class: 'ring' });
  ring.setAttribute('aria-hidden', 'true');
  const element = make('div', { class: 'waiting' }, ring, make('p', { text }));
  element.setAttribute('role', 'status');
  return element;
}
