// Adds to package-lock.json the optional packages of other platforms that npm left out because its registry lacks them.
// Without them npm 11 rejects the lock file in 'npm ci', and other platforms lack their binaries.
// Run it after 'npm install'. With --check it only reports missing packages; test/package.test.ts uses that.
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

/** The platform in a package's name: '@rollup/rollup-linux-x64-musl', '@oxc-parser/binding-linux-arm-gnueabihf'. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = SYSTEMS.filter(system => words.includes(system));
  const cpu = PROCESSORS.filter(processor => words.includes(processor));
  if (os.length !== 1 || cpu.length !== 1)
    throw new Error(
      `The name '${name}' does not contain exactly one system and one processor. Add them to SYSTEMS or PROCESSORS.`,
    );
  const libc = words.some(word => word.startsWith('musl'))
    ? ['musl']
    : words.some(word => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { os, cpu, ...(os[0] === 'linux' && libc.length > 0 && { libc }) };
}

/** Optional packages that a locked package depends on and that the lock file lacks. */
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
    `The dependency on '${name}' has the range '${version}' and no exact version. Run 'npm install' with a registry that has it.`,
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
