// Writes trajectories as messages for fine-tuning with TRL and with LLaMA-Factory: JSON lines, and images by their hash. Pure.

import type { ChatMessage } from '../../core/chat.ts';
import {
  type ChatExchange,
  DATASET_INFO,
  fineTuningExample,
  imageFile,
  imagesIn,
} from '../../learner/file/fine-tuning.ts';
import { type TrajectoryWriter, utf8, WriteRefusal, type WrittenFile } from '../written-files.ts';
import { conversationsOf } from './conversations.ts';

const TRL_FILE = 'trl.jsonl';
const LLAMA_FACTORY_FILE = `${DATASET_INFO.dartboard.file_name}/dartboard.jsonl`;

export const LLAMA_FACTORY_INFO: WrittenFile = {
  place: 'dataset_info.json',
  bytes: utf8(`${JSON.stringify(DATASET_INFO, undefined, 1)}\n`),
};

/** One example: its object, or undefined if the format cannot hold it. */
type ExampleOf = (exchange: ChatExchange) => object | undefined;

const chatWriter =
  (place: string, exampleOf: ExampleOf): TrajectoryWriter =>
  (trajectory, pictures, { screen }) => {
    const { exchanges, images } = conversationsOf(trajectory, pictures, screen);
    const kept = exchanges.flatMap(exchange => {
      const example = exampleOf(exchange);
      return example === undefined ? [] : [{ exchange, example }];
    });
    if (kept.length === 0)
      throw new WriteRefusal(
        'Its texts contain a placeholder such as <image>, which the format cannot escape. Leave it out.',
      );
    const used = new Set(kept.flatMap(({ exchange }) => imagesIn(exchange.messages)));
    const missing = [...used].find(sha256 => !images.has(sha256));
    if (missing !== undefined)
      throw new WriteRefusal(`Its file lacks the image ${missing}, which a message shows. Leave it out.`);
    return {
      files: [...used].map(sha256 => ({
        place: imageFile(sha256),
        bytes: images.get(sha256) ?? new Uint8Array(),
      })),
      lines: kept.map(({ example }) => ({ place, text: JSON.stringify(example) })),
      examples: kept.length,
      ...(kept.length < exchanges.length && {
        omitted: [
          `${exchanges.length - kept.length} of its turns contain a placeholder such as <image>, which the format cannot escape.`,
        ],
      }),
    };
  };

export const writeLlamaFactory: TrajectoryWriter = chatWriter(LLAMA_FACTORY_FILE, fineTuningExample);

/** Every content is a list of parts: one column of a data set has one type. */
export const writeTrl: TrajectoryWriter = chatWriter(TRL_FILE, ({ messages, reply }) => ({
  messages: [...messages.map(trlMessage), { role: 'assistant', content: [{ type: 'text', text: reply }] }],
  images: imagesIn(messages).map(imageFile),
}));

const trlMessage = ({ role, parts }: ChatMessage) => ({
  role,
  content: parts.map(part =>
    part.type === 'text' ? { type: 'text', text: part.text } : ({ type: 'image' } as const),
  ),
});
