/** What a reader gives for an answer, before it is sent. */
export interface Draft {
  /** null: no points yet */
  points: number | null;
  /** by place of a rubric's item, how many halves of its points are given */
  halves: number[];
  comment: string;
  /** why the server did not take it */
  refused?: string;
}

export interface Given {
  reader: string;
  points: number;
  halves: number[];
  comment: string;
}

export interface Elsewhere {
  points: number | null;
  comment: string;
}

export interface Answer {
  key: string;
  work: string;
  question: number;
  state: "waits" | "again" | "differ" | "read" | "blank";
  readBy: string[];
  mine: Given | null;
  others: Given[];
  /** points for work that was handed in before */
  before: number | null;
  /** points that came by Formgrader or a table */
  elsewhere: Elsewhere | null;
  score: number | null;
}

export interface Comment {
  question: number;
  text: string;
  times: number;
}

export interface State {
  answers: Answer[];
  comments: Comment[];
  readers: Record<string, number>;
}

export interface Item {
  points: number;
  html: string;
}

export interface Question {
  cell: string;
  most: number;
  items: Item[];
  asked: string;
  model: string;
}

export interface Chapter {
  chapter: string;
  /** a name of this course and chapter, for what the browser keeps */
  place: string;
  questions: Question[];
}

/** A draft on its way to the server. */
export interface Sent extends Draft {
  points: number;
  sent: string;
  key: string;
  work: string;
  reader: string;
  decides: boolean;
  saw: Elsewhere | null;
  /** milliseconds, to send in order */
  at: number;
}

export type Queue = "open" | "second" | "differ" | "all";
