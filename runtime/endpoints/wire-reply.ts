// The replies of servers in the OpenAI protocol, with the fields that vLLM, SGLang and llama.cpp add. A field that is missing or has another
// type is undefined: servers differ, and no field is trusted.

import * as z from 'zod';

const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);
const ids = lenient(z.array(z.number()));
const version = lenient(z.union([z.string(), z.number()]));

const alternative = z.object({
  token: lenient(z.string()),
  logprob: lenient(z.number()),
  bytes: lenient(z.array(z.number())),
});

const entry = alternative.extend({ top_logprobs: lenient(z.array(alternative)) });

/** SGLang. */
const metaInfo = z.object({
  weight_version: version,
  /** Triples of log-probability, id and text. */
  output_token_logprobs: lenient(z.array(z.array(z.unknown()))),
});

const choice = z.object({
  message: z.object({
    content: lenient(z.string()),
    /** The thought, if the server separates it from the content. */
    reasoning_content: lenient(z.string()),
    reasoning: lenient(z.string()),
  }),
  finish_reason: lenient(z.string()),
  logprobs: lenient(z.object({ content: lenient(z.array(entry)) })),
  token_ids: ids,
  prompt_token_ids: ids,
  meta_info: lenient(metaInfo),
  /** vLLM: spans of tokens by the version that generated them. */
  weight_versions: lenient(z.array(z.object({ version }))),
});

export const wireReply = z.object({
  model: lenient(z.string()),
  choices: z.tuple([choice], z.unknown()),
  usage: lenient(
    z.object({ prompt_tokens: lenient(z.int().min(0)), completion_tokens: lenient(z.int().min(0)) }),
  ),
  prompt_token_ids: ids,
  /** SGLang. */
  metadata: lenient(z.object({ weight_version: version })),
});

export type WireReply = Readonly<z.infer<typeof wireReply>>;
export type WireChoice = Readonly<z.infer<typeof choice>>;
export type WireEntry = Readonly<z.infer<typeof entry>>;
export type WireAlternative = Readonly<z.infer<typeof alternative>>;

/** The error that a server reports in a body, whatever the status. */
export const wireError = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: z.string() })) })
    .transform(({ detail }) => detail[0]?.msg ?? ''),
]);

/** Parses JSON as Python prints it: NaN and Infinity become null. Throws a SyntaxError for other text. */
export function parseWireJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.replaceAll(STRING_OR_NUMBER, literal));
  }
}

/** A string may lack its end: a search that fails there would start again at each of its quotes, and take quadratic time. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|NaN|-?Infinity/g;

const literal = (found: string): string => (found.startsWith('"') ? found : 'null');
