// A chapter's notebook as students get it: where answers go, what runs, and what is handed in.

export interface Mark {
  grade_id: string;
  solution?: boolean;
  grade?: boolean;
  [more: string]: unknown;
}

export interface Cell {
  cell_type: "code" | "markdown" | "raw";
  source: string | string[];
  metadata: { nbgrader?: Mark; [more: string]: unknown };
  [more: string]: unknown;
}

export interface Notebook {
  cells: Cell[];
  [more: string]: unknown;
}

/** A place for an answer: its name, whether it is code, and the cell that checks it, if one does. */
export interface Exercise {
  name: string;
  isCode: boolean;
  check?: string;
}

/** What the worker is given of a cell. */
export interface Code {
  name: string;
  code: string;
}

export type Texts = ReadonlyMap<string, string>;

const VISIBLE = "_visible";

export const written = (cell: Cell): string =>
  typeof cell.source === "string" ? cell.source : cell.source.join("");

const nameOf = (cell: Cell): string | undefined => cell.metadata.nbgrader?.grade_id;

const isAnswer = (cell: Cell): boolean => cell.metadata.nbgrader?.solution === true;

/** Return the places for answers, in order. */
export function exercises(notebook: Notebook): Exercise[] {
  const names = new Set(notebook.cells.map(nameOf));
  return notebook.cells.filter(isAnswer).map((cell) => {
    const name = nameOf(cell) ?? "";
    const check = name + VISIBLE;
    return { name, isCode: cell.cell_type === "code", ...(names.has(check) ? { check } : {}) };
  });
}

/** Return what a new reader finds in each place for an answer. */
export function stubs(notebook: Notebook): Map<string, string> {
  return new Map(notebook.cells.filter(isAnswer).map((cell) => [nameOf(cell) ?? "", written(cell)]));
}

/**
 * Return the code cells down to an exercise, with the reader's answers in them; no checks of others.
 *
 * A cell is called by its name, and one without a name by its place among the chapter's code cells.
 */
export function codeUpTo(notebook: Notebook, texts: Texts, exercise: string): Code[] {
  const found: Code[] = [];
  let place = 0;
  for (const cell of notebook.cells) {
    if (cell.cell_type !== "code") continue;
    place += 1;
    const name = nameOf(cell);
    if (cell.metadata.nbgrader?.grade) continue;
    const code = (name !== undefined && isAnswer(cell) ? texts.get(name) : undefined) ?? written(cell);
    found.push({ name: name ?? `code cell ${place}`, code });
    if (name === exercise) return found;
  }
  throw new Error(`this chapter has no exercise ${exercise}`);
}

/** Return the source of a cell with this name. */
export function sourceOf(notebook: Notebook, name: string): string {
  const cell = notebook.cells.find((each) => nameOf(each) === name);
  if (!cell) throw new Error(`this chapter has no cell ${name}`);
  return written(cell);
}

/**
 * Return the notebook to hand in. Only the sources of places for answers differ from what was given:
 * ids, metadata and the checksums of locked cells stay, so nbgrader takes it as one of its own.
 */
export function handIn(notebook: Notebook, texts: Texts): string {
  const whole = structuredClone(notebook);
  for (const cell of whole.cells) {
    const text = isAnswer(cell) ? texts.get(nameOf(cell) ?? "") : undefined;
    if (text !== undefined) cell.source = inLines(text);
  }
  return JSON.stringify(whole, null, 1) + "\n";
}

/** Return a text as a notebook keeps it: a list of lines, each with its end. */
export function inLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Return the answers of a notebook that somebody opens, by exercise.
 *
 * @throws Error if it is no notebook, or one of another chapter
 */
export function answersIn(text: string, own: Notebook): Map<string, string> {
  let given: Partial<Notebook>;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error("This file is not a notebook.");
  }
  if (!Array.isArray(given?.cells)) throw new Error("This file is not a notebook.");
  const places = stubs(own);
  const found = new Map<string, string>();
  for (const cell of given.cells) {
    const name = cell?.metadata?.nbgrader?.grade_id;
    const isText = typeof cell?.source === "string" || Array.isArray(cell?.source);
    if (name !== undefined && places.has(name) && isText) found.set(name, written(cell));
  }
  if (!found.size) throw new Error("This notebook has no answers to this chapter's exercises.");
  return found;
}
