// The parts of an Office Open XML file (docx, xlsx, pptx) and the relationships between them.

import { posix } from 'node:path';
import { attribute, children, type Document, parseXml, rootOf } from './xml.ts';
import { readZip } from './zip.ts';

export interface Relationship {
  readonly id: string;
  /** The last part of the type's address, such as `image` or `slideLayout`. */
  readonly type: string;
  /** The path of a part, or the address of something outside of the package. */
  readonly target: string;
  readonly isExternal: boolean;
}

export class OfficePackage {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #documents = new Map<string, Document>();

  constructor(bytes: Uint8Array) {
    this.#files = readZip(bytes);
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  bytes(path: string): Uint8Array | undefined {
    return this.#files.get(path);
  }

  /** The XML of a part; undefined if the package has no such part. */
  xml(path: string): Document | undefined {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const bytes = this.#files.get(path);
    if (bytes === undefined) return undefined;
    const document = parseXml(bytes);
    this.#documents.set(path, document);
    return document;
  }

  /** The relationships of a part; those of the package for the empty path. */
  relationships(path: string): readonly Relationship[] {
    const { dir, base } = posix.parse(path);
    const document = this.xml(posix.join(dir, '_rels', `${base}.rels`));
    if (document === undefined) return [];
    return children(rootOf(document), 'Relationship').map(element => {
      const isExternal = attribute(element, 'TargetMode') === 'External';
      const target = attribute(element, 'Target') ?? '';
      const inside = target.startsWith('/') ? target.slice(1) : posix.join(dir, target);
      return {
        id: attribute(element, 'Id') ?? '',
        type: (attribute(element, 'Type') ?? '').replace(/^.*\//, ''),
        target: isExternal ? target : inside,
        isExternal,
      };
    });
  }

  /** The path of the main part: the document, the workbook or the presentation. */
  get main(): string | undefined {
    return this.relationships('').find(({ type }) => type === 'officeDocument')?.target;
  }
}
