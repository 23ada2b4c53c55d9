/** Actions of a user at n8n's editor who follows docs/first-workflow.md, with a frame after each step. */
import { chooseOption, fillField, pickInstrument } from '../../e2e/support/browser.mjs';

/** Distance of the cross that closes a step from the step's upper and right edge, pixels. */
const CROSS = 20;
/** Maximum number of times to start a workflow. */
const MAX_STARTS = 5;
/** Largest number of clicks on the switch of a field. */
const MAX_CLICKS = 5;

export class Editor {
  /** @param {import('./recorder.mjs').Recorder} recorder */
  constructor(recorder, url) {
    this.recorder = recorder;
    this.page = recorder.page;
    this.url = url;
  }

  /**
   * Makes a data table, as under *Data tables* in n8n's overview.
   * @param {Record<string, 'string' | 'number'>} columns the type of each by its name
   */
  async table(name, columns) {
    const { page } = this;
    await page.goto(`${this.url}/home/datatables`);
    await page.getByTestId('add-resource-dataTable').click();
    await page.getByRole('dialog').locator('input').first().fill(name);
    await this.recorder.show(1);
    await page.getByTestId('proceed-from-select-button').click();
    for (const [column, type] of Object.entries(columns)) {
      await page.getByTestId('data-table-add-column-trigger-button').first().click();
      const form = page.getByTestId('add-column-popover-content');
      await form.locator('input').first().fill(column);
      if (type !== 'string') {
        await form.getByRole('combobox').click();
        await page.getByRole('option', { name: type, exact: true }).filter({ visible: true }).click();
      }
      await this.recorder.show(0.7);
      await form.getByTestId('data-table-add-column-submit-button').click();
      await form.waitFor({ state: 'hidden' });
    }
    await this.recorder.show(1.5);
  }

  /** Opens a data table that holds a row with the text. */
  async row(table, text) {
    const { page } = this;
    await page.goto(`${this.url}/home/datatables`);
    await page.getByText(table, { exact: true }).first().click();
    await page.getByTestId('data-table-grid').filter({ hasText: text }).waitFor();
    await this.recorder.show(4);
  }

  /** Opens an empty canvas. */
  async empty() {
    await this.page.goto(`${this.url}/workflow/new`);
    await this.page.getByTestId('canvas-add-button').waitFor();
    await this.recorder.show(1.5);
  }

  /** Adds the first step: searches for a node, and takes one of its actions. */
  async first(search, node, action) {
    await this.page.getByTestId('canvas-add-button').click();
    await this.#take(search, node, action);
  }

  /** Adds the first step that is started by hand: n8n does not open it. */
  async firstByHand() {
    await this.page.getByTestId('canvas-add-button').click();
    await this.page.getByTestId('node-creator-search-bar').fill('manual');
    await this.page.getByText('Manual Trigger', { exact: true }).first().click();
    await this.page.getByTestId('canvas-node').first().waitFor();
    await this.recorder.show(1);
  }

  /** Adds a step behind the last one. */
  async then(search, node, action) {
    await this.page.getByTestId('canvas-handle-plus').last().click();
    await this.#take(search, node, action);
  }

