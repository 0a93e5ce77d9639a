// Tests whether an element matches a parsed CSS selector.

import { children, type Element } from '../xml.ts';

/** A compound selector, and what has to be before or around its element. */
export interface Complex {
  readonly compound: Compound;
  readonly before?: { readonly combinator: string; readonly complex: Complex };
}

export interface Compound {
  readonly name?: string;
  /** Null for names without a namespace; left out for all namespaces. */
  readonly namespace?: string | null;
  readonly tests: readonly Test[];
}

export interface AttributeTest {
  readonly kind: 'attribute';
  readonly namespace: string | null;
  readonly name: string;
  readonly operator?: string;
  readonly value?: string;
}

export type Test =
  | AttributeTest
  | { readonly kind: 'pseudo'; readonly name: string }
  | { readonly kind: 'nth'; readonly name: string; readonly step: number; readonly offset: number }
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'not' | 'is'; readonly selector: readonly Complex[] };

export function matches(element: Element, { compound, before }: Complex): boolean {
  if (!matchesCompound(element, compound)) return false;
  if (before === undefined) return true;
  return candidates(element, before.combinator).some(each => matches(each, before.complex));
}

function candidates(element: Element, combinator: string): readonly Element[] {
  const found: Element[] = [];
  if (combinator === '>' || combinator === ' ') {
    for (let parent = parentOf(element); parent !== undefined; parent = parentOf(parent)) {
      found.push(parent);
      if (combinator === '>') break;
    }
    return found;
  }
  const siblings = siblingsOf(element);
  const index = siblings.indexOf(element);
  return siblings.slice(combinator === '+' ? Math.max(0, index - 1) : 0, index);
}

const isElement = (node: Element['parentNode']): node is Element => node?.nodeType === 1;

const parentOf = (element: Element): Element | undefined => {
  const parent = element.parentNode;
  return isElement(parent) ? parent : undefined;
};

const siblingsOf = (element: Element): readonly Element[] => {
  const parent = parentOf(element);
  return parent === undefined ? [element] : children(parent);
};

function matchesCompound(element: Element, { name, namespace, tests }: Compound): boolean {
  if (name !== undefined && element.localName !== name) return false;
  if (namespace !== undefined && (element.namespaceURI || null) !== namespace) return false;
  return tests.every(test => matchesTest(element, test));
}

function matchesTest(element: Element, test: Test): boolean {
  switch (test.kind) {
    case 'attribute':
      return matchesAttribute(element, test);
    case 'contains':
      return (element.textContent ?? '').includes(test.text);
    case 'is':
      return test.selector.some(complex => matches(element, complex));
    case 'not':
      return !test.selector.some(complex => matches(element, complex));
    case 'nth':
      return matchesNth(element, test);
    case 'pseudo':
      return matchesPseudo(element, test.name);
  }
}

function matchesAttribute(
  element: Element,
  { namespace, name, operator, value = '' }: AttributeTest,
): boolean {
  const found = element.hasAttributeNS(namespace, name) ? element.getAttributeNS(namespace, name) : null;
  if (operator === '!=') return found !== value;
  if (found === null) return false;
  switch (operator) {
    case undefined:
      return true;
    case '=':
      return found === value;
    case '~=':
      return value !== '' && !/\s/.test(value) && found.split(/[ \t\r\n]+/).includes(value);
    case '|=':
      return found === value || found.startsWith(`${value}-`);
    // An empty value starts, ends and is contained in nothing.
    case '^=':
      return value !== '' && found.startsWith(value);
    case '$=':
      return value !== '' && found.endsWith(value);
    default:
      return value !== '' && found.includes(value);
  }
}

/** The siblings that count for a name such as `nth-last-of-type`, from the first or from the last. */
function counted(element: Element, name: string): readonly Element[] {
  const all = siblingsOf(element);
  const same = name.endsWith('of-type')
    ? all.filter(each => each.localName === element.localName && each.namespaceURI === element.namespaceURI)
    : all;
  return name.includes('last') ? [...same].reverse() : same;
}

function matchesNth(
  element: Element,
  { name, step, offset }: { readonly name: string; readonly step: number; readonly offset: number },
): boolean {
  const distance = counted(element, name).indexOf(element) + 1 - offset;
  return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
}

function matchesPseudo(element: Element, name: string): boolean {
  if (name === 'root') return parentOf(element) === undefined;
  if (name === 'empty') return children(element).length === 0 && (element.textContent ?? '') === '';
  const siblings = counted(element, name);
  return siblings[0] === element && (!name.startsWith('only') || siblings.length === 1);
}
