// Reads the list of models of a server: GET /models. Pure.

import * as z from 'zod';
import { safeParse } from '../core/safe-parse.ts';

export interface ListedModel {
  readonly id: string;
  /** Which program or company serves it. */
  readonly owner?: string;
  /** vLLM: the name or path of the weights. Dartboard: the version behind the name. */
  readonly root?: string;
  /** vLLM: the base model of an adapter. */
  readonly parent?: string;
  /** llama.cpp. */
  readonly aliases: readonly string[];
}

const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);

const entry = z
  .object({
    id: z.string().min(1),
    owned_by: lenient(z.string()),
    root: lenient(z.string()),
    parent: lenient(z.string()),
    aliases: lenient(z.array(z.string())),
  })
  .transform(
    ({ id, owned_by, root, parent, aliases }): ListedModel => ({
      id,
      ...(owned_by != null && { owner: owned_by }),
      ...(root != null && { root }),
      ...(parent != null && { parent }),
      aliases: aliases ?? [],
    }),
  );

const list = z.object({ data: z.array(z.unknown()) });

/** Empty for a reply of another shape. */
export function readModelList(reply: unknown): readonly ListedModel[] {
  const parsed = safeParse(list, reply);
  return parsed.success ? parsed.data.data.flatMap(each => safeParse(entry, each).data ?? []) : [];
}

/** Ollama adds the tag to a name without one. */
const isNamed = ({ id, aliases }: ListedModel, name: string): boolean =>
  id === name || id === `${name}:latest` || aliases.includes(name);

export const findModel = (models: readonly ListedModel[], name: string): ListedModel | undefined =>
  models.find(each => isNamed(each, name));

/** Names under which a server may answer for a model: servers with several names for the same weights use the first one. */
export function aliasesOf(models: readonly ListedModel[], name: string): readonly string[] {
  const own = findModel(models, name);
  if (own === undefined) return [];
  const sharesWeights = (each: ListedModel): boolean =>
    own.root !== undefined && each.root === own.root && each.parent === own.parent;
  const names = models
    .filter(each => each === own || sharesWeights(each))
    .flatMap(each => [each.id, ...each.aliases]);
  // The root of an adapter is a path.
  const root = own.root === undefined || own.parent !== undefined ? [] : [own.root];
  return [...new Set([...names, ...root])].filter(each => each !== name);
}
