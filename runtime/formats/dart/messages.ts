// The file of DART: a list of chat messages. A message of the user has the prompt or the next picture, one of the assistant is a turn.
// Pure.

import * as z from 'zod';

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]),
  }),
  z.object({ type: z.literal('image'), image: z.string() }),
]);

const message = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([z.string().transform(text => [{ type: 'text' as const, text }]), z.array(part)]),
});

export const dartMessages = z.array(message).min(1);

export type DartMessage = z.output<typeof message>;

/** The form that a writer produces. A reader accepts more forms. */
export type WrittenMessage = {
  readonly role: DartMessage['role'];
  readonly content:
    | string
    | readonly (
        | { readonly type: 'text'; readonly text: string }
        | { readonly type: 'image_url'; readonly image_url: string }
      )[];
};

/** Whether a JSON value may be a list of messages: another file is not a damaged one. */
export const mayBeMessages = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.some(each => typeof each === 'object' && each !== null && 'role' in each && 'content' in each);

const HEADING = '## User Instruction\n';

/** The instruction at the end of the prompt; the whole text without its heading. */
export function instructionIn(prompt: string): string {
  const at = prompt.indexOf(HEADING);
  return at < 0 ? prompt : prompt.slice(at + HEADING.length).replace(/\n$/, '');
}

export const textIn = ({ content }: DartMessage): string =>
  content.map(each => (each.type === 'text' ? each.text : '')).join('');

/** The pictures of a message, as names or data URLs. */
export const picturesIn = ({ content }: DartMessage): readonly string[] =>
  content.flatMap(each =>
    each.type === 'text' ? [] : [each.type === 'image_url' ? each.image_url : each.image],
  );
