// Packages dist/ and its dependencies as an extension for one platform.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles } from '@vscode/vsce';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { withoutRelativeLinks } from './plain-markdown.mjs';

const { values } = parseArgs({
  options: {
    /** A platform by its name in VS Code. */
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
    list: { type: 'boolean', default: false },
    'list-native': { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
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

/** Patterns for the code of dependencies that .vscodeignore does not name, and of their dependencies. */
async function otherPackages(named) {
  const names = new Set();
  const add = async manifest => {
    const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const isNamed = new RegExp(`[{,/]${name.replaceAll('.', '\\.')}[},/]`).test(named);
      if (isNamed || names.has(name)) continue;
      names.add(name);
      await add(`node_modules/${name}/package.json`);
    }
  };
  await add('package.json');
  return [...names].flatMap(name =>
    ['LICENSE*', '**/*.{js,cjs,mjs,json}'].map(p => `!node_modules/${name}/${p}`),
  );
}

/** vsce reads one file of patterns. */
async function writeIgnoreFile() {
  const ignoreFile = `out/package/${target}.ignore`;
  await mkdir('out/package', { recursive: true });
  const named = await readFile('.vscodeignore', 'utf8');
  const native = (await nativeFiles()).map(file => `!${file}`);
  await writeFile(ignoreFile, [named, ...(await otherPackages(named)), ...native, ''].join('\n'));
  return ignoreFile;
}

/** vsce packages the README of the project, whose links would lead nowhere: there is no public repository. VS Code shows only a README at the root of the package. */
async function replaceReadme(vsix) {
  const zip = await readFile(vsix);
  const attributes = attributesOf(zip);
  const files = unzipSync(zip);
  const readme = Object.keys(files).find(name => /^extension\/readme\.md$/i.test(name));
  if (readme === undefined) throw new Error(`'${vsix}' contains no README.md. Check '.vscodeignore'.`);
  files[readme] = strToU8(withoutRelativeLinks(strFromU8(files[readme])));
  const entries = Object.entries(files).map(([name, data]) => [
    name,
    [data, { os: UNIX, attrs: attributes.get(name) }],
  ]);
  await writeFile(vsix, zipSync(Object.fromEntries(entries)));
}

/** The system in the header of a zip entry whose attributes are a file mode. */
const UNIX = 3;

/** File modes by name, from the directory at the end of a zip file. fflate does not return them. */
function attributesOf(zip) {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const attributes = new Map();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [name, extra, comment] = [28, 30, 32].map(offset => zip.readUInt16LE(entry + offset));
    attributes.set(zip.toString('utf8', entry + 46, entry + 46 + name), zip.readUInt32LE(entry + 38));
    entry += 46 + name + extra + comment;
  }
  return attributes;
}

const print = files => process.stdout.write(files.map(file => `${file}\n`).join(''));

if (values['list-native']) print(await nativeFiles());
else if (values.readme) process.stdout.write(withoutRelativeLinks(await readFile('README.md', 'utf8')));
else if (values.list) print(await listFiles({ ignoreFile: await writeIgnoreFile() }));
else {
  const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));
  const packagePath = `${name}-${target}-${version}.vsix`;
  const options = { allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX({ target, ignoreFile: await writeIgnoreFile(), packagePath, ...options });
  await replaceReadme(packagePath);
  const { size } = await stat(packagePath);
  process.stdout.write(`${packagePath}: ${(size / 1e6).toFixed(1)} MB\n`);
}
