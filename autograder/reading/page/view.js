// What the page shows. HTML that is put in comes from our server alone, which has cleaned it.

/** @import {Answer, Comment, Draft, Question, Queue, State} from "./types" */
import { QUEUES, isIn, progress } from "./reading.js";

/**
 * The element of this name.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const at = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * A new element with text in it.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [text]
 * @param {string} [className]
 */
export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

/**
 * A button that does something.
 * @param {string} text
 * @param {() => void} act
 * @param {string} [className]
 */
export function button(text, act, className = "") {
  const made = element("button", text, className);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/**
 * Put cleaned HTML in; links in it open elsewhere, and learn nothing of this page.
 * @param {Element} into
 * @param {string} html
 */
export function put(into, html) {
  into.innerHTML = html;
  for (const link of into.querySelectorAll("a[href^=http]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer nofollow");
  }
}

/** @param {number} points */
export const shown = (points) => String(Math.round(points * 1000) / 1000);

/**
 * The question, its model answer and its items.
 * @param {Question} question
 * @param {(place: number) => void} toggle
 */
export function showQuestion(question, toggle) {
  put(/** @type {Element} */ (at("asked").querySelector(".text")), question.asked);
  put(/** @type {Element} */ (at("model").querySelector(".text")), question.model);
  const whole = question.items.length === 0;
  at("model").hidden = !question.model;
  at("model").querySelector("summary")?.replaceChildren(whole ? "Rubric" : "Model answer");
  if (whole) /** @type {HTMLDetailsElement} */ (at("model")).open = true;
  at("most").textContent = shown(question.most);
  at("items").replaceChildren(...question.items.map((item, place) => {
    const row = element("li"), made = element("button", "", "item");
    made.type = "button";
    made.append(element("kbd", place < 9 ? String(place + 1) : ""), element("span", "", "text"), element("span", "", "earned"));
    put(made.children[1], item.html);
    made.addEventListener("click", (event) => {
      toggle(place);
      if (event.detail) made.blur(); // of a mouse: Enter is to save, not to press this again
    });
    row.append(made);
    return row;
  }));
}

/**
 * The items, the points and the comment of a draft.
 * @param {Draft} draft
 * @param {Question} question
 */
export function showDraft(draft, question) {
  [...at("items").querySelectorAll("button")].forEach((item, place) => {
    const halves = draft.halves[place] ?? 0, most = question.items[place].points;
    const earned = (most * halves) / 2;
    item.dataset.halves = String(halves);
    item.setAttribute("aria-pressed", { 0: "false", 1: "mixed", 2: "true" }[halves] ?? "false");
    item.children[2].textContent = halves ? `${shown(earned)} of ${shown(most)}` : `of ${shown(most)}`;
  });
  const points = /** @type {HTMLInputElement} */ (at("points"));
  if (document.activeElement !== points) points.value = draft.points === null ? "" : shown(draft.points);
  const comment = /** @type {HTMLTextAreaElement} */ (at("comment"));
  if (document.activeElement !== comment || !comment.value) comment.value = draft.comment;
}

/**
 * Comments that were used before, each a button.
 * @param {Comment[]} comments
 * @param {(text: string) => void} use
 */
export function showUsed(comments, use) {
  const few = comments.slice(0, 9);
  const rows = few.map((each, place) => {
    const made = button("", () => use(each.text), "used");
    made.append(element("kbd", `⇧${place + 1}`), element("span", each.text));
    if (each.times > 1) made.append(element("small", `${each.times} times`));
    return made;
  });
  at("used").replaceChildren(...(rows.length ? [element("p", "Used before", "label"), ...rows] : []));
}

/**
 * How many are read, and the lists to go through.
 * @param {State} state
 * @param {Queue} queue
 */
export function showProgress(state, queue) {
  at("progress").textContent = progress(state);
  const many = new Set(Object.keys(state.readers)).size > 1 || queue === "second";
  const select = /** @type {HTMLSelectElement} */ (at("queue"));
  select.replaceChildren(...QUEUES.map(([name, words]) => {
    const left = state.answers.filter((each) => isIn(each, name)).length;
    const option = new Option(`${words} (${left})`, name, false, name === queue);
    option.disabled = name === "differ" && !left && queue !== "differ" && !many;
    return option;
  }));
}

/**
 * What a reader should know before giving points.
 * @param {Answer} answer
 * @param {Draft} draft
 * @param {(points: number, comment: string, halves: number[]) => void} decide
 */
export function showNotice(answer, draft, decide) {
  const said = notices(answer, draft).map((words) => element("p", words));
  if (answer.state === "differ" && answer.mine) {
    const row = element("p", "", "choices");
    for (const each of [...answer.others, answer.mine]) {
      row.append(button(`Settle on ${shown(each.points)}`, () => decide(each.points, each.comment, each.halves)));
    }
    row.append(" or give other points and save: yours then count.");
    said.push(row);
  }
  at("notice").replaceChildren(...said);
}

/**
 * @param {Answer} answer
 * @param {Draft} draft
 * @returns {string[]}
 */
function notices(answer, draft) {
  const said = [], { mine, others, before, elsewhere } = answer;
  if (draft.refused) said.push(`Your points were not taken: ${draft.refused}. Look again, and save.`);
  if (mine && others.length) {
    const theirs = others.map((each) => `${each.reader || "Formgrader or a table"} gave ${shown(each.points)}${each.comment ? ` (“${each.comment}”)` : ""}`);
    said.push(`${theirs.join("; ")}; you gave ${shown(mine.points)}.`);
  } else if (answer.readBy.length) {
    said.push(`Read by ${answer.readBy.join(", ")}. Their points are shown after yours.`);
  }
  if (elsewhere?.points != null) said.push(`In the gradebook, by Formgrader or a table: ${shown(elsewhere.points)} points.`);
  if (answer.state === "again") {
    said.push(before === null ? "Graded again since it was read: look whether the points still fit."
      : `New work: what was handed in before had ${shown(before)} points.`);
  }
  if (answer.state === "blank") said.push("Nothing was written here: nobody needs to read it.");
  return said;
}
