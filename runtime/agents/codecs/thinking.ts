// Separates the thinking of a reasoning model from its reply. Actions within the thinking are considered, not chosen.

export interface ThoughtfulReply {
  /** '' without thinking. */
  readonly thinking: string;
  /** '' if the thinking does not end. */
  readonly reply: string;
}

const OPEN = /^\s*<think(?:ing)?>/;
const CLOSE = /<\/think(?:ing)?>/;

/** Some servers put the opening tag into the prompt, so the closing tag decides. */
export function splitThinking(wire: string): ThoughtfulReply {
  const close = CLOSE.exec(wire);
  const open = OPEN.exec(wire)?.[0] ?? '';
  if (close !== null) {
    return {
      thinking: wire.slice(open.length, close.index).trim(),
      reply: wire.slice(close.index + close[0].length),
    };
  }
  return open === ''
    ? { thinking: '', reply: wire }
    : { thinking: wire.slice(open.length).trim(), reply: '' };
}

/** Only a call at the end of a reply that is cut is complete: text after it may be thinking that goes on. */
const CALL_END = /(?:[)}\]]|<\/tool_call>|```)\s*$/;

/** The reply was cut, perhaps within its thinking: a call in it may be considered only. */
export const isCutThinking = (wire: string): boolean => !CLOSE.test(wire) && !CALL_END.test(wire);

/** The thinking, then the thought in the reply, without empty parts. */
export const joinThoughts = (...parts: readonly string[]): string =>
  parts.filter(part => part !== '').join('\n');
