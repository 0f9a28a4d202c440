// What is to be read, in which order, and how a draft becomes points: no page, no server.

/** @import {Answer, Comment, Draft, Question, Queue, Sent, State} from "./types" */

/** The lists that a reader may go through, and their names. @type {[Queue, string][]} */
export const QUEUES = [
  ["open", "what nobody has read"],
  ["second", "what I have not read"],
  ["differ", "where readers differ"],
  ["all", "all answers"],
];

/** @returns {Draft} */
export const blank = () => ({ points: null, halves: [], comment: "" });

/**
 * What a reader begins with: a draft, else what this reader gave, else what the gradebook has.
 * @param {Answer} answer
 * @param {Draft | null} draft
 * @returns {Draft}
 */
export function begun(answer, draft) {
  const { mine, elsewhere } = answer;
  if (draft) return { ...blank(), ...draft };
  if (mine) return { points: mine.points, halves: [...mine.halves], comment: mine.comment };
  return { ...blank(), points: elsewhere?.points ?? null, comment: elsewhere?.comment ?? "" };
}

/**
 * Give an item's points, then half of them, then none.
 * @param {Draft} draft
 * @param {Question} question
 * @param {number} place of the item
 * @returns {Draft}
 */
export function toggled(draft, question, place) {
  const next = { 0: 2, 2: 1, 1: 0 };
  const halves = question.items.map((_, at) => draft.halves[at] ?? 0);
  halves[place] = next[/** @type {0 | 1 | 2} */ (halves[place])];
  return { ...draft, halves, points: total(halves, question) };
}

/**
 * Give all items, or none.
 * @param {Draft} draft
 * @param {Question} question
 * @param {boolean} every
 * @returns {Draft}
 */
export function filled(draft, question, every) {
  const halves = question.items.map(() => (every ? 2 : 0));
  return { ...draft, halves, points: every ? question.most : 0 };
}

/**
 * The points of the items that are given, at most those of the question.
 * @param {number[]} halves
 * @param {Question} question
 */
export function total(halves, question) {
  const sum = question.items.reduce((all, item, at) => all + (item.points * (halves[at] ?? 0)) / 2, 0);
  return Math.min(sum, question.most);
}

/**
 * Read a number as people of all countries write it.
 * @param {string} text
 * @param {number} most
 * @returns {number | null} null where it is none, or out of range
 */
export function number(text, most) {
  const words = text.trim().replace(",", ".");
  const found = /^\d*\.?\d*$/.test(words) && /\d/.test(words) ? Number(words) : NaN;
  return found >= 0 && found <= most ? found : null;
}

/**
 * An answer as it will be when the server has what is on its way.
 * @param {Answer} answer
 * @param {Sent[]} unsent
 * @param {string} reader
 * @returns {Answer}
 */
export function ahead(answer, unsent, reader) {
  const own = unsent.filter((each) => each.key === answer.key && each.reader === reader).at(-1);
  if (!own || own.work !== answer.work) return answer;
  const { points, halves, comment } = own;
  const differ = !own.decides && answer.others.some((other) => other.points !== points);
  return { ...answer, mine: { reader, points, halves, comment }, state: differ ? "differ" : "read" };
}

/**
 * Tell whether an answer is in a list.
 * @param {Answer} answer
 * @param {Queue} queue
 */
export function isIn(answer, queue) {
  if (queue === "open") return ["waits", "again"].includes(answer.state);
  if (queue === "second") return answer.mine === null && answer.state !== "blank";
  return queue === "all" || answer.state === "differ";
}

/**
 * The next answers of a list, from behind one on and round.
 * @param {Answer[]} answers
 * @param {Queue} queue
 * @param {string | null} after
 * @returns {Answer[]}
 */
export function nextOnes(answers, queue, after) {
  const at = answers.findIndex((each) => each.key === after) + 1;
  return [...answers.slice(at), ...answers.slice(0, at)]
    .filter((each) => each.key !== after && isIn(each, queue));
}

/**
 * How far the reading has come, in words.
 * @param {State} state
 */
export function progress(state) {
  const written = state.answers.filter((each) => each.state !== "blank");
  const read = written.filter((each) => each.state === "read" || each.state === "differ");
  const nothing = state.answers.length - written.length;
  const parts = [`${read.length} of ${written.length} read`];
  if (nothing) parts.push(`${nothing} wrote nothing`);
  const readers = Object.entries(state.readers);
  if (readers.length > 1) parts.push(readers.map(([name, many]) => `${name} ${many}`).join(", "));
  return parts.join(" · ");
}

/**
 * The comments that were used before with a question, those on their way too.
 * @param {State} state
 * @param {Sent[]} unsent
 * @param {number} question
 * @returns {Comment[]}
 */
export function used(state, unsent, question) {
  const found = state.comments.filter((each) => each.question === question);
  const asked = new Map(state.answers.map((each) => [each.key, each.question]));
  for (const { key, comment } of unsent) {
    const text = comment.trim();
    if (!text || asked.get(key) !== question || found.some((each) => each.text === text)) continue;
    found.push({ question, text, times: 1 });
  }
  return found;
}

/**
 * A comment with one that was used before added to it, once.
 * @param {string} comment
 * @param {string} used
 */
export function withUsed(comment, used) {
  if (comment.includes(used)) return comment;
  return comment.trim() ? `${comment.trimEnd()}\n\n${used}` : used;
}
