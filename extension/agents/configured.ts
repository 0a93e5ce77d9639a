// The agents of dartboard.json, read without its schema: the command line checks it and names the wrong key. Pure.

import { type ConfigFile, objectIn } from '../config-file.ts';

export interface ConfiguredAgent {
  readonly name: string;
  /** Empty if it is missing in the file, as are the next ones. */
  readonly profile: string;
  readonly model: string;
  readonly urls: readonly string[];
  /** The name of its key in the secret storage. */
  readonly secret?: string;
}

export const configuredAgents = (config: ConfigFile): readonly ConfiguredAgent[] =>
  Object.entries(objectIn(config['agents'])).map(([name, value]) => {
    const entry = objectIn(value);
    const endpoints = listIn(entry['endpoints']).map(objectIn);
    const secret = objectIn(entry['key'])['secret'];
    return {
      name,
      profile: textIn(entry['profile']),
      model: textIn(entry['model']) || textIn(endpoints[0]?.['model']),
      urls: [entry, ...endpoints].map(({ url }) => textIn(url)).filter(url => url !== ''),
      ...(typeof secret === 'string' && { secret }),
    };
  });

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The names of the keys that these agents need from the secret storage, each once. */
export const secretsOf = (agents: readonly ConfiguredAgent[]): readonly string[] => [
  ...new Set(agents.flatMap(({ secret }) => secret ?? [])),
];

/** 'ui-tars-1.5-7b at http://localhost:8000/v1' */
export function describeAgent({ model, urls }: ConfiguredAgent): string {
  const [url = 'no URL', ...more] = urls;
  return `${model || 'no model'} at ${url}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
