// Exercises are answered where they stand: the page, one Python for all, and what this browser keeps.
import { Box, element, KEYS } from "./box";
import { keptAnswers, notePass, passed, type Kept } from "./kept";
import { bytes, FILES, type Answer, type Files } from "./messages";
import { answersIn, codeUpTo, exercises, handIn, sourceOf, stubs, type Exercise, type Notebook } from "./notebook";
import { Python } from "./python";

const FULL = 0.9995; // of the points

class Page {
  readonly #boxes = new Map<string, Box>();
  readonly #tiles = new Map<string, HTMLElement>();
  readonly #texts: Map<string, string>;
  readonly #stubs: Map<string, string>;
  readonly #python: Python;
  readonly #said = element("p", { className: "answering-said" });
  readonly #kept: Kept;
  #asking: Box | undefined; // whose turn it is
  #touched: Box | undefined; // where the reader was last

  constructor(
    readonly place: HTMLElement,
    folder: string,
    readonly chapter: string,
    readonly notebook: Notebook,
    readonly megabytes: number,
    before: Map<string, string>,
    kept: Kept,
  ) {
    this.#kept = kept;
    this.#stubs = stubs(notebook);
    this.#texts = new Map([...this.#stubs, ...[...before].filter(([name]) => this.#stubs.has(name))]);
    this.#python = new Python(folder, ({ words, share }) => (this.#asking ?? this.#touched)?.say(words, share));
    this.#said.setAttribute("role", "status");
  }

