// What a reader has written and passed, kept in this browser alone.
import { createStore, del, entries, set } from "idb-keyval";

export interface Kept {
  all(): Promise<Map<string, string>>;
  keep(exercise: string, text: string): Promise<void>;
  forget(exercise: string): Promise<void>;
}

/** Return the store of a chapter's answers: one record for each, written at each change. */
export function keptAnswers(chapter: string): Kept {
  const store = createStore("workbook-answers", "texts");
  const key = (exercise: string) => `${chapter} ${exercise}`;
  return {
    async all() {
      const mine = (await entries<string, string>(store)).filter(([name]) => name.startsWith(key("")));
      return new Map(mine.map(([name, text]) => [name.slice(key("").length), text]));
    },
    keep: (exercise, text) => set(key(exercise), text, store),
    forget: (exercise) => del(key(exercise), store),
  };
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
  try {
    localStorage.setItem(passKey(exercise), String(Math.max(share, passed(exercise))));
  } catch {
    // a private window keeps nothing
  }
}
