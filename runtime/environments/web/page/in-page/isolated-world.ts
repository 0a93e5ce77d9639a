// Runs in a world of its own in each page: the page can neither see nor change it. Page scripts share only the document with it.

import { listen, setClipboard } from './clipboard.ts';
import { isDragBegun, isDragBegunHere } from './drag-start.ts';
import { frameNumber, listElements } from './elements.ts';
import { settled, settledApart, takeChanged } from './settle.ts';
import { drawWidgetsIn } from './widgets.ts';
import type { InWindow } from './windows.ts';

export interface InPage extends InWindow {
  settled(): Promise<boolean>;
  settledApart(): Promise<boolean>;
  isDragBegun(): boolean;
  setClipboard(json: string): void;
  /** As JSON: the browser takes longer to copy the values of a list than a text. */
  listElements(): string;
  /** The number of this window among the frames of its parent. */
  frameNumber(): number;
}

const inPage: InPage = {
  settled,
  settledApart,
  takeChanged,
  isDragBegun,
  isDragBegunHere,
  drawWidgetsIn,
  setClipboard,
  listElements: () => JSON.stringify(listElements()),
  frameNumber: () => frameNumber(window.parent, window) ?? -1,
};

Object.assign(globalThis, { dartboard: inPage });
drawWidgetsIn(document);
listen();
