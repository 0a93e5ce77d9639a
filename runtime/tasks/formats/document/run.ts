// Runs of docx files. Formatting is that of the run itself: undefined means inherited.

import type { Element } from '../xml.ts';
import { halfPointsOf, invalid, switchOf } from './value.ts';
import { leadingText, wordAttribute, wordChild, wordChildren, wordDescendants } from './word-xml.ts';

/** Tabs and breaks of lines count as characters; breaks of pages and columns do not. */
export const runText = (run: Element): string =>
  wordChildren(run, 'br', 'cr', 'noBreakHyphen', 'ptab', 't', 'tab').map(pieceText).join('');

function pieceText(piece: Element): string {
  switch (piece.localName) {
    case 't':
      return leadingText(piece);
    case 'br':
      return (wordAttribute(piece, 'type') ?? 'textWrapping') === 'textWrapping' ? '\n' : '';
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '-';
    default:
      return '\t';
  }
}

const property = (run: Element, name: string): Element | undefined => wordChild(run, 'rPr', name);

export const fontName = (run: Element): string | undefined => wordAttribute(property(run, 'rFonts'), 'ascii');

/** In EMU. */
export const fontSize = (run: Element): number | undefined => halfPointsOf(property(run, 'sz'));

export const isItalic = (run: Element): boolean | undefined => switchOf(property(run, 'i'));

export const isStruck = (run: Element): boolean | undefined => switchOf(property(run, 'strike'));

export const isSubscript = (run: Element): boolean => {
  const element = property(run, 'vertAlign');
  if (element === undefined) return false;
  const value = wordAttribute(element, 'val');
  if (value === undefined) throw invalid(element, 'val');
  return value === 'subscript';
};

/** Red, green and blue from 0 to 255; undefined for inherited and automatic colours. */
export function fontColor(run: Element): readonly [number, number, number] | undefined {
  const element = property(run, 'color');
  if (element === undefined) return undefined;
  const value = wordAttribute(element, 'val');
  if (value === 'auto') return undefined;
  const [, red, green, blue] = /^([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value ?? '') ?? [];
  if (red === undefined || green === undefined || blue === undefined) throw invalid(element, 'val');
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The number of breaks that start a new page, also those in text boxes of the run. */
export const pageBreaks = (run: Element): number =>
  wordDescendants(run, 'br').filter(each => wordAttribute(each, 'type') === 'page').length;

/** An embedded object, as Word writes old equations. */
export const hasObject = (run: Element): boolean => wordDescendants(run, 'object').length > 0;

/** The name of the element that every drawing has. OSWorld looks for it in the text of the XML. */
export const hasDrawing = (run: Element): boolean => run.toString().includes('graphicData');
