// The keyboard: which key does what, outside of fields in which one types.

/** What may be done by a key. @typedef {{item: (place: number) => void, use: (place: number) => void,
 *   every: () => void, none: () => void, save: () => void, back: () => void, skip: () => void,
 *   comment: () => void, points: () => void, names: () => void, question: () => void,
 *   model: () => void, help: () => void, leave: () => void}} Acts */

/** For the list of keys. */
export const KEYS = [
  ["1 … 9", "give an item of the rubric; once more: half of it; once more: nothing. Without items: so many points"],
  ["a", "all points"],
  ["0", "no points"],
  ["Enter", "save, and go to the next answer"],
  ["p", "type the points"],
  ["c", "write a comment; Ctrl Enter saves from there, Esc leaves it"],
  ["⇧1 … ⇧9", "use a comment again"],
  ["← →", "the answer before; the next one, without points"],
  ["q, m", "show or hide the question, the model answer"],
  ["n", "show or hide names"],
  ["?", "this list"],
];

/** @type {Record<string, keyof Acts>} */
const NAMED = {
  Enter: "save", ArrowLeft: "back", ArrowRight: "skip", a: "every", 0: "none", c: "comment",
  p: "points", n: "names", q: "question", m: "model", "?": "help",
};

/**
 * Listen to the keyboard.
 * @param {Acts} acts
 */
export function listen(acts) {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("textarea, input")) return typing(event, target, acts);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select")) return;
    // A button under the keyboard is pressed by Enter: it must do its own work.
    if (event.key === "Enter" && target.matches("button, summary, a")) return;
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    if (digit) {
      event.preventDefault();
      const place = Number(digit[1]) - 1;
      if (event.shiftKey && event.code.startsWith("Digit")) acts.use(place);
      else acts.item(place);
    } else if (event.key in NAMED) {
      event.preventDefault();
      /** @type {() => void} */ (acts[NAMED[event.key]])();
    }
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} field
 * @param {Acts} acts
 */
function typing(event, field, acts) {
  const saves = event.key === "Enter" && (event.ctrlKey || event.metaKey || field.matches("#points"));
  if (saves) {
    event.preventDefault();
    acts.save();
  } else if (event.key === "Escape") {
    event.preventDefault();
    acts.leave();
  }
}
