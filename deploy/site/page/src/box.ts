// One exercise on the page: its editor, its buttons, and below them what came.
import { cleaned } from "./clean";
import { editor, type Editor } from "./editor";
import { element } from "./element";
import type { Answer, Kind, Shown } from "./messages";
import type { Exercise } from "./notebook";
import { KEYS } from "./panel";

/** What a box asks of the page. */
export interface Wishes {
  changed(text: string): void;
  /** Run the answer, or check it. */
  asked(check: boolean): Promise<Answer>;
  stopped(): void;
  /** Forget the answer; return what was there at first. */
  restarted(): string;
  touched(): void;
}

const ENDED: Record<Kind, string> = {
  right: "Right.",
  wrong: "Not right yet.",
  "not yet": "Not answered yet.",
  ran: "It ran.",
  failed: "It failed.",
  stopped: "Stopped.",
};

/** A box in which one exercise is answered. */
export class Box {
  readonly exercise: Exercise;
  readonly editor: Editor;
  readonly whole: HTMLElement;
  readonly #wishes: Wishes;
  readonly #state = element("span", { className: "answer-state" });
  readonly #came = element("div", { className: "answer-came" });
  readonly #stop = element("button", { type: "button", textContent: "Stop", hidden: true });
  readonly #buttons: HTMLButtonElement[] = [];

  constructor(exercise: Exercise, text: string, title: string, wishes: Wishes) {
    this.exercise = exercise;
    this.#wishes = wishes;
    const parent = element("div", { className: "answer-editor highlight" });
    const bar = element("div", { className: "answer-bar" });
    this.whole = element("div", { className: "answer" }, parent, bar, this.#came);
    this.whole.dataset.exercise = exercise.name;
    this.#came.setAttribute("aria-live", "polite");
    this.#state.setAttribute("role", "status");
    this.#came.hidden = true;
    const run = () => void this.ask(false);
    const check = () => void this.ask(true);
    if (exercise.isCode) bar.append(this.#button("Run", run, "Ctrl+Enter"));
    if (exercise.check) bar.append(this.#button("Check", check, "Shift+Enter"));
    this.#stop.addEventListener("click", () => wishes.stopped());
    bar.append(this.#stop, this.#state, this.#again());
    this.editor = editor({
      parent,
      text,
      isCode: exercise.isCode,
      label: `Your answer to ${title}`,
      described: KEYS,
      changed: (now) => wishes.changed(now),
      ...(exercise.isCode ? { run } : {}),
      ...(exercise.check ? { check } : exercise.isCode ? { check: run } : {}),
    });
    if (exercise.isCode) parent.addEventListener("focusin", () => wishes.touched(), { once: true });
  }

  /** Say in a few words what happens. */
  say(words: string, share?: number): void {
    this.#state.textContent = words;
    if (share === undefined) return;
    const bar = element("progress", { max: 1, value: share });
    bar.setAttribute("aria-label", "Python is loading");
    this.#state.prepend(bar);
  }

  get busy(): boolean {
    return this.whole.dataset.busy === "yes";
  }

  /** Run or check what is written, and show what came. */
  async ask(check: boolean): Promise<void> {
    if (this.busy) return;
    this.#setBusy(true);
    this.say(check ? "Checking …" : "Running …");
    try {
      this.show(await this.#wishes.asked(check));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.show({ kind: "failed", text, shown: [] });
    } finally {
      this.#setBusy(false);
    }
  }

  show(answer: Answer): void {
    // A sentence comes before its picture; what was printed, before the error that ended it.
    const [words, outputs] = [said(answer), answer.shown.map(output)];
    const judged = answer.kind === "wrong" || answer.kind === "not yet";
    this.#came.replaceChildren(...(judged ? [...words, ...outputs] : [...outputs, ...words]));
    this.#came.hidden = !this.#came.childNodes.length;
    this.whole.dataset.kind = answer.kind;
    if (answer.draws !== undefined) this.whole.dataset.draws = String(answer.draws);
    const inAnother = answer.cell ? ` The cell “${answer.cell}” above it failed.` : "";
    this.say(ENDED[answer.kind] + inAnother);
  }

  #setBusy(busy: boolean): void {
    this.whole.dataset.busy = busy ? "yes" : "no";
    for (const each of this.#buttons) each.disabled = busy;
    this.#stop.hidden = !busy;
  }

  #button(words: string, act: () => void, keys: string): HTMLButtonElement {
    const made = element("button", { type: "button", textContent: words, title: keys });
    made.addEventListener("click", act);
    this.#buttons.push(made);
    return made;
  }

  #again(): HTMLButtonElement {
    const made = element("button", { type: "button", className: "answer-again", textContent: "Start again" });
    made.setAttribute("aria-label", `Start again with ${this.exercise.name}`);
    made.addEventListener("click", () => {
      this.editor.put(this.#wishes.restarted());
      this.#came.hidden = true;
      this.#came.replaceChildren();
      delete this.whole.dataset.kind;
      this.say("As it was given. Ctrl+Z in the editor brings your words back.");
    });
    return made;
  }
}

function output({ html, text }: Shown): Node {
  const box = element("div", { className: html === undefined ? "answer-printed" : "answer-shown" });
  if (html === undefined) box.textContent = text ?? "";
  else box.append(cleaned(html));
  return box;
}

function said({ kind, text }: Answer): Node[] {
  return text ? [element("div", { className: `answer-said ${kind.replace(" ", "-")}`, textContent: text })] : [];
}
