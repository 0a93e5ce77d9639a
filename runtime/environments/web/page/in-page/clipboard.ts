// The clipboard of the window, in a page. Chromium has one clipboard for all windows of a browser: one desktop would paste the text of
// another, or of its own last episode. So a page never reads that clipboard. The text is noted when it is copied, and inserted on a paste.

/// <reference lib="dom" />
import { COPIED_BINDING, COPIED_EVENT } from './channel.ts';

/** The texts by MIME type. */
type Content = Readonly<Record<string, string>>;

/** A longer text is cut off. */
const MAX_TEXT = 1_000_000;

/** The number of the middle button. */
const MIDDLE = 1;

let content: Content = {};
/** A middle click pastes what somebody selected in any window of the browser. */
let isMiddleClick = false;

/** `json` is the clipboard of the window. Called before the keys of a copy or a paste, since other pages of the window copy too. */
export function setClipboard(json: string): void {
  content = JSON.parse(json);
  listen();
}

/** The first listeners of a page. `document.open()` removes them; those that exist are not added again. */
export function listen(): void {
  for (const type of ['copy', 'cut'] as const) window.addEventListener(type, copy, true);
  window.addEventListener('paste', paste, true);
  for (const type of ['mouseup', 'keydown'] as const) window.addEventListener(type, noteInput, true);
  window.addEventListener(COPIED_EVENT, copiedByScript);
}

function noteInput(event: MouseEvent | KeyboardEvent): void {
  if (event.isTrusted) isMiddleClick = event instanceof MouseEvent && event.button === MIDDLE;
}

function copy(event: ClipboardEvent): void {
  if (!event.isTrusted) return;
  const data = new DataTransfer();
  if (replaced(event, data)) keep({ 'text/plain': selectedText() });
  else {
    event.preventDefault();
    keep(Object.fromEntries(data.types.map(type => [type, data.getData(type)])));
  }
}

function paste(event: ClipboardEvent): void {
  if (!event.isTrusted) return;
  event.preventDefault();
  if (isMiddleClick) {
    event.stopImmediatePropagation();
    return;
  }
  const data = new DataTransfer();
  for (const [type, text] of Object.entries(content)) data.setData(type, text);
  const text = content['text/plain'];
  if (replaced(event, data) && text !== undefined) document.execCommand('insertText', false, text);
}

/** The page itself wrote this text with `navigator.clipboard`. */
function copiedByScript(event: Event): void {
  if (event instanceof CustomEvent && typeof event.detail === 'string') keep({ 'text/plain': event.detail });
}

/** The page receives the event with other data. Returns whether it leaves the effect to the browser. */
function replaced(event: ClipboardEvent, clipboardData: DataTransfer): boolean {
  event.stopImmediatePropagation();
  const [target = document] = event.composedPath();
  const options = { clipboardData, bubbles: true, cancelable: true, composed: true };
  return target.dispatchEvent(new ClipboardEvent(event.type, options));
}

/** Nothing that is copied changes nothing. */
function keep(copied: Content): void {
  const texts = Object.entries(copied).filter(([, text]) => text !== '');
  if (texts.length === 0) return;
  content = Object.fromEntries(texts.map(([type, text]) => [type, text.slice(0, MAX_TEXT)]));
  const binding: unknown = Reflect.get(globalThis, COPIED_BINDING);
  if (typeof binding === 'function') binding(JSON.stringify(content));
}

function selectedText(): string {
  const selection = getSelection();
  const field = activeElement();
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (isField && field.type === 'password') return '';
  // The selection within a field is no range of the document.
  if (isField && field.selectionStart !== null && selection?.isCollapsed !== false)
    return field.value.slice(field.selectionStart, field.selectionEnd ?? undefined);
  return selection?.toString() ?? '';
}

function activeElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement != null) active = active.shadowRoot.activeElement;
  return active;
}
