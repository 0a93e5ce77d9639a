// Reads one part of a result without opening it as a presentation.

import { OfficePackage } from '../../formats/office-package.ts';
import { type Element, rootOf, XmlError } from '../../formats/xml.ts';
import { ArchiveError } from '../../formats/zip.ts';
import { isFile } from '../metric.ts';

/** The root of a part; undefined if the result has no such part or cannot be read. */
export function rootOfPart(result: unknown, path: string): Element | undefined {
  if (!isFile(result)) return undefined;
  try {
    const document = new OfficePackage(result.bytes).xml(path);
    return document && rootOf(document);
  } catch (error) {
    if (error instanceof XmlError || error instanceof ArchiveError) return undefined;
    throw error;
  }
}
