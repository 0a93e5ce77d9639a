// The error of the readers in this folder.

import type { Document } from '../xml.ts';

/** A text document, or a value in it, cannot be read. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  /** The XML with the value; undefined if the file as a whole cannot be read. */
  readonly xml: Document | undefined;

  constructor(message: string, { xml, cause }: { xml?: Document | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.xml = xml ?? undefined;
  }
}