  /** Put an editor into each exercise's place. */
  fill(): void {
    for (const exercise of exercises(this.notebook)) {
      const host = document.querySelector<HTMLElement>(`.tag_exercise-${exercise.name}`);
      if (!host) continue;
      const heading = host.closest("section")?.querySelector<HTMLElement>(":scope > h2, :scope > h3");
      const title = heading?.firstChild?.textContent?.trim() || exercise.name;
      const box = new Box(exercise, this.#texts.get(exercise.name) ?? "", `${title} ${exercise.name}`, {
        changed: (which, text) => this.#changed(which, text),
        asked: (which, check) => this.#asked(which, check),
        stopped: () => this.#python.stop(),
        restarted: (which) => this.#restarted(which),
        touched: () => this.#load(box),
      });
      host.replaceChildren(box.whole);
      host.classList.add("answered-here");
      this.#boxes.set(exercise.name, box);
      this.#addTile(exercise, heading ?? host);
    }
    for (const each of document.querySelectorAll<HTMLElement>("[class*=tag_check-]")) each.hidden = true;
    this.#panel();
  }

  /** Show what another tab has written. */
  async refresh(): Promise<void> {
    for (const [name, text] of await this.#kept.all()) {
      if (!this.#boxes.has(name)) continue;
      this.#texts.set(name, text);
      this.#boxes.get(name)?.editor.put(text);
    }
  }

  /** Load Python while the reader thinks. */
  #load(box: Box): void {
    this.#touched = box;
    this.#python.start().catch((error: Error) => box.say(error.message));
  }

  #changed({ name }: Exercise, text: string): void {
    this.#texts.set(name, text);
    this.#kept.keep(name, text).catch(() => this.#say("This browser keeps nothing: download your notebook."));
  }

  async #asked(exercise: Exercise, check: boolean): Promise<Answer> {
    const box = this.#boxes.get(exercise.name);
    this.#touched = box;
    const cells = codeUpTo(this.notebook, this.#texts, exercise.name);
    const test = check && exercise.check;
    const asked = { cells, ...(test ? { check: { name: test, code: sourceOf(this.notebook, test) } } : {}) };
    this.#asking ??= box;
    try {
      const answer = await this.#python.ask(asked);
      if (answer.kind === "right") this.#pass(exercise, answer.share ?? 1);
      return answer;
    } finally {
      this.#asking = undefined;
    }
  }

  #restarted({ name }: Exercise): string {
    const stub = this.#stubs.get(name) ?? "";
    this.#texts.set(name, stub);
    void this.#kept.forget(name);
    return stub;
  }

  #pass({ name }: Exercise, share: number): void {
    notePass(name, share);
    this.#drawTile(name);
  }

  #addTile(exercise: Exercise, target: HTMLElement): void {
    const id = target.closest("section")?.id ?? "";
    const tile = element("a", { href: `#${id}`, textContent: exercise.isCode ? "" : "✎" });
    tile.dataset.name = exercise.name;
    this.#tiles.set(exercise.name, tile);
    this.#drawTile(exercise.name);
  }

  #drawTile(name: string): void {
    const tile = this.#tiles.get(name);
    const share = passed(name);
    if (!tile) return;
    tile.style.setProperty("--share", `${100 * share}%`);
    tile.classList.toggle("full", share >= FULL);
    if (this.#boxes.get(name)?.exercise.check) tile.textContent = share >= FULL ? "✓" : "○";
    const words = share >= FULL ? "passed" : share > 0 ? `${Math.round(100 * share)} % of the points` : "not passed yet";
    tile.setAttribute("aria-label", `${name}: ${this.#boxes.get(name)?.exercise.check ? words : "in words"}`);
    tile.title = name;
    this.#tally();
  }

  #tally(): void {
    const checked = [...this.#boxes.values()].filter((box) => box.exercise.check);
    const done = checked.filter((box) => passed(box.exercise.name) >= FULL).length;
    this.#say(`${done} of ${checked.length} exercises ✓`);
  }

  #say(words: string): void {
    this.#said.textContent = words;
  }

  #panel(): void {
    const download = element("button", { type: "button", textContent: "Download my notebook" });
    download.addEventListener("click", () => this.#download());
    const file = element("input", { type: "file", accept: ".ipynb", hidden: true });
    file.setAttribute("aria-label", "A notebook of this chapter");
    file.addEventListener("change", () => void this.#open(file));
    const open = element("button", { type: "button", textContent: "Open a notebook" });
    open.addEventListener("click", () => file.click());
    const tiles = element("div", { className: "answering-tiles" }, ...this.#tiles.values());
    const keys = element("p", {
      id: KEYS,
      className: "answering-keys",
      textContent: "Shift+Enter checks, Ctrl+Enter runs. Tab indents while you write; Escape, then Tab, leaves the editor.",
    });
    const about =
      "Answer each exercise where it stands. What you write stays in this browser, and is sent nowhere. " +
      `Python is loaded once, when you begin: ${this.megabytes} MB.`;
    this.place.append(
      element("p", { textContent: about }),
      tiles,
      this.#said,
      element("p", { className: "answering-buttons" }, download, open, file),
      keys,
    );
    this.place.hidden = false;
  }

  #download(): void {
    const text = handIn(this.notebook, this.#texts);
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    element("a", { href: address, download: `${this.chapter}.ipynb` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async #open(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const found = answersIn(await file.text(), this.notebook);
      for (const [name, text] of found) {
        this.#texts.set(name, text);
        await this.#kept.keep(name, text);
        this.#boxes.get(name)?.editor.put(text);
      }
      this.#say(`${found.size} answers opened. Ctrl+Z in an editor brings back what was there.`);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
    input.value = "";
  }
}

async function begin(place: HTMLElement): Promise<void> {
  const chapter = place.dataset.chapter ?? "";
  const folder = new URL(place.dataset.python ?? "", document.baseURI).href;
  const kept = keptAnswers(chapter);
  const [files, notebook, before] = await Promise.all([
    fetch(folder + FILES).then((answer) => answer.json() as Promise<Files>),
    fetch(`notebooks/${chapter}.ipynb`).then((answer) => answer.json() as Promise<Notebook>),
    kept.all().catch(() => new Map<string, string>()), // a private window keeps nothing
  ]);
  const page = new Page(place, folder, chapter, notebook, Math.ceil(bytes(files, "small") / 1e6), before, kept);
  page.fill();
  void navigator.storage?.persist?.(); // else a browser may drop it after some weeks
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") page.refresh().catch(() => undefined);
  });
}

const place = document.querySelector<HTMLElement>("#answering");
if (place) void begin(place);
