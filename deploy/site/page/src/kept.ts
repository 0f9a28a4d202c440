// What a reader has written and passed, kept in this browser alone.
import { createStore, del, entries, set } from "idb-keyval";

export interface Kept {
  all(): Promise<Map<string, string>>;
  keep(exercise: string, text: string): Promise<void>;
  forget(exercise: string): Promise<void>;
}

/**
 * Return the store of a chapter's answers: one record for each, written at each change.
 *
 * The store answers later, and a page that is closed meanwhile loses what is on its way. Until it has
 * answered, the text is also where a page writes at once.
 */
export function keptAnswers(chapter: string): Kept {
  const store = createStore("workbook-answers", "texts");
  const start = `${chapter} `;
  const onTheWay = (exercise: string) => `writing ${start}${exercise}`;
  return {
    async all() {
      const mine = (await entries<string, string>(store)).filter(([name]) => name.startsWith(start));
      const texts = new Map(mine.map(([name, text]) => [name.slice(start.length), text]));
      for (const [key, text] of atOnce(onTheWay(""))) texts.set(key.slice(onTheWay("").length), text);
      return texts;
    },
    async keep(exercise, text) {
      const key = onTheWay(exercise);
      putAtOnce(key, text);
      await set(start + exercise, text, store);
      dropAtOnce(key, text);
    },
    async forget(exercise) {
      dropAtOnce(onTheWay(exercise));
      await del(start + exercise, store);
    },
  };
}

function atOnce(start: string): [string, string][] {
  try {
    return Object.entries(localStorage).filter(([key]) => key.startsWith(start));
  } catch {
    return []; // a private window keeps nothing
  }
}

function putAtOnce(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // a private window keeps nothing
  }
}

/** Take a text away, unless another one has taken its place. */
function dropAtOnce(key: string, text?: string): void {
  try {
    if (text === undefined || localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {
    // a private window keeps nothing
  }
}

// The first page reads these when it is drawn: they are in the store that needs no waiting.
const passKey = (exercise: string) => `passed ${location.pathname} ${exercise}`;

/** Return the best share of the points that a check gave for an exercise; 0 for none. */
export function passed(exercise: string): number {
  try {
    return Number(localStorage.getItem(passKey(exercise)));
  } catch {
    return 0; // a private window keeps nothing
  }
}

/** Note that a check gave this share of the points. */
export function notePass(exercise: string, share: number): void {
  putAtOnce(passKey(exercise), String(Math.max(share, passed(exercise))));
}
