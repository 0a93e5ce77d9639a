// Packages dist/ and its dependencies as an extension for one platform.
//   npm run package [-- --target win32-x64]   writes a .vsix file
//   node scripts/package.mjs --list           prints the files of the package
//   node scripts/package.mjs --list-native    prints only the native files, which differ between platforms
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles } from '@vscode/vsce';

const { values } = parseArgs({
  options: {
    /** A platform by its name in VS Code. */
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
    list: { type: 'boolean', default: false },
    'list-native': { type: 'boolean', default: false },
  },
});
const { target } = values;

/** On macOS the package contains one of two identical libraries: the file with the short name. */
async function nativeFiles() {
  const folder = 'node_modules/onnxruntime-node/bin';
  const platform = `/${target.replace('-', '/')}/`;
  const files = await readdir(folder, { recursive: true });
  return files
    .map(file => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter(file => file.includes(platform) && !/\/libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(file));
}

/** vsce reads one file of patterns: .vscodeignore and the native files of the platform. */
async function writeIgnoreFile() {
  const ignoreFile = `out/package/${target}.ignore`;
  const native = (await nativeFiles()).map(file => `!${file}`);
  await writeFile(ignoreFile, [await readFile('.vscodeignore', 'utf8'), ...native, ''].join('\n'));
  return ignoreFile;
}

/** The package contains no docs and the project names no public repository, so relative links would lead nowhere. */
async function writeReadme() {
  const readmePath = 'out/package/README.md';
  const text = (await readFile('README.md', 'utf8'))
    .replaceAll(/^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+/gm, '')
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1');
  await writeFile(readmePath, text);
  return readmePath;
}

const print = files => process.stdout.write(files.map(file => `${file}\n`).join(''));

await mkdir('out/package', { recursive: true });
if (values['list-native']) print(await nativeFiles());
else {
  const [ignoreFile, readmePath] = [await writeIgnoreFile(), await writeReadme()];
  if (values.list) print(await listFiles({ ignoreFile, readmePath }));
  else {
    const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));
    const packagePath = `${name}-${target}-${version}.vsix`;
    const options = { allowMissingRepository: true, rewriteRelativeLinks: false };
    await createVSIX({ target, ignoreFile, readmePath, packagePath, ...options });
    const { size } = await stat(packagePath);
    process.stdout.write(`${packagePath}: ${(size / 1e6).toFixed(1)} MB\n`);
  }
}
