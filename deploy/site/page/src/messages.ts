// What the page and its worker tell each other.
import type { Code } from "./notebook";

/** How much of scipy is there: its functions that stand alone in one small binary, or all of it. */
export type Scipy = "small" | "whole";

export interface Settings {
  scipy: Scipy;
  /** Where Python's files are. */
  folder: string;
}

export const FILES = "page-files.json";

/** The bytes of a file as it is, and as a host sends it that packs what is not packed. */
export interface Size {
  whole: number;
  sent: number;
}

/** What the site's build writes into FILES: what is loaded, and how much that is. */
export interface Files {
  lock: string;
  packages: Record<Scipy, string[]>;
  sizes: Record<Scipy, Record<string, Size>>;
}

/** Return all bytes that are sent. */
export const bytes = (files: Files, scipy: Scipy): number =>
  Object.values(files.sizes[scipy]).reduce((sum, { sent }) => sum + sent, 0);

/** "right", "wrong" and "not yet" come from a check; "ran" is a run without a fault, "failed" one with. */
export type Kind = "right" | "wrong" | "not yet" | "ran" | "failed" | "stopped";

export interface Shown {
  html?: string;
  text?: string;
}

export interface Answer {
  kind: Kind;
  /** What the check says, or Python, if anything. */
  text: string;
  /** What was printed and displayed, in order. */
  shown: Shown[];
  /** The share of the points that a right answer earns. */
  share?: number;
  /** How many answers of the reader's function the check has looked at. */
  draws?: number;
  /** The cell that failed, where it is another than the reader asked for. */
  cell?: string;
  /** A part of scipy was asked for that is not there. */
  wantsScipy?: boolean;
}

/** The cells above and the reader's own, its name, and the check that follows, for *Check*. */
export interface Question {
  number: number;
  cells: Code[];
  check?: Code;
  longest: number;
}

export type FromWorker =
  | { kind: "loaded" }
  | { kind: "progress"; words: string; share: number }
  | { kind: "ready"; seconds: number }
  | { kind: "broken"; words: string }
  | { kind: "answer"; number: number; answer: Answer };
