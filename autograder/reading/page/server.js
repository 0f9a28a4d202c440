// What is asked of the server, and the sending of points until it has them.

/** @import {Chapter, Sent, State} from "./types" */
/** @import {Kept} from "./kept.js" */

const PATIENCE = 15_000; // milliseconds for one answer of the server
const AGAIN = 2_000; // milliseconds until the next try

/** An answer that is no success: `taken` is false where trying again is of no use. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0: no answer at all
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Ask the server.
 * @param {string} path
 * @param {unknown} [body] what is sent; nothing for a question
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const headers = { "Content-Type": "application/json" };
  const sending = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, { ...sending, signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new ServerError("the server does not answer", 0);
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServerError(said.problem ?? `the server says ${answer.status}`, answer.status);
  return said;
}

/** @returns {Promise<Chapter>} */
export const chapter = () => ask("/api/questions");

/**
 * @param {string} reader
 * @returns {Promise<State>}
 */
export const state = (reader) => ask(`/api/state?reader=${encodeURIComponent(reader)}`);

/**
 * @param {string} key
 * @returns {Promise<string>}
 */
export const answer = async (key) => (await ask(`/api/answer/${key}`)).html;

/** @returns {Promise<Record<string, string>>} */
export const names = () => ask("/api/names");

/** Sends what the browser keeps, in order, until the server has all of it. */
export class Sender {
  /**
   * @param {Kept} kept
   * @param {{taken: (state: State) => void, refused: (reading: Sent, why: string) => void,
   *   changed: () => void}} told
   */
  constructor(kept, told) {
    this.kept = kept;
    this.told = told;
    /** @type {string} why the server does not take it; "" if all is well */
    this.problem = "";
    this.sending = false;
  }

  /** Send all; what fails is tried again. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let reading; (reading = this.kept.unsent()[0]); ) {
        if (!(await this.one(reading))) break;
      }
    } finally {
      this.sending = false;
      this.told.changed();
    }
    if (this.kept.unsent().length) setTimeout(() => this.send(), AGAIN);
  }

  /**
   * @param {Sent} reading
   * @returns {Promise<boolean>} whether the next one may be sent
   */
  async one(reading) {
    try {
      const state = await ask("/api/readings", reading);
      this.kept.forgetUnsent(reading);
      this.problem = "";
      this.told.taken(state);
      return true;
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (error.status === 409) {
        this.kept.forgetUnsent(reading);
        this.told.refused(reading, error.message);
        return true;
      }
      this.problem = error.message;
      this.told.changed();
      return false;
    }
  }
}
