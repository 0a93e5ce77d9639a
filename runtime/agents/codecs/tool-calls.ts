// Finds the tool calls in a reply: JSON or the XML form of Qwen3.5 within <tool_call> tags, or JSON without tags.

import { ActionFormatError } from './codec.ts';
import { isLooseObject, type LooseObject, type LooseValue, looseValue, objectsIn } from './loose-object.ts';
import { joinThoughts, splitThinking } from './thinking.ts';

export interface ToolCall {
  /** Undefined if the reply has only the arguments. */
  readonly name: string | undefined;
  readonly arguments: LooseObject;
}

export interface ToolReply {
  /** See `thoughtBeforeCalls`. */
  readonly thought: string;
  /** Never empty. */
  readonly calls: readonly ToolCall[];
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const FUNCTION = /<function=([^>\s]+)\s*>/g;

const MARK = /<(?=\/?think|\/?tool_call|function=)/g;

/** An object as JSON without the marks of calls and thoughts, which a text in it may contain. */
export const jsonWithoutMarks = (object: object): string =>
  JSON.stringify(object).replaceAll(MARK, '\\u003c');

/** Throws an ActionFormatError for a reply without a call. */
export function toolCallsIn(wire: string, format: string): ToolReply {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(format, wire, reason);
  };
  const { reply } = splitThinking(wire);
  const [, ...blocks] = reply.split(OPEN);
  const calls =
    blocks.length > 0
      ? blocks.flatMap(block => callsOf(blockBefore(block, CLOSE), refuse))
      : callsOf(reply, refuse);
  if (calls.length > 0) return { thought: thoughtBeforeCalls(wire), calls };
  return refuse(
    blocks.length > 0
      ? 'a <tool_call> contains no JSON object: write {"name": …, "arguments": {…}} in it'
      : 'no action found: write one tool call',
  );
}

/** The thinking, and the text before the first call without its labels. */
export function thoughtBeforeCalls(wire: string): string {
  const { thinking, reply } = splitThinking(wire);
  const marks = reply.includes(OPEN) ? [OPEN] : ['{', '<function='];
  const starts = marks.map(mark => reply.indexOf(mark)).filter(at => at >= 0);
  return joinThoughts(thinking, unlabelled(reply.slice(0, Math.min(reply.length, ...starts))));
}

const blockBefore = (text: string, end: string): string => {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
};

function callsOf(block: string, refuse: (reason: string) => never): readonly ToolCall[] {
  // A text in JSON may contain the mark of the XML form.
  const functions = block.trimStart().startsWith('{') ? [] : [...block.matchAll(FUNCTION)];
  if (functions.length > 0) {
    return functions.map((match, index) => ({
      name: match[1],
      arguments: parametersIn(block.slice(match.index, functions[index + 1]?.index)),
    }));
  }
  return objectsIn(block).flatMap(({ object }) => callOf(object, refuse) ?? []);
}

/** Undefined for an object that is not a call. */
function callOf(object: LooseObject, refuse: (reason: string) => never): ToolCall | undefined {
  if (object.has('action')) return { name: undefined, arguments: object };
  const name = object.get('name');
  if (typeof name !== 'string') return undefined;
  const given: LooseValue = object.get('arguments') ?? object.get('parameters') ?? new Map();
  const value = typeof given === 'string' ? looseValue(given) : given;
  return isLooseObject(value)
    ? { name, arguments: value }
    : refuse(`the arguments of ${name} are not an object: write "arguments": {…}`);
}

const PARAMETER = /<parameter=([^>\s]+)\s*>\n?([\s\S]*?)\n?<\/parameter>/g;

/** Every value is a text; the reader of a field converts it. */
const parametersIn = (text: string): LooseObject =>
  new Map([...text.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name, value]));

const unlabelled = (text: string): string =>
  text
    .replace(/^[ \t]*```\w*[ \t]*$/gm, '')
    .replace(/^[ \t]*(?:Action|Thought)[ \t]*[:：][ \t]*/gm, '')
    .trim();
