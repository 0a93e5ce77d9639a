// How an element is described: its role and name in the accessibility tree, its value and its states.

/// <reference lib="dom" />
import {
  checkVisibility,
  closest,
  computedNameOf,
  documentOf,
  getAttribute,
  getRootNode,
  hasAttribute,
  isEditable,
  isImage,
  isInput,
  isOption,
  isProgress,
  isSelect,
  isTextArea,
  localNameOf,
  matches,
  querySelector,
} from './nodes.ts';

declare global {
  interface Element {
    /** Of the accessibility tree, with the feature `ComputedAccessibilityInfo`. */
    readonly computedRole?: string;
    readonly computedName?: string;
  }
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** An element with such a role is one thing: the text in it is its name. */
export const NAMED = words(
  'button link checkbox radio switch option menuitem menuitemcheckbox menuitemradio tab treeitem textarea textbox searchbox combobox ' +
    'slider spinbutton progressbar meter scrollbar img image tooltip listbox DisclosureTriangle ColorWell',
);
/** The same, unless other listed elements are in it. */
export const NAMED_IF_PLAIN = words('heading cell gridcell columnheader rowheader');
/** Listed before what is in it. */
export const AROUND = words('dialog alertdialog');
export const SHAPES = words('rect circle ellipse polygon polyline path line image');

/** These tags have a role without an attribute. All others are generic without `role`. */
export const TAGS_WITH_ROLE = words(
  'A AREA BUTTON INPUT SELECT TEXTAREA OPTION SUMMARY IMG CANVAS VIDEO PROGRESS METER H1 H2 H3 H4 H5 H6 TD TH DIALOG OBJECT EMBED',
);

/** Chromium has no roles for these. */
const DATE_TYPES = ['date', 'time', 'month', 'week', 'datetime-local'];

export function roleOf(element: Element): string {
  if (isTextArea(element)) return 'textarea';
  if (isInput(element) && DATE_TYPES.includes(element.type)) return 'textbox';
  if (isInput(element) && element.type === 'color') return 'button';
  return hasRole(element) ? (element.computedRole ?? '') : '';
}

const hasRole = (element: Element): boolean =>
  TAGS_WITH_ROLE.has(element.tagName) || hasAttribute(element, 'role') || isEditable(element);

export function nameOf(element: Element, role: string): string {
  if (role === 'shape')
    return (
      getAttribute(element, 'aria-label') ??
      querySelector(element, 'title')?.textContent ??
      localNameOf(element)
    );
  const name = computedNameOf(element) || getAttribute(element, 'aria-label');
  // The text in a field is its value.
  if (name || isSelect(element) || isTextArea(element) || isEditable(element)) return name ?? '';
  return writtenText(element) || pictureName(element);
}

/** Hidden texts are left out. A font size of 0 hides a text too. */
function writtenText(element: Element): string {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let written = '';
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (text.parentElement !== null && isWritten(text.parentElement)) written += text.nodeValue ?? '';
  return written.trim();
}

const isWritten = (element: Element): boolean =>
  checkVisibility(element, { opacityProperty: true, visibilityProperty: true }) &&
  getComputedStyle(element).fontSize !== '0px';

/** The name of the file of a picture without a description: often the only words for an icon. */
function pictureName(element: Element): string {
  const address = isImage(element) ? element.currentSrc : pictureOf(getComputedStyle(element));
  const [, file = ''] = /^(?!data:|blob:).*?([^/?#]*)([?#].*)?$/.exec(address) ?? [];
  return file.replace(/\.\w+$/, '').replaceAll(/[-_]+/g, ' ');
}

/** The address of the picture that a style draws in place of the content, or behind it; '' without one. */
export const pictureOf = ({ content, backgroundImage }: CSSStyleDeclaration): string =>
  /^url\("(.*)"\)/.exec(content)?.[1] ?? /^url\("(.*)"\)/.exec(backgroundImage)?.[1] ?? '';

export function shownValue(element: Element): string {
  if (isSelect(element)) return Array.from(element.selectedOptions, ({ label }) => label).join(', ');
  if (isTextArea(element)) return element.value;
  if (isInput(element))
    switch (element.type) {
      case 'checkbox':
      case 'radio':
      case 'button':
      case 'submit':
      case 'reset':
      case 'image':
        return '';
      case 'password':
        return '•'.repeat(element.value.length);
      case 'file':
        return Array.from(element.files ?? [], ({ name }) => name).join(', ');
      default:
        return element.value;
    }
  if (isProgress(element)) return String(element.value);
  if (isEditable(element)) return element.textContent ?? '';
  return getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow') ?? '';
}

/** One letter per state. */
export function statesOf(element: Element): string {
  const is = (attribute: string): boolean => getAttribute(element, `aria-${attribute}`) === 'true';
  const isChecked = (isInput(element) && element.checked) || is('checked');
  const isOpen = is('expanded') || closest(element, '[open] > summary') !== null;
  const isSelected = is('selected') || (isOption(element) && element.selected);
  const isWritable = isTextInput(element) || isEditable(element);
  const root = getRootNode(element) as Document | ShadowRoot;
  const isFocused = root.activeElement === element && element !== documentOf(element)?.body;
  return [
    isChecked && 'c',
    (matches(element, ':disabled') || is('disabled')) && 'd',
    isWritable && 'e',
    isOpen && 'x',
    isFocused && 'f',
    is('pressed') && 'p',
    isSelected && 's',
  ]
    .filter(letter => letter !== false)
    .join('');
}

const NO_TEXT = [
  'checkbox',
  'radio',
  'button',
  'submit',
  'reset',
  'image',
  'range',
  'color',
  'file',
  'hidden',
];

const isTextInput = (element: Element): boolean =>
  (isTextArea(element) || (isInput(element) && !NO_TEXT.includes(element.type))) && !element.readOnly;
