// Packs dist/ and what it needs into an extension for one platform: `npm run package [-- --target win32-x64] [-- --list]`.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles } from '@vscode/vsce';

const { values } = parseArgs({
  options: {
    /** A platform as VS Code names it. */
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
    /** Only says which files would travel. */
    list: { type: 'boolean', default: false },
  },
});
const { target, list } = values;

// The packer takes one file of patterns. macOS gets one of two identical libraries: the other is a copy under a longer name.
const native = `!node_modules/onnxruntime-node/bin/*/${target.replace('-', '/')}/!(libonnxruntime.*.*.*.dylib)`;
const ignoreFile = `out/package/${target}.ignore`;
await mkdir('out/package', { recursive: true });
await writeFile(ignoreFile, `${await readFile('.vscodeignore', 'utf8')}\n${native}\n`);

if (list) {
  for (const file of await listFiles({ ignoreFile })) process.stdout.write(`${file}\n`);
} else {
  const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));
  const packagePath = `${name}-${target}-${version}.vsix`;
  // The project names no public repository, so the links in its readme stay as they are.
  const published = { allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX({ target, ignoreFile, packagePath, ...published });
  const { size } = await stat(packagePath);
  process.stdout.write(`${packagePath}: ${(size / 1e6).toFixed(1)} MB\n`);
}
