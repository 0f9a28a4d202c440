// A page to read answers in words: what the reader does, kept in the browser until it is saved.

/** @import {Answer, Chapter, Draft, Queue, Sent, State} from "./types" */
import { Kept, storage } from "./kept.js";
import { KEYS, listen } from "./keys.js";
import { QUEUES, ahead, begun, blank, filled, nextOnes, number, toggled, total, used, withUsed } from "./reading.js";
import * as server from "./server.js";
import { at, button, element, put, showDraft, showNotice, showProgress, showQuestion, showUsed, shown } from "./view.js";

const FETCHED = 10; // answers that are there before they are needed
const LOOK = 20_000; // milliseconds between two looks at what other readers do

class Page {
  /** @param {Chapter} chapter */
  constructor(chapter) {
    this.chapter = chapter;
    this.kept = new Kept(storage(), chapter.place);
    this.reader = this.kept.get("reader") ?? "";
    this.queue = /** @type {Queue} */ (this.kept.get("queue") ?? "open");
    /** @type {State} */
    this.state = { answers: [], comments: [], readers: {} };
    /** @type {string | null} the answer that is shown */
    this.here = null;
    /** @type {string[]} the answers that were shown before it */
    this.past = [];
    this.draft = blank();
    /** @type {number | null} the question that is shown */
    this.asked = null;
    /** @type {Map<string, Promise<string>>} */
    this.texts = new Map();
    /** @type {Record<string, string> | null} whose an answer is; null: names are hidden */
    this.names = null;
    this.last = "";
    this.sender = new server.Sender(this.kept, {
      taken: (state) => this.take(state),
      refused: (reading, why) => this.refuse(reading, why),
      changed: () => this.say(),
    });
  }

  get question() {
    return this.chapter.questions[this.answer?.question ?? 0];
  }

  /** @returns {Answer[]} as they will be when all that is on its way has come */
  get answers() {
    const unsent = this.kept.unsent();
    return this.state.answers.map((each) => ahead(each, unsent, this.reader));
  }

  /** @returns {Answer | undefined} the answer that is shown */
  get answer() {
    return this.answers.find((each) => each.key === this.here);
  }

  async begin() {
    at("chapter").textContent = this.chapter.chapter;
    document.title = `${this.chapter.chapter}: answers to read`;
    if (!this.reader) this.reader = await askWho("");
    this.kept.set("reader", this.reader);
    this.state = await server.state(this.reader);
    this.wire();
    this.sender.send();
    this.next();
    setInterval(() => this.look(), LOOK);
  }

  /** Look what other readers have done. */
  async look() {
    if (document.hidden || this.kept.unsent().length) return;
    try {
      this.take(await server.state(this.reader));
      this.sender.problem = "";
    } catch (error) {
      this.sender.problem = /** @type {Error} */ (error).message;
    }
    this.say();
  }

  /** @param {State} state */
  take(state) {
    const differed = this.answers.filter((each) => each.state === "differ").length;
    this.state = state;
    const differ = this.answers.filter((each) => each.state === "differ").length;
    if (differ > differed) this.last = "Another reader gave other points for an answer that you have read: see “where readers differ”.";
    if (this.answer) this.refresh();
  }

  /**
   * @param {Sent} reading
   * @param {string} why
   */
  refuse(reading, why) {
    const { points, halves, comment } = reading;
    this.kept.keepDraft(reading.reader, reading.key, { points, halves, comment, refused: why });
    this.last = `Not taken, and kept as a draft: ${shown(points)} points for answer ${this.place(reading.key)}, as ${why}.`;
    this.texts.delete(reading.key);
    this.look();
  }

  /** @param {string} key */
  place(key) {
    return this.state.answers.findIndex((each) => each.key === key) + 1;
  }

  /** Go to the next answer of the list, or say that there is none. */
  next() {
    const found = nextOnes(this.answers, this.queue, this.here);
    if (found.length) this.show(found[0].key);
    else this.finish();
  }

  back() {
    const key = this.past.pop();
    if (key) this.show(key, false);
  }

