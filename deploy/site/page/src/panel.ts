// The head of a page's answers: a tile for each exercise, and the notebook. It is all that a page
// loads before an exercise comes near.
import { element } from "./element";
import { passed } from "./kept";

const FULL = 0.9995; // of the points
export const KEYS = "answer-keys"; // the id of the words about keys
const ABOUT =
  "Answer each exercise where it stands. What you write stays in this browser, and is sent nowhere. " +
  "Python is loaded once, when you begin";
const ABOUT_KEYS =
  "Shift+Enter checks, Ctrl+Enter runs. Tab indents while you write; Escape, then Tab, leaves the editor.";

/** An exercise's place on the page, as the site's build marks it. */
export interface Place {
  name: string;
  host: HTMLElement;
  isChecked: boolean;
}

/** Return the places for answers, in order. */
export function places(): Place[] {
  return [...document.querySelectorAll<HTMLElement>("[class*=tag_exercise-]")].map((host) => {
    const name = /tag_exercise-(\w+)/.exec(host.className)?.[1] ?? "";
    return { name, host, isChecked: document.querySelector(`.tag_check-${name}_visible`) !== null };
  });
}

/** What the buttons do. */
export interface Acts {
  download(): void;
  open(file: File): void;
}

export class Panel {
  readonly #places: Place[];
  readonly #tiles = new Map<string, HTMLElement>();
  readonly #about = element("p", { textContent: `${ABOUT}.` });
  readonly #said = element("p", { className: "answering-said" });

  constructor(place: HTMLElement, found: Place[], acts: Acts) {
    this.#places = found;
    this.#said.setAttribute("role", "status");
    for (const each of found) this.#tiles.set(each.name, this.#tile(each));
    const keys = element("p", { id: KEYS, className: "answering-keys", textContent: ABOUT_KEYS });
    const tiles = element("div", { className: "answering-tiles" }, ...this.#tiles.values());
    place.append(this.#about, tiles, this.#said, buttons(acts), keys);
    place.hidden = false;
    for (const each of found) this.draw(each.name);
  }

  /** Say how much is loaded. */
  tell(megabytes: number): void {
    this.#about.textContent = `${ABOUT}: ${megabytes} MB.`;
  }

  say(words: string): void {
    this.#said.textContent = words;
  }

  /** Fill a tile as far as its exercise has passed, and count those that are full. */
  draw(name: string): void {
    const [tile, place] = [this.#tiles.get(name), this.#places.find((each) => each.name === name)];
    if (!tile || !place) return;
    const share = passed(name);
    const full = share >= FULL;
    tile.style.setProperty("--share", `${100 * share}%`);
    tile.classList.toggle("full", full);
    tile.textContent = place.isChecked ? (full ? "✓" : "○") : "✎";
    const part = share > 0 ? `${Math.round(100 * share)} % of the points` : "not passed yet";
    tile.setAttribute("aria-label", `${name}: ${place.isChecked ? (full ? "passed" : part) : "in words"}`);
    const checked = this.#places.filter((each) => each.isChecked);
    const done = checked.filter((each) => passed(each.name) >= FULL).length;
    this.say(`${done} of ${checked.length} exercises ✓`);
  }

  #tile({ name, host }: Place): HTMLElement {
    const tile = element("a", { href: `#${host.closest("section")?.id ?? ""}`, title: name });
    tile.dataset.name = name;
    return tile;
  }
}

function buttons(acts: Acts): HTMLElement {
  const download = element("button", { type: "button", textContent: "Download my notebook" });
  download.addEventListener("click", () => acts.download());
  const file = element("input", { type: "file", accept: ".ipynb", hidden: true });
  file.setAttribute("aria-label", "A notebook of this chapter");
  file.addEventListener("change", () => {
    if (file.files?.[0]) acts.open(file.files[0]);
    file.value = "";
  });
  const open = element("button", { type: "button", textContent: "Open a notebook" });
  open.addEventListener("click", () => file.click());
  return element("p", { className: "answering-buttons" }, download, open, file);
}
