// Edits dartboard.json as text, so that the formatting of the user stays: adds the entry of an agent, and finds entries. Pure.

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type ConfiguredAgent, configuredAgents } from './configured-agents.ts';

export interface AgentEntry {
  readonly profile: string;
  readonly mode?: string;
  readonly url: string;
  readonly model: string;
  readonly key?: { readonly env: string } | { readonly secret: string };
}

const KEY = 'agents';

/** The text with the entry. Throws if the text is not valid JSON. */
export function withAgent(text: string, name: string, entry: AgentEntry): string {
  const before = text.trim() === '' ? '{}\n' : text;
  const tree = parsed(before);
  const agents = findNodeAtLocation(tree, [KEY]);
  if (tree.type !== 'object' || (agents !== undefined && agents.type !== 'object')) {
    const [what, type] = tree.type === 'object' ? [`'${KEY}'`, agents?.type] : ['Its content', tree.type];
    throw new Error(
      `dartboard.json cannot be edited: ${what} is not an object but: ${type}. Correct the file.`,
    );
  }
  return agents === undefined
    ? withProperty(before, tree, KEY, { [name]: entry })
    : withProperty(before, agents, name, entry);
}

function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors);
  const [error] = errors;
  if (tree !== undefined && error === undefined) return tree;
  const before = text.slice(0, error?.offset ?? 0).split('\n');
  const what = error === undefined ? 'it is empty' : printParseErrorCode(error.error);
  throw new Error(
    `dartboard.json cannot be edited: it is not valid JSON in line ${before.length} (${what}). Correct the file, then try again.`,
  );
}

/** The text with a last property in that object. All other characters stay as they are. */
function withProperty(
  text: string,
  { offset, length, children = [] }: Node,
  name: string,
  value: object,
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const outer = /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? '';
  const lines = `${JSON.stringify(name)}: ${JSON.stringify(value, undefined, unit)}`.split('\n');
  const property = lines.map(line => `${eol}${outer}${unit}${line}`).join('');
  const last = children.at(-1);
  const close = offset + length - 1;
  const from = last === undefined ? offset + 1 : last.offset + last.length;
  // The space before the brace stays if it has a line end.
  const space =
    last !== undefined && text.slice(from, close).includes('\n') ? text.slice(from, close) : `${eol}${outer}`;
  return `${text.slice(0, from)}${last === undefined ? '' : ','}${property}${space}${text.slice(close)}`;
}

export interface PlacedAgent {
  readonly agent: ConfiguredAgent;
  /** The offset of its name in the text. */
  readonly offset: number;
}

/** Also for a file that the user is editing, which is invalid at times. */
export function placedAgents(text: string): readonly PlacedAgent[] {
  const tree = parseTree(text);
  const agents = tree === undefined ? undefined : findNodeAtLocation(tree, [KEY]);
  if (agents?.type !== 'object') return [];
  const value: unknown = getNodeValue(agents);
  return configuredAgents({ [KEY]: value }).flatMap(agent => {
    const name = findNodeAtLocation(agents, [agent.name])?.parent?.children?.[0];
    return name === undefined ? [] : [{ agent, offset: name.offset }];
  });
}
