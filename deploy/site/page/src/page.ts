// The exercises of a page: an editor in each place, one Python for all, and what this browser keeps.
import { Box } from "./box";
import { element } from "./element";
import { keptAnswers, notePass, type Kept } from "./kept";
import { bytes, FILES, type Answer, type Files } from "./messages";
import { answersIn, codeUpTo, exercises, handIn, sourceOf, stubs, type Exercise, type Notebook } from "./notebook";
import type { Panel, Place } from "./panel";
import { Python } from "./python";

export class Page {
  readonly #boxes = new Map<string, Box>();
  readonly #texts: Map<string, string>;
  readonly #stubs: Map<string, string>;
  readonly #python: Python;
  #asking: Box | undefined; // whose turn it is
  #touched: Box | undefined; // where the reader was last

  constructor(
    readonly panel: Panel,
    readonly chapter: string,
    readonly notebook: Notebook,
    folder: string,
    readonly kept: Kept,
    before: Map<string, string>,
  ) {
    this.#stubs = stubs(notebook);
    this.#texts = new Map([...this.#stubs, ...[...before].filter(([name]) => this.#stubs.has(name))]);
    this.#python = new Python(folder, ({ words, share }) => (this.#asking ?? this.#touched)?.say(words, share));
  }

  /** Put an editor into each exercise's place. */
  fill(found: Place[]): void {
    for (const exercise of exercises(this.notebook)) {
      const host = found.find((each) => each.name === exercise.name)?.host;
      if (!host) continue;
      const heading = host.closest("section")?.querySelector<HTMLElement>(":scope > h2, :scope > h3");
      const title = heading?.firstChild?.textContent?.trim() ?? "";
      const box: Box = new Box(exercise, this.#texts.get(exercise.name) ?? "", `${title} ${exercise.name}`.trim(), {
        changed: (text) => this.#changed(exercise, text),
        asked: (check) => this.#asked(exercise, box, check),
        stopped: () => this.#python.stop(),
        restarted: () => this.#restarted(exercise),
        touched: () => this.#load(box),
      });
      host.replaceChildren(box.whole);
      this.#boxes.set(exercise.name, box);
    }
    // *Check* is in their place.
    for (const each of document.querySelectorAll<HTMLElement>("[class*=tag_check-]")) each.hidden = true;
  }

  /** Show what another tab has written. */
  async refresh(): Promise<void> {
    for (const [name, text] of await this.kept.all()) this.#put(name, text);
  }

  /** Give the notebook with all answers to the reader. */
  download(): void {
    const text = handIn(this.notebook, this.#texts);
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    element("a", { href: address, download: `${this.chapter}.ipynb` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Take the answers of a notebook. */
  async read(file: File): Promise<void> {
    try {
      const found = answersIn(await file.text(), this.notebook);
      for (const [name, text] of found) {
        await this.kept.keep(name, text);
        this.#put(name, text);
      }
      this.panel.say(`${found.size} answers opened. Ctrl+Z in an editor brings back what was there.`);
    } catch (error) {
      this.panel.say(error instanceof Error ? error.message : String(error));
    }
  }

  #put(name: string, text: string): void {
    if (!this.#boxes.has(name)) return;
    this.#texts.set(name, text);
    this.#boxes.get(name)?.editor.put(text);
  }

  /** Load Python while the reader thinks. */
  #load(box: Box): void {
    this.#touched = box;
    this.#python.start().catch((error: Error) => box.say(error.message));
  }

  #changed({ name }: Exercise, text: string): void {
    this.#texts.set(name, text);
    this.kept.keep(name, text).catch(() => this.panel.say("This browser keeps nothing: download your notebook."));
  }

  async #asked(exercise: Exercise, box: Box, check: boolean): Promise<Answer> {
    this.#touched = box;
    if (!this.#python.isReady) box.say("Starting Python …");
    const cells = codeUpTo(this.notebook, this.#texts, exercise.name);
    const test = check ? exercise.check : undefined;
    const asked = { cells, ...(test ? { check: { name: test, code: sourceOf(this.notebook, test) } } : {}) };
    this.#asking ??= box;
    try {
      const answer = await this.#python.ask(asked);
      if (answer.kind === "right") {
        notePass(exercise.name, answer.share ?? 1);
        this.panel.draw(exercise.name);
      }
      return answer;
    } finally {
      this.#asking = undefined;
    }
  }

  #restarted({ name }: Exercise): string {
    const stub = this.#stubs.get(name) ?? "";
    this.#texts.set(name, stub);
    void this.kept.forget(name);
    return stub;
  }
}

/** Fetch a chapter's notebook and put editors into its page. */
export async function open(place: HTMLElement, panel: Panel, found: Place[]): Promise<Page> {
  const chapter = place.dataset.chapter ?? "";
  const folder = new URL(place.dataset.python ?? "", document.baseURI).href;
  const kept = keptAnswers(chapter);
  const [files, notebook, before] = await Promise.all([
    fetched<Files>(folder + FILES),
    fetched<Notebook>(`notebooks/${chapter}.ipynb`),
    kept.all().catch(() => new Map<string, string>()), // a private window keeps nothing
  ]);
  panel.tell(Math.ceil(bytes(files, "small") / 1e6));
  const page = new Page(panel, chapter, notebook, folder, kept, before);
  page.fill(found);
  void navigator.storage?.persist?.(); // else a browser may drop it after some weeks
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") page.refresh().catch(() => undefined);
  });
  return page;
}

async function fetched<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  return answer.json();
}
