// Questions of joined hosts as they arrive over HTTP: bytes in, bytes out.

import type { ValueCodec } from '../fabric/nats/codec.ts';
import type { AskModel } from '../hosts/host-answers.ts';
import type { ModelDesk } from './model-desk.ts';
import { parsed } from './parsed-value.ts';
import { modelQuestion } from './question-schema.ts';

export const askedOver =
  (desk: Pick<ModelDesk, 'ask'>, codec: ValueCodec): AskModel =>
  async (host, bytes, signal) => {
    const question = parsed(modelQuestion, await codec.decode(bytes));
    const answer = await desk.ask(host, question, signal);
    return answer && (await codec.encode(answer)).bytes;
  };
