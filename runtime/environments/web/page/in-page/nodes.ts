// Kinds of nodes, and the properties that a form can hide. Nodes of a frame have the classes of that frame, so `instanceof` does not recognise them.

/// <reference lib="dom" />

/** A form has its fields as properties, by their names. `<input name="nodeType">` hides a property that only the prototype still has. */
function reader<Of extends object, Name extends keyof Of>(prototype: Of, name: Name): (of: Of) => Of[Name] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return of => get?.call(of);
}

/** The same for a method. */
const caller =
  <Arguments extends unknown[], Result>(method: (...args: Arguments) => Result) =>
  (element: Element, ...args: Arguments): Result =>
    method.apply(element, args);

const typeOf = reader(Node.prototype, 'nodeType');
export const childNodesOf = reader(Node.prototype, 'childNodes');
export const parentElementOf = reader(Node.prototype, 'parentElement');
export const documentOf = reader(Node.prototype, 'ownerDocument');
export const shadowRootOf = reader(Element.prototype, 'shadowRoot');
export const assignedSlotOf = reader(Element.prototype, 'assignedSlot');
export const localNameOf = reader(Element.prototype, 'localName');
export const computedNameOf = reader(Element.prototype, 'computedName');
export const getRootNode = caller(Node.prototype.getRootNode);
export const hasAttribute = caller(Element.prototype.hasAttribute);
export const getAttribute = caller(Element.prototype.getAttribute);
export const matches = caller(Element.prototype.matches);
export const checkVisibility = caller(Element.prototype.checkVisibility);
export const getClientRects = caller(Element.prototype.getClientRects);
export const getBoundingClientRect = caller(Element.prototype.getBoundingClientRect);
export const closest = caller<[selectors: string], Element | null>(Element.prototype.closest);
export const querySelector = caller<[selectors: string], Element | null>(Element.prototype.querySelector);

export const isElement = (node: Node): node is Element => typeOf(node) === 1;
export const isText = (node: Node): node is Text => typeOf(node) === 3;
export const isShadowRoot = (node: Node): node is ShadowRoot => typeOf(node) === 11 && 'host' in node;

export const isFrame = (node: Element): node is HTMLIFrameElement => node.localName === 'iframe';
export const isSelect = (node: Element): node is HTMLSelectElement => node.localName === 'select';
export const isOption = (node: Element): node is HTMLOptionElement => node.localName === 'option';
export const isInput = (node: Element): node is HTMLInputElement => node.localName === 'input';
export const isLabel = (node: Element): node is HTMLLabelElement => node.localName === 'label';
export const isImage = (node: Element): node is HTMLImageElement => node.localName === 'img';
export const isTextArea = (node: Element): node is HTMLTextAreaElement => node.localName === 'textarea';
export const isSlot = (node: Element): node is HTMLSlotElement => node.localName === 'slot';
export const isProgress = (node: Element): node is HTMLProgressElement | HTMLMeterElement =>
  node.localName === 'progress' || node.localName === 'meter';
export const isEditable = (node: Element): boolean =>
  'isContentEditable' in node && node.isContentEditable === true;
