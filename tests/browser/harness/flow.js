// The homeowner's way through the widget, by what a person sees or a screen reader says.

export class Flow {
  constructor(page) {
    this.page = page;
    this.address = page.getByRole("combobox", { name: /your home address/i });
    this.measure = page.getByRole("button", { name: "Measure my roof" });
    this.yes = page.getByRole("button", { name: /yes, that’s my roof|^price a/i });
    this.showEstimate = page.getByRole("button", { name: "Submit and show my estimate" });
    this.materials = page.getByRole("group", { name: /roof material/i });
    this.tryNow = page.getByRole("button", { name: "Try now" });
  }

  heading(name) {
    return this.page.getByRole("heading", { name });
  }

  /** The launcher on a contractor's page; the hosted page is open from the start. */
  async open() {
    await this.launcher.click();
    await this.address.waitFor();
  }

  get launcher() {
    const name = /^(Get my roof estimate|Ver el precio de mi techo)$/;
    return this.page.getByRole("button", { name }).or(this.page.getByRole("link", { name }));
  }

  /** Types as a person does and waits for the list. */
  async type(text) {
    await this.address.click();
    await this.address.pressSequentially(text);
  }

  suggestion(name) {
    return this.page.getByRole("option", { name }).first();
  }

  /** Types an address, picks it from the list and has it measured. */
  async pick(typed, name) {
    await this.type(typed);
    await this.suggestion(name).click();
    await this.measureIfAsked();
  }

  /** Choosing from the list may measure at once, or wait for the button. */
  async measureIfAsked() {
    const next = this.heading(/is this your roof|which buildings|house next door|measuring|measure this roof/i);
    await this.measure.or(next).first().waitFor();
    if (await this.measure.isVisible()) await this.measure.click();
  }

  async confirmRoof() {
    await this.yes.click();
    await this.heading(/who is the estimate for/i).waitFor();
  }

  async fillDetails({ first, last, email, phone, consent }) {
    await this.page.getByLabel("First name").fill(first);
    await this.page.getByLabel("Last name").fill(last);
    await this.page.getByLabel("Email").fill(email);
    if (phone) await this.page.getByLabel(/^phone/i).fill(phone);
    if (consent) await this.page.getByRole("checkbox").check();
  }

  /** The address in its five parts, as the form asks for them. */
  async fillParts({ number, street, city, state, zip }) {
    await this.page.getByLabel("Number").fill(number);
    await this.page.getByLabel("Street").fill(street);
    await this.page.getByLabel("City").fill(city);
    await this.page.getByLabel("State").fill(state);
    await this.page.getByLabel("ZIP code").fill(zip);
  }

  /** To the search field, emptied, from wherever "Edit the address" led. */
  async backToSearch() {
    const search = this.page.getByRole("button", { name: "Back to search" });
    await search.or(this.address).first().waitFor();
    if (await search.isVisible()) await search.click();
    await this.address.fill("");
  }

  async estimateShown() {
    await this.materials.waitFor();
  }

  /** The big figure, in dollars. */
  async price() {
    const text = await this.page.getByText(/^\$[\d,]+$/).first().innerText();
    return Number(text.replace(/[$,]/g, ""));
  }
}
