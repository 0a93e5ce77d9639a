// Builds an S3-compatible server for the tests of the store of blobs: `node test/interop/s3/install.mjs`. It is Versity's gateway over a
// folder, in Go.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { S3_SERVER } from '../install-folder.mjs';

const PACKAGE = 'github.com/versity/versitygw/cmd/versitygw@v1.7.0';
const FOLDER = dirname(S3_SERVER);
/** Contains the package that is installed. */
const DONE = join(FOLDER, 'installed');

if (!existsSync(S3_SERVER) || !existsSync(DONE) || readFileSync(DONE, 'utf8') !== PACKAGE) {
  mkdirSync(FOLDER, { recursive: true });
  const flags = ['install', '-p', `${availableParallelism()}`, '-trimpath', '-ldflags=-s -w', PACKAGE];
  try {
    execFileSync('go', flags, { stdio: 'inherit', env: { ...process.env, GOBIN: FOLDER, CGO_ENABLED: '0' } });
  } catch (error) {
    process.stderr.write(
      `The S3-compatible server ${PACKAGE} cannot be built: ${error.message}. Install Go 1.25 or newer, and check that its module proxy can be reached.\n`,
    );
    process.exit(1);
  }
  writeFileSync(DONE, PACKAGE);
}
process.stdout.write(`An S3-compatible server is installed as ${S3_SERVER}\n`);
