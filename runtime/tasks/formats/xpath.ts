// Selects nodes of an XML document by XPath 1.0. Only this file imports the XPath library.

import { messageOf } from '../../core/errors.ts';
import { onFirstUse } from './on-first-use.ts';
import type { Element } from './xml.ts';

const library = onFirstUse<typeof import('xpath')>('xpath');

export class XPathError extends Error {
  override readonly name = 'XPathError';
}

/** The selected elements, with undefined for each other node, and for each character of an expression that gives a text. */
export function selectPath(
  root: Element,
  path: string,
  namespaces: Readonly<Record<string, string>>,
): readonly (Element | undefined)[] {
  const found = evaluate(root, path, namespaces);
  if (typeof found === 'string') return [...found].map(() => undefined);
  if (!Array.isArray(found))
    throw new XPathError(
      `The XPath ${JSON.stringify(path)} gives ${String(found)}. Write a path of elements.`,
    );
  return found.map((node: unknown) => (isElement(node) ? node : undefined));
}

function evaluate(root: Element, path: string, namespaces: Readonly<Record<string, string>>): unknown {
  try {
    // Both libraries implement the same interface of nodes, but each declares its types.
    const select: (path: string, node: never) => unknown = library().useNamespaces(namespaces);
    return select(path, root as never);
  } catch (error) {
    throw new XPathError(`The XPath ${JSON.stringify(path)} is wrong: ${messageOf(error)}. Correct it.`, {
      cause: error,
    });
  }
}

const isElement = (node: unknown): node is Element =>
  typeof node === 'object' && node !== null && 'nodeType' in node && node.nodeType === 1;
