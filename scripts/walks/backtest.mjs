/** The workflow of docs/first-backtest.md, as its reader builds it. */

const OURS = ['brokerage', 'Brokerage'];

/** Buys the call at the money at 09:30 with a stop, and is out at 15:00; its numbers are in one step of settings. */
export async function callAtHalfPastNine(editor) {
  const { page } = editor;
  await editor.empty();
  await editor.first(...OURS, 'At a market time');
  await editor.fill('marketTimes', '09:30');
  await editor.back();
  await editor.then('edit fields', 'Edit Fields \\(Set\\)');
  await field(editor, 'lots', '1');
  await field(editor, 'stop', '30');
  await editor.back();
  await editor.then(...OURS, 'Get an option by its offset from the money');
  await editor.fill('underlying', 'NIFTY');
  await editor.back();
  await editor.then(...OURS, 'Place an order');
  await editor.locate('instrument', 'By Symbol', '={{ $json.symbol }}');
  await editor.choose('quantityUnit', 'Lots');
  await editor.choose('priceType', 'Market');
  await editor.expression('quantity', "{{ $('Edit Fields').item.json.lots }}");
  await editor.add('Add exit', 'Stop Loss', 'stopLoss', '30');
  await editor.expression('stopLoss', "{{ $('Edit Fields').item.json.stop }}");
  await editor.add('Add exit', 'Exit Time', 'exitTime', '15:00');
  await editor.back();
  // Tidies up: steps that were added while another was selected lie over each other.
  await page.keyboard.press('Shift+Alt+t');
  await page.waitForTimeout(1_000);
  await editor.save();
  await page.waitForURL((address) => !address.pathname.endsWith('/new'));
}

/** Adds a number to a step of settings. */
async function field({ page, recorder }, name, value) {
  const fields = page.getByTestId('assignment');
  const before = await fields.count();
  await page.getByTestId('assignment-collection-drop-area').click();
  const added = fields.nth(before);
  await added.getByTestId('assignment-name').locator('input').fill(name);
  // The hint below a field that is being typed into covers the list.
  await page.keyboard.press('Tab');
  await page.getByTestId('ndv').getByText('Fields to Set').first().click();
  await added.getByTestId('assignment-type-select').click();
  await page
    .getByRole('option', { name: 'Number' })
    .or(page.getByRole('menuitem', { name: 'Number' }))
    .filter({ visible: true })
    .first()
    .click();
  await added.getByTestId('assignment-value').locator('input, textarea').last().fill(value);
  await page.keyboard.press('Tab');
  await recorder.show(0.7);
}
