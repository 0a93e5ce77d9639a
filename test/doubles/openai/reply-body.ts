// The body of a chat reply, as the program of the traits writes it.

import type { ChatBody, InputMessage } from './chat-input.ts';
import { idOf, type ModelToken, pieces } from './tokens.ts';
import type { ServerTraits } from './traits.ts';

export interface ReplyParts {
  readonly traits: ServerTraits;
  readonly request: ChatBody;
  readonly messages: readonly InputMessage[];
  readonly content: string;
  readonly tokens: readonly ModelToken[];
  readonly finish: 'stop' | 'length';
}

export function chatReply({ traits, request, messages, content, tokens, finish }: ReplyParts): unknown {
  const { answersAs, names, stopString, weightVersions = [], versionReport } = traits;
  const isReported = request['logprobs'] === true && traits.logProbabilities !== 'none';
  const ids = tokens.map(({ id }) => id);
  const prompt = messages.flatMap(({ text }) => pieces(text).map(idOf));
  const returnsIds = traits.tokenIds === 'returned' && request['return_token_ids'] === true;
  const isAdapter = traits.adapters?.includes(request.model) ?? false;
  const end = stopString === undefined ? -1 : content.indexOf(stopString);
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 0 },
    model: answersAs ?? (isAdapter || traits.anyModel ? request.model : names[0]),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: end < 0 ? content : content.slice(0, end) },
        logprobs: isReported ? { content: entriesOf(traits, tokens, request) } : null,
        finish_reason: finish,
        stop_reason: null,
        ...(returnsIds && { token_ids: ids }),
        ...(versionReport === 'spans' && {
          weight_versions: weightVersions.map((version, start) => ({ version, start, end: start + 1 })),
        }),
        ...(traits.tokenIds === 'meta-info' &&
          request['return_meta_info'] === true && {
            meta_info: {
              weight_version: weightVersions.at(-1),
              output_token_logprobs: tokens.map(({ logprob, id, text }) => [logprob, id, text]),
            },
          }),
      },
    ],
    ...(returnsIds && traits.promptIds && { prompt_token_ids: prompt }),
    ...(versionReport === 'meta-info' && { metadata: { weight_version: weightVersions.at(-1) } }),
    ...(traits.withoutUsage !== true && {
      usage: {
        prompt_tokens: prompt.length,
        completion_tokens: tokens.length,
        total_tokens: prompt.length + tokens.length,
      },
    }),
  };
}

function entriesOf(
  traits: ServerTraits,
  tokens: readonly ModelToken[],
  request: ChatBody,
): readonly unknown[] {
  const count = Number(request['top_logprobs'] ?? 0);
  const name = (text: string): string => (traits.tokenIds === 'in-text' ? `token_id:${idOf(text)}` : text);
  const entry = ({ text, logprob }: { readonly text: string; readonly logprob: number }) => ({
    ...{ token: name(text), logprob, bytes: [...Buffer.from(text)] },
  });
  const entries = tokens.map((token, index) => {
    const own = {
      text: token.text,
      logprob: index === 0 && traits.missingLogProbability ? -9999 : token.logprob,
    };
    const top = token.top.slice(0, count);
    // vLLM lists the sampled token in place of the last one, if it is not among the likeliest.
    const listed =
      count === 0 || top.some(({ text }) => text === token.text) ? top : [...top.slice(0, -1), own];
    return { ...entry(own), top_logprobs: listed.map(entry) };
  });
  return traits.shortReport ? entries.slice(1) : entries;
}