  /**
   * Show an answer.
   * @param {string} key
   * @param {boolean} [forth] whether this one is to be come back to
   */
  show(key, forth = true) {
    if (forth && this.here && this.here !== key) this.past.push(this.here);
    this.here = key;
    const answer = this.answer;
    if (!answer) return;
    at("done").hidden = true;
    at("desk").hidden = false;
    if (this.asked !== answer.question) {
      this.asked = answer.question;
      showQuestion(this.question, (place) => this.change(toggled(this.draft, this.question, place)));
    }
    this.draft = begun(answer, this.kept.draft(this.reader, key));
    /** @type {HTMLTextAreaElement} */ (at("comment")).value = this.draft.comment;
    this.refresh();
    this.text(key);
    at("whose").focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  /** Show anew what may have changed about this answer, but for its text. */
  refresh() {
    const answer = /** @type {Answer} */ (this.answer);
    const who = this.names?.[answer.key];
    at("whose").textContent = `Answer ${this.place(answer.key)} of ${this.state.answers.length}${who ? `: ${who}` : ""}`;
    showDraft(this.draft, this.question);
    showUsed(this.used(), (text) => this.use(text));
    showNotice(answer, this.draft, (points, comment, halves) => {
      this.change({ points, comment, halves: [...halves] });
      this.save();
    });
    showProgress({ ...this.state, answers: this.answers }, this.queue);
    /** @type {HTMLButtonElement} */ (at("back")).disabled = !this.past.length;
    this.say();
  }

  used() {
    return used(this.state, this.kept.unsent(), this.answer?.question ?? 0);
  }

  /**
   * Show the text of an answer, and fetch the next ones.
   * @param {string} key
   */
  async text(key) {
    const into = at("answer");
    into.setAttribute("aria-busy", "true");
    into.replaceChildren();
    try {
      const html = await this.fetched(key);
      if (key === this.here) put(into, html || "<p><em>Nothing is written here.</em></p>");
    } catch (error) {
      this.texts.delete(key);
      if (key === this.here) into.replaceChildren(this.unseen(key, /** @type {Error} */ (error).message));
    }
    if (key !== this.here) return; // the text of another answer is on its way
    into.removeAttribute("aria-busy");
    for (const each of nextOnes(this.answers, this.queue, key).slice(0, FETCHED)) {
      if (key !== this.here || (await this.fetched(each.key).then(() => false, () => true))) return;
    }
  }

  /**
   * @param {string} key
   * @param {string} why
   */
  unseen(key, why) {
    const made = element("p", `This answer cannot be shown: ${why}. `, "problem");
    made.append(button("Try again", () => this.text(key)));
    return made;
  }

  /**
   * @param {string} key
   * @returns {Promise<string>}
   */
  fetched(key) {
    const work = this.state.answers.find((each) => each.key === key)?.work;
    const name = `${key} ${work}`;
    const found = this.texts.get(name) ?? server.answer(key);
    this.texts.set(name, found);
    found.catch(() => this.texts.delete(name));
    return found;
  }

  /** @param {Draft} draft */
  change(draft) {
    this.draft = draft;
    this.kept.keepDraft(this.reader, /** @type {string} */ (this.here), draft);
    showDraft(draft, this.question);
    this.last = "";
    this.say();
  }

  /** @param {string} text */
  use(text) {
    const comment = withUsed(this.draft.comment, text);
    /** @type {HTMLTextAreaElement} */ (at("comment")).value = comment;
    this.change({ ...this.draft, comment });
  }

  /** Keep the points, go on, and send them. */
  save() {
    const { answer, draft } = this;
    if (!answer) return;
    const points = draft.points;
    if (points === null) {
      this.last = "No points yet: 0 gives none.";
      this.say();
      return;
    }
    const { key, work, elsewhere } = answer;
    this.kept.keepUnsent({
      ...draft, points, key, work, reader: this.reader, sent: crypto.randomUUID(),
      decides: answer.state === "differ" && answer.mine !== null, saw: elsewhere, at: Date.now(),
    });
    this.kept.keepDraft(this.reader, key, null);
    this.last = "";
    this.next();
    this.sender.send();
  }

  finish() {
    this.here = null;
    at("desk").hidden = true;
    const done = at("done"), words = QUEUES.find(([name]) => name === this.queue)?.[1];
    const others = QUEUES.filter(([name]) => name !== this.queue && nextOnes(this.answers, name, null).length);
    const rows = others.map(([name, what]) =>
      button(`Show ${what} (${nextOnes(this.answers, name, null).length})`, () => this.choose(name)));
    done.replaceChildren(element("h1", "All done here"), element("p", `Nothing is left of “${words}”. The students' pages with your points: autograder grade ${this.chapter.chapter}`), ...rows);
    done.hidden = false;
    showProgress({ ...this.state, answers: this.answers }, this.queue);
    this.say();
  }

  /** @param {Queue} queue */
  choose(queue) {
    this.queue = queue;
    this.kept.set("queue", queue);
    this.last = "";
    this.here = null;
    this.next();
  }

  /** Say whether all is saved. */
  say() {
    const left = this.kept.unsent().length, problem = this.sender.problem, status = at("status");
    let words = this.last || "All saved in the gradebook.";
    if (left || problem) {
      const what = left === 1 ? "The points of 1 answer are" : `The points of ${left} answers are`;
      const where = this.kept.forgets ? "in this page alone: do not close it" : "in this browser";
      words = left ? `${what} not saved yet, and kept ${where}.` : "";
      if (problem) words += ` ${problem[0].toUpperCase()}${problem.slice(1)}. If it was stopped: autograder read ${this.chapter.chapter}`;
    }
    if (status.textContent !== words.trim()) status.textContent = words.trim();
    status.className = problem ? "problem" : left ? "waiting" : this.last ? "last" : "";
    at("reader").textContent = `Reader: ${this.reader}`;
  }

  async toggleNames() {
    try {
      this.names = this.names ? null : await server.names();
      at("names").setAttribute("aria-pressed", String(this.names !== null));
    } catch (error) {
      this.last = `Names cannot be shown: ${/** @type {Error} */ (error).message}.`;
    }
    if (this.answer) this.refresh();
  }

  async another() {
    const reader = await askWho(this.reader);
    if (!reader || reader === this.reader) return;
    this.reader = reader;
    this.kept.set("reader", reader);
    this.past = [];
    await this.look();
    if (this.here) this.show(this.here, false);
  }

  /** @param {number} place */
  item(place) {
    const { items, most } = this.question;
    if (items.length && place < items.length) this.change(toggled(this.draft, this.question, place));
    else if (!items.length && place + 1 <= most) this.change({ ...this.draft, points: place + 1 });
  }

  wire() {
    const points = /** @type {HTMLInputElement} */ (at("points"));
    points.addEventListener("input", () => {
      const found = number(points.value, this.question.most);
      points.toggleAttribute("aria-invalid", found === null && points.value !== "");
      const same = found !== null && found === total(this.draft.halves, this.question);
      this.change({ ...this.draft, points: found, halves: same ? this.draft.halves : [] });
    });
    const comment = /** @type {HTMLTextAreaElement} */ (at("comment"));
    comment.addEventListener("input", () => this.change({ ...this.draft, comment: comment.value }));
    const queue = /** @type {HTMLSelectElement} */ (at("queue"));
    queue.addEventListener("change", () => {
      queue.blur();
      this.choose(/** @type {Queue} */ (queue.value));
    });
    const here = () => this.here !== null;
    const fold = (/** @type {string} */ id) => {
      const part = /** @type {HTMLDetailsElement} */ (at(id));
      part.open = !part.open;
    };
    const asked = /** @type {HTMLDetailsElement} */ (at("asked"));
    asked.open = this.kept.get("folded") === null;
    asked.addEventListener("toggle", () => (asked.open ? this.kept.remove("folded") : this.kept.set("folded", "yes")));
    listen({
      item: (place) => here() && this.item(place),
      use: (place) => here() && this.used()[place] && this.use(this.used()[place].text),
      every: () => here() && this.change(filled(this.draft, this.question, true)),
      none: () => here() && this.change(filled(this.draft, this.question, false)),
      save: () => here() && this.save(),
      back: () => this.back(),
      skip: () => here() && this.next(),
      comment: () => here() && comment.focus(),
      points: () => here() && points.select(),
      names: () => this.toggleNames(),
      question: () => fold("asked"),
      model: () => fold("model"),
      help: () => /** @type {HTMLDialogElement} */ (at("keys")).showModal(),
      leave: () => at("whose").focus({ preventScroll: true }),
    });
    at("save").addEventListener("click", () => this.save());
    at("back").addEventListener("click", () => this.back());
    at("skip").addEventListener("click", () => this.next());
    at("names").addEventListener("click", () => this.toggleNames());
    at("reader").addEventListener("click", () => this.another());
    at("help").addEventListener("click", () => /** @type {HTMLDialogElement} */ (at("keys")).showModal());
    at("key-rows").replaceChildren(...KEYS.map(([key, what]) => {
      const row = element("tr"), name = element("th");
      name.scope = "row";
      name.append(element("kbd", key));
      row.append(name, element("td", what));
      return row;
    }));
    window.addEventListener("online", () => this.sender.send());
    window.addEventListener("beforeunload", (event) => {
      if (this.kept.forgets) event.preventDefault();
    });
  }
}

/**
 * Ask who reads.
 * @param {string} known
 * @returns {Promise<string>} "" if nobody is named
 */
function askWho(known) {
  const dialog = /** @type {HTMLDialogElement} */ (at("who")), name = /** @type {HTMLInputElement} */ (at("who-name"));
  name.value = known;
  dialog.showModal();
  name.select();
  return new Promise((resolve) => {
    const done = () => {
      const found = name.value.trim();
      if (!found && !known) return;
      dialog.close();
      resolve(found);
    };
    at("who-form").onsubmit = (event) => {
      event.preventDefault();
      done();
    };
    dialog.oncancel = (event) => {
      event.preventDefault();
      if (known) {
        dialog.close();
        resolve("");
      }
    };
  });
}

/** Begin, as soon as the server answers. */
async function begin() {
  try {
    await new Page(await server.chapter()).begin();
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    at("status").textContent = `The answers cannot be shown: ${why}.`;
    at("status").className = "problem";
    if (error instanceof server.ServerError && [0, 503].includes(error.status)) setTimeout(begin, 3000);
    else if (!(error instanceof server.ServerError)) throw error;
  }
}

begin();
