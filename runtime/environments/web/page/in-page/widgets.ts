// Widgets that Chromium draws outside of a page, where neither pictures nor elements show them, are drawn in the page instead. The caret does
// not blink: two pictures of an unchanged page would differ.

/// <reference lib="dom" />

const STYLE = `
  /* Shadow trees inherit it. */
  html { caret-animation: manual; }
  select:not([multiple], [size]), select:not([multiple], [size])::picker(select) { appearance: base-select; }
  /* The box keeps the size that pages expect. */
  :where(select:not([multiple], [size])) { min-block-size: 0; padding-block: 1px; }
  ::-webkit-calendar-picker-indicator { display: none; }`;

/**
 * A sheet applies only to the document that made it, and to the shadow roots in it. A tab that a page opens can get another document while
 * this script continues.
 */
const sheets = new WeakMap<Document, CSSStyleSheet>();

function makeSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  sheets.set(document, sheet);
  return sheet;
}

/** Again for each list of elements: a page that assigns its own sheets removes this one. */
export function drawWidgetsIn(root: Document | ShadowRoot): void {
  const sheet = sheets.get(document) ?? makeSheet();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
