// The agents of dartboard.json and of the user's settings, read without their schema: the command line checks it and names the wrong key. Pure.

import { learnerState } from '../../runtime/protocol/daemon/model-run.ts';
import { learnerTitle } from '../../runtime/protocol/learner-title.ts';
import { type ConfigFile, objectIn } from '../config-file.ts';

export interface ConfiguredAgent {
  readonly name: string;
  /** Empty if it is missing in the file, as are the next ones. */
  readonly profile: string;
  readonly model: string;
  readonly urls: readonly string[];
  /** The name of the key of its servers in the secret storage. */
  readonly secret?: string;
  readonly learner?: ConfiguredLearner;
  /** It is in the user's settings, not in dartboard.json. */
  readonly isOfUser?: true;
}

interface ConfiguredLearner {
  /** 'Tinker server at http://localhost:8000' */
  readonly title: string;
  /** The name of its key in the secret storage. */
  readonly secret?: string;
}

/** The file with the agents of the user, for questions. An agent of the file replaces the user's agent of that name. */
export const withUserAgents = (config: ConfigFile, ofUser: ConfigFile): ConfigFile => ({
  ...config,
  agents: { ...ofUser, ...objectIn(config['agents']) },
});

/** The agents of dartboard.json come before those of the user. */
export const agentsOf = (config: ConfigFile, ofUser: ConfigFile): readonly ConfiguredAgent[] => {
  const own = configuredAgents(config);
  const names = own.map(({ name }) => name);
  const others = configuredAgents({ agents: ofUser }).filter(({ name }) => !names.includes(name));
  return [...own, ...others.map(agent => ({ ...agent, isOfUser: true as const }))];
};

export const configuredAgents = (config: ConfigFile): readonly ConfiguredAgent[] =>
  Object.entries(objectIn(config['agents'])).map(([name, value]) => {
    const entry = objectIn(value);
    const endpoints = listIn(entry['endpoints']).map(objectIn);
    const learner = learnerIn(entry);
    const secret = secretIn(entry);
    return {
      name,
      profile: textIn(entry['profile']),
      model: textIn(entry['model']) || textIn(endpoints[0]?.['model']),
      urls: [entry, ...endpoints].map(({ url }) => textIn(url)).filter(url => url !== ''),
      ...(secret !== undefined && { secret }),
      ...(learner !== undefined && { learner }),
    };
  });

function learnerIn(entry: ConfigFile): ConfiguredLearner | undefined {
  if (entry['learner'] === undefined) return undefined;
  const learner = objectIn(entry['learner']);
  const { kind, url, folder, weights } = learner;
  const known = learnerState.shape.kind.safeParse(kind);
  const secret = secretIn(learner);
  return {
    title: known.success
      ? learnerTitle({ kind: known.data, place: textIn(url ?? folder ?? weights) })
      : 'a learner of an unknown kind',
    ...(secret !== undefined && { secret }),
  };
}

function secretIn(entry: ConfigFile): string | undefined {
  const secret = objectIn(entry['key'])['secret'];
  return typeof secret === 'string' ? secret : undefined;
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The names of the keys that these agents need from the secret storage, each once. */
export const secretsOf = (agents: readonly ConfiguredAgent[]): readonly string[] => [
  ...new Set(agents.flatMap(({ secret, learner }) => [secret ?? [], learner?.secret ?? []].flat())),
];

/** 'ui-tars-1.5-7b at http://localhost:8000/v1' */
export function describeAgent({ model, urls }: ConfiguredAgent): string {
  const [url = 'no URL', ...more] = urls;
  return `${model || 'no model'} at ${url}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
