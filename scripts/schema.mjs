// Writes media/dartboard.schema.json, the published schema of dartboard.json. Run it after a change of the settings; a test checks that
// the file is current.
import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const contents = `
  export { jsonSchema } from './runtime/config/json-schema.ts';
  export { formatJson } from './runtime/config/leaves.ts';
`;
const { outputFiles } = await build({
  stdin: { contents, resolveDir: '.' },
  ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
});
const { jsonSchema, formatJson } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);
await writeFile('media/dartboard.schema.json', `${formatJson(jsonSchema())}\n`);
