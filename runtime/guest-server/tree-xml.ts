// The accessibility tree of a desktop as OSWorld's XML. Nodes that can be seen are `showing` and have the box of their largest part that no
// window covers; the others have no box. Pure.

import type { Box, Size } from '../core/screen.ts';
import type { ElementNode, ElementTree } from '../environments/docker/element-tree.ts';
import { visibleNodes } from '../environments/docker/elements.ts';
import { treeNamespaces } from '../tasks/formats/tree-namespaces.ts';

const DECLARATIONS = Object.entries(treeNamespaces('ubuntu') ?? {})
  .map(([prefix, name]) => ` xmlns:${prefix}="${name}"`)
  .join('');

/** Their value is a number. */
const NUMERIC: readonly string[] = ['slider', 'spin button', 'progress bar', 'scroll bar'];

export function treeXml(tree: ElementTree, screen: Size): string {
  const visible = new Map(visibleNodes(tree, screen).map(({ node, uncovered }) => [node, uncovered]));
  const windows = tree.windows.map(({ xid, title }) => {
    const nodes = tree.nodes.filter(({ w }) => w === xid);
    return `<application name="${escaped(title)}">${nodesXml(nodes, visible)}</application>`;
  });
  return `<desktop-frame${DECLARATIONS}>${windows.join('')}</desktop-frame>`;
}

/** Nodes are in depth-first order; a depth may be skipped. */
function nodesXml(nodes: readonly ElementNode[], visible: ReadonlyMap<ElementNode, Box>): string {
  const open: { readonly depth: number; readonly tag: string }[] = [];
  let xml = '';
  const close = (depth: number): void => {
    while ((open.at(-1)?.depth ?? -1) >= depth) xml += `</${open.pop()?.tag}>`;
  };
  for (const node of nodes) {
    close(node.depth);
    const tag = tagOf(node.role);
    xml += `<${tag}${attributesOf(node, visible.get(node))}>`;
    if (!NUMERIC.includes(node.role)) xml += escaped(node.value);
    open.push({ depth: node.depth, tag });
  }
  close(0);
  return xml;
}

function attributesOf({ role, name, value, states }: ElementNode, at: Box | undefined): string {
  const shown = states.filter(state => state !== 'showing' && state !== 'visible');
  const all = at === undefined ? shown : ['visible', 'showing', ...shown];
  return [
    ` name="${escaped(name)}"`,
    ...all.map(state => ` st:${state.replaceAll(/[^a-z]+/gi, '_')}="true"`),
    ...(at === undefined
      ? []
      : [` cp:screencoord="(${at.x}, ${at.y})"`, ` cp:size="(${at.width}, ${at.height})"`]),
    ...(NUMERIC.includes(role) ? [` val:value="${escaped(value)}"`] : []),
  ].join('');
}

/** A role with other letters would not be a tag. */
const tagOf = (role: string): string =>
  role
    .trim()
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^(?![A-Za-z])/, 'role-');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Characters that XML does not allow are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\n\r\t]/g, character => ESCAPES[character] ?? '');
