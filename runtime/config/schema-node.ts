// The schema of dartboard.json as plain data, the source of error messages and of the published JSON schema.

import * as z from 'zod';
import type { SettingPath } from './leaves.ts';
import { partialConfig } from './shape.ts';

/** The part of JSON schema that is used. */
const schemaNode = z.looseObject({
  type: z.string().exactOptional(),
  description: z.string().exactOptional(),
  patternErrorMessage: z.string().exactOptional(),
  enum: z.array(z.unknown()).exactOptional(),
  get items() {
    return schemaNode.exactOptional();
  },
  get properties() {
    return z.record(z.string(), schemaNode).exactOptional();
  },
  /** The schema of each value of a section whose keys are names. */
  get additionalProperties() {
    return z.union([z.boolean(), schemaNode]).exactOptional();
  },
  /** Errors do not print the value. */
  writeOnly: z.boolean().exactOptional(),
  minimum: z.number().exactOptional(),
  exclusiveMinimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  minItems: z.number().exactOptional(),
});

export type SchemaNode = z.infer<typeof schemaNode>;

/** Draft 7, which all editors support. */
export const ROOT: SchemaNode = schemaNode.parse(
  z.toJSONSchema(partialConfig, { io: 'input', target: 'draft-7' }),
);

/** Undefined for an unknown path. */
export const nodeAt = (path: SettingPath): SchemaNode | undefined =>
  path.reduce<SchemaNode | undefined>(
    (node, key) => (typeof key === 'number' ? node?.items : propertyOf(node, key)),
    ROOT,
  );

function propertyOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  const other = node?.additionalProperties;
  return node?.properties?.[key] ?? (typeof other === 'object' ? other : undefined);
}
