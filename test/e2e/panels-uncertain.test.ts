// The panel High-Entropy Steps in Chromium: order, groups, pictures, scroll position.

import { beforeEach, expect, test } from 'vitest';
import { playedState } from '../server/played-state.ts';
import { describePanels } from './panels-fixture.ts';

describePanels('the panel High-Entropy Steps', fixture => {
  beforeEach(async () => {
    await fixture.open('#/uncertain');
    await fixture.page.locator('.card').first().waitFor();
  });

  test('the most uncertain step comes first, and a card opens its trajectory at the step', async () => {
    const shares = (await fixture.page.locator('.card strong').allTextContents()).map(text =>
      Number.parseInt(text, 10),
    );
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    await fixture.page.locator('.card').first().press('Enter');
    await fixture.page.locator('.decisions h3').waitFor();
    expect(fixture.page.url()).toMatch(/#\/trajectories\?trajectory=t-\d+&step=\d+/);
    await fixture.page.goBack();
    await fixture.page.locator('.card').first().waitFor();
  });

  test('an empty gallery fills during a training', async () => {
    const { daemon, page } = fixture;
    daemon.evaluated.add('compact');
    await page.reload();
    await page.getByRole('heading', { name: 'No uncertain steps' }).waitFor();
    daemon.evaluated.clear();
    daemon.show(playedState(610));
    await page.locator('.card').first().waitFor();
  });

  test('draws the action on each picture', async () => {
    await fixture.page.locator('.card canvas[data-marked="true"]').first().waitFor();
    expect(fixture.daemon.requestsOf('trajectory.get').length).toBeLessThan(30);
  });

  test('fetches the details of four cards at a time', async () => {
    const { daemon } = fixture;
    // Afterwards no request of the first page is left.
    await fixture.page.goto('about:blank');
    await daemon.close();
    daemon.requests.length = 0;
    daemon.unanswered.add('trajectory.get');
    await daemon.open();
    await fixture.open('#/uncertain');
    const pictures = new Set<string>();
    await expect
      .poll(() => {
        for (const { params } of daemon.requestsOf('trajectory.frame')) pictures.add(params.trajectory);
        return pictures.size;
      })
      .toBeGreaterThan(6);
    const details = daemon.requestsOf('trajectory.get').map(({ params }) => params.trajectory);
    expect(details).toHaveLength(4);
    expect(new Set(details).size).toBe(4);
  });

  test('a trajectory that is closed leaves the pictures that the gallery waits for', async () => {
    const { daemon } = fixture;
    await fixture.page.goto('about:blank');
    await daemon.close();
    daemon.requests.length = 0;
    daemon.unanswered.add('trajectory.frame');
    await daemon.open();
    await fixture.open('#/uncertain');
    await expect.poll(() => daemon.requestsOf('trajectory.frame').length).toBe(4);
    const { page } = fixture;
    const cards = page.locator('.card');
    // The picture of the first is urgent, and requested at once. That of the second waits.
    for (const index of [4, 5]) {
      await cards.nth(index).press('Enter');
      await page.locator('.shot').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
      await page.getByRole('link', { name: 'High-Entropy Steps' }).click();
      await cards.first().waitFor();
    }
    expect(await page.locator('.card canvas[data-missing]').count()).toBe(0);
  });

  test('a reload and a visit to another panel keep the scroll position', async () => {
    const stage = fixture.page.locator('#stage');
    const scrolled = () => stage.evaluate(element => element.scrollTop);
    await fixture.page.locator('.card').nth(30).scrollIntoViewIfNeeded();
    const top = await scrolled();
    expect(top).toBeGreaterThan(300);
    const nav = fixture.page.getByRole('navigation', { name: 'Panels' });
    await nav.getByRole('link', { name: 'Training' }).click();
    await fixture.page.getByText('10:00 of 20:00 trained').waitFor();
    await nav.getByRole('link', { name: 'High-Entropy Steps' }).click();
    await expect.poll(scrolled).toBe(top);
    await fixture.page.reload();
    await expect.poll(scrolled).toBe(top);
  });

  test('groups the steps, and fetches pictures of visible cards only', async () => {
    expect(fixture.daemon.requestsOf('trajectory.frame').length).toBeLessThan(30);
    await fixture.page.getByRole('combobox', { name: 'Group by' }).click();
    await fixture.page.getByRole('option', { name: 'Group by outcome' }).click();
    await fixture.page.getByRole('heading', { name: 'Failure' }).waitFor();
    expect(fixture.daemon.requestsOf('steps.uncertain').at(-1)?.params.by).toBe('outcome');
  });
});
