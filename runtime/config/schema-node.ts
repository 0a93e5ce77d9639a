// The shape of a file as plain data: what may stand where. Errors and the published schema are made from it.

import * as z from 'zod';
import type { Path } from './leaves.ts';
import { partial } from './shape.ts';

/** As much of a JSON schema as is looked at. */
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
  minimum: z.number().exactOptional(),
  exclusiveMinimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
});

export type SchemaNode = z.infer<typeof schemaNode>;

/** In the dialect that editors know best. */
export const ROOT: SchemaNode = schemaNode.parse(z.toJSONSchema(partial, { io: 'input', target: 'draft-7' }));

/** Undefined where nothing may stand. */
export const nodeAt = (path: Path): SchemaNode | undefined =>
  path.reduce<SchemaNode | undefined>(
    (node, key) => (typeof key === 'number' ? node?.items : node?.properties?.[key]),
    ROOT,
  );
