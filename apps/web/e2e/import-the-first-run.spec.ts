import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PASTED } from './recordings.ts';

/** Lets go of a file over the window, as a file manager does. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    (file) => {
      const made = new DataTransfer();
      made.items.add(new File([file.text], file.name));
      return made;
    },
    { name, text },
  );
  await page.getByRole('main').dispatchEvent('dragover', { dataTransfer: transfer });
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer });
}

test('the first file dropped on an empty place is a run that opens', async ({ app, page }) => {
  await app.start();
  // The bare address, as it is printed: there is no sample run to begin with.
  await page.goto(app.url);
  await expect(page.getByText('none yet')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('0 runs');
  await drop(page, 'stuck.txt', PASTED);

  const row = page.getByRole('listitem', { name: 'Import stuck.txt' });
  await expect(row).toContainText('Plain-text transcript');
  await expect(page.getByText('none yet')).toBeHidden();
  const runs = page.getByRole('grid', { name: 'Runs' });
  await expect(runs.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('contentinfo')).toContainText('1 run');
  await row.getByRole('link', { name: 'Open' }).click();
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await expect(tree.getByRole('row', { name: /search_orders/ })).toHaveCount(2);
  await expect(page).toHaveTitle(/^Which orders of Hollow Farm are stuck/);
});

test('the first text pasted on an empty place is a run that opens by the keyboard', async ({
  app,
  page,
  context,
}) => {
  await app.start();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.origin });
  await page.goto(app.url);
  await expect(page.getByText('none yet')).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), PASTED);
  await page.keyboard.press('Control+V');
  await expect(page.getByRole('listitem', { name: 'Import Pasted text' })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treegrid', { name: 'Call tree' })).toBeVisible();
});

test('what is no recording says so on an empty place, with what to do, and the place stays empty', async ({
  app,
  page,
}) => {
  await app.start();
  await page.goto(app.url);
  await expect(page.getByText('none yet')).toBeVisible();
  await drop(page, 'shelf.json', '{"shelf":[1,2,3]}');
  const row = page.getByRole('listitem', { name: 'Import shelf.json' });
  const words = row.getByRole('alert');
  await expect(words).toContainText('shelf.json is of no known format');
  // A command in the words stands without the backticks that it is written with.
  await expect(words).toContainText('use misstep import --format ID FILE.');
  await expect(page.getByText('none yet')).toBeVisible();
  for (const width of [1440, 1000, 600]) {
    await page.setViewportSize({ width, height: 720 });
    const within = await row.boundingBox();
    for (const part of [
      row.getByRole('combobox', { name: 'Read shelf.json as' }),
      row.getByRole('button', { name: 'Read shelf.json as the chosen format' }),
    ]) {
      const box = await part.boundingBox();
      expect(box?.width, `${width} px`).toBeGreaterThan(30);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(
        (within?.x ?? 0) + (within?.width ?? 0),
      );
      // Not cut away by the row either.
      expect(await part.evaluate(isOnTop), `${width} px`).toBe(true);
    }
  }
  await row.getByRole('combobox', { name: 'Read shelf.json as' }).selectOption({
    label: 'Plain-text transcript',
  });
  await row.getByRole('button', { name: 'Read shelf.json as the chosen format' }).click();
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
});

/** Whether both ends of an element are what is seen there. */
function isOnTop(element: Element): boolean {
  const { left, right, top, height } = element.getBoundingClientRect();
  return [left + 3, right - 3].every((x) =>
    element.contains(document.elementFromPoint(x, top + height / 2)),
  );
}
