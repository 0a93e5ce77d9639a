// Adds to package-lock.json the optional packages of other platforms that npm left out, because the registry it asked did
// not have them. Without them `npm ci` of npm 11 refuses the lock file, and other platforms lack their binaries.
// Run it after `npm install`; with --check it only says what is missing, which test/package.test.ts does.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** What a package's name says of the platform it is for: '@rollup/rollup-linux-x64-musl', '@oxc-parser/binding-linux-arm-gnueabihf'. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = SYSTEMS.filter(system => words.includes(system));
  const cpu = PROCESSORS.filter(processor => words.includes(processor));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`The name '${name}' does not tell one platform.`);
  const libc = words.some(word => word.startsWith('musl'))
    ? ['musl']
    : words.some(word => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { os, cpu, ...(os[0] === 'linux' && libc.length > 0 && { libc }) };
}

/** Every optional package that a locked package names and that the lock file lacks. */
function missingFrom({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages))
      .map(([name, version]) => ({ name, version: exact(name, version), dev })),
  );
}

function exact(name, version) {
  if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return version;
  throw new Error(
    `'${name}' is wanted as '${version}', which names no single version; lock it where the registry has it.`,
  );
}

function completed(lock) {
  const added = missingFrom(lock).map(({ name, version, dev }) => [
    `node_modules/${name}`,
    { version, ...platformOf(name), ...(dev && { dev }), optional: true },
  ]);
  const [root, ...others] = Object.entries(lock.packages);
  const sorted = [...others, ...added].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries([root, ...sorted]) };
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const missing = missingFrom(lock).map(({ name, version }) => `${name}@${version}`);
if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    process.stderr.write(`package-lock.json lacks ${missing.join(', ')}. Run: node .ci/complete-lock.mjs\n`);
    process.exitCode = 1;
  }
} else {
  writeFileSync('package-lock.json', `${JSON.stringify(completed(lock), null, 2)}\n`);
  process.stdout.write(`${missing.length} packages added.\n`);
}