  async #take(search, node, action) {
    const { page } = this;
    await page.getByTestId('node-creator-search-bar').fill(search);
    const item = page
      .getByTestId('node-creator-item-name')
      .filter({ hasText: new RegExp(`^\\s*${node}\\s*$`) })
      .first();
    await item.waitFor();
    await this.recorder.show(1);
    await item.click();
    if (action !== undefined) {
      // A step on the canvas may have the same name.
      const line = page.getByTestId('node-creator').getByText(action, { exact: true }).first();
      await line.waitFor();
      await this.recorder.show(1);
      await line.click();
    }
    await page.getByTestId('ndv').waitFor();
    // n8n chooses the only credential a moment after it shows the step.
    if (node === 'Brokerage')
      await page.waitForFunction(() => document.querySelector('[data-test-id="node-credentials-select"] input')?.value);
    await this.recorder.show(1);
  }

  /** Chooses from a closed list. */
  async choose(field, option) {
    await chooseOption(this.page, field, option);
    await this.recorder.show(0.7);
  }

  /** Types into a field. */
  async fill(field, value) {
    await fillField(this.page, field, value);
    // The hint below a field that is being typed into covers the next one.
    await this.page.keyboard.press('Tab');
    await this.recorder.show(0.7);
  }

  /** Picks an instrument from the list. */
  async pick(query) {
    await pickInstrument(this.page, query);
    await this.recorder.show(0.7);
  }

  /** Adds an entry of a collection, and types its value. */
  async add(placeholder, name, field, value) {
    const { page } = this;
    await page.getByPlaceholder(placeholder).last().click();
    await page
      .getByTestId('collection-parameter-option')
      .filter({ visible: true, hasText: new RegExp(`^${name}$`) })
      .click();
    await this.fill(field, value);
  }

  /** Closes the open step by the cross at its corner. */
  async back() {
    const step = this.page.getByTestId('ndv');
    const { width } = await step.boundingBox();
    await step.click({ position: { x: width - CROSS, y: CROSS } });
    await step.waitFor({ state: 'hidden' });
    await this.recorder.show(0.7);
  }

  /** Chooses from the list that opens in a field such as *Data table*. */
  async fromList(field, text) {
    const { page } = this;
    await page.getByTestId(`parameter-input-${field}`).last().getByTestId('rlc-input').click();
    await page.getByTestId('rlc-item').filter({ visible: true, hasText: text }).first().click();
    await this.recorder.show(0.7);
  }

  /** Chooses how a locator such as *Instrument* is given, and types what it points at. */
  async locate(field, mode, value) {
    const { page } = this;
    const locator = page.getByTestId(`parameter-input-${field}`).last();
    await locator.getByTestId('rlc-mode-selector').click();
    await page.getByRole('option', { name: mode }).filter({ visible: true }).first().click();
    await locator.getByTestId('rlc-input').fill(value);
    await page.keyboard.press('Tab');
    await this.recorder.show(0.7);
  }

  /**
   * Turns a field into one for an expression by the switch above it, which shows up under the mouse, and enters it.
   * @param path the field's path where it is not its name, as of a table's columns
   */
  async expression(field, value, path = field) {
    const { page } = this;
    const input = page.getByTestId(`parameter-input-${field}`).last();
    const text = input.locator('.cm-content');
    // On a busy machine a click passes while the panel still scrolls.
    for (let clicks = 0; clicks < MAX_CLICKS && !(await text.isVisible()); clicks += 1) {
      await input.scrollIntoViewIfNeeded();
      await input.hover();
      await page
        .getByTestId(`${path}-parameter-input-options-container`)
        .getByTestId('radio-button-expression')
        .click();
      await text.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await text.fill(value);
    // n8n takes the text when the field is left, or a moment later.
    await page.getByText('Parameters', { exact: true }).first().click();
    await page.waitForTimeout(500);
    await this.recorder.show(0.7);
  }

  /** Saves the workflow, and shows all of it. */
  async save() {
    await this.page.keyboard.press('Control+s');
    await this.page.getByTestId('zoom-to-fit').click();
    await this.recorder.show(1.5);
  }

  /** Presses *Publish*, and again in the window that asks for a name of the version. */
  async publish() {
    const { page } = this;
    const publish = { name: 'Publish', exact: true };
    await page.getByRole('button', publish).first().click();
    await page.getByRole('dialog').getByRole('button', publish).click();
    await page.getByText('Workflow published').first().waitFor();
    await this.recorder.show(1.5);
  }

  /** Presses *Execute workflow*, and waits until the trigger listens. */
  async listen() {
    await this.page.getByTestId('execute-workflow-button').click();
    await this.page.getByText('Waiting for an event at your broker').first().waitFor();
    await this.recorder.show(1.5);
  }

  /** Does what starts the workflow, again where it was too early, until a run has ended well. */
  async done(start) {
    await this.until(this.page.getByText('Workflow executed successfully'), start);
    await this.recorder.show(2.5);
  }

  /** Does something, again where it was too early, until what it leads to is shown; `patience` is how long that may take, milliseconds. */
  async until(shown, start, patience = 15_000) {
    for (let times = 0; times < MAX_STARTS && !(await shown.isVisible()); times += 1) {
      await start();
      await shown.waitFor({ timeout: patience }).catch(() => undefined);
    }
    await shown.waitFor({ timeout: 1_000 });
  }

  /** Opens the last step, whose output holds the text. */
  async result(text) {
    await this.page
      .getByTestId('canvas-node')
      .last()
      .dblclick({ position: { x: 40, y: 40 } });
    await this.page.getByTestId('output-panel').filter({ hasText: text }).waitFor();
    await this.recorder.show(4);
  }
}
