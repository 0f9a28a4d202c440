// What the browser keeps until the server has it: drafts, and points on their way.
// Each lies under a key of its own, so that two tabs never write over each other.

/** @import {Draft, Sent} from "./types" */

/** What one browser keeps of one chapter's reading. */
export class Kept {
  /**
   * @param {Storage | null} storage the browser's; null where it keeps nothing
   * @param {string} place a name of the course and the chapter
   */
  constructor(storage, place) {
    this.storage = storage;
    this.prefix = `reading ${place} `;
    /** @type {Map<string, string>} what the browser refuses to keep is kept by this page alone */
    this.own = new Map();
  }

  /** Tell whether closing the page would lose something. */
  get forgets() {
    return this.own.size > 0;
  }

  /** @param {string} name */
  get(name) {
    const own = this.own.get(this.prefix + name);
    if (own !== undefined) return own;
    try {
      return this.storage?.getItem(this.prefix + name) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  set(name, text) {
    const key = this.prefix + name;
    try {
      if (!this.storage) throw new Error("this browser keeps nothing");
      this.storage.setItem(key, text);
      this.own.delete(key);
    } catch {
      this.own.set(key, text);
    }
  }

  /** @param {string} name */
  remove(name) {
    const key = this.prefix + name;
    this.own.delete(key);
    try {
      this.storage?.removeItem(key);
    } catch {
      // nothing was kept
    }
  }

  /**
   * The draft of an answer.
   * @param {string} reader
   * @param {string} key
   * @returns {Draft | null}
   */
  draft(reader, key) {
    return read(this.get(`draft ${key} ${reader}`));
  }

  /**
   * @param {string} reader
   * @param {string} key
   * @param {Draft | null} draft null: there is none any more
   */
  keepDraft(reader, key, draft) {
    const name = `draft ${key} ${reader}`;
    if (draft) this.set(name, JSON.stringify(draft));
    else this.remove(name);
  }

  /** @param {Sent} reading */
  keepUnsent(reading) {
    this.set(`unsent ${reading.sent}`, JSON.stringify(reading));
  }

  /** @param {Sent} reading */
  forgetUnsent(reading) {
    this.remove(`unsent ${reading.sent}`);
  }

  /**
   * All points that the server has not confirmed, in the order in which they were given.
   * @returns {Sent[]}
   */
  unsent() {
    const found = new Map(this.own);
    try {
      for (let place = 0; place < (this.storage?.length ?? 0); place++) {
        const key = this.storage?.key(place) ?? "";
        found.set(key, this.own.get(key) ?? this.storage?.getItem(key) ?? "");
      }
    } catch {
      // only what this page keeps itself
    }
    const readings = [...found]
      .filter(([key]) => key.startsWith(`${this.prefix}unsent `))
      .map(([, text]) => /** @type {Sent | null} */ (read(text)))
      .filter((reading) => reading !== null);
    return readings.sort((one, other) => one.at - other.at);
  }
}

/**
 * @param {string | null} text
 * @returns {any} null where nothing, or nothing readable, was kept
 */
function read(text) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The browser's storage; null where it may not be used. */
export function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
