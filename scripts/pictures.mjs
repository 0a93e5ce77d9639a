// Takes the pictures of the documentation in Chromium: the panels with the sample run, the panel Record, and the panel
// Desktops with a short training: its wall, a desktop that a person takes over, and an agent whose actions wait for approval.
// The tests of the Testing view (test/e2e/vscode/testing.test.ts) take docs/media/testing.png, as out/screens/testing-inspector.png.
// `npm run build`, then `node scripts/pictures.mjs`.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SIZE = { width: 1280, height: 820 };
const START_TIMEOUT_MS = 120_000;

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});

/** Starts the program in a folder of its own, and opens its address. */
async function withPage(args, prepare, take) {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-pictures-'));
  prepare(folder);
  const program = spawn(process.execPath, [join(ROOT, 'dist/main.js'), ...args], { cwd: folder });
  const ended = new Promise(resolve => program.once('close', resolve));
  try {
    const page = await browser.newPage({ viewport: SIZE });
    page.setDefaultTimeout(START_TIMEOUT_MS);
    await page.goto(await addressIn(folder));
    await page.getByText('Connected', { exact: true }).waitFor();
    await take(page);
    await page.close();
  } finally {
    program.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

/** The address of the daemon, once it has written its file. */
async function addressIn(folder) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const { port, token } = JSON.parse(readFileSync(join(folder, '.dartboard/daemon.json'), 'utf8'));
      return `http://127.0.0.1:${port}/#${token}`;
    } catch (error) {
      // The file does not exist until the daemon listens.
      if (Date.now() > deadline) throw error;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
}

function unpackSample(folder) {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(join(ROOT, 'media/sample.zip'))))) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

const open = (page, panel) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: panel }).click();

async function picture(page, file) {
  // Pictures and controls are drawn in the next frames.
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(ROOT, file) });
}

await withPage(['serve'], unpackSample, async page => {
  await page.locator('#rows tr').first().waitFor({ state: 'attached' });
  await picture(page, 'media/walkthrough/run.png');
  await open(page, 'High-Entropy Steps');
  await page.locator('.card canvas[data-marked="true"]').nth(8).waitFor();
  await picture(page, 'docs/media/uncertain.png');
  // A click at high entropy has several boxes that the policy could have pointed at.
  await page.locator('.card', { hasText: 'Click (' }).first().click();
  await page.locator('.frame[data-waiting="false"]').first().waitFor();
  await picture(page, 'docs/media/trajectories.png');
  await open(page, 'Annotate');
  await page.locator('.annotating .frame[data-waiting="false"]').waitFor();
  await picture(page, 'docs/media/annotate.png');
  await signAs(page, 'Ada');
  await vote(page, 'aaaraa');
  await signAs(page, 'Bob');
  await page.getByRole('combobox', { name: 'Queue' }).click();
  await page.getByRole('option', { name: 'Second opinions' }).click();
  await vote(page, 'rara');
  await page.locator('.annotating .frame[data-waiting="false"]').waitFor();
  await picture(page, 'docs/media/second-opinions.png');
});

function signAs(page, who) {
  return page.getByRole('textbox', { name: 'Your name' }).fill(who);
}

/** Accepts or rejects one trajectory after another with the keys. */
async function vote(page, keys) {
  for (const [index, key] of [...keys].entries()) {
    await page.locator('.annotating .frame[data-waiting="false"]').waitFor();
    await page.locator('.inspector h2').first().click();
    await page.keyboard.press(key);
    await page.getByText(new RegExp(`^${index + 1} of `)).waitFor();
  }
}

await withPage(
  ['record', 'notes-write'],
  () => {},
  async page => {
    await open(page, 'Record');
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('notes-write');
    await page.getByRole('button', { name: 'Record notes-write' }).click();
    await page.locator('.record-status[data-phase="acting"]').waitFor();
    await page.waitForTimeout(1000);
    const { x, y, width, height } = await page.locator('.glass').boundingBox();
    const click = (across, down) => page.mouse.click(x + across * width, y + down * height);
    for (const [across, down] of [
      [0.5, 0.5],
      [0.6, 0.6],
    ]) {
      await click(across, down);
      await page.waitForTimeout(800);
    }
    await page.keyboard.type('A note that a person writes');
    await picture(page, 'media/walkthrough/record.png');
  },
);

await withPage(
  ['train', '--minutes', '5', '--tier', '1'],
  () => {},
  async page => {
    await open(page, 'Desktops');
    await page.locator('.tile .use[data-use="playing"]').nth(11).waitFor();
    await page.waitForTimeout(15_000);
    await picture(page, 'docs/media/desktops.png');
    await page.locator('.tile').nth(1).click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.locator('.record-status[data-phase="acting"]').waitFor();
    await page.waitForTimeout(1000);
    const { x, y, width, height } = await page.locator('.glass').boundingBox();
    await page.mouse.click(x + 0.4 * width, y + 0.2 * height);
    await picture(page, 'docs/media/take-over.png');
    await page.getByRole('button', { name: 'Give back' }).click();
    // The agent has learned something by then.
    await page.waitForTimeout(60_000);
    await open(page, 'Record');
    await page.locator('vscode-dropdown', { hasText: 'I do it by hand' }).click();
    await page.getByRole('option', { name: 'Agent compact' }).click();
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('mail-unread');
    await page.getByRole('button', { name: 'Run mail-unread' }).click();
    await page.getByRole('button', { name: 'Approve each step' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await picture(page, 'docs/media/live.png');
  },
);
await browser.close();
